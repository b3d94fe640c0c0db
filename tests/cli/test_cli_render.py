"""How the terminal lays out what the server says."""

import io
import sys
from types import SimpleNamespace

import pytest
from rich.console import Console

from tutor_lsp.cli.frontend import TerminalFrontend
from tutor_lsp.cli.screen import render, watch_view
from tutor_lsp.cli.screen.make_out import make_out
from tutor_lsp.cli.screen.out import KeptLines, Out, is_rich, tolerant_streams
from tutor_lsp.cli.screen.progress import Progresses
from tutor_lsp.cli.screen.rich_out import RichOut, rich_text, rows_of
from tutor_lsp.cli.screen.words import in_terminal
from tutor_lsp.cli.work import own
from tutor_lsp.core.exercise.standing import passed_of


def shown(markdown):
    lines = KeptLines()
    render.say(lines, {"say": {"markdown": markdown}})
    return lines.lines


def text(function, result):
    lines = KeptLines()
    function(lines, result)
    return "\n".join(
        "".join(part if isinstance(part, str) else part[1] for part in line).rstrip()
        for line in lines.lines
    )


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("- ✓ ex-1 `add`", ["", ("good", "✓ "), "ex-1 ", ("strong", "add")]),
        ("  - see `src/a.py:3`", ["  ", "• ", "see ", ("place", "src/a.py:3")]),
        ("`add(1)` gave 3", [("code", "add(1)"), " gave 3"]),
        ("found \\`&str\\`, 'a\\`b\\`'", ["found ", ("code", "&str"), ", 'a", "`", "b", "`", "'"]),
        ("a \\* b \\_c", ["a ", "*", " b ", "_", "c"]),
        ("**To think about:** why?", [("strong", "To think about:"), " why?"]),
        ("## python", [("strong", "python")]),
        ("``a ` b``", [("code", "a ` b")]),
    ],
)
def test_a_line_keeps_its_text_and_gets_styles(line, parts):
    assert render.parts_of(line) == parts


SAID = "`tutor.home` of `add` is `a b`, see `src/a.py:3`; 'x`y'"


def test_code_has_one_form_wherever_it_stands():
    markdown = "`--home` of `add` is `a b`, see `src/a.py:3`; 'x\\`y'"
    for parts in ((SAID,), render.parts_of(markdown)):
        plain = io.StringIO()
        Out(plain).line(*parts)
        assert plain.getvalue() == "--home of add is `a b`, see src/a.py:3; 'x`y'\n"
        coloured = rich_text(parts)
        assert coloured.plain == "--home of add is a b, see src/a.py:3; 'x`y'"
        marked = [coloured.plain[span.start : span.end] for span in coloured.spans]
        assert marked == ["--home", "add", "a b", "src/a.py:3"]


def test_a_title_that_the_text_begins_with_is_not_said_twice():
    assert shown("# Put back\n\nPut back as given: a.py.") == [("Put back as given: a.py.",)]
    assert shown("# Hint 1 · ex-1\n\nLook.") == [(("strong", "Hint 1 · ex-1"),), ("Look.",)]


def test_code_stands_apart_as_it_is():
    lines = shown("# S\n\n````python\na = `1`\n\n```\n````\n\nafter")
    assert lines == [
        (("strong", "S"),), ("    a = `1`",), ("",), ("    ```",), (), ("after",),
    ]  # fmt: skip
    assert shown("# S\n\n```\nno end") == [(("strong", "S"),), ("    no end",)]


def test_a_fence_ends_with_a_longer_one_and_may_be_in_a_list():
    assert shown("# S\n\n```\na\n````\n\nafter `b`") == [
        (("strong", "S"),), ("    a",), (), ("after ", ("strong", "b")),
    ]  # fmt: skip
    lines = shown("# S\n\n- one:\n  ```python\n  if a:\n      b ** 2\n  ```\n- two")
    assert lines == [
        (("strong", "S"),), ("", "• ", "one:"),
        ("    if a:",), ("        b ** 2",), ("", "• ", "two"),
    ]  # fmt: skip
    assert shown("# S\n\n~~~ c++ title\n```\n~~~") == [(("strong", "S"),), ("    ```",)]


def test_lists_that_are_empty_say_how_to_begin():
    assert "tutor.start" in text(render.choices, [])
    assert "tutor.attempt" in text(render.review, None)


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
    out = Out(stream)
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


@pytest.mark.parametrize(
    ("old", "unrun", "line"),
    [
        (False, False, "8 of 11 tests"),
        (True, False, "tests: 8 of 11 before this edit"),
        (False, True, "not run yet"),
    ],
)
def test_what_passes_is_counted_in_words_that_read_well(old, unrun, line):
    words = line if unrun else passed_of(8, 11, old=old)
    assert watch_view.counted(SimpleNamespace(old=old, unrun=unrun), words, "tests") == line


class PlainTerminal(io.StringIO):
    """A terminal that shows no colours."""

    def isatty(self):
        return True


