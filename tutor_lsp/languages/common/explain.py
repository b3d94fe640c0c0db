"""One failure, one sentence: put together from what was read in the test and what happened."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tutor_lsp.core.exercise.exercise import prefixes_of_tests
from tutor_lsp.core.exercise.report import Failure, RawTest, TestOutcome
from tutor_lsp.core.text.plain_text import clip, clip_pair
from tutor_lsp.core.text.translation import filled, form_of, marked, t
from tutor_lsp.languages.common.treesitter import one_line

VALUE_LIMIT = 120
CALL_LIMIT = 100
NOTE_LIMIT = 160

_CALLED = re.compile(r"\w+\(")
_BOTH = " failed: left is "
_ORDER = {
    "<": marked("less than"),
    "<=": marked("at most"),
    ">": marked("more than"),
    ">=": marked("at least"),
}
_WAS = marked("{quoted} was {was}")
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison. `calls` if a stub is called in it, directly or through a variable;
    `fixed` if nothing but literals stands in it; `source` is the call behind a variable. `verb`
    is what the learner's code did to come to this side's value."""

    text: str
    calls: bool = False
    fixed: bool = False
    source: str | None = None
    verb: str = marked("gave")


@dataclass(frozen=True, slots=True)
class Check:
    """An assertion as it was read. Without `op` it asks for truth, or falsehood if `negated`.

    `pattern` is what a value had to match. `direct` if what is checked is a stub's own answer.
    """

    text: str
    left: Side
    op: str = ""
    right: Side | None = None
    negated: bool = False
    direct: bool = False
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class Speech:
    """The words of a language."""

    true: str
    false: str
    failed: str


def target(test: str, stubs: Iterable[str]) -> str | None:
    """The stub that the test's name is about: `test_<stub>_…`."""
    fits = [
        stub
        for stub in stubs
        if any(
            re.match(rf"(?:.*::)?{re.escape(prefix[:-1])}(?:_|\Z|\[)", test)
            for prefix in prefixes_of_tests(stub)
        )
    ]
    return max(fits, key=len, default=None)


def quoted(text: str) -> str:
    """A piece of code as quoted in a sentence."""
    return f"`{clip(one_line(text), CALL_LIMIT)}`"


def gave(call: str, found: str, expected: str) -> str:
    """What a call gave, in the sentence that all such facts have."""
    return t(f"{quoted(call)} gave {found}, expected {expected}")


def compared(test: RawTest, check: Check | None, before: str | None) -> Failure:
    """A comparison was false and both values are known; `before` is the last stub call before."""
    left, right = test.left or "", test.right or ""
    if check is None or check.right is None:
        return _both(test, check, before)
    op, mine, actual, expected = check.op, check.left, left, right
    if _is_actual(check.right, check.left):
        op = _FLIPPED.get(op, "contains" if op == "in" else "lacks" if op == "not in" else op)
        mine, actual, expected = check.right, right, left
    elif not _is_actual(check.left, check.right):
        return _both(test, check, before)
    short, wanted = clip_pair(one_line(actual), one_line(expected), VALUE_LIMIT)
    verb = t(mine.verb if mine.calls and not mine.source else marked("is"))
    origin = t(f" from {quoted(mine.source)}") if mine.source else ""
    after = t(f"after {quoted(before)}, ") if before and not mine.calls else ""
    message = t(
        f"{after}{quoted(mine.text)}{origin} {verb} {short}, expected {_wanted(op, wanted)}"
    )
    return Failure(_noted(message, test.error), _wanted(op, expected), actual)


def _both(test: RawTest, check: Check | None, before: str | None) -> Failure:
    left, right = clip_pair(one_line(test.left or ""), one_line(test.right or ""), VALUE_LIMIT)
    called = check is None or check.left.calls or (check.right is not None and check.right.calls)
    after = t(f"after {quoted(before)}, ") if before and not called else ""
    text = t(f"{quoted(_whole(check))} failed: ") if check else ""
    return Failure(_noted(t(f"{after}{text}left is {left}, right is {right}"), test.error))


def _whole(check: Check) -> str:
    """A comparison with the calls that its variables stand for."""
    return f"{check.left.text} {check.op} {check.right.text}" if check.right else check.text


def _is_actual(side: Side, other: Side) -> bool:
    return (side.calls and not other.calls) or (other.fixed and not side.fixed and not other.calls)


def _wanted(op: str, value: str) -> str:
    if op in _ORDER:
        return f"{t(_ORDER[op])} {value}"
    words = {
        "!=": t("anything but "),
        "is not": t("anything but "),
        "in": t("one of "),
        "not in": t("none of "),
        "contains": t("it to contain "),
        "lacks": t("it not to contain "),
    }
    return words.get(op, "") + value


