"""Seats together: where can all of us sit side by side?

A plan is a text with one line for each row of seats, the front row first. The rows have the names
A, B, C and so on, from the front. In a row every character is a seat; seats are numbered from 1.
"""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FREE = "."
CHOSEN = "*"  # every other character is a seat that is taken

EVENINGS = {
    "Friday": """xx..xx
                 x.xx.x
                 x...xx""",
    "Saturday": """xxxxxx
                   ....xx
                   xx.xx.""",
}


def rows(plan: str) -> list[str]:
    """Return the lines of a plan as a list, without the spaces at both ends
    of each line.
    ex-1 - First principle: say what each element becomes
    Read: LESSON.md, "What each element becomes"
    Test: test_rows_gives_one_text_for_each_line
    Start here: which method of a text gives its lines, and which one takes
        spaces off?
    """
    raise NotImplementedError("rows")


def free_seats(row: str) -> list[int]:
    """Return the numbers of the free seats of a row, from left to right.
    ex-2 - First principle: an if at the end leaves out
    Read: LESSON.md, "Leaving out"
    Test: test_free_seats_gives_numbers_from_one
    Start here: how do you get a number together with every character?
    """
    raise NotImplementedError("free_seats")


def first_block(row: str, people: int) -> set[int]:
    """Return the numbers of the first seats side by side that are free for so many people, or an
    empty set if there are none. (Given: use it in `offers`.)
    """
    free = set(free_seats(row))
    for first in sorted(free):
        block = set(range(first, first + people))
        if block <= free:
            return block
    return set()


def marked(row: str, chosen: set[int]) -> str:
    """Return the row with `CHOSEN` in place of each seat whose number is
    chosen. All other seats stay as they are.
    ex-3 - First principle: an if at the front chooses
    Read: LESSON.md, "One or the other"
    Test: test_marked_puts_a_star_on_chosen_seats
    Start here: for one seat and its number, which two characters can be in
        its place?
    """
    raise NotImplementedError("marked")


def offers(plan: str, people: int) -> dict[str, str]:
    """Return the rows in which so many people can sit side by side: a
    dictionary from the letter of the row to the row itself, in which its
    `first_block` is `marked`. Rows where they cannot are left out.
    ex-4 - First principle: key and value in one expression
    Read: LESSON.md, "Key and value"
    Test: test_offers_marks_the_first_block
    Start here: walk over letters and rows side by side
    """
    raise NotImplementedError("offers")


def choices(evenings: dict[str, str], people: int) -> list[str]:
    """Return all offers of all evenings as one list of lines such as "Friday,
    row A: xx**xx": evening by evening, and for each evening from the front to
    the back.
    ex-5 - First principle: the outer loop comes first
    Read: LESSON.md, "A loop within the loop"
    Test: test_choices_lists_evening_by_evening
    Start here: which loop comes before you can ask for a plan's offers?
    """
    raise NotImplementedError("choices")
