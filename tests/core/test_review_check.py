"""What of a reviewer's payload is shown: nothing whose citation does not stand."""

from hypothesis import given
from hypothesis import strategies as st
from sample import report

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.core.exercise.review_check import Dropped, Evidence, checked, question_place
from tutor_lsp.core.text.positions import split_lines

FILE = "src/a.py"
GIVEN = "def count(x):\n    raise NotImplementedError\n"
TEXT = "def count(x):\r\n    größe = 'a\u2028b'\r\n    return größe\r\n"
RED = report(test_count_counts=TestOutcome.FAILED)
TESTS = frozenset(test.name for test in RED.tests)
EVIDENCE = Evidence(RED, {FILE: TEXT}, {FILE: GIVEN}, TESTS)
OWN = {"file": FILE, "line": 3, "end_line": 3, "quote": "return größe"}
STARTER = {"file": FILE, "line": 1, "end_line": 1, "quote": "def count(x):"}
ELSEWHERE = OWN | {"line": 2, "end_line": 2}
PAYLOAD = {"verdict": "FAIL", "score": 50, "summary": "Well begun. FAIL for now."}


def check(evidence=EVIDENCE, **payload):
    return checked(PAYLOAD | payload, evidence)


def finding(at):
    return {**at, "claim": "c", "evidence": "e"}


def test_findings_that_do_not_stand_are_dropped_and_counted():
    review, dropped = check(findings=[finding(OWN), finding(ELSEWHERE), finding(STARTER)])
    assert [(each.line, each.quote) for each in review.findings] == [
        (3, "return größe"),
        (1, "def count(x):"),
    ]
    assert review.dropped_findings == 1
    assert dropped == (Dropped("finding", "the quote is not at src/a.py:2"),)


def test_people_do_not_read_the_word():
    assert check()[0].summary == "Well begun. not yet for now."


def test_an_improvement_is_of_lines_that_the_learner_wrote():
    for at, kept in ((OWN, True), (None, True), (STARTER, False), (ELSEWHERE, False)):
        review, dropped = check(improvement="Return it at once.", improvement_at=at)
        assert (review.improvement is not None) == kept == (not dropped)
    assert check(improvement="x", improvement_at=OWN)[0].improvement_at.line == 3


def test_a_question_is_about_lines_that_the_learner_wrote():
    assert question_place(OWN, EVIDENCE).quote == "return größe"
    assert question_place(STARTER, EVIDENCE) is None


def tags(evidence=EVIDENCE, **item):
    cited = {"tag": "off-by-one", "test": "test_count_counts", **OWN, **item}
    return check(evidence, tags=["off-by-one"], tag_evidence=[cited])[0].tags


def test_a_tag_needs_a_line_and_a_test_that_shows_it():
    assert tags() == ("off-by-one",)
    assert tags(**ELSEWHERE) == tags(**STARTER) == tags(tag="other") == tags(test="test_x") == ()
    passing = next(test.name for test in RED.tests if test.outcome is TestOutcome.PASSED)
    assert tags(test=passing) == ()
    green = Evidence(report(RunOutcome.PASSED), {FILE: TEXT}, {FILE: GIVEN}, TESTS)
    assert tags(green, test=passing) == ("off-by-one",)
    assert check(tags=["off-by-one"])[0].tags == ()
    told = finding(OWN) | {"evidence": "`test_count_counts` gave 3"}
    assert check(tags=["off-by-one"], findings=[told])[0].cited[0].test == "test_count_counts"
    assert check(tags=["off-by-one"], findings=[told], tag_evidence=[])[0].tags == ()
    elsewhere = told | {"line": 2, "end_line": 2}
    assert check(tags=["off-by-one"], findings=[elsewhere])[0].tags == ()
    broken = Evidence(report(RunOutcome.BUILD_ERROR), {FILE: TEXT}, {FILE: GIVEN}, TESTS)
    assert check(broken)[0].tags == ()


lines = st.integers(1, 5)
quotes = st.text(st.sampled_from("größe return='ab\u2028\r\n "), max_size=12) | st.sampled_from(
    [TEXT, "größe", "return größe", "    größe = 'a\u2028b'\n    return größe", "b'"]
)
places = st.fixed_dictionaries(
    {"file": st.sampled_from([FILE, "src/b.py", "LESSON.md"]), "line": lines, "end_line": lines,
     "quote": quotes, "claim": st.just("c"), "evidence": st.just("e")}
)  # fmt: skip


@given(st.lists(places), st.none() | places)
def test_every_quote_that_is_shown_stands_at_its_place(findings, improvement_at):
    review, dropped = check(findings=findings, improvement="i", improvement_at=improvement_at)
    assert len(review.findings) + review.dropped_findings == len(findings)
    assert review.dropped_findings == sum(each.what == "finding" for each in dropped)
    shown = [*review.findings, *([review.improvement_at] if review.improvement_at else [])]
    for each in shown:
        there = split_lines(TEXT)[each.line - 1 : each.end_line]
        assert each.file == FILE
        assert each.quote in "\n".join(there)
