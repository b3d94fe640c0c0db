from exercise.robot import floor, follow, inspect, missed, step


def test_step_changes_x_and_y() -> None:
    assert step(3, 5, 1, 0) == (4, 5)
    assert step(3, 5, 0, 1) == (3, 6)


def test_step_goes_left_and_up_too() -> None:
    assert step(3, 5, -1, 0) == (2, 5)
    assert step(3, 5, 0, -1) == (3, 4)


def test_follow_begins_at_the_start() -> None:
    assert follow((2, 1), "") == [(2, 1)]
    assert follow((2, 1), "E") == [(2, 1), (3, 1)]


def test_follow_goes_in_all_four_directions() -> None:
    assert follow((1, 1), "NWS") == [(1, 1), (1, 0), (0, 0), (0, 1)]
    assert follow((0, 0), "EES") == [(0, 0), (1, 0), (2, 0), (2, 1)]


def test_follow_keeps_cells_that_come_twice() -> None:
    assert follow((0, 0), "EWE") == [(0, 0), (1, 0), (0, 0), (1, 0)]


def test_floor_has_every_cell() -> None:
    assert floor(2, 2) == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_floor_keeps_width_and_depth_apart() -> None:
    assert floor(3, 1) == {(0, 0), (1, 0), (2, 0)}
    assert floor(1, 2) == {(0, 0), (0, 1)}


def test_floor_may_be_an_empty_set() -> None:
    assert floor(4, 0) == set()
    assert floor(1, 1) == {(0, 0)}


def test_missed_lists_what_is_not_on_the_path() -> None:
    assert missed({(0, 0), (1, 0), (2, 0)}, [(0, 0), (1, 0), (0, 0)]) == [(2, 0)]


def test_missed_puts_the_cells_in_order() -> None:
    assert missed({(9, 0), (0, 1), (2, 7), (0, 0), (2, 5)}, [(0, 0)]) == [
        (0, 1),
        (2, 5),
        (2, 7),
        (9, 0),
    ]


def test_missed_ignores_cells_outside_the_room() -> None:
    assert missed({(0, 0), (1, 0)}, [(1, 0), (7, 7)]) == [(0, 0)]


def test_missed_leaves_room_and_path_unchanged() -> None:
    room, path = {(0, 0), (1, 0)}, [(1, 0), (1, 0)]
    assert missed(room, path) == [(0, 0)]
    assert room == {(0, 0), (1, 0)}
    assert path == [(1, 0), (1, 0)]


def test_inspect_draws_what_was_missed() -> None:
    drawn, _ = inspect(3, 3, (0, 0), "EESSWWN")
    assert drawn == "...\n.#.\n..."


def test_inspect_counts_what_was_missed() -> None:
    assert inspect(3, 3, (0, 0), "EESSWWN") == ("...\n.#.\n...", 1)
    assert inspect(2, 1, (0, 0), "EW") == ("..", 0)
    assert inspect(2, 1, (0, 0), "") == (".#", 1)


def test_inspect_takes_width_from_left_to_right() -> None:
    assert inspect(4, 2, (1, 0), "EE") == ("#...\n####", 5)