@pytest.mark.parametrize("kind", [RichOut, Out])
def test_lines_on_a_terminal_end_between_words_and_leave_paths_whole(kind, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("TERM", "dumb")
    stream = PlainTerminal() if kind is Out else io.StringIO()
    out = kind(stream)
    path = "/home/ada/tutor/python/LESSON.md:12"
    out.line("○ ", ("strong", "ex-1"), " return hands back ", ("place", path), " · 答え 答え 答え")
    assert stream.getvalue().splitlines() == [
        "○ ex-1 return hands",
        "  back",
        f"  {path}",
        "  · 答え 答え 答え",
    ]


def test_marks_stay_apart_where_the_terminal_knows_only_ascii(monkeypatch):
    printed = io.BytesIO()
    stream = io.TextIOWrapper(printed, encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    tolerant_streams()
    make_out(stream, plain=True).line("✓ a · b … → ", "✗ “c” ○ 日")
    assert printed.getvalue() == b'+ a - b ... -> x "c" o ?\n'


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("one two three four five", ["one two three four", "five"]),
        ("✗ ex-1 is not written yet", ["✗ ex-1 is not", "  written yet"]),
        ("  • one two three four five", ["  • one two three", "    four five"]),
        ("✗ /a/path/longer/than/a/row yes", ["✗", "  /a/path/longer/than/a/row", "  yes"]),
        ("          far in and long", ["          far in and", "long"]),
    ],
)
def test_rows_after_the_first_hang_below_its_words(text, rows):
    shown = [row.plain for row in rows_of(rich_text([text]), 20)]
    assert shown == rows


class Tty(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("over half of the row", ["over half of the row"]),
        ("✗ ex-1 is not written yet", ["✗ ex-1 is not", "  written yet"]),
        ("short", ["short"]),
    ],
)
def test_plain_lines_break_like_others_on_a_terminal(monkeypatch, text, rows):
    monkeypatch.setenv("COLUMNS", "20")
    screen = Tty()
    make_out(screen, plain=True).line(text)
    assert screen.getvalue().splitlines() == rows


def test_a_bar_tells_the_time_left_and_not_what_has_passed():
    stream = io.StringIO()
    out = RichOut(stream)
    out.console = Console(file=stream, force_terminal=True, width=100)
    bar = out.bar("Movie night")
    bar.report(40, "starter 2/6 · about 20 s left")
    bar.stop()
    assert "40 %" in stream.getvalue()
    assert "starter 2/6 · about 20 s left" in stream.getvalue()
    assert "0:00" not in stream.getvalue()


def test_an_answer_grows_beside_the_bar_as_far_as_there_is_room_and_goes_away():
    stream = io.StringIO()
    out = RichOut(stream)
    out.console = Console(file=stream, force_terminal=True, width=40, height=8)
    progresses = Progresses(out)
    desk = TerminalFrontend(out, progresses, asks=False)
    bar = progresses.begin("Asking")
    rows = "\n".join(f"Sentence {number}." for number in range(9))

    def told(text, **more):
        hint = {"text": text, "answered": True, **more}
        desk.notify("tutor/hintReady", {"hint": hint, "final": False})
        return stream.getvalue()

    assert "One …" in told("One …")
    before = len(told("One. Two …"))
    seen = told(rows)[before:]
    assert "Sentence 8." in seen
    assert "Sentence 1." not in seen, "the last rows are of what is written now"
    shown = len(stream.getvalue())
    bar.done("completed")
    rows = sum(f"Sentence {number}." in seen for number in range(9)) + 1  # with the bar's
    assert stream.getvalue()[shown:].endswith("\x1b[1A\x1b[2K" * rows)
    left = len(stream.getvalue())
    desk.notify("tutor/hintReady", {"hint": {"text": "A first hint."}, "final": False})
    assert len(stream.getvalue()) == left, "only an answer grows"


def test_where_lines_stay_an_answer_is_printed_once():
    stream = io.StringIO()
    progresses = Progresses(Out(stream))
    progresses.begin("Asking")
    progresses.grown("One …")
    assert "One" not in stream.getvalue()


def test_advice_is_shown_before_the_verdict():
    stream = io.StringIO()
    advice = {"step": "mistakes", "message": "One more test.", "file": None, "line": None}
    proof = {"unitMap": {"ex-1": ["a"]}, "tests": 1, "failOnStub": 1, "lessonBlocks": {"ok": 1}}
    told = {"ok": True, "findings": [], "leftOut": [], "advice": [advice], "proof": proof}
    own._shown(Out(stream), told)
    assert stream.getvalue().startswith("Advice: One more test.\nValid: 1 unit, 1 test. ")
    told["proof"]["mistakes"] = {"ex-1": 1, "ex-2": 2}
    own._shown(Out(stream), told)
    assert "Valid: 1 unit, 1 test, 3 known mistakes. " in stream.getvalue()
