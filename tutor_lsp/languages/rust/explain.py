"""The sentence for a failed Rust test."""

import re
from collections.abc import Sequence

from tutor_lsp.core.exercise.report import Failure, RawTest, TestOutcome
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common import explain as say
from tutor_lsp.languages.common.broken import Words, not_built
from tutor_lsp.languages.common.reading import function_at
from tutor_lsp.languages.common.treesitter import one_line
from tutor_lsp.languages.rust.look.loops import LOOPS
from tutor_lsp.languages.rust.phrases import OWN, UNFIT, compared_types
from tutor_lsp.languages.rust.reading import Reader
from tutor_lsp.languages.rust.source import functions

SPEECH = say.Speech("true", "false", marked("panicked: "))

WORDS = Words(
    private=("E0603", "E0616", "E0624", "E0451"),
    public="pub",
    lacks=(
        re.compile(r"`(?P<inside>\w+)` has no field named `(?P<name>\w+)`"),
        re.compile(
            r"\bno (?:[a-z]+ )+(?:named )?`(?P<name>\w+)`"
            r"(?:(?: found for (?:[a-z]+ )*| on type )`&?(?P<inside>\w+))?"
        ),
        re.compile(r"cannot find [a-z ]+ `(?P<name>\w+)`"),
        re.compile(r"no `(?P<name>\w+)` in `"),
        re.compile(r"`(?P<name>\w+)` is not a member of trait `(?P<inside>\w+)`"),
    ),
    unfit=UNFIT,
    own=OWN,
)
_UNWRAP = re.compile(
    r"called `(?:Result|Option)::\w+\(\)` on an? `(?P<kind>Err|Ok|None)` value(?:: (?P<value>.*))?",
    re.DOTALL,
)
_OTHER_PANIC = re.compile(
    r"panic message: (?P<got>.*?)\n\s*expected substring: (?P<want>.*)", re.DOTALL
)
_WANTED = {"Err": "Ok", "Ok": "Err", "None": "Some"}


def explain(test: RawTest, files: Files, stubs: Sequence[str]) -> Failure:
    """The sentence for one test, from the texts that ran. Never raises on broken text."""
    about = say.target(test.name, stubs)
    if test.broken is not None:
        types = compared_types(test.broken, files)
        return types or not_built(test.broken, files, about or stubs[0], "rust", WORDS)
    if test.not_implemented:
        return say.not_written(function_at(test.raised_at, files, functions), about)
    reader = Reader.of(test, files, stubs)
    return say.with_value(test, reader.with_given(_told(test, reader, about)))


def _told(test: RawTest, reader: Reader, about: str | None) -> Failure:
    if test.outcome in (TestOutcome.TIMEOUT, TestOutcome.ERRORED):
        call = test.call or say.one_of(reader.all_calls(), about)
        return say.unfinished(test, call, ends=reader.ends(LOOPS, test, call))
    if test.left is not None:
        return say.compared(test, reader.check(), reader.before())
    error = test.error or ""
    if error.startswith(("test did not panic", "panic did not contain")):
        return _should_panic(error, say.one_of(reader.all_calls(), about))
    if error.startswith("Error: "):
        call = test.call or say.one_of(reader.all_calls(), about)
        text = one_line(error)
        return Failure(f"{say.quoted(call)} ended the test with {text}" if call else text)
    if test.raised_at is None:
        return _in_the_test(test, reader)
    return say.raised(test, test.call or say.one_of(reader.all_calls(), about), SPEECH)


def _should_panic(error: str, call: str | None) -> Failure:
    subject = say.quoted(call) if call else marked("The call")
    match = _OTHER_PANIC.search(error)
    if match is None:
        return Failure(f"{subject} did not panic, but it should", "a panic")
    got, want = one_line(match["got"]), one_line(match["want"])
    message = marked(f"{subject} panicked with {got}, expected a message with {want}")
    return Failure(message, want, got)


def _in_the_test(test: RawTest, reader: Reader) -> Failure:
    """A panic in the test's own text: `assert!`, `unwrap`, `panic!`."""
    error = test.error or ""
    check = reader.check()
    if check is not None and check.right is None:
        note = None if error.startswith("assertion failed: ") else error
        noted = RawTest(test.name, test.outcome, error=note)
        return say.untrue(noted, check, None, SPEECH)
    method = reader.method()
    unwrapped = _UNWRAP.match(error)
    if unwrapped and method:
        return _unwrapped(method[0], unwrapped["kind"], unwrapped["value"], None)
    if method and method[1].startswith("expect"):
        note, value = method[2], error
        if note and error == note:
            return _unwrapped(method[0], "None", None, note)
        if note and error.startswith(f"{note}: "):
            value = error.removeprefix(f"{note}: ")
            kind = "Ok" if method[1] == "expect_err" else "Err"
            return _unwrapped(method[0], kind, value, note)
    text = clip(one_line(error) or "It panicked", say.VALUE_LIMIT + say.NOTE_LIMIT)
    if test.call is None or error.startswith("assertion"):
        return Failure(text)
    if reader.ends_by_itself():
        return say.after_value(test, Failure(text))
    return say.raised(test, reader.all_of(test.call), SPEECH)


def _unwrapped(subject: str, kind: str, value: str | None, note: str | None) -> Failure:
    gave = kind if value is None else f"{kind}({value})"
    shown = clip(one_line(gave), say.VALUE_LIMIT)
    noted = f" ({one_line(note)})" if note else ""
    wanted = _WANTED[kind]
    return Failure(f"{say.quoted(subject)} gave {shown}, expected {wanted}{noted}", wanted, gave)
