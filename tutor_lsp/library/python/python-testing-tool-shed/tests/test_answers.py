from exercise import answers, drafts


def test_marks_of_three_drafts() -> None:
    assert answers.MARKS == drafts.run([drafts.five_days, drafts.two_days, drafts.one_day])


def test_compared_by_one_long_test() -> None:
    assert answers.COMPARED == drafts.compared([2, 3, 1, 5])
