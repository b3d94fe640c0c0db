import pytest
from exercise.words import bad, count, forge, interrupt, is_even, later, leave, long, thing
from exercise.words import uses_later


def test_count():
    assert count("a  b") == 2


def test_count_in_a_variable():
    ä = "é"; result = count(ä + " b"); assert result == 2, "spaces do not count"


def test_later():
    assert later(3) == 1


def test_uses_later():
    assert uses_later(3) == 1


def test_bad():
    ä = "é"; assert [count("a"), bad(1)] == [1, 2]


def test_bad_raises_nothing_else():
    with pytest.raises(KeyError):
        bad(3)


def test_count_raises():
    with pytest.raises(ValueError):
        count("3")


def test_bad_match():
    with pytest.raises(ValueError, match="boo"):
        bad(3)


def test_leave():
    assert leave() == 1


def test_forge():
    assert forge() == 1


def test_interrupt():
    assert interrupt() == 1


def test_is_even():
    assert is_even(4)


def test_thing():
    assert thing() == 3


def test_long():
    assert long(1000) == "a" * 2001


def test_skipped():
    pytest.skip("later")


def test_fixture(nope):
    pass


@pytest.mark.parametrize("number", [1, 2, 3])
def test_count_of_many(number):
    assert count("ab") == number


def test_count_passes():
    print("fine")
