"""Hints without a model: the author's words with the facts of the test report. Pure.

Each names the unit's first failing test with the expected and the actual value, or explains the
compiler's error, in the form that fits the state of the learner's code.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.undone import undone, undone_before
from tutor_lsp.core.text.plain_text import clip, clip_pair, escaped, spoken
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.languages.common.treesitter import one_line
from tutor_lsp.library.markdown import code_blocks, without_code
from tutor_lsp.stages import explained

LAST = 3
"""The level of the last hint."""
WORDS: Mapping[int, int] = {1: 40, 2: 90, 3: 90}
"""Maximum words of a hint's text, by level; the author's own words are not counted."""
CODE_LINES = 8
"""Maximum lines of a hint's code."""
_VALUE = 80
_MESSAGE, _FACT = 240, 400
_NEXT_LINE = re.compile(r"\s*\n[\s/*#]*")
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=:)\s*\n\s*\n")
BUILD_ERROR = re.compile(
    r"(?P<file>[^:\n]+):(?P<line>\d+):\d+: (?:(?P<code>[A-Z]\w+|-W\S+): )?(?P<text>.*)", re.DOTALL
)
"""A build error as written in a packet."""
_PLACE = re.compile(r"\((?:[^()]*; )?(?P<file>[^\s()]+), line (?P<line>\d+)\)")
"""Where in the learner's code it happened, as a failure says it."""
_BEFORE_TESTS = marked("Save the file once to see what the tests say about it.")

Tutoring = Mapping[str, Any]
_START = re.compile(r"Start here:\s*(.+(?:\n[ \t]+\S.*)*)")


def plain_hint(tutoring: Tutoring, texts: Sequence[str], language: str) -> dict[str, Any]:
    """A `hint_pack_v1` (without version and role) from a packet's `tutoring` part.

    `texts` are the unit's authored L1, L2, L3 in Markdown, as far as they exist. The author's words
    stand whole. What is said besides has at most `WORDS` words.
    """
    level = int(tutoring["hint_level"])
    known = diagnosis_of(tutoring)
    written = _written(texts, level, known)
    words, code = in_parts(written)
    words = words or _instead(tutoring, level)
    failure = first_failure(tutoring)
    run = tutoring["run"]
    before, after = list[str](), list[str]()
    if run is not None and run["build_errors"]:
        before = _build_form(tutoring, language, level)
        words = words if level > 1 or _is_given_broken(tutoring) or known is not None else ""
    elif failure is None and run is not None and run["passed"]:
        before = [facts_of(tutoring, language)]
    elif failure is not None and failure["outcome"] == "todo" and failure["actual"] is not None:
        before = [_said(failure, short=False)]
    elif failure is None or failure["outcome"] in ("todo", "not_run"):
        after = _not_started(tutoring, level, failure)
    else:
        before = _failure_form(tutoring, failure, language, level)
        before[1:1] = [*_warning(tutoring, language, level), *_shorter(tutoring)]
    parts = [_fitted(before, WORDS[level]), words, _fitted(after, WORDS[level])]
    if known is not None and level == 1 and known.get("sure") is not False:
        parts = [words, *parts[::2]]
    elif known is not None and not _is_told(known, tutoring):
        parts = [str(known["says"]), *parts]
    return {
        "unit_id": tutoring["unit"]["unit_id"],
        "level": level,
        "text": _joined(parts),
        "code": code if level > 1 else None,
        "fix": None,
        "tags": [],
    }


def _written(texts: Sequence[str], level: int, known: Mapping[str, Any] | None) -> str:
    """The author's words: at first what the code does where that is known, then how such code is
    mended, if something is said of that. Where only the place is known, the words are those about
    the unit."""
    if known is not None and level == 1 and known.get("sure") is not False:
        return str(known["says"])
    if known is not None and known["hint"] and level == LAST - 1:
        return str(known["hint"])
    return texts[level - 1] if len(texts) >= level else ""


def diagnosis_of(tutoring: Tutoring) -> Mapping[str, Any] | None:
    """The known mistake that the unit's code makes."""
    unit = tutoring["unit"]["unit_id"]
    found = tutoring.get("diagnoses") or ()
    return next((each for each in found if each["unit_id"] == unit), None)


def _is_told(known: Mapping[str, Any], tutoring: Tutoring) -> bool:
    """Whether an earlier hint has said what the code does, which is not always known at first."""
    earlier = tutoring.get("earlier_hints") or ()
    return any(str(known["says"]) in str(hint["text"]) for hint in earlier)


def in_parts(written: str) -> tuple[str, str | None]:
    """An authored hint without its code, and that code, if there is any."""
    code = "\n\n".join(block.text for block in code_blocks(written))
    return prose_of(written), code or None


def prose_of(written: str) -> str:
    """An authored hint without its code."""
    return re.sub(r"\n{3,}", "\n\n", without_code(written)).strip()


