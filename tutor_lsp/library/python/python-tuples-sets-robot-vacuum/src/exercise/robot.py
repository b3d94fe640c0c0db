"""Robot vacuum: where did it go, and which spots did it miss?

The floor is made of cells. A cell is a pair (x, y): x counts from left to right, y from top to
bottom, both from 0. Moves are a text such as "EES": two cells east, one south.
"""

Cell = tuple[int, int]

MOVES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}  # change of x, change of y
CLEAN = "."
MISSED = "#"


def step(x: int, y: int, dx: int, dy: int) -> Cell:
    """Return the cell that one gets to from the cell (x, y) if x changes by
    `dx` and y by `dy`.
    ex-1 - First principle: a comma makes a tuple
    Read: LESSON.md, "A comma makes a tuple"
    Test: test_step_changes_x_and_y
    Start here: which two numbers are the answer?
    """
    raise NotImplementedError("step")


def follow(start: Cell, moves: str) -> list[Cell]:
    """Return the path of the robot: the cell where it starts, then the cell
    after each of its moves. What the letters mean is in `MOVES`.
    ex-2 - First principle: unpacking gives the parts names
    Read: LESSON.md, "Taking tuples apart"
    Test: test_follow_begins_at_the_start
    Start here: take the start apart into two names
    """
    raise NotImplementedError("follow")


def floor(width: int, depth: int) -> set[Cell]:
    """Return all cells of a room as a set. x goes from 0 to `width` - 1, y
    from 0 to `depth` - 1. A room without width or depth gives an empty set.
    ex-3 - First principle: a set holds everything once
    Read: LESSON.md, "Everything at most once"
    Test: test_floor_has_every_cell
    Start here: how do you write a set with nothing in it?
    """
    raise NotImplementedError("floor")


def missed(room: set[Cell], path: list[Cell]) -> list[Cell]:
    """Return the cells of the room that are not on the path, as a sorted
    list. Cells of the path that lie outside the room do not matter. Room and
    path stay unchanged.
    ex-4 - First principle: sets subtract, sorted puts in order
    Read: LESSON.md, "What is left"
    Test: test_missed_lists_what_is_not_on_the_path
    Start here: make the path something that can be taken away from a set
    """
    raise NotImplementedError("missed")


def inspect(width: int, depth: int, start: Cell, moves: str) -> tuple[str, int]:
    """Return the map of a room after the robot's moves, and the number of
    cells that it missed. The map has a line for each y, from top to bottom,
    with a line break between them, and for each x `MISSED` or `CLEAN` in it.
    ex-5 - First principle: one function, two answers
    Read: LESSON.md, "Two answers at once"
    Test: test_inspect_draws_what_was_missed
    Start here: get the missed cells, and you have the second answer already
    """
    raise NotImplementedError("inspect")
