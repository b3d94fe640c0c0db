"""Disk detective: what fills the folders within the folders?

An `Item` is a file or a folder. A file has a size and nothing inside. A folder has items inside
and no size of its own; they may be folders again, as deep as you like.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    name: str
    size: int = 0  # in megabytes
    inside: tuple["Item", ...] = ()

    def __repr__(self) -> str:
        return f"{self.name} {list(self.inside) or self.size}"


HOME = Item(
    "home",
    inside=(
        Item("notes.txt", 2),
        Item(
            "photos",
            inside=(
                Item("cat.jpg", 40),
                Item("trip", inside=(Item("sea.jpg", 55), Item("film.mp4", 900))),
            ),
        ),
        Item("old", inside=(Item("backup", inside=(Item("film.mp4", 1200),)),)),
    ),
)


def total(item: Item) -> int:
    """Return the size of an item with everything that is inside it, at any
    depth. For a file that is its own size.
    ex-1 - First principle: ask the same of the parts
    Read: LESSON.md, "The same question, only smaller"
    Test: test_total_of_a_file_is_its_size
    Start here: if you knew the totals of everything inside, what would be
        left to do?
    """
    raise NotImplementedError("total")


def files(item: Item) -> list[str]:
    """Return the paths of all files in an item, in the order in which they
    stand there. A path begins with the item's own name and has slashes:
    "photos/trip/sea.jpg". For a file it is its name. Folders are not listed.
    ex-2 - First principle: one case stops
    Read: LESSON.md, "The case that stops"
    Test: test_files_of_a_file_is_its_name
    Start here: what is the answer if nothing is inside?
    """
    raise NotImplementedError("files")


def find(item: Item, name: str) -> str:
    """Return the path of the first file or folder with this name, such as
    "home/photos/trip": the item itself, then what is inside, one after the
    other, each down to its bottom. If there is none, return an empty text.
    ex-3 - First principle: hand the answer up
    Read: LESSON.md, "Hand the answer up"
    Test: test_find_looks_at_the_item_first
    Start here: what do you do with an answer from inside that is not empty?
    """
    raise NotImplementedError("find")


def large(item: Item, least: int) -> Item:
    """Return a copy of an item in which everything inside, at any depth, is
    left out if its `total` is less than `least`. The item itself is always
    there. The given item stays unchanged.
    ex-4 - First principle: build the whole from new parts
    Read: LESSON.md, "A new tree from the old one"
    Test: test_large_leaves_small_files_out
    Start here: which parts stay, and what has to happen inside of those?
    """
    raise NotImplementedError("large")


def tree(item: Item, level: int = 0) -> list[str]:
    """Return a line for the item and then the lines of everything inside: the
    name, a space and the `total`, after two spaces for each level below the
    first one. In a folder the largest is first; equal ones keep their order.
    ex-5 - First principle: hand the level down
    Read: LESSON.md, "Hand something down"
    Test: test_tree_of_a_file_is_one_line
    Start here: write the item's own line, then think of its parts' level
    """
    raise NotImplementedError("tree")