def first_failure(tutoring: Tutoring) -> Mapping[str, Any] | None:
    """The first failing test of the unit, in the unit's order, None if there is none."""
    run, unit = tutoring["run"], tutoring["unit"]
    mine = [] if run is None else [f for f in run["failures"] if f["unit_id"] == unit["unit_id"]]
    order = {name: number for number, name in enumerate(unit["test_names"])}
    return min(mine, key=lambda f: order.get(f["test"], len(order)), default=None)


def facts_of(tutoring: Tutoring, language: str) -> str:
    """The last run's result for the unit, in one or two sentences."""
    failure = first_failure(tutoring)
    run, unit = tutoring["run"], tutoring["unit"]
    if run is None:
        return _BEFORE_TESTS
    if run["build_errors"]:
        return " ".join(_build_form(tutoring, language, 1)[:2])
    if failure is None:
        return t(f"All tests of `{unit['stub']}` pass right now.")
    if failure["outcome"] in ("todo", "not_run"):
        said = str(failure["message"] or "")
        if failure["outcome"] == "todo" and said not in ("", undone(_kind(unit), unit["stub"])):
            return f"{t(said)}; " + t(f"`{failure['test']}` comes first.")
        return undone_before(_kind(unit), unit["stub"], failure["test"])
    return _said(failure, short=False)


def _build_form(tutoring: Tutoring, language: str, level: int) -> list[str]:
    """The compiler's error, explained: what it means, and above level 1 what mends it."""
    unit = tutoring["unit"]
    own = {file["file_path"] for file in tutoring["files"]}
    errors = [m for text in tutoring["run"]["build_errors"] if (m := BUILD_ERROR.match(text))]
    waiting = _waiting_test(tutoring)
    waits = t(f"`{waiting}` of `{unit['stub']}` is waiting for that.") if waiting else ""
    if not errors:
        raw = spoken(clipped_line(tutoring["run"]["build_errors"][0]))
        return [t(f"The code does not build yet: {raw}"), waits]
    error = next((match for match in errors if match["file"] in own), errors[0])
    about = _about(tutoring, language, error["file"], int(error["line"]))
    meaning = explained.of_build_error(language, error["code"], error["text"], about)
    place = f"{error['file']} line {error['line']}"
    raw = spoken(_message(error["text"], _MESSAGE if level == 3 else _VALUE).rstrip("."))
    if meaning is None:
        look = t("Look at this line and the one before it.")
        return [t(f"{place} does not build yet: {raw}."), waits, look]
    code = f" ({error['code']})" if error["code"] and error["code"].startswith("E0") else ""
    facts = [t(f"{place} does not build yet{code}: {meaning.means}"), waits]
    if level == 1:
        return facts
    # To mend a program that was given is the task: there the last hint is the first to say how.
    how = meaning.mend if level == LAST or not _is_given_broken(tutoring) else ""
    return [*facts, how, t(f"The compiler's own words: {raw}.")]


def _about(tutoring: Tutoring, language: str, file: str, line: int) -> Mapping[str, str]:
    """What an error on a line is about, for advice that presumes something of it."""
    unit = tutoring["unit"]
    files = tutoring.get("files", ())
    text = next((str(each["content"]) for each in files if each["file_path"] == file), "")
    return {
        "contract": _NEXT_LINE.sub(" ", str(unit.get("contract", ""))),
        "tests": "\n".join(_own_tests(tutoring)),
        **explained.about_place(language, text, line),
    }


def _own_tests(tutoring: Tutoring) -> Iterable[str]:
    """The texts of the unit's tests, each up to the next test."""
    own = set(tutoring["unit"]["test_names"])
    names = [name for unit in tutoring.get("units", ()) for name in unit["test_names"]]
    for file in tutoring.get("tests", ()):
        text = file["content"]
        found = ((re.search(rf"\b{re.escape(name)}\s*\(", text), name) for name in names)
        begins = sorted((match.start(), name) for match, name in found if match)
        for (start, name), (end, _) in pairwise([*begins, (len(text), "")]):
            if name in own:
                yield text[start:end]


def _message(text: str, limit: int) -> str:
    """A compiler's message on one line, with the advice behind it if that fits as a whole."""
    whole = clipped_line(text)
    return clipped_line(whole if len(whole) <= limit else whole.partition("; ")[0], limit)


def _is_given_broken(tutoring: Tutoring) -> bool:
    return _kind(tutoring["unit"]).given_broken


def _kind(unit: Mapping[str, Any]) -> UnitKind:
    return UnitKind(unit.get("kind") or UnitKind.BODY)


def _waiting_test(tutoring: Tutoring) -> str:
    failure = first_failure(tutoring)
    if failure is not None:
        return str(failure["test"])
    return str(next(iter(tutoring["unit"]["test_names"]), ""))


def _not_started(tutoring: Tutoring, level: int, failure: Mapping[str, Any] | None) -> list[str]:
    if level == 3 and tutoring["run"] is None:
        return [_BEFORE_TESTS]
    if _kind(tutoring["unit"]) is UnitKind.TEST:
        return []  # its two tests are verdicts on what the learner writes, who never sees them
    first = failure["test"] if failure is not None else _waiting_test(tutoring)
    return [t(f"`{first}` is the first test of it.")] if first else []


