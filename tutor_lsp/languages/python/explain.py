"""The sentence for a failed Python test."""

import re
from collections.abc import Sequence
from dataclasses import replace

from tutor_lsp.core.exercise.report import Failure, RawTest, TestOutcome
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.languages.common import explain as say
from tutor_lsp.languages.common.broken import Phrase, Words, not_built
from tutor_lsp.languages.common.reading import function_at
from tutor_lsp.languages.common.treesitter import one_line
from tutor_lsp.languages.python.look.loops import LOOPS
from tutor_lsp.languages.python.reading import Reader
from tutor_lsp.languages.python.source import functions

SPEECH = say.Speech("True", "False", marked("raised "))

WORDS = Words(
    lacks=(
        re.compile(r"cannot import name '(?P<name>\w+)'"),
        re.compile(r"'(?P<inside>[\w.]+)' has no attribute '(?P<name>\w+)'"),
    ),
    unfit=(
        Phrase(
            re.compile(r"'NoneType' object is not callable"),
            marked("`{use}` calls None: does `{stub}` return what it makes?"),
        ),
    ),
    parsed=("SyntaxError", "IndentationError", "TabError"),
)
_NOT_RAISED = re.compile(r"DID NOT RAISE (?:any of )?(?:<class '(?P<cls>[^']+)'>|(?P<rest>.+))")
_NOT_RAISED_BY = re.compile(r"AssertionError: (?P<cls>\w+) not raised")
"""As a unittest class says it."""
_REGEX = re.compile(
    r"pattern did not match.*?[rR]egex: (?P<want>.*?)\n\s*(?:Actual message|Input): (?P<got>.*)",
    re.DOTALL,
)
_NO_FIXTURE = re.compile(r"FixtureLookupError: \('(?P<name>\w+)'")
_AT = re.compile(r" at 0x[0-9a-fA-F]+>")
_OURS = ("did not finish", "the run ended")


def explain(test: RawTest, files: Files, stubs: Sequence[str]) -> Failure:
    """The sentence for one test, from the texts that ran. Never raises on broken text."""
    about = say.target(test.name, stubs)
    if test.broken is not None:
        return not_built(test.broken, files, about or stubs[0], "python", WORDS)
    if test.not_implemented:
        return say.not_written(function_at(test.raised_at, files, functions), about)
    reader = Reader.of(test, files, stubs)
    return say.with_value(test, reader.with_given(_told(test, reader, about)))


def _told(test: RawTest, reader: Reader, about: str | None) -> Failure:
    error = test.error or ""
    if error.startswith(_OURS) and test.outcome in (TestOutcome.TIMEOUT, TestOutcome.ERRORED):
        call = test.call or say.one_of(reader.all_calls(), about)
        return say.unfinished(test, call, ends=reader.ends(LOOPS, test, call))
    if test.left is not None:
        test = replace(test, left=_placeless(test.left), right=_placeless(test.right))
        return say.compared(test, reader.check(), reader.before())
    if (match := _NOT_RAISED.search(error)) is not None:
        call = reader.guarded() or reader.call(about) or about
        return _not_raised(match["cls"] or one_line(match["rest"]), call)
    if (match := _NOT_RAISED_BY.match(error)) is not None:
        return _not_raised(match["cls"], reader.call(about) or about)
    if (match := _REGEX.search(error)) is not None:
        return _other_text(match, reader.call(about))
    if error.startswith("AssertionError") and test.raised_at is None:
        return _assertion(test, reader.check())
    if (match := _NO_FIXTURE.match(error)) is not None:
        return Failure(marked(f"it asks for `{match['name']}`, which no fixture gives"))
    if error.startswith("Failed: "):
        return Failure(one_line(error.removeprefix("Failed: ")))
    in_test = test.raised_at is None
    call = None if test.outcome is TestOutcome.ERRORED else reader.call(about, in_test=in_test)
    if error.startswith("RecursionError") and call:
        return say.unfinished(
            replace(test, outcome=TestOutcome.ERRORED, error="ran out of stack"), call
        )
    told = say.raised(test, call, SPEECH)
    if not in_test or test.gave is None or test.call is None:
        return told
    if call == test.call:  # it came back, and the test could not use what it gave
        told = replace(told, message=t(f"the test raised {told.actual}"))
    return say.after_value(test, told)


def _placeless(value: str | None) -> str | None:
    """A value as text, without where in memory it was: that differs from run to run."""
    return _AT.sub(">", value) if value is not None else None


def _not_raised(error: str, call: str | None) -> Failure:
    name = error.rpartition(".")[2]
    return Failure(f"{say.quoted(call or 'the call')} did not raise {name}", name)


def _other_text(match: re.Match[str], call: str | None) -> Failure:
    got, want = one_line(match["got"]), one_line(match["want"])
    subject = say.quoted(call) if call else "It"
    return Failure(f"{subject} raised an error that says {got}, expected {want}", want, got)


def _assertion(test: RawTest, check: say.Check | None) -> Failure:
    """An assertion that is no comparison: its text, as pytest rewrote it, holds the value."""
    text = (test.error or "").removeprefix("AssertionError").removeprefix(": ")
    if check is None:
        return Failure(one_line(text) or "An assertion failed")
    note, found, rest = text.rpartition("assert ")
    if not found:
        note = text
    value = rest.partition("\n")[0].removeprefix("not ") if found else None
    return say.untrue(replace(test, error=note.strip() or None), check, value, SPEECH)
