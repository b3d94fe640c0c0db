"""Which parts of a hint are supported by facts: a fix that was run, else the test report. Pure.

Without a fix that made a test pass, a sentence is shown only if every value, test name, line and
piece of code that it states as a fact occurs in what was executed or in what the learner can see.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

from tutor_lsp.tutor.hinting.coach.sentences import says

_INLINE = re.compile(r"`([^`]+)`")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^a-z])")
_TEST = re.compile(r"\btest_\w+")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w|\.\d)")
_CODE = re.compile(r"[()\[\]{}=;+*%<>]|\breturn\b")
_NAME = re.compile(r"[.\w:]+(?:\(\)|!)?|=|\+|-|\*|/|%|<|>|\(\)|\[\]|\{\}|==|;")
_QUOTED = re.compile(r"\"([^\"]{1,80})\"|“([^”]{1,80})”")
_TELLS = ("facts", "outcomes")


def evidence(tutoring: Mapping[str, Any]) -> str:
    """Everything that was executed or that the learner can see, as one text. The reference and
    hints do not count."""
    run = tutoring["run"] or {"failures": [], "build_errors": []}
    unit = tutoring["unit"]
    parts = [file["content"] for key in ("files", "starter", "tests") for file in tutoring[key]]
    parts += [tutoring["lesson_section"], unit["contract"], unit["stub"], unit["file_path"]]
    parts += [unit["first_principle"], unit["lesson_heading"], *run["build_errors"]]
    for failure in run["failures"]:
        parts += [str(failure[key]) for key in ("test", "message", "expected", "actual", "output")]
    return " ".join(_flat(str(part)) for part in parts)


def shows_code(text: str, seen: str) -> bool:
    """Whether a text has code between backticks that the learner does not see already; a function's
    name, with or without brackets, is not code."""
    flat, spans = _flat(seen), [_flat(span) for span in _INLINE.findall(text)]
    return any(
        _CODE.search(span) and not _NAME.fullmatch(span) and span not in flat for span in spans
    )


def contradicts(text: str, *, failing: bool) -> bool:
    """Whether a hint contradicts the tests, or says that all pass while some do not."""
    kinds = ("against_tests", *["all_pass"] * failing)
    return any(says(kind).search(text) for kind in kinds)


def stands(sentence: str, seen: str, tests: Collection[str]) -> bool:
    """Whether a sentence states nothing that is missing from the evidence."""
    if any(name not in tests for name in _TEST.findall(sentence)):
        return False
    if not any(says(kind).search(sentence) for kind in _TELLS):
        return True
    flat = _flat(seen)
    asks = sentence.endswith(("?", "？"))  # where quotes set words off
    quoted = [one or other for one, other in _QUOTED.findall(sentence) if not asks]
    spans = [_flat(span) for span in (*_INLINE.findall(sentence), *quoted)]
    numbers = _NUMBER.findall(_INLINE.sub(" ", sentence))
    return all(span in flat for span in spans) and all(
        re.search(rf"(?<![\w.]){re.escape(number)}(?!\w|\.\d)", flat) for number in numbers
    )


def without_spans(text: str) -> str:
    """A text without its inline code."""
    return _INLINE.sub("", text)


def _flat(text: str) -> str:
    return " ".join(text.split())
