"""Units whose tests run on request only, in a check that nobody has asked for. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.judge import names
from tutor_lsp.core.exercise.report import (
    Failure,
    RawReport,
    RawTest,
    TestOutcome,
    TestResult,
)
from tutor_lsp.core.exercise.undone import undone
from tutor_lsp.core.exercise.units import Stubs
from tutor_lsp.core.ports import SourceReader
from tutor_lsp.core.session import Session
from tutor_lsp.core.text.positions import normalise_line_ends
from tutor_lsp.core.text.translation import t


def on_request(exercise: Exercise) -> tuple[Unit, ...]:
    """The units whose tests a save does not run."""
    return tuple(unit for unit in exercise.units if unit.kind.on_request)


def others(exercise: Exercise) -> list[str]:
    """The tests of all other units."""
    return [test for unit in exercise.units if not unit.kind.on_request for test in unit.tests]


def to_run(exercise: Exercise, texts: Mapping[str, str], reader: SourceReader) -> list[str]:
    """The tests of all other units, and those that the learner has added. Parses test files."""
    own = {file for unit in exercise.units for file in (unit.file, unit.test_file)}
    files = (text for file, text in texts.items() if file.startswith("tests/") and file not in own)
    added = (site.name for text in files for site in reader.tests(text))
    held = {test for unit in on_request(exercise) for test in unit.tests}
    return list(dict.fromkeys((*others(exercise), *(test for test in added if test not in held))))


def without_held(raw: RawReport, exercise: Exercise) -> RawReport:
    """The report without the tests that were left out, which a run lists as not run."""
    left = {test for unit in on_request(exercise) for test in unit.tests}
    return replace(raw, tests=tuple(t for t in raw.tests if not left.intersection(names(t.name))))


def held(exercise: Exercise, session: Session, stubs: Stubs) -> list[TestResult]:
    """The results of what did not run: those it had, if they belong to the texts that `stubs` was
    read from."""
    return [result for unit in on_request(exercise) for result in _of(unit, session, stubs)]


def _of(unit: Unit, session: Session, stubs: Stubs) -> Iterator[TestResult]:
    progress, known = session.progress.get(unit.id), session.last_results
    before = [] if known is None else [test for test in known.tests if test.unit == unit.id]
    ran = bool(before) and all(test.outcome is not TestOutcome.NOT_RUN for test in before)
    if ran and progress is not None and progress.checked == stubs.basis(unit.id):
        yield from before
        return
    if not stubs.touched(unit.id):
        message = undone(unit.kind, unit.stub)
        for test in unit.tests:
            yield TestResult(test, unit.id, unit.stub, TestOutcome.TODO, message)
        return
    for test in unit.tests:
        said = t("not checked yet; tutor.check says whether it holds")
        yield TestResult(test, unit.id, unit.stub, TestOutcome.NOT_RUN, said)


def of_given_program(
    raw: RawReport, exercise: Exercise, texts: Mapping[str, str], given: Mapping[str, str]
) -> RawReport:
    """The report, in which no answer is right about a program that the learner has changed;
    `given` is what an attempt would run on."""
    asked = {test for unit in on_request(exercise) for test in unit.tests}
    if not asked:
        return raw
    own = {unit.file for unit in exercise.units}
    changed = [
        file
        for file, text in given.items()
        if file.startswith("src/")
        and file not in own
        and normalise_line_ends(texts.get(file, "")) != normalise_line_ends(text)
    ]
    if not changed:
        return raw
    return replace(raw, tests=tuple(_about_another(each, asked, changed) for each in raw.tests))


def _about_another(test: RawTest, asked: set[str], changed: Sequence[str]) -> RawTest:
    if test.name not in asked or test.not_implemented or test.outcome is TestOutcome.NOT_RUN:
        return test
    said = Failure(
        f"{changed[0]} is not as it was given, and the answers are about that; tutor.restore puts "
        "it back"
    )
    return RawTest(test.name, TestOutcome.FAILED, error=said.message, said=said)
