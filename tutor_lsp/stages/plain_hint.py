"""Hints without a model: the author's words with the facts of the test report. Pure.

Each names the first failing test of its unit with what was expected and what came instead, or
what the compiler means, in the form that fits the state of the learner's code.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tutor_lsp.stages import explained

WORDS: Mapping[int, int] = {1: 40, 2: 90, 3: 90}
"""Most words of a hint's text at each level."""
CODE_LINES = 8
"""Most lines of a hint's code."""
_VALUE = 80
_MESSAGE = 240
_FENCE = re.compile(r"^```[\w-]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|(?<=:)\s*\n\s*\n")
BUILD_ERROR = re.compile(
    r"(?P<file>[^:\n]+):(?P<line>\d+):\d+: (?:(?P<code>[A-Z]\w+|-W\S+): )?(?P<text>.*)", re.DOTALL
)
"""A build error as a packet tells it."""
_BEFORE_TESTS = "Save the file once to see what the tests say about it."

Tutoring = Mapping[str, Any]


def plain_hint(tutoring: Tutoring, texts: Sequence[str], language: str) -> dict[str, Any]:
    """A `hint_pack_v1` (without version and role) from a packet's `tutoring` part.

    `texts` are the unit's authored L1, L2, L3 in Markdown, as far as there are any. A text has at
    most `WORDS` words: of what does not fit, the last sentences are left out, the facts never.
    """
    level = int(tutoring["hint_level"])
    written = texts[level - 1] if len(texts) >= level else ""
    code = "\n\n".join(match[1].rstrip("\n") for match in _FENCE.finditer(written))
    words = re.sub(r"\n{3,}", "\n\n", _FENCE.sub("", written)).strip() or _instead(tutoring, level)
    failure = first_failure(tutoring)
    run = tutoring["run"]
    if run is not None and run["build_errors"]:
        facts, more, code = *_build_form(tutoring, language, level), ""
    elif failure is None and run is not None and run["passed"]:
        facts, more = [facts_of(tutoring, language)], [words]
    elif failure is None or failure["outcome"] in ("todo", "not_run"):
        facts, more = _not_started(tutoring, words, level, failure)
    else:
        facts, more = _failure_form(tutoring, failure, language, level, words)
    return {
        "unit_id": tutoring["unit"]["unit_id"],
        "level": level,
        "text": _fitted(facts, more, WORDS[level]),
        "code": code if code and level > 1 else None,
        "fix": None,
        "tags": [],
    }


def first_failure(tutoring: Tutoring) -> Mapping[str, Any] | None:
    """The first failing test of the unit, in the unit's order, None if there is none."""
    run, unit = tutoring["run"], tutoring["unit"]
    mine = [] if run is None else [f for f in run["failures"] if f["unit_id"] == unit["unit_id"]]
    order = {name: number for number, name in enumerate(unit["test_names"])}
    return min(mine, key=lambda f: order.get(f["test"], len(order)), default=None)


def facts_of(tutoring: Tutoring, language: str) -> str:
    """What the last run said about the unit, in one or two sentences."""
    failure = first_failure(tutoring)
    run = tutoring["run"]
    if run is None:
        return _BEFORE_TESTS
    if run["build_errors"]:
        return " ".join(_build_form(tutoring, language, 1)[0])
    if failure is None:
        return f"All tests of `{tutoring['unit']['stub']}` pass right now."
    if failure["outcome"] in ("todo", "not_run"):
        return f"`{tutoring['unit']['stub']}` is not written yet; `{failure['test']}` comes first."
    return _said(failure, short=False)


def _build_form(tutoring: Tutoring, language: str, level: int) -> tuple[list[str], list[str]]:
    """What the compiler means; it stops everything else, so that is all."""
    unit = tutoring["unit"]
    own = {file["file_path"] for file in tutoring["files"]}
    errors = [m for text in tutoring["run"]["build_errors"] if (m := BUILD_ERROR.match(text))]
    waiting = _waiting_test(tutoring)
    waits = f"`{waiting}` of `{unit['stub']}` waits for that." if waiting else ""
    if not errors:
        raw = clipped_line(tutoring["run"]["build_errors"][0])
        return [f"The code does not build yet: {raw}", waits], []
    error = next((match for match in errors if match["file"] in own), errors[0])
    meaning = explained.of_build_error(language, error["code"], error["text"])
    place = f"{error['file']} line {error['line']}"
    raw = clipped_line(error["text"], _MESSAGE if level == 3 else _VALUE).rstrip(".")
    if meaning is None:
        return [f"{place} does not build yet: {raw}.", waits], [
            "Look at this line and the one before it."
        ]
    code = f" ({error['code']})" if error["code"] and error["code"].startswith("E0") else ""
    facts = [f"{place} does not build yet{code}: {meaning.means}", waits]
    if level == 1:
        return facts, []
    return facts, [meaning.mend, f"The compiler's own words: {raw}."]


