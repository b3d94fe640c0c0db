from exercise.movie import catches_bus, ends_at, plan, to_minutes


def test_to_minutes_adds_hours_and_minutes() -> None:
    assert to_minutes(2, 46) == 166
    assert to_minutes(1, 5) == 65


def test_to_minutes_counts_full_hours() -> None:
    assert to_minutes(3, 0) == 180


def test_to_minutes_counts_minutes_alone() -> None:
    assert to_minutes(0, 45) == 45


def test_ends_at_adds_the_length_to_the_start() -> None:
    assert ends_at(20, 30, 116) == 1346
    assert ends_at(10, 0, 90) == 690


def test_ends_at_keeps_counting_after_midnight() -> None:
    assert ends_at(23, 0, 90) == 1470


def test_catches_bus_is_true_with_time_to_spare() -> None:
    assert catches_bus(1346, 10, 1430) is True


def test_catches_bus_is_true_in_the_very_minute() -> None:
    assert catches_bus(1420, 10, 1430) is True


def test_catches_bus_is_false_one_minute_late() -> None:
    assert catches_bus(1421, 10, 1430) is False
    assert catches_bus(1421, 9, 1430) is True


def test_plan_tells_the_end_and_the_bus() -> None:
    assert plan("Arrival", 20, 30, 116) == "Arrival ends at 22:26: you catch the last bus"


def test_plan_says_when_the_bus_is_gone() -> None:
    assert plan("Dune", 21, 15, 155) == "Dune ends at 23:50: the last bus is gone"


def test_plan_shows_a_time_after_midnight() -> None:
    assert plan("Ran", 22, 0, 162) == "Ran ends at 00:42: the last bus is gone"
