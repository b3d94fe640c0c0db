"""Step chart: what a list of daily steps has to say.

Steps are whole numbers, one for each day, the oldest day first. Every list here has at least
one day, and every goal is larger than 0.
"""

BLOCKS = "▁▂▃▄▅▆▇█"  # from no steps to the goal
TOP = len(BLOCKS) - 1  # the index of the highest block
WINDOW = 3  # so many days are averaged in the report


def average(steps: list[int]) -> int:
    """Return the average number of steps a day, rounded to the nearest whole
    number.
    ex-1 - First principle: built-ins read the whole list
    Read: LESSON.md, "The whole list at once"
    Test: test_average_is_the_sum_shared_by_the_days
    Start here: which two built-ins tell you all the steps and all the days?
    """
    raise NotImplementedError("average")


def longest_streak(steps: list[int], goal: int) -> int:
    """Return the length of the longest streak: the most days in a row with
    `goal` steps or more. If no day gets there, return 0.
    ex-2 - First principle: variables carry knowledge through a loop
    Read: LESSON.md, "Carrying knowledge through a loop"
    Test: test_longest_streak_counts_days_in_a_row
    Start here: which two numbers must you know after each day to go on?
    """
    raise NotImplementedError("longest_streak")


def smooth(steps: list[int], days: int) -> list[int]:
    """Return a new list with one number for each day: the `average` of a
    window of `days` days that ends with this day. The first are shorter,
    since no days come before day one. The given list stays unchanged.
    ex-3 - First principle: a window is a slice that moves
    Read: LESSON.md, "A window that moves"
    Test: test_smooth_averages_each_day_with_those_before
    Start here: index 5, and a window of 3 days: which indexes do you want?
    """
    raise NotImplementedError("smooth")


def chart(steps: list[int], goal: int) -> str:
    """Return one text with one of the `BLOCKS` for each day. Its index is the
    day's share of the goal, times `TOP`, rounded down: no steps give
    `BLOCKS[0]`, the goal and all above it give `BLOCKS[TOP]`.
    ex-4 - First principle: a number becomes an index
    Read: LESSON.md, "From a number to a picture"
    Test: test_chart_draws_one_block_for_each_day
    Start here: with a goal of 7000, which index do 3000 steps get?
    """
    raise NotImplementedError("chart")


def report(steps: list[int], goal: int) -> str:
    """Return three lines joined into one text: "steps   " and the chart of
    the steps; "average " and the chart of the steps smoothed over `WINDOW`
    days; average and longest streak: "6500 steps a day, best streak 2 days".
    ex-5 - First principle: collect lines, join once
    Read: LESSON.md, "Lines first, text last"
    Test: test_report_shows_both_charts_and_a_summary
    Start here: make a list that holds the first line
    """
    raise NotImplementedError("report")
