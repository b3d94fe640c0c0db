from exercise.borrow import borrow


def test_borrow_begins_with_nothing_at_home() -> None:
    assert borrow("drill") == ["drill"]
    assert borrow("saw") == ["saw"]


def test_borrow_adds_to_what_is_at_home() -> None:
    assert borrow("saw", ["drill"]) == ["drill", "saw"]
    assert borrow("ladder", ["saw", "drill"]) == ["saw", "drill", "ladder"]
    assert borrow("axe", []) == ["axe"]


def test_borrow_leaves_the_given_list_as_it_was() -> None:
    home = ["drill"]
    assert borrow("saw", home) == ["drill", "saw"]
    assert home == ["drill"]
