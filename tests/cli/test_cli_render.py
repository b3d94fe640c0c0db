"""What people read."""

import io

import pytest

from tutor_lsp.cli.screen import render, render_report
from tutor_lsp.cli.screen.out import Lines, PlainOut, is_rich
from tutor_lsp.cli.screen.words import in_terminal


def text(render_function, result):
    lines = Lines()
    render_function(lines, result)
    return "\n".join(
        "".join(part if isinstance(part, str) else part[1] for part in line).rstrip()
        for line in lines.lines
    )


def case(unit, outcome, message=None, stub="add"):
    return {"unit": unit, "stub": stub, "name": "test_x", "outcome": outcome, "message": message}


def report(outcome, *tests, errors=(), reason=None):
    return {
        "outcome": outcome,
        "tests": list(tests),
        "buildErrors": list(errors),
        "reason": reason,
    }


ERROR = {"file": "src/a.py", "line": 3, "column": 5, "message": "a bracket is open"}
REVIEW = {
    "verdict": "FAIL",
    "score": 40,
    "summary": "One test is open.",
    "findings": [
        {"file": "src/a.py", "line": 2, "claim": "It adds one.", "evidence": "add(1) gave 3"}
    ],
    "improvement": None,
    "question": "Why?",
}
ATTEMPT = {
    "attempt": 1,
    "report": report("failed", case("ex-1", "failed", "`add(1)` gave 3, expected 2")),
    "review": REVIEW,
    "reviewError": None,
    "mastery": {"node": "n", "before": 0, "after": 1},
    "next": [],
}


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (report("passed", case("ex-1", "passed")), "✓ ex-1 add\nThe test passes."),
        (
            report("failed", case("ex-1", "passed"), case("ex-1", "failed", "`add(1)` gave 3")),
            "✗ ex-1 add  `add(1)` gave 3 (1 of 2 tests)\nNot yet: 1 of 2 tests pass.",
        ),
        (
            report("failed", case("ex-1", "todo", "x")),
            "○ ex-1 add  not written yet\nNot yet: 0 of 1 tests pass.",
        ),
        (
            report("build_error", errors=[ERROR]),
            "✗ src/a.py:3:5  a bracket is open\nIt does not build yet.",
        ),
        (
            report("timeout", case("ex-1", "timeout", "it never ended"), reason="too slow"),
            "✗ ex-1 add  it never ended\nNot yet: 0 of 1 tests pass; too slow",
        ),
        (report("not_run", reason="cargo is missing"), "cargo is missing"),
        (report("cancelled"), "Stopped: nothing was counted."),
        (
            report("failed", case(None, "failed", "odd")),
            "✗ test_x  odd\nNot yet: 0 of 1 tests pass.",
        ),
    ],
)
def test_a_report_is_one_line_per_unit_and_a_sum(result, expected):
    shown = text(render_report.check, result)
    assert shown.startswith(expected)


def test_an_attempt_never_says_fail():
    shown = text(render_report.attempt, ATTEMPT)
    assert "fail" not in shown.lower()
    assert "Not yet  40 of 100" in shown
    assert "src/a.py:2  It adds one." in shown
    assert "Mastery of n: 0 → 1 of 3" in shown


def test_an_attempt_whose_review_did_not_come_says_so():
    result = {**ATTEMPT, "review": None, "reviewError": "no network"}
    shown = text(render_report.attempt, result)
    assert "its review did not come: no network" in shown
    assert "tutor-lsp attempt" in shown


def test_lists_that_are_empty_say_how_to_begin():
    assert "tutor-lsp start" in text(render.sessions, [])
    assert "tutor-lsp attempt" in text(render_report.review, None)


def test_sentences_for_editors_become_those_of_the_terminal():
    assert in_terminal("Try tutor.start.") == "Try tutor-lsp start."
    assert in_terminal("(tutor.next) tutor.sessions lists") == (
        "(tutor-lsp next) tutor-lsp sessions lists"
    )
    assert in_terminal("choose another with `tutor.home`.") == "choose another with `--home`."
    for kept in ("~/tutor.db is locked", "tutor.homes", "a/tutor.start", "x.tutor.start"):
        assert in_terminal(kept) == kept


def test_plain_output_has_no_escapes_and_no_trailing_blanks():
    stream = io.StringIO()
    out = PlainOut(stream)
    out.line(("good", "✓"), " one ", ("dim", ""))
    out.code("a\n\nb\n", "python")
    assert stream.getvalue() == "✓ one\n    a\n\n    b\n"


class Tty(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("stream", "plain", "env", "rich"),
    [
        (Tty(), False, {}, True),
        (Tty(), True, {}, False),
        (Tty(), False, {"NO_COLOR": "1"}, False),
        (Tty(), False, {"TERM": "dumb"}, False),
        (io.StringIO(), False, {}, False),
    ],
)
def test_colours_only_on_a_terminal_that_wants_them(stream, plain, env, rich, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert is_rich(stream, plain=plain) is rich
