"""The learner's work as coach and reviewer see it: texts, differences, failures. Pure."""

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.mistakes import Diagnosis
from tutor_lsp.core.exercise.report import BuildError, Remark, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import Hint
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.library.markdown import headings
from tutor_lsp.stages.subject import clip

OUTPUT_CHARACTERS = 2000
"""Maximum characters of a test's output in a packet; the end is kept."""
MOST_EXCHANGES = 3
"""The newest questions with their answers that a packet has."""
ASKED_BYTES, ANSWERED_BYTES = 300, 600
"""Maximum bytes of an earlier question and of its answer."""
FILE_CHARACTERS = 60_000
"""Maximum characters of one file in a prompt."""
DIFF_LINES = 2000
"""Longest text that is compared line by line: the time for it grows faster than its length."""


def diff(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """A unified diff over all files, empty if nothing changed."""
    parts: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, ""), after.get(path, "")
        if max(old.count("\n"), new.count("\n")) > DIFF_LINES:
            parts.append(f"{path} is too long to compare")
        elif old != new:
            lines = difflib.unified_diff(
                old.splitlines(), new.splitlines(), f"a/{path}", f"b/{path}", lineterm="", n=2
            )
            parts.append("\n".join(lines))
    return "\n".join(parts)


def run_of(report: TestReport, units: Sequence[Unit] | None = None) -> dict[str, Any]:
    """The `run` part of a packet; with `units`, only failures of those (and of no unit)."""
    wanted = None if units is None else {unit.id for unit in units}
    return {
        "outcome": report.outcome.value,
        "passed": sum(test.outcome is TestOutcome.PASSED for test in report.tests),
        "total": len(report.tests),
        "reason": report.reason,
        "tests": [
            {"test": test.name, "unit_id": test.unit, "outcome": test.outcome.value}
            for test in report.tests
        ],
        "failures": [
            _failure(test)
            for test in report.tests
            if test.outcome is not TestOutcome.PASSED
            and (wanted is None or test.unit is None or test.unit in wanted)
        ],
        "build_errors": [_build_error(error) for error in report.build_errors],
    }


def errors_of(report: TestReport, unit: Unit) -> list[str]:
    """The errors for which the tests of a unit with files of its own were not built, as in a run's
    `build_errors`."""
    found = (test.build_error for test in report.tests if test.unit == unit.id)
    return list(dict.fromkeys(_build_error(error) for error in found if error is not None))


def _build_error(error: BuildError) -> str:
    code = f"{error.code}: " if error.code else ""
    return f"{error.file}:{error.line}:{error.column}: {code}{error.message}"


def _failure(test: TestResult) -> dict[str, Any]:
    return {
        "test": test.name,
        "unit_id": test.unit,
        "outcome": test.outcome.value,
        "message": test.message,
        "expected": test.expected,
        "actual": test.actual,
        "file": test.file,
        "line": test.line,
        "output": test.output[-OUTPUT_CHARACTERS:],
    }


def unit_of(unit: Unit, contract: str) -> dict[str, Any]:
    """The `unit` part of a packet; `contract` is the stub's comment and signature."""
    return {
        "unit_id": unit.id,
        "stub": unit.stub,
        "kind": unit.kind.value,
        "file_path": unit.file,
        "first_principle": unit.first_principle,
        "lesson_heading": unit.lesson_heading,
        "test_names": list(unit.tests),
        "contract": contract,
    }


def diagnoses_of(found: Mapping[str, Diagnosis], unit: Unit | None) -> list[dict[str, Any]]:
    """The `diagnoses` part of a packet: of one unit, or of all."""
    return [
        {
            "unit_id": each.unit,
            "tag": each.tag or None,
            "says": each.says,
            "hint": each.hint or None,
            "line": each.line,
            "sure": each.sure,
        }
        for each in found.values()
        if unit is None or each.unit == unit.id
    ]


def warnings_of(found: Iterable[Remark], unit: Unit | None) -> list[dict[str, Any]]:
    """The `warnings` part of a packet about a unit: none for all."""
    if unit is None:
        return []
    return [
        {"unit_id": unit.id, "rule": each.rule, "message": each.message, "line": each.line}
        for each in found
    ]


def earlier_hints(hints: Iterable[Hint], unit_id: str | None) -> list[dict[str, Any]]:
    """Hints already shown for a unit (for all of them without one), oldest first; without answers
    to questions (see `exchanges`)."""
    return [
        {"level": hint.level, "text": hint.text, "code": hint.code, "test": hint.test}
        for hint in hints
        if unit_id in (None, hint.unit) and hint.text and not hint.question
    ]


def exchanges(hints: Iterable[Hint], unit_id: str) -> list[dict[str, Any]]:
    """The last questions about a unit with their answers, oldest first."""
    asked = [hint for hint in hints if hint.unit == unit_id and hint.question]
    return [
        {
            "asked": clip(hint.question, ASKED_BYTES),
            "answered": clip("\n\n".join(filter(None, (hint.text, hint.code))), ANSWERED_BYTES),
        }
        for hint in asked[-MOST_EXCHANGES:]
    ]


def lesson_section(lesson: str, heading: str) -> str:
    """The `## heading` section of a lesson, heading included; empty if there is none."""
    marks = [mark for mark in headings(lesson) if mark.level <= 2]
    lines = lesson.split("\n")
    for mark, after in zip_longest(marks, marks[1:]):
        if (mark.level, mark.text) == (2, heading):
            end = after.line - 1 if after else len(lines)
            return "\n".join(lines[mark.line - 1 : end]).strip() + "\n"
    return ""


def test_files(exercise: Exercise, texts: Mapping[str, str]) -> dict[str, str]:
    """The exercise's test files among `texts`."""
    return {
        path: texts[path] for path in exercise.files if path.startswith("tests/") and path in texts
    }


def numbered(text: str) -> str:
    """A text with line numbers in front, for quoting; lines end as they do in editors."""
    lines = split_lines(text)
    if not lines[-1]:
        lines.pop()
    return "\n".join(f"{number:>4}| {line}" for number, line in enumerate(lines, start=1))


def shown(label: str, texts: Mapping[str, str], *, numbers: bool = False) -> str:
    """Files for a prompt, each fenced by a mark that does not occur in it, so that no text can
    end its own fence."""
    parts = [f"\n\n# {label}"]
    for path in sorted(texts):
        text = texts[path]
        if len(text) > FILE_CHARACTERS:
            text = text[:FILE_CHARACTERS] + "\n[the rest is left out]\n"
        body = numbered(text) if numbers else text.rstrip("\n")
        mark = fence_mark(body)
        parts.append(f'<file path="{path}" mark="{mark}">\n{body}\n</file {mark}>')
    return "\n".join(parts)


def fence_mark(text: str) -> str:
    """Eight hexadecimal digits that do not occur in `text`; the same for the same text, so that
    caches of prompts serve."""
    mark = ""
    while not mark or mark in text:
        mark = hashlib.sha256(f"{mark}{text}".encode("utf-8", "replace")).hexdigest()[:8]
    return mark


def as_json(label: str, value: Any) -> str:
    """Data for a prompt, as compact JSON under a heading."""
    return f"\n\n# {label}\n{json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
