from exercise.till import change, paid_exactly, receipt, to_cents, total


def test_to_cents_gives_whole_cents() -> None:
    assert to_cents(2.5) == 250
    assert repr(to_cents(3.0)) == "300"


def test_to_cents_never_loses_a_cent() -> None:
    assert to_cents(4.35) == 435
    assert to_cents(0.29) == 29
    assert to_cents(1.1) == 110


def test_total_adds_up_the_prices() -> None:
    assert total([2.5, 0.99, 4.0], 0) == 749
    assert total([4.35], 0) == 435


def test_total_takes_the_discount_off() -> None:
    assert total([5.0, 15.0], 10) == 1800
    assert total([5.0], 50) == 250
    assert total([5.0], 100) == 0


def test_total_rounds_the_discount_down() -> None:
    assert total([0.35], 10) == 32
    assert total([0.37], 10) == 34
    assert total([0.99], 50) == 50


def test_total_rounds_only_once() -> None:
    assert total([0.35, 0.35, 0.35, 0.35], 10) == 126
    assert total([0.05, 0.05, 0.05, 0.05], 5) == 19


def test_paid_exactly_is_true_for_the_right_coins() -> None:
    assert paid_exactly([2.0, 0.5], 250) is True
    assert paid_exactly([2.0, 0.5], 300) is False


def test_paid_exactly_trusts_no_float() -> None:
    assert paid_exactly([0.1, 0.2], 30) is True
    assert paid_exactly([2.0, 2.0, 0.2, 0.1, 0.05], 435) is True
    assert paid_exactly([2.0, 2.0, 0.2, 0.1, 0.05], 434) is False


def test_paid_exactly_is_false_for_one_cent() -> None:
    assert paid_exactly([2.0, 0.5], 251) is False
    assert paid_exactly([2.0, 0.5], 249) is False
    assert paid_exactly([2.0, 0.49], 249) is True


def test_change_uses_the_largest_coins_first() -> None:
    assert change(385) == [200, 100, 50, 20, 10, 5]
    assert change(38) == [20, 10, 5, 2, 1]


def test_change_repeats_a_coin() -> None:
    assert change(600) == [200, 200, 200]
    assert change(44) == [20, 20, 2, 2]


def test_change_of_nothing_is_no_coin() -> None:
    assert change(0) == []
    assert change(1) == [1]


def test_receipt_says_thank_you() -> None:
    assert receipt([2.5, 1.0], 10, [2.0, 1.0, 0.1, 0.05]) == "3.15 to pay, thank you"
    assert receipt([0.1, 0.1, 0.1], 0, [0.1, 0.2]) == "0.30 to pay, thank you"


def test_receipt_lists_the_change() -> None:
    assert receipt([2.5, 1.0], 10, [5.0]) == "3.15 to pay, back: 1.00 + 0.50 + 0.20 + 0.10 + 0.05"


def test_receipt_never_invents_a_cent() -> None:
    assert receipt([4.35], 0, [4.0, 0.4]) == "4.35 to pay, back: 0.05"
    assert receipt([4.1], 0, [2.0, 2.0, 0.2, 0.1, 0.05]) == "4.10 to pay, back: 0.20 + 0.05"
    assert receipt([0.8], 0, [1.0]) == "0.80 to pay, back: 0.20"
