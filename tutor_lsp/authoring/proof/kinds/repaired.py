"""Programs that are given to be mended: what they fail by, and what the reference changes. Pure."""

import difflib
import re
from collections.abc import Iterator, Mapping

from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.declared import leading_comment
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, TestOutcome
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.languages.common.syntax import parse

_WORTH = 6
"""Characters, blanks not counted, from which a line says something."""


def units(trial: Trial) -> list[Unit]:
    """The units whose programs are to be mended."""
    return [unit for unit in trial.units if unit.kind.given_broken]


def fails(trial: Trial, stubs: RawReport | None) -> dict[str, tuple[str, ...]]:
    """For each of them the tests that it does not pass as it is given."""
    passed = {test.name for test in _tests(stubs) if test.outcome is TestOutcome.PASSED}
    seen = {test.name for test in _tests(stubs)} - passed
    return {unit.id: tuple(t for t in unit.tests if t in seen) for unit in units(trial)}


def _tests(report: RawReport | None) -> tuple[RawTest, ...]:
    return report.tests if report is not None else ()


def without_programs(trial: Trial) -> dict[str, str]:
    """The starter without these programs: of their files the comment alone is left."""
    files = dict(trial.candidate.files)
    for unit in units(trial):
        comment, _ = _parts(trial, files.get(unit.file, ""))
        files[unit.file] = f"{comment}\n"
    return files


def check_starter(trial: Trial, stubs: RawReport) -> Iterator[ProofFinding]:
    """A program must fail at least one of its tests, in whatever way but by not ending."""
    found = fails(trial, stubs)
    for unit in units(trial):
        ran = [test for test in stubs.tests if test.name in unit.tests]
        if ran and not found[unit.id]:
            text = f"`{unit.stub}` passes all its tests as it is given: nothing is to be mended."
            yield trial.at_stub("stubs", text, unit)
        for test in ran:
            why = test.error or "no reason given"
            if test.outcome is TestOutcome.TIMEOUT:
                text = f"The test `{test.name}` does not end on the starter: {why}."
                yield trial.at_test("stubs", text, test.name, test)
            elif test.outcome is TestOutcome.NOT_RUN:
                text = f"The test `{test.name}` is skipped: {why}."
                yield trial.at_test("stubs", text, test.name, test)


def check_reference(trial: Trial, solution: Mapping[str, str]) -> Iterator[ProofFinding]:
    """The reference keeps the comment and changes the program, which no comment tells."""
    for unit in units(trial):
        given, mended = trial.candidate.files.get(unit.file, ""), solution.get(unit.file)
        if mended is None:
            continue  # said of the shape
        (comment, before), (kept, after) = _parts(trial, given), _parts(trial, mended)
        if _rows(kept) != _rows(comment):
            text = f"The reference of {unit.id} does not begin with the comment of its file."
            yield ProofFinding("reference", text, unit.file, 1, unit.id)
        if _rows(before) == _rows(after):
            text = f"The reference of {unit.id} does not change the program of `{unit.stub}`."
            yield ProofFinding("reference", text, unit.file, unit.line, unit.id)
            continue
        if (line := _told(trial, given, before, after)) is not None:
            text = f"A comment in {unit.file} says how `{unit.stub}` is mended."
            yield ProofFinding("giveaway", text, unit.file, line, unit.id)


def _parts(trial: Trial, text: str) -> tuple[str, str]:
    """A file's comment, and what follows it."""
    rows = split_lines(text)
    last = leading_comment(rows, trial.lines)[1]
    return "\n".join(rows[:last]), "\n".join(rows[last:])


def _rows(text: str) -> list[str]:
    return [row.rstrip() for row in split_lines(text) if row.strip()]


def _told(trial: Trial, given: str, before: str, after: str) -> int | None:
    """The line of the last comment in the program, where its comments have all new lines."""
    _, last, _ = leading_comment(split_lines(given), trial.lines)
    inside = [c for c in parse(given, trial.dialect.grammar).comments if c.line > last]
    said = "".join(_plain(comment.text) for comment in inside)
    new = [line for row in new_rows(before, after) if len(line := _plain(row)) >= _WORTH]
    return inside[-1].line if new and all(line in said for line in new) else None


def new_rows(before: str, after: str) -> list[str]:
    """The rows that a text has and an earlier one has not."""
    old, new = _rows(before), _rows(after)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        row
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag != "equal"
        for row in new[start:end]
    ]


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text)