def _waiting_test(tutoring: Tutoring) -> str:
    failure = first_failure(tutoring)
    if failure is not None:
        return str(failure["test"])
    return str(next(iter(tutoring["unit"]["test_names"]), ""))


def _not_started(
    tutoring: Tutoring, words: str, level: int, failure: Mapping[str, Any] | None
) -> tuple[list[str], list[str]]:
    first = failure["test"] if failure is not None else _waiting_test(tutoring)
    more = [f"`{first}` is the first test of it."] if first else []
    if level == 3 and tutoring["run"] is None:
        more = [_BEFORE_TESTS]
    return [words], more


def _failure_form(
    tutoring: Tutoring, failure: Mapping[str, Any], language: str, level: int, words: str
) -> tuple[list[str], list[str]]:
    """A wrong value, an exception or a timeout: what happened first, then the author's words."""
    facts = [_said(failure, short=level == 1)]
    raised = failure["expected"] is None or failure["outcome"] == "errored"
    meaning = explained.of_failure(language, str(failure["message"])) if raised else None
    if meaning is not None:
        facts.append(meaning.means)
        if level > 1:
            facts.append(meaning.mend)
    return facts, [words]


def _said(failure: Mapping[str, Any], *, short: bool) -> str:
    """The failure in one sentence with its test, and the values where they are known."""
    test, expected, actual = failure["test"], failure["expected"], failure["actual"]
    message = clipped_line(str(failure["message"] or "it does not pass yet")).rstrip(".")
    needs = "; needs `" in message
    values = expected is not None and actual is not None
    if short and values and not needs and max(len(str(expected)), len(str(actual))) <= _VALUE:
        return f"`{test}` expects {expected}, your code gives {actual}."
    said = f"`{test}`: {message}."
    if values and clipped_line(str(expected), 40).rstrip("…") not in message:
        wanted, gave = clipped_line(str(expected), _VALUE), clipped_line(str(actual), _VALUE)
        said += f" It expects {wanted}; your code gives {gave}."
    return said


def _instead(tutoring: Tutoring, level: int) -> str:
    """What stands for an author's hint where there is none."""
    unit = tutoring["unit"]
    start = re.search(r"Start here:\s*(.+)", str(unit["contract"]))
    begin = f"Start here: {start[1].strip().rstrip('.')}." if start else ""
    if level == 1 and begin:
        return begin
    lesson = (
        f"“{unit['lesson_heading']}” in LESSON.md shows the pattern: {unit['first_principle']}."
    )
    failure = first_failure(tutoring)
    if level < 3 or failure is None or failure["outcome"] == "todo":
        return f"{lesson} {begin}".strip()
    return (
        "Follow that test line by line through your code. "
        "Find the first line whose value differs from what you expect there."
    )


def _fitted(facts: Iterable[str], more: Iterable[str], words: int) -> str:
    """Facts first, then as many whole sentences of the rest as there is room for."""
    text = " ".join(fact for fact in facts if fact)
    if len(text.split()) > words:
        return " ".join(text.split()[: words - 1]) + " …"
    left = words - len(text.split())
    for part in more:
        if len(part.split()) <= left:
            text, left = _joined(text, part), left - len(part.split())
            continue
        for sentence in _SENTENCES.split(part):
            size = len(sentence.split())
            if size > left:
                break
            text, left = f"{text} {sentence}".strip(), left - size
    return text


def _joined(text: str, part: str) -> str:
    return f"{text}\n\n{part}".strip() if "\n" in part else f"{text} {part}".strip()


def clipped_line(text: str, limit: int = _MESSAGE) -> str:
    """The text on one line of at most `limit` characters, without marks of code blocks."""
    line = " ".join(str(text).split()).replace("```", "")
    return line if len(line) <= limit else line[: limit - 1] + "…"
