from exercise.steps import average, chart, longest_streak, report, smooth


def test_average_is_the_sum_shared_by_the_days() -> None:
    assert average([4000, 8000, 6000]) == 6000
    assert average([0, 500]) == 250


def test_average_rounds_to_the_nearest_number() -> None:
    assert average([1000, 1001, 1001]) == 1001
    assert average([1000, 1000, 1001]) == 1000


def test_average_of_one_day_is_that_day() -> None:
    assert average([7500]) == 7500


def test_longest_streak_counts_days_in_a_row() -> None:
    assert longest_streak([9000, 10000, 12000, 3000, 11000], 10000) == 2


def test_longest_streak_may_be_the_first_one() -> None:
    assert longest_streak([8000, 8000, 9000, 100, 8000, 200], 8000) == 3


def test_longest_streak_may_last_to_the_end() -> None:
    assert longest_streak([5000, 100, 5000, 5100, 5200, 5300], 5000) == 4


def test_longest_streak_is_zero_if_no_day_counts() -> None:
    assert longest_streak([900, 800, 999], 1000) == 0
    assert longest_streak([900, 800, 999], 999) == 1


def test_smooth_averages_each_day_with_those_before() -> None:
    assert smooth([2, 4, 6, 8], 2) == [2, 3, 5, 7]
    assert smooth([300, 0, 0, 900, 0, 0], 3) == [300, 150, 100, 300, 300, 300]


def test_smooth_takes_fewer_days_at_the_start() -> None:
    assert smooth([2, 4, 6], 10) == [2, 3, 4]


def test_smooth_over_one_day_repeats_the_steps() -> None:
    assert smooth([5000, 100, 4000], 1) == [5000, 100, 4000]


def test_smooth_leaves_the_steps_unchanged() -> None:
    steps = [2, 4, 6]
    assert smooth(steps, 2) == [2, 3, 5]
    assert steps == [2, 4, 6]


def test_chart_draws_one_block_for_each_day() -> None:
    assert chart([0, 1000, 2000, 3000, 4000, 5000, 6000, 7000], 7000) == "▁▂▃▄▅▆▇█"
    assert chart([7000, 0], 7000) == "█▁"


def test_chart_rounds_the_share_down() -> None:
    assert chart([999, 1999, 6999], 7000) == "▁▂▇"
    assert chart([5000], 10000) == "▄"
    assert chart([1700], 7000) == "▂"


def test_chart_stops_at_the_highest_block() -> None:
    assert chart([7000, 8000, 90000], 7000) == "███"


def test_report_shows_both_charts_and_a_summary() -> None:
    assert report([0, 7000, 7000, 1000, 3000], 7000) == (
        "steps   ▁██▂▄\naverage ▁▄▅▆▄\n3600 steps a day, best streak 2 days"
    )


def test_report_of_one_day() -> None:
    assert report([5000], 10000) == "steps   ▄\naverage ▄\n5000 steps a day, best streak 0 days"
