from exercise.seats import EVENINGS, choices, free_seats, marked, offers, rows


def test_rows_gives_one_text_for_each_line() -> None:
    assert rows("xx..\n.x.x\nx..x") == ["xx..", ".x.x", "x..x"]


def test_rows_takes_spaces_off_each_line() -> None:
    assert rows("  x..\n   ..x  \n  .x.") == ["x..", "..x", ".x."]
    assert rows("  x. .x\n  .. ..") == ["x. .x", ".. .."]


def test_free_seats_gives_numbers_from_one() -> None:
    assert free_seats("..x.") == [1, 2, 4]


def test_free_seats_takes_only_free_ones() -> None:
    assert free_seats("xx.kx.") == [3, 6]
    assert free_seats("-.x.") == [2, 4]


def test_free_seats_may_be_none() -> None:
    assert free_seats("xxxx") == []
    assert free_seats("xx.x") == [3]


def test_marked_puts_a_star_on_chosen_seats() -> None:
    assert marked("x...", {2, 3}) == "x**."
    assert marked("....", {1, 4}) == "*..*"
    assert marked("x..x", {1, 2}) == "**.x"


def test_marked_leaves_the_other_seats() -> None:
    assert marked("k.xx.", {2}) == "k*xx."


def test_marked_may_choose_none() -> None:
    assert marked("x..x", set()) == "x..x"


def test_offers_marks_the_first_block() -> None:
    assert offers("x...x..", 2) == {"A": "x**.x.."}
    assert offers(".x...\n..x..", 2) == {"A": ".x**.", "B": "**x.."}


def test_offers_leaves_out_full_rows() -> None:
    assert offers("....\nx..x", 3) == {"A": "***."}
    assert offers("....\nx..x", 5) == {}


def test_offers_keeps_the_letters_of_the_rows() -> None:
    assert offers("xxxx\nxx..\nx.x.\n..xx", 2) == {"B": "xx**", "D": "**xx"}


def test_choices_lists_evening_by_evening() -> None:
    assert choices(EVENINGS, 2) == [
        "Friday, row A: xx**xx",
        "Friday, row C: x**.xx",
        "Saturday, row B: **..xx",
    ]


def test_choices_is_one_flat_list() -> None:
    assert choices({"Sunday": "..\n.x\n.."}, 1) == [
        "Sunday, row A: *.",
        "Sunday, row B: *x",
        "Sunday, row C: *.",
    ]


def test_choices_leaves_out_evenings_without_an_offer() -> None:
    assert choices({"Monday": "x.x", "Tuesday": "x.."}, 2) == ["Tuesday, row A: x**"]
    assert choices({"Monday": "x.x", "Tuesday": "x.."}, 3) == []
