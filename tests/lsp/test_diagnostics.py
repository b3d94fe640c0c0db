"""Diagnostics on stubs: quiet, in the right place, one per stub."""

import pytest
from fixture import FILE, STARTER, TESTS, marked, opened, report, result
from placeholders import with_body

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.exercise.standing import BEFORE
from tutor_lsp.core.session import Answer, Attempt, Finding, Place, Review
from tutor_lsp.tutor.exercise.units import units_of
from tutor_lsp.tutor.ide.diagnostics import Severity, diagnostics
from tutor_lsp.tutor.ide.lenses import lenses
from tutor_lsp.tutor.ide.view import Span
from tutor_lsp.tutor.interface.units import Lines

COUNT_WRONG = '`count("a  b")` gave 3, expected 2'


def check_diagnostics(source: str, *, severities: str = "", **session):
    """The file's diagnostics stand just at the marks, in order, and say what the marks say."""
    expected = marked(source)
    view = opened({FILE: expected.text}, **session).view()
    found = sorted(diagnostics(view)[FILE], key=lambda item: (item.span.line, item.span.column))
    places = [(d.span.line, d.span.column, d.span.end_column) for d in found]
    assert places == [mark[:3] for mark in expected.ranges]
    for diagnostic, (*_, text) in zip(found, expected.ranges, strict=True):
        assert text in diagnostic.message
    if severities:
        assert "".join(d.severity.name[0] for d in found) == severities
    return found


def mark(text: str, **under: str) -> str:
    """The text with `^^^ message` under the name of each function."""
    lines = []
    for line in text.split("\n"):
        lines.append(line)
        for name, message in under.items():
            if line.startswith(f"def {name}("):
                lines.append("    " + "^" * len(name) + " " + message)
    return "\n".join(lines)


def test_fresh_exercise_has_no_error_and_no_warning():
    check_diagnostics(mark(STARTER, count="ex-1", longest="ex-2"), severities="IH")


def test_failure_is_one_sentence_on_the_stub_with_the_assertion_as_related_information():
    text = with_body(STARTER, "count", "return text.count(' ') + 1")
    results = report(
        result("test_count_ignores_spaces", "failed", COUNT_WRONG, expected="2", actual="3"),
        result("test_longest_prefers_first", "todo"),
    )
    found = check_diagnostics(
        mark(text, count=f"{COUNT_WRONG} (1 of 2 tests)", longest="Not written yet"),
        severities="EH",
        last_results=results,
        last_report=results,
    )
    assert found[0].code == "test-failed"
    assert [(r.file, r.line) for r in found[0].related] == [("tests/test_words.py", 5)]
    assert found[0].lesson_line == 3


def test_diagnostic_follows_the_stub_when_lines_move():
    results = report(result("test_count_of_two", "failed", COUNT_WRONG))
    text = "# a comment\n\n" + with_body(STARTER, "count", "return 1")
    check_diagnostics(mark(text, count=COUNT_WRONG), last_results=results, last_report=results)


def test_body_follows_what_is_written_in_it():
    written = "total = text.count(' ')\n\n    return total"
    text = with_body(STARTER, "count", written)
    view = opened({FILE: f"# a comment\n{text}"}).view()
    count = view.units[0]
    first = text.split("\n").index("    total = text.count(' ')") + 2
    assert view.body_lines(count) == (first, first + 2)
    assert [d.body for d in diagnostics(view)[FILE]] == [view.body_lines(view.units[1])]
    assert units_of(view)[0].body == Lines(first, first + 2)


def test_body_of_a_stub_that_is_gone_is_its_line():
    view = opened({FILE: "nothing = 1\n"}).view()
    assert view.body_lines(view.units[0]) == (view.units[0].unit.line,) * 2


def test_passing_unit_has_no_diagnostic_while_others_stay():
    text = with_body(STARTER, "count", "return len(text.split())")
    results = report(result("test_longest_prefers_first", "todo"))
    check_diagnostics(
        mark(text, longest="ex-2"), severities="I", last_results=results, last_report=results
    )


@pytest.mark.parametrize(
    ("outcome", "code"),
    [("errored", "test-errored"), ("timeout", "test-timeout"), ("failed", "test-failed")],
)
def test_code_tells_how_the_test_ended(outcome, code):
    text = with_body(STARTER, "count", "return 1")
    results = report(result("test_count_of_two", outcome, "it ended so"))
    found = check_diagnostics(
        mark(text, count="it ended so"), last_results=results, last_report=results
    )
    assert found[0].code == code


def test_failure_that_waits_for_an_earlier_unit_says_so():
    text = with_body(STARTER, "longest", "return ''")
    results = report(
        result("test_count_of_two", "todo"),
        result("test_count_ignores_spaces", "todo"),
        result("test_longest_prefers_first", "failed", "`longest(…)` gave ''"),
    )
    found = check_diagnostics(
        mark(text, count="Not written", longest="builds on `count` (ex-1)"),
        last_results=results,
        last_report=results,
    )
    assert found[1].severity is Severity.ERROR


