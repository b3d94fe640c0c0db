from exercise.disk import Item


def accepts(item: Item) -> bool:
    """A file has a size and nothing inside, a folder items inside and no size of its own."""
    if item.inside:
        return item.size == 0 and all(accepts(inner) for inner in item.inside)
    return item.size >= 0