def untrue(test: RawTest, check: Check, actual: str | None, speech: Speech) -> Failure:
    """An assertion of a truth value; `actual` is the value it found, if known."""
    note = test.error
    if check.pattern is not None:
        message = t(f"{quoted(check.left.text)} did not match {quoted(check.pattern)}")
        return Failure(_noted(message, note), check.pattern)
    found = actual or (speech.true if check.negated else speech.false)
    plain = found in (speech.true, speech.false)
    wanted = speech.false if check.negated else speech.true
    if not check.direct and plain:
        was = speech.true if check.negated else speech.false
        said = filled(form_of(_WAS), _WAS, {"quoted": quoted(check.left.text), "was": was})
        return Failure(_noted(said, note), wanted, found)
    expected = wanted if plain else t(f"a {wanted.lower()} value")
    short = clip(one_line(found), VALUE_LIMIT)
    return Failure(_noted(gave(check.left.text, short, expected), note), expected, found)


def after_value(test: RawTest, failure: Failure) -> Failure:
    """The sentence behind the call that came before, with what that gave."""
    if test.call is None or test.gave is None:
        return failure
    before, short, said = quoted(test.call), clip(test.gave, NOTE_LIMIT), failure.message
    return replace(failure, message=t(f"after {before}, which gave {short}, {said}"))


def with_value(test: RawTest, failure: Failure) -> Failure:
    """The sentence with what the call in it gave, where it says neither that nor another value."""
    truths = {str(failure.expected).lower(), str(failure.actual).lower()} == {"true", "false"}
    if test.call is None or test.gave is None or not (truths or failure.actual is None):
        return failure
    whole, said, short = quoted(test.call), failure.message, clip(test.gave, NOTE_LIMIT)
    if failure.actual is None and failure.expected and said.startswith(f"{whole} did not match"):
        message = t(f"{whole} gave {short}, which does not match {quoted(failure.expected)}")
        return replace(failure, message=message, actual=test.gave)
    if truths and (after := t(f"after {whole}, ")) in said:
        return replace(
            failure, message=said.replace(after, t(f"after {whole}, which gave {short}, "))
        )
    name = _CALLED.findall(test.call)
    if (truths or _BOTH in said) and not any(each in said for each in name):
        return after_value(test, failure)
    if not truths or test.call not in said or whole in said:
        return failure
    return replace(failure, message=said + t(f": {whole} is {short}"))


def _noted(message: str, note: str | None) -> str:
    return f"{message} ({clip(one_line(note), NOTE_LIMIT)})" if note and note.strip() else message


def not_written(missing: str | None, about: str | None) -> Failure:
    """A stub is still a stub; `about` is the one that the test is about."""
    if missing is None:
        return Failure("This is not written yet")
    if about is not None and about != missing:
        return Failure(f"`{about}` needs `{missing}`, which is not written yet")
    return Failure(f"`{missing}` is not written yet")


def unfinished(test: RawTest, call: str | None, *, ends: bool = False) -> Failure:
    """The test ran out of time, or its process ended in the middle of it. `ends` is whether nothing
    in what was called can go on for ever."""
    subject = quoted(call) if call else t("This test")
    reason = test.error or ""
    if test.outcome is TestOutcome.TIMEOUT and test.waited:
        return advising(Failure(f"{subject} {reason}, and was not busy: look at what it waits for"))
    if test.outcome is TestOutcome.TIMEOUT and ends:
        advice = t("it would finish eventually: look for work that is repeated")
        return Failure(t(f"{subject} {reason}: {advice}"), advice=advice)
    if test.outcome is TestOutcome.TIMEOUT:
        return advising(Failure(f"{subject} {reason}: look for a loop that never ends"))
    if "out of stack" in reason or "SIGSEGV" in reason:
        return out_of_stack(subject)
    how = reason.rpartition(": ")[2]
    return Failure(f"{subject} ended the whole run ({how}) instead of returning")


def out_of_stack(subject: str) -> Failure:
    """A call went deeper than there is room for."""
    return advising(
        Failure(f"{subject} ran out of stack: look for a call that calls itself for ever")
    )


def advising(failure: Failure) -> Failure:
    """The sentence, whose words behind the last colon are advice."""
    return replace(failure, advice=failure.message.rpartition(": ")[2])


def raised(test: RawTest, call: str | None, speech: Speech) -> Failure:
    """An exception or panic came out of `call`."""
    text = clip(one_line(test.error or t("an error")), VALUE_LIMIT + NOTE_LIMIT)
    at = test.raised_at
    place = t(f" ({at.file}, line {at.line})") if at is not None else ""
    if call is None:
        return Failure(f"{text}{place}")
    return Failure(f"{quoted(call)} {t(speech.failed)}{text}{place}", None, text)


def one_of(calls: Sequence[tuple[str, str]], about: str | None) -> str | None:
    """What stands for the call in the message of a failure without a place: the only call (name,
    text), else the name of the stub under test, else None."""
    mine = [call for call in calls if call[0] == about] or list(calls)
    texts = list(dict.fromkeys(text for _, text in mine))
    names = list(dict.fromkeys(name for name, _ in mine))
    if len(texts) == 1:
        return texts[0]
    return names[0] if len(names) == 1 else about
