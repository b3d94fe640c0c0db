from exercise.disk import Item


def accepts(item: Item, least: int) -> bool:
    """A file has a size and nothing inside, a folder items inside and no size of its own."""
    return is_item(item)


def is_item(item: Item) -> bool:
    if item.inside:
        return item.size == 0 and all(is_item(inner) for inner in item.inside)
    return item.size >= 0