def test_only_the_first_build_error_is_shown_and_not_where_another_server_does():
    errors = tuple(BuildError(FILE, line, 5, line, 10, None, f"error {line}") for line in (12, 23))
    results = report(outcome="build_error", build_errors=errors)
    exercise = opened({}, last_report=results, last_results=None)
    exercise.ran_texts = exercise.texts()
    view = exercise.view()
    shown = [d for d in diagnostics(view)[FILE] if d.code == "build-error"]
    assert [(d.span.line, d.message) for d in shown] == [(12, "error 12")]
    quiet = diagnostics(view, build_errors=False)[FILE]
    assert not [d for d in quiet if d.code == "build-error"]


def test_build_error_goes_away_once_its_line_changes():
    error = BuildError(FILE, 12, 5, 12, 10, None, "unknown name")
    results = report(outcome="build_error", build_errors=(error,))
    text = with_body(STARTER, "count", "return len(text.split())")
    exercise = opened({FILE: text}, last_report=results)
    exercise.ran_texts = {FILE: STARTER}
    assert not [d for d in diagnostics(exercise.view())[FILE] if d.code == "build-error"]


def test_run_that_could_not_be_made_is_said_once_per_file():
    results = report(outcome="not_run", reason="cargo is missing")
    view = opened(last_report=results).view()
    shown = [d for d in diagnostics(view)[FILE] if d.code == "not-run"]
    assert [d.message for d in shown] == ["cargo is missing"]


def test_review_stands_on_its_quote_until_the_text_changes():
    finding = Finding(FILE, 4, 4, "def count(text: str) -> int:", "a fine name", "")
    review = Review("PASS", 90, "good", (finding,))
    before = opened()
    attempt = Attempt(1, "now", report(outcome="passed"), before.text_hash(), review)
    shown = [d for d in diagnostics(opened(attempts=(attempt,)).view())[FILE] if d.code == "review"]
    assert [(d.span.line, d.severity) for d in shown] == [(4, Severity.INFORMATION)]
    changed = opened({FILE: STARTER + "\n# more\n"}, attempts=(attempt,)).view()
    assert not [d for d in diagnostics(changed)[FILE] if d.code == "review"]


def test_findings_and_question_stand_on_just_their_quotes():
    text = with_body(STARTER, "count", "größe = 1\n    return größe + 0")
    for ends in ("\n", "\r\n"):
        written = {FILE: text.replace("\n", ends)}
        at = Place(FILE, 13, 13, "größe + 0")
        review = Review(
            "PASS",
            90,
            "good",
            (
                Finding(FILE, 12, 13, "größe = 1\n    return größe", "one name too many", "e"),
                Finding(FILE, 1, 1, "does not stand here", "never shown", "e"),
            ),
            question="What does + 0 do?",
            answer=Answer(at, (), "count('')", "1"),
        )
        hashed = opened(written).text_hash()
        attempt = Attempt(1, "now", report(outcome="passed"), hashed, review)
        view = opened(written, attempts=(attempt,)).view()
        shown = [d for d in diagnostics(view)[FILE] if d.code == "review"]
        assert [(d.span, d.message[:12]) for d in shown] == [
            (Span(12, 5, 13, 17), "one name too"),
            (Span(13, 12, 13, 21), "A question, "),
        ]


def test_edited_test_is_noticed():
    view = opened({"tests/test_words.py": TESTS.replace("== 2", "== 3")}).view()
    assert view.changed_files == ("tests/test_words.py",)


def test_line_ends_are_no_change():
    view = opened({"tests/test_words.py": TESTS.replace("\n", "\r\n")}).view()
    assert view.changed_files == ()


@pytest.mark.parametrize(
    ("as_kept", "old", "passing"), [(False, "", 1), (True, f" (from {BEFORE})", 0)]
)
def test_results_that_an_older_version_kept_are_of_nobody_knows_which_text(as_kept, old, passing):
    text = with_body(STARTER, "count", "return 3")
    text = with_body(text, "longest", "return text")
    results = report(result("test_count_ignores_spaces", "failed", COUNT_WRONG))
    assert not results.text_hash
    found = check_diagnostics(
        mark(text, count=f"{COUNT_WRONG} (1 of 2 tests){old}"),
        as_kept=as_kept,
        last_results=results,
        last_report=results,
    )
    assert found[0].message.endswith(old)
    view = opened({FILE: text}, as_kept=as_kept, last_results=results, last_report=results).view()
    assert sum(item.state is UnitState.PASSING for item in view.units) == passing
    assert all(item.old is as_kept for item in view.units)
    shown = [action.title for _, action in lenses(view, FILE)]
    assert any(BEFORE in title for title in shown) is as_kept
