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
    """Return the size of an item with everything that is inside it, at any depth. For a file that
    is its own size.

    ex-1 — First principle: ask the same of the parts
    Read: LESSON.md § "The same question, only smaller"
    Test: test_total_of_a_file_is_its_size, test_total_adds_up_a_folder,
        test_total_goes_down_to_any_depth
    Start here: if you knew the totals of everything inside, what would be left to do?
    """
    raise NotImplementedError("total")


def files(item: Item) -> list[str]:
    """Return the paths of all files in an item, in the order in which they stand there. A path
    begins with the item's own name and has slashes: "photos/trip/sea.jpg". For a file it is just
    its name. Folders are not listed.

    ex-2 — First principle: one case stops
    Read: LESSON.md § "The case that stops"
    Test: test_files_of_a_file_is_its_name, test_files_lists_a_folder_in_order,
        test_files_puts_all_folders_into_the_path, test_files_starts_anew_with_every_call
    Start here: what is the answer if nothing is inside?
    """
    raise NotImplementedError("files")


def find(item: Item, name: str) -> str:
    """Return the path of the first file or folder with this name, from the item down, such as
    "home/photos/trip". The item itself is looked at first, then what is inside, one after the
    other, each down to its bottom. Return an empty text if there is none.

    ex-3 — First principle: hand the answer up
    Read: LESSON.md § "Hand the answer up"
    Test: test_find_looks_at_the_item_first, test_find_goes_down_to_any_depth,
        test_find_takes_the_first_one, test_find_is_empty_if_there_is_none
    Start here: what do you do with the answer of something inside, if it is not empty?
    """
    raise NotImplementedError("find")


def large(item: Item, least: int) -> Item:
    """Return a copy of an item in which everything inside, at any depth, is left out if its
    `total` is less than `least`. The item itself is always there. The given item stays unchanged.

    ex-4 — First principle: build the whole from new parts
    Read: LESSON.md § "A new tree from the old one"
    Test: test_large_leaves_small_files_out, test_large_keeps_what_is_just_large_enough,
        test_large_cuts_at_any_depth
    Start here: which parts stay, and what has to happen inside of those?
    """
    raise NotImplementedError("large")


def tree(item: Item, level: int = 0) -> list[str]:
    """Return one line for the item and then the lines of everything inside: the name, a space and
    the `total`, after two spaces for each level below the first one. Inside a folder the largest
    comes first; equal ones stay in their order.

    ex-5 — First principle: hand the level down
    Read: LESSON.md § "Hand something down"
    Test: test_tree_of_a_file_is_one_line, test_tree_indents_each_level,
        test_tree_puts_the_largest_first, test_tree_begins_at_the_given_level
    Start here: write the line of the item alone, then think of the level of its parts
    """
    raise NotImplementedError("tree")
