"""Movie night: when does the film end, and is there still a bus home?

A time of day is one whole number here: the minutes since midnight. 20:30 is 1230.
After midnight the count goes on, so 00:10 that night is 1450.
"""

WALK = 10  # minutes from the cinema to the bus stop
LAST_BUS = 1430  # the last bus leaves at 23:50


def to_minutes(hours: int, minutes: int) -> int:
    """Return how many minutes these hours and minutes are together.
    ex-1 - First principle: return hands back the answer
    Read: LESSON.md, "Handing back an answer"
    Test: test_to_minutes_adds_hours_and_minutes
    Start here: one hour is 60 minutes; how many minutes are `hours` hours?
    """
    return hours * 60 + minutes


def ends_at(hour: int, minute: int, length: int) -> int:
    """Return when a film is over that starts at `hour`:`minute` and runs for
    `length` minutes. The answer is a time: minutes since midnight, counted on
    after midnight (1450 is 00:10).
    ex-2 - First principle: a call stands for its answer
    Read: LESSON.md, "Functions that use functions"
    Test: test_ends_at_adds_the_length_to_the_start
    Start here: let `to_minutes` turn the starting time into one number
    """
    return to_minutes(hour, minute) + length


def catches_bus(end: int, walk: int, bus: int) -> bool:
    """Return True if you leave at `end`, walk for `walk` minutes and reach
    the stop by `bus`. Arriving in the very minute `bus` is still in time.
    Return False if you come later.
    ex-3 - First principle: a comparison is a value
    Read: LESSON.md, "Yes or no"
    Test: test_catches_bus_is_true_with_time_to_spare
    Start here: when are you at the stop, as one number?
    """
    return end + walk <= bus


def clock(time: int) -> str:
    """Return a time as a clock shows it: 1376 becomes "22:56". (Given: use it in `plan`.)"""
    return f"{time // 60 % 24:02}:{time % 60:02}"


def bus_note(in_time: bool) -> str:
    """Return what to say about the bus. (Given: use it in `plan`.)"""
    if in_time:
        return "you catch the last bus"
    return "the last bus is gone"


def plan(title: str, hour: int, minute: int, length: int) -> str:
    """Return the evening's plan: title, " ends at ", the end as `clock` shows
    it, ": " and the `bus_note`, as in "Arrival ends at 22:26: you catch the
    last bus". The walk takes `WALK` minutes, the bus leaves at `LAST_BUS`.
    ex-4 - First principle: an f-string puts answers into a sentence
    Read: LESSON.md, "Sentences with answers in them"
    Test: test_plan_tells_the_end_and_the_bus
    Start here: give the answer of `ends_at` a name, because you need it twice
    """
    end = ends_at(hour, minute, length)
    note = bus_note(catches_bus(end, WALK, LAST_BUS))
    return f"{title} ends at {clock(end)}: {note}"
