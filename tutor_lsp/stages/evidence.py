"""The learner's work as coach and reviewer see it: texts, differences, failures. Pure."""

import difflib
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.mistakes import Diagnosis
from tutor_lsp.core.exercise.report import BuildError, Remark, TestOutcome, TestReport, TestResult
from tutor_lsp.core.ports import FunctionSite, SourceReader, TestSite
from tutor_lsp.core.session import Hint
from tutor_lsp.core.text.plain_text import clip_bytes
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.library.markdown import headings

OUTPUT_CHARACTERS = 2000
"""Maximum characters of a test's output in a packet; the end is kept."""
MOST_EXCHANGES = 3
"""The newest questions with their answers that a packet has."""
ASKED_BYTES, ANSWERED_BYTES = 300, 600
"""Maximum bytes of an earlier question and of its answer."""
MOST_FAILURES = 3
"""Failures that a prompt tells in full; of the others it has the names."""
MOST_HINTS = 3
"""The newest hints that a prompt has."""
PROMPT_OUTPUT = 300
"""Maximum characters of a test's output in a prompt; the end is kept."""
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


def own_rows(before: str, after: str) -> str:
    """Which lines of `after` are not in `before`, as ranges such as `4-9, 12`; "" for none."""
    if max(before.count("\n"), after.count("\n")) > DIFF_LINES:
        return ""
    old, new = split_lines(before), split_lines(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    ranges = [
        f"{start + 1}-{end}" if end > start + 1 else f"{end}"
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag in ("insert", "replace")
    ]
    return ", ".join(ranges)


def went(before: Mapping[str, str], after: Mapping[str, str], given: Mapping[str, str]) -> str:
    """What is no longer in the files and was not `given`, each time with the lines that stand there
    now; what these say is for whoever has the files."""
    said: list[str] = []
    for path in sorted(before.keys() & after.keys()):
        old, new = split_lines(before[path]), split_lines(after[path])
        if max(len(old), len(new)) > DIFF_LINES:
            continue
        delivered = set(split_lines(given.get(path, "")))
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for tag, first, last, start, end in matcher.get_opcodes():
            own = [row for row in old[first:last] if row not in delivered]
            if tag != "equal" and own:
                said += [f"{path}, instead of lines {start + 1}-{end} of now:", *own]
    return "\n".join(said)


def tests_of(
    texts: Mapping[str, str], reader: SourceReader | None, wanted: Collection[str]
) -> dict[str, str]:
    """Of test files those with tests, and of these what is outside of the tests that are not
    `wanted`. Everything without a `reader`. Blocks: parses."""
    if reader is None:
        return dict(texts)
    found = {}
    for path, text in texts.items():
        sites = reader.tests(text)
        if {site.name for site in sites} & set(wanted):
            others = [site for site in sites if site.name not in wanted]
            found[path] = _without(text, others)
    return found


def _without(text: str, sites: Sequence[TestSite]) -> str:
    """A text without these tests, and without what stands right above each of them."""
    rows = split_lines(text)
    gone: set[int] = set()
    for site in sites:
        first = site.line - 1
        while first and rows[first - 1].strip() and first - 1 not in gone:
            first -= 1
        gone |= {*range(first, site.end_line)}
    kept = "\n".join(row for at, row in enumerate(rows) if at not in gone)
    return re.sub(r"\n{3,}", "\n\n", kept).strip("\n") + "\n"


def solved(
    exercise: Exercise, solution: Mapping[str, str], unit: Unit | None, reader: SourceReader | None
) -> dict[str, str]:
    """What a solution has and the starter has not, without a word of what both say: of one unit,
    if one is given, with whatever else it needs. Blocks: parses."""
    found = {}
    for path, text in solution.items():
        if unit is not None and path != unit.file and path in {u.file for u in exercise.units}:
            continue
        rows, given = split_lines(text), exercise.starter.get(path, "")
        known = {row.strip() for row in split_lines(given)}
        kept = [at for at, row in enumerate(rows) if row.strip() and row.strip() not in known]
        if unit is not None and reader is not None and unit.aside is None:
            others = {u.stub for u in exercise.units if u.file == path} - {unit.stub}
            apart = [site for site in reader.functions(text) if site.name in others]
            lines = [_rows_of(text, site) for site in apart]
            kept = [at for at in kept if not any(first <= at <= last for first, last in lines)]
        found[path] = "\n".join(rows[at] for at in kept)
    return {path: text for path, text in found.items() if text}


def _rows_of(text: str, site: FunctionSite) -> tuple[int, int]:
    return text.count("\n", 0, site.start), text.count("\n", 0, site.end)


def missing_lines(contract: str, text: str) -> str:
    """A contract, if a text has not all of its lines any more."""
    plain = "".join(text.split())
    rows = ("".join(row.split()) for row in contract.split("\n"))
    return "" if all(row in plain for row in rows) else contract


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


def short_run(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run as a prompt has it: what says nothing is left out, and so is output that another
    failure has."""
    seen: set[str] = set()
    failures = []
    for each in run["failures"][:MOST_FAILURES]:
        told = {key: value for key, value in each.items() if value not in (None, "")}
        message = str(told.get("message", ""))
        for key in ("expected", "actual"):
            if key in told and str(told[key]) in message:
                del told[key]
        output = str(told.pop("output", ""))[-PROMPT_OUTPUT:]
        if output.strip() and output not in seen and output.strip() not in message:
            told["output"] = output
            seen.add(output)
        failures.append(told)
    failed = {each["test"] for each in failures}
    others = {each["test"]: each["outcome"] for each in run["tests"] if each["test"] not in failed}
    rest = {key: run[key] for key in ("reason", "build_errors") if run[key]}
    counts = {key: run[key] for key in ("outcome", "passed", "total")}
    return counts | rest | {"failures": failures, "other_tests": others}


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
            "asked": clip_bytes(hint.question, ASKED_BYTES),
            "answered": clip_bytes(
                "\n\n".join(filter(None, (hint.text, hint.code))), ANSWERED_BYTES
            ),
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