def _failure_form(
    tutoring: Tutoring, failure: Mapping[str, Any], language: str, level: int
) -> list[str]:
    """A wrong value, an exception or a timeout: what happened, and what it means."""
    facts = [_said(failure, short=level == 1)]
    raised = failure["expected"] is None or failure["outcome"] == "errored"
    message = str(failure["message"])
    place = _PLACE.search(message)
    own = str(tutoring["unit"].get("file_path", ""))
    about = _about(tutoring, language, *((place[1], int(place[2])) if place else (own, 0)))
    meaning = explained.of_failure(language, message, about) if raised else None
    if meaning is not None:
        facts.append(meaning.means)
        if level > 1:
            facts.append(meaning.mend)
    return facts


def _warning(tutoring: Tutoring, language: str, level: int) -> list[str]:
    """What a compiler or linter says of the unit's code, one that is known in plain words first;
    above level 1 also what mends that."""
    own = str(tutoring["unit"].get("file_path", ""))
    found = [
        (each, explained.of_warning(language, each["rule"], each["message"], about))
        for each in tutoring.get("warnings") or ()
        for about in [_about(tutoring, language, own, int(each["line"]))]
    ]
    if not found:
        return []
    warning, meaning = min(found, key=lambda pair: pair[1] is None)
    said = clipped_line(str(warning["message"]), _VALUE).rstrip(".")
    means = f"{spoken(said)}." if meaning is None else meaning.means
    told = t(f"There is a warning about line {warning['line']} ({warning['rule']}): {means}")
    return [told, meaning.mend] if meaning is not None and level > 1 else [told]


def _shorter(tutoring: Tutoring) -> list[str]:
    """A shorter call than the test's, unless an earlier hint has told it."""
    if not tutoring.get("shorter"):
        return []
    fact = spoken(str(tutoring["shorter"]))
    earlier = tutoring.get("earlier_hints") or ()
    if any(fact in str(hint["text"]) for hint in earlier):
        return []
    return [t(f"A shorter call shows it, too: {fact}.")]


def _said(failure: Mapping[str, Any], *, short: bool) -> str:
    """The failure in one sentence with its test, and the values if known."""
    test, expected, actual = failure["test"], failure["expected"], failure["actual"]
    told = str(failure["message"] or t("it does not pass yet"))
    message = clipped_line(told, _FACT).rstrip(".")
    # What a name holds after a call, and what is missing, is told as it was found.
    alone = message.startswith("`") and "` gave " in message and "; needs `" not in message
    values = expected is not None and actual is not None
    if short and values and alone and max(len(str(expected)), len(str(actual))) <= _VALUE:
        wanted, gave = escaped(str(expected)), escaped(str(actual))
        return t(f"`{test}` expects {wanted}, your code gives {gave}.")
    said = f"`{test}`: {spoken(message)}."
    if values and clipped_line(str(expected), 40).rstrip("…") not in message:
        wanted, gave = map(
            escaped, clip_pair(one_line(str(expected)), one_line(str(actual)), _VALUE)
        )
        said += t(f" It expects {wanted}; your code gives {gave}.")
    return said


def _instead(tutoring: Tutoring, level: int) -> str:
    """The text in place of a missing authored hint."""
    unit = tutoring["unit"]
    start = _START.search(str(unit["contract"]))
    cue = " ".join(start[1].split()).rstrip(".") if start else ""
    begin = t(f"Start here: {cue}.") if cue else ""
    if level == 1 and begin:
        return begin
    lesson = t(
        f"“{unit['lesson_heading']}” in LESSON.md shows the pattern: {unit['first_principle']}."
    )
    failure = first_failure(tutoring)
    if level < 3 or failure is None or failure["outcome"] == "todo":
        return f"{lesson} {begin}".strip()
    return t(
        "Follow that test line by line through your code. "
        "Find the first line whose value differs from what you expect there."
    )


def _fitted(parts: Iterable[str], words: int) -> str:
    """The first part, which is a fact and stays whole, and as many whole sentences of the others as
    fit."""
    first, *rest = [*filter(None, parts), ""]
    said, left = [first] if first else list[str](), words - len(first.split())
    for part in filter(None, rest):
        whole = len(part.split()) <= left
        for sentence in [part] if whole else _SENTENCES.split(part):
            size = len(sentence.split())
            if size > left:
                return " ".join(said)
            said.append(sentence)
            left -= size
    return " ".join(said)


def _joined(parts: Iterable[str]) -> str:
    """Paragraphs stay paragraphs; what is one line goes on in the line before it, unless that
    announces code by a colon, which follows it."""
    text = ""
    for part in filter(None, parts):
        apart = "\n" in part or text.endswith(":")
        text = f"{text}\n\n{part}" if apart else f"{text} {part}"
    return text.strip()


def clipped_line(text: str, limit: int = _MESSAGE) -> str:
    """The text on one line of at most `limit` characters, without code fences."""
    # Blanks within a line may be those of a literal.
    one = " ".join(filter(None, map(str.strip, str(text).splitlines())))
    return clip(one.replace("```", ""), limit)
