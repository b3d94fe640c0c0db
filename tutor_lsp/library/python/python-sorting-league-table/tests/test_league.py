from exercise.league import (
    TEAMS,
    Team,
    best,
    by_name,
    difference,
    places,
    points,
    scored,
    sheet,
    table,
)

OWLS, LIONS, BEES, FOXES, WOLVES, YAKS = TEAMS


def test_by_name_follows_the_alphabet() -> None:
    assert by_name([OWLS, YAKS, LIONS, FOXES]) == [FOXES, LIONS, OWLS, YAKS]


def test_by_name_takes_large_and_small_letters_as_one() -> None:
    assert by_name([OWLS, BEES, FOXES]) == [BEES, FOXES, OWLS]


def test_by_name_leaves_the_list_unchanged() -> None:
    teams = [OWLS, LIONS]
    assert by_name(teams) == [LIONS, OWLS]
    assert teams == [OWLS, LIONS]


def test_table_has_most_points_first() -> None:
    assert table([YAKS, FOXES, OWLS]) == [OWLS, FOXES, YAKS]
    assert table([Team("A", 2, 0, 5, 1), Team("B", 1, 4, 5, 5)])[0] == Team("B", 1, 4, 5, 5)


def test_table_looks_at_the_difference_next() -> None:
    assert table([BEES, OWLS]) == [OWLS, BEES]
    assert table([Team("A", 0, 0, 2, 9), Team("B", 0, 0, 1, 1)])[0] == Team("B", 0, 0, 1, 1)


def test_table_looks_at_the_name_last() -> None:
    assert table([WOLVES, OWLS, FOXES]) == [OWLS, FOXES, WOLVES]
    assert table([Team("b", 1, 0, 5, 2), Team("C", 1, 0, 4, 1), Team("A", 1, 0, 3, 0)]) == [
        Team("A", 1, 0, 3, 0),
        Team("b", 1, 0, 5, 2),
        Team("C", 1, 0, 4, 1),
    ]


def test_best_asks_the_skill() -> None:
    assert best(TEAMS, scored) == LIONS
    assert best(TEAMS, difference) == OWLS


def test_best_may_be_below_zero() -> None:
    assert best([YAKS, Team("Elks", 0, 0, 1, 3)], difference) == Team("Elks", 0, 0, 1, 3)


def test_best_of_equals_is_first_by_name() -> None:
    assert best([OWLS, BEES], points) == BEES
    assert best([BEES, OWLS], points) == BEES
    assert best([WOLVES, LIONS, FOXES], points) == FOXES


def test_places_count_from_one() -> None:
    assert places([YAKS, OWLS, LIONS]) == {"Owls": 1, "Lions": 2, "Yaks": 3}
    assert places([Team("Elks", 0, 0, 1, 1)]) == {"Elks": 1}
    assert places([Team("Gulls", 0, 1, 1, 1)]) == {"Gulls": 1}


def test_places_are_shared_by_equals() -> None:
    assert places([WOLVES, FOXES]) == {"Foxes": 1, "Wolves": 1}
    assert places([WOLVES, OWLS, FOXES]) == {"Owls": 1, "Foxes": 2, "Wolves": 2}
    assert places([LIONS, FOXES]) == {"Foxes": 1, "Lions": 2}


def test_places_stay_empty_after_a_shared_one() -> None:
    assert places([YAKS, WOLVES, OWLS, FOXES]) == {"Owls": 1, "Foxes": 2, "Wolves": 2, "Yaks": 4}


def test_sheet_without_wishes_is_by_name() -> None:
    assert sheet([YAKS, OWLS, BEES], []) == [
        "Best attack: Owls",
        "2. bees: 10 points",
        "1. Owls: 10 points",
        "3. Yaks: 2 points",
    ]


def test_sheet_follows_one_wish() -> None:
    assert sheet([YAKS, OWLS, LIONS], [("scored", True)]) == [
        "Best attack: Lions",
        "2. Lions: 7 points",
        "1. Owls: 10 points",
        "3. Yaks: 2 points",
    ]
    assert sheet([OWLS, YAKS, LIONS], [("scored", False)])[1:] == [
        "3. Yaks: 2 points",
        "1. Owls: 10 points",
        "2. Lions: 7 points",
    ]


def test_sheet_takes_the_first_wish_as_the_most_important() -> None:
    assert sheet(TEAMS, [("points", False), ("scored", True)])[1:] == [
        "6. Yaks: 2 points",
        "5. Lions: 7 points",
        "3. Foxes: 7 points",
        "3. Wolves: 7 points",
        "1. Owls: 10 points",
        "2. bees: 10 points",
    ]
    assert sheet([OWLS, YAKS], [("name", True), ("points", True)])[1:] == [
        "2. Yaks: 2 points",
        "1. Owls: 10 points",
    ]


def test_sheet_keeps_equals_in_order_of_name() -> None:
    assert sheet([WOLVES, OWLS, LIONS, FOXES, BEES], [("points", True)])[1:] == [
        "2. bees: 10 points",
        "1. Owls: 10 points",
        "3. Foxes: 7 points",
        "5. Lions: 7 points",
        "3. Wolves: 7 points",
    ]
