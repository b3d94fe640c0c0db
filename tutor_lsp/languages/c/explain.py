"""The sentence for a failed C test."""

import re
from collections.abc import Sequence

from tutor_lsp.core.exercise.report import Failure, RawTest, TestOutcome
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.c.look.loops import LOOPS
from tutor_lsp.languages.c.reading import Reader, is_null
from tutor_lsp.languages.c.source import functions
from tutor_lsp.languages.common import explain as say
from tutor_lsp.languages.common.broken import Phrase, Words, not_built
from tutor_lsp.languages.common.reading import function_at
from tutor_lsp.languages.common.treesitter import one_line

SPEECH = say.Speech("true", "false", marked("crashed: "))
WORDS = Words(
    lacks=(
        re.compile(r"`(?:[a-z]+ )?(?P<inside>\w+)` has no member named `(?P<name>\w+)`"),
        re.compile(r"implicit declaration of function `(?P<name>\w+)`"),
        re.compile(r"undefined reference to `(?P<name>\w+)`"),
        re.compile(r"`(?P<name>\w+)` (?:is not defined|undeclared)"),
    ),
    unfit=(
        Phrase(
            re.compile(r"incomplete type|undefined type|storage size of `\w+` isn.t known"),
            marked("the members of the struct in `{use}` are not declared"),
        ),
        Phrase(
            re.compile(r"redefinition of `(?P<name>\w+)`"),
            marked("`{name}` is defined in the tests, so it may not be in your file as well"),
        ),
        Phrase(
            re.compile(r"invalid use of void expression|void value not ignored"),
            marked("`{use}` needs an answer, and what it calls is declared as `void`"),
        ),
    ),
    own=(
        Phrase(
            re.compile(r"expected specifier-qualifier-list before `(?P<name>\w+)`"),
            marked("the type is missing before `{name}`"),
        ),
        Phrase(
            re.compile(r"`(?P<name>\w+)` defined as wrong kind of tag"),
            marked("`{name}` is a struct in one place, and another kind of type in another"),
        ),
    ),
)
_CRASHED = "crashed: "
_OURS = ("did not finish", "the run ended inside")
_ANY = "an address"


def explain(test: RawTest, files: Files, stubs: Sequence[str]) -> Failure:
    """The sentence for one test, from the texts that ran. Never raises on broken text."""
    about = say.target(test.name, stubs)
    if test.broken is not None:
        return not_built(test.broken, files, about or stubs[0], "c", WORDS)
    if test.not_implemented:
        return say.not_written(function_at(test.raised_at, files, functions), about)
    reader = Reader.of(test, files, stubs)
    return say.with_value(test, reader.with_given(_told(test, reader, about)))


def _told(test: RawTest, reader: Reader, about: str | None) -> Failure:
    error = test.error or ""
    if test.outcome in (TestOutcome.TIMEOUT, TestOutcome.ERRORED):
        call = test.call or say.one_of(reader.all_calls(), about)
        if error.startswith(_CRASHED):
            said = error.removeprefix(_CRASHED)
            unknown = test.call is None and test.raised_at is None
            if unknown and reader.inside() and (mine := reader.last()):
                return _crashed_afterwards(said, mine)
            here = reader.calls_here() or reader.all_calls()
            return _crashed(said, test.call or say.one_of(here, about))
        if error.startswith(_OURS):
            return say.unfinished(test, call, ends=reader.ends(LOOPS, test, call))
        return Failure(_sentence(error))
    check = reader.check()
    if test.left is not None:
        return say.compared(test, check, reader.before())
    if check is None:
        return Failure(f"{say.quoted(error)} was false" if error else "An assertion did not hold")
    if check.right is None:
        return say.untrue(RawTest(test.name, test.outcome), check, None, SPEECH)
    return _relation(check, reader.before())


def _crashed(text: str, call: str | None) -> Failure:
    subject = say.quoted(call) if call else marked("This test")
    if text.startswith("it ran out of stack"):
        return say.out_of_stack(subject)
    return Failure(f"{subject} crashed: {clip(one_line(text), say.VALUE_LIMIT + say.NOTE_LIMIT)}")


def _crashed_afterwards(text: str, call: str) -> Failure:
    """The stub returned, and the test crashed on its result."""
    words = clip(one_line(text), say.VALUE_LIMIT + say.NOTE_LIMIT)
    hint = ". Does its text end with a zero?" if text.startswith("it read past the end") else ""
    return Failure(f"What {say.quoted(call)} left made the test crash: {words}{hint}")


def _relation(check: say.Check, before: str | None) -> Failure:
    """A comparison was false, and only its text is known; against NULL that tells the value."""
    left, right = check.left, check.right or check.left
    called = left.calls or right.calls
    after = f"after {say.quoted(before)}, " if before and not called else ""
    if is_null(left):
        left, right = right, left
    if check.op in ("==", "!=") and is_null(right) and not is_null(left):
        gave, wanted = (_ANY, "NULL") if check.op == "==" else ("NULL", _ANY)
        verb = "gave" if left.calls else "is"
        message = f"{after}{say.quoted(left.text)} {verb} {gave}, expected {wanted}"
        return Failure(message, wanted, gave)
    text = f"{check.left.text} {check.op} {check.right.text if check.right else ''}"
    return Failure(f"{after}{say.quoted(text)} was false", "true", "false")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
