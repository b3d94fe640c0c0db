from exercise.disk import Item


def accepts(item: Item, level: int = 0) -> bool:
    """A file has a size and nothing inside, a folder items inside and no size of its own."""
    return level >= 0 and is_item(item)


def is_item(item: Item) -> bool:
    if item.inside:
        return item.size == 0 and all(is_item(inner) for inner in item.inside)
    return item.size >= 0
