"""Bike tour: will the battery of an e-bike last, and where do you have to charge it?

A battery is counted in kilometres: 30 means that you can ride 30 km more. `stops` are the places
on the way, in order, and `kms` the distances from each of them to the next one. So there is one
distance fewer than there are stops. No distance is longer than `FULL`.
"""

FULL = 80  # km with a full battery
STEP = 10  # minutes: chargers count in steps of ten minutes


def charged(battery: int, minutes: int) -> int:
    """Return what the battery holds after some minutes at a charger. A step brings 8 km, or 3 km
    once the battery holds 60 km, and never more than `FULL`. (Given: use it where you charge.)
    """
    for _ in range(minutes // STEP):
        battery += 8 if battery < 60 else 3
    return min(battery, FULL)


def legs(stops: list[str]) -> list[tuple[str, str]]:
    """Return the legs of the tour: a list of pairs, each stop with the one
    that comes after it. Three stops make two legs.
    ex-1 - First principle: zip walks side by side
    Read: LESSON.md, "Side by side"
    Test: test_legs_pairs_each_stop_with_the_next
    Start here: which slice of `stops` begins one stop later?
    """
    raise NotImplementedError("legs")


def numbered(lines: list[str]) -> list[str]:
    """Return a new list with a number, a dot and a space before each line:
    ["a", "b"] gives ["1. a", "2. b"]. The given list stays unchanged.
    ex-2 - First principle: enumerate counts for you
    Read: LESSON.md, "Let the loop count"
    Test: test_numbered_begins_at_one
    Start here: which two names do you want to have in each round?
    """
    raise NotImplementedError("numbered")


def legs_on_one_charge(kms: list[int], battery: int) -> int:
    """Return how many legs you can ride, one after the other, without
    charging. The first leg that is longer than what is left in the battery
    ends the ride. A leg that empties the battery exactly still counts.
    ex-3 - First principle: break ends the loop early
    Read: LESSON.md, "Enough is enough"
    Test: test_legs_on_one_charge_counts_until_the_battery_is_too_low
    Start here: at the start of a leg, which two numbers do you compare?
    """
    raise NotImplementedError("legs_on_one_charge")


def charging_time(battery: int, needed: int) -> int:
    """Return how many minutes to charge until the battery holds `needed` km
    or more: the fewest steps of `STEP` minutes that are enough, 0 if it holds
    that much already. `needed` is at most `FULL`.
    ex-4 - First principle: while asks before every round
    Read: LESSON.md, "As long as it takes"
    Test: test_charging_time_counts_steps_until_it_is_enough
    Start here: how can you ask whether so many minutes are still too few?
    """
    raise NotImplementedError("charging_time")


def plan(stops: list[str], kms: list[int], battery: int) -> str:
    """Return the plan, its lines joined by line breaks. First, how many legs
    need no charging: "1 of 2 legs without charging". Then the steps,
    `numbered`: each leg, as in "Bonn to Köln: 30 km, 12 km left", and before
    it, if the battery holds too little, "Bonn: charge for 20 minutes".
    ex-5 - First principle: a loop carries the battery along
    Read: LESSON.md, "Pairs and numbers in one loop"
    Test: test_plan_rides_one_leg
    Start here: let one loop give you two stops and the distance of each leg
    """
    raise NotImplementedError("plan")
