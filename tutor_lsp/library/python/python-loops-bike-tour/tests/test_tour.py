from exercise.tour import charging_time, legs, legs_on_one_charge, numbered, plan


def test_legs_pairs_each_stop_with_the_next() -> None:
    assert legs(["Bonn", "Köln", "Neuss"]) == [("Bonn", "Köln"), ("Köln", "Neuss")]
    assert legs(["a", "b", "c", "a"]) == [("a", "b"), ("b", "c"), ("c", "a")]


def test_legs_are_one_fewer_than_the_stops() -> None:
    assert legs(["home", "sea"]) == [("home", "sea")]
    assert legs(["home"]) == []


def test_numbered_begins_at_one() -> None:
    assert numbered(["ride", "charge", "sleep"]) == ["1. ride", "2. charge", "3. sleep"]


def test_numbered_counts_equal_lines_too() -> None:
    assert numbered(["ride", "rest", "ride"]) == ["1. ride", "2. rest", "3. ride"]


def test_numbered_leaves_the_lines_unchanged() -> None:
    lines = ["ride", "charge"]
    assert numbered(lines) == ["1. ride", "2. charge"]
    assert lines == ["ride", "charge"]


def test_legs_on_one_charge_counts_until_the_battery_is_too_low() -> None:
    assert legs_on_one_charge([30, 25, 40], 60) == 2
    assert legs_on_one_charge([30, 25, 40], 40) == 1


def test_legs_on_one_charge_never_skips_a_leg() -> None:
    assert legs_on_one_charge([20, 50, 10, 10], 45) == 1
    assert legs_on_one_charge([50, 10, 10], 45) == 0


def test_legs_on_one_charge_may_empty_the_battery() -> None:
    assert legs_on_one_charge([20, 25, 5], 45) == 2


def test_legs_on_one_charge_may_be_all() -> None:
    assert legs_on_one_charge([20, 25, 5], 80) == 3


def test_charging_time_counts_steps_until_it_is_enough() -> None:
    assert charging_time(10, 20) == 20
    assert charging_time(5, 30) == 40


def test_charging_time_stops_as_soon_as_it_is_enough() -> None:
    assert charging_time(12, 20) == 10
    assert charging_time(12, 21) == 20


def test_charging_time_knows_that_charging_gets_slow() -> None:
    assert charging_time(50, 70) == 40
    assert charging_time(0, 80) == 140


def test_charging_time_may_be_zero() -> None:
    assert charging_time(30, 30) == 0
    assert charging_time(30, 31) == 10


def test_plan_rides_one_leg() -> None:
    assert plan(["Bonn", "Köln"], [30], 42) == (
        "1 of 1 legs without charging\n1. Bonn to Köln: 30 km, 12 km left"
    )


def test_plan_charges_where_the_battery_is_too_low() -> None:
    assert plan(["Bonn", "Köln", "Neuss"], [30, 40], 42) == (
        "1 of 2 legs without charging\n"
        "1. Bonn to Köln: 30 km, 12 km left\n"
        "2. Köln: charge for 40 minutes\n"
        "3. Köln to Neuss: 40 km, 4 km left"
    )


def test_plan_keeps_what_was_charged() -> None:
    assert plan(["Ulm", "Blaubeuren", "Schelklingen", "Schmiechen"], [20, 9, 5], 4) == (
        "0 of 3 legs without charging\n"
        "1. Ulm: charge for 20 minutes\n"
        "2. Ulm to Blaubeuren: 20 km, 0 km left\n"
        "3. Blaubeuren: charge for 20 minutes\n"
        "4. Blaubeuren to Schelklingen: 9 km, 7 km left\n"
        "5. Schelklingen to Schmiechen: 5 km, 2 km left"
    )
