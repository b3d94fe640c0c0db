"""Right programs are right, and mistakes are what they say, by what runs on them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.proof.executor import together
from tutor_lsp.authoring.proof.trial import Trial, why
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RunOutcome
from tutor_lsp.core.language.probes import Probe, ProbeRefused
from tutor_lsp.core.session import Programs, WrongProgram
from tutor_lsp.languages.common.programs.asked import Asked, asked
from tutor_lsp.languages.common.programs.verdict import FAILED
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import probes

LEAST, MOST = 2, 8
"""How many right programs and mistakes there are of a unit: at least, and at most of mistakes."""


def check(trial: Trial) -> Iterator[ProofFinding]:
    """What can be told of the programs from their texts."""
    for unit in trial.units:
        if unit.asks_for_tests:
            known = trial.candidate.programs.get(unit.id)
            if known is None:
                said = f"There are no programs on which the tests of {unit.id} could run."
                yield ProofFinding("shape", said, unit.file, None, unit.id)
            else:
                yield from _of_texts(trial, unit, known)


def _of_texts(trial: Trial, unit: Unit, programs: Programs) -> Iterator[ProofFinding]:
    right, wrong = f"variants/{unit.id}.md", f"mistakes/{unit.id}.md"
    given = trial.candidate.files.get(programs.file)
    if given is None or programs.file in {each.file for each in trial.units}:
        said = (
            f"The programs of {unit.id} replace {programs.file}, which "
            f"{'does not exist' if given is None else 'is a file that the learner writes'}: "
            f"`{unit.stub}` stands, right, in a given file of its own."
        )
        yield ProofFinding("shape", said, right, None, unit.id)
    elif unit.stub not in {site.name for site in trial.toolchain.functions(given)} and not any(
        unit.stub in line for line in given.split("\n")
    ):
        said = f"{programs.file} does not have `{unit.stub}`."
        yield ProofFinding("shape", said, programs.file, 1, unit.id)
    if len(programs.right) < LEAST:
        said = f"{unit.id} needs {LEAST} right programs besides the given one, or more."
        yield ProofFinding("shape", said, right, None, unit.id)
    if not LEAST <= len(programs.wrong) <= MOST:
        said = f"{unit.id} needs {LEAST} to {MOST} mistakes, not {len(programs.wrong)}."
        yield ProofFinding("shape", said, wrong, None, unit.id)
    seen: dict[str, str] = {given or "": f"{programs.file} as it is given"}
    for name, text, file in (
        *((_number(at), text, right) for at, text in enumerate(programs.right, 1)),
        *((_named(each), each.text, wrong) for each in programs.wrong),
    ):
        plain = "\n".join(line.rstrip() for line in text.strip().split("\n"))
        before = seen.setdefault(plain, name)
        if text.strip() == (given or "").strip():
            before = f"{programs.file} as it is given"
        if before != name:
            said = f"{name} is the same program as {before}."
            yield ProofFinding("shape", said, file, None, unit.id)


@dataclass(frozen=True, slots=True)
class _Shown:
    """The tests of the reference, and after them one for the input of each mistake."""

    tests: str
    names: Mapping[str, WrongProgram]


async def run(trial: Trial, bench: Bench, solution: Mapping[str, str]) -> list[ProofFinding]:
    """What the tests of the reference find on each program, and what the inputs of the mistakes
    show there."""
    found: list[ProofFinding] = []
    files = trial.candidate.files
    for each in asked(trial.units, files, trial.candidate.programs, trial.toolchain):
        if not each.programs.wrong:
            continue
        unit = next(unit for unit in trial.units if unit.file == each.file)
        shown, refused = _shown(trial, unit, each.programs, solution.get(unit.file, ""))
        found += refused
        found += await _of_unit(trial, bench, unit, each, shown)
    return found


def _shown(
    trial: Trial, unit: Unit, programs: Programs, tests: str
) -> tuple[_Shown, list[ProofFinding]]:
    names: dict[str, WrongProgram] = {}
    found: list[ProofFinding] = []
    for number, mistake in enumerate(programs.wrong, start=1):
        probe, name = Probe((), mistake.call, mistake.gives), f"test_shown_by_mistake_{number}"
        try:
            tests, _ = probes(trial.dialect.language).added(tests, probe, {unit.stub: ""}, name)
        except ProbeRefused as error:
            said = f"The input of {_named(mistake)} cannot be tried: {error}."
            found.append(ProofFinding("shape", said, f"mistakes/{unit.id}.md", None, unit.id))
        else:
            names[name] = mistake
    return _Shown(tests, names), found


async def _of_unit(
    trial: Trial, bench: Bench, unit: Unit, each: Asked, shown: _Shown
) -> list[ProofFinding]:
    programs = each.programs
    given = trial.candidate.files.get(programs.file, "")
    found: list[ProofFinding] = []
    rights = ((f"{programs.file} as it is given", given), *_numbered(programs.right))
    reports = await together(*(_on(bench, each, text, shown.tests) for _, text in rights))
    for (name, text), report in zip(rights, reports, strict=True):
        found += _right(unit, name, report, shown, is_given=text is given)
        if found and text is given:  # all others would be told the same
            return found
    if found:  # a wrong one could not be told from a right one
        return found
    texts = (mistake.text for mistake in programs.wrong)
    reports = await together(*(_on(bench, each, text, shown.tests) for text in texts))
    for mistake, report in zip(programs.wrong, reports, strict=True):
        found += _wrong(unit, mistake, report, shown)
    return found


async def _on(bench: Bench, each: Asked, program: str, tests: str) -> RawReport:
    async with bench.lane() as lane:
        await lane.put(each.with_program(program, tests))
        return await bench.toolchain.run(lane.folder, limits=bench.limits)


def _right(
    unit: Unit, name: str, report: RawReport, shown: _Shown, *, is_given: bool
) -> Iterator[ProofFinding]:
    file = f"variants/{unit.id}.md"
    if broken := _not_built(report):
        said = f"{name} does not build with the tests of the reference: {broken}"
        yield ProofFinding("reference", said, file, None, unit.id)
        return
    for test in report.tests:
        if test.outcome not in FAILED:
            continue
        said = f"The reference's `{test.name}` refuses a right program, {name}{why(test)}."
        if (mistake := shown.names.get(test.name)) is not None:
            said = (
                f"{name} does not give `{mistake.gives}` for `{mistake.call}`, the input of "
                f"{_named(mistake)}{why(test)}."
            )
        where = f"mistakes/{unit.id}.md" if mistake is not None and is_given else file
        yield ProofFinding("reference", said, where, None, unit.id)


def _wrong(
    unit: Unit, mistake: WrongProgram, report: RawReport, shown: _Shown
) -> Iterator[ProofFinding]:
    file = f"mistakes/{unit.id}.md"
    if broken := _not_built(report):
        said = f"{_named(mistake)} does not build: {broken}"
        yield ProofFinding("reference", said, file, None, unit.id)
        return
    failed = {test.name for test in report.tests if test.outcome in FAILED}
    mine = next((name for name, each in shown.names.items() if each is mistake), None)
    if mine is not None and mine not in failed:
        said = (
            f"{_named(mistake)} gives `{mistake.gives}` for `{mistake.call}`, as right programs "
            "do: that input does not show it."
        )
        yield ProofFinding("reference", said, file, None, unit.id)
    if not failed - shown.names.keys():
        said = f"The reference's tests do not catch {_named(mistake)}."
        yield ProofFinding("reference", said, file, None, unit.id)


def _not_built(report: RawReport) -> str:
    if report.outcome is not RunOutcome.BUILD_ERROR:
        return ""
    errors: Sequence[str] = [error.message for error in report.build_errors[:1]]
    return f"{next(iter(errors), report.reason or 'no reason given').rstrip('.')}."


def _numbered(texts: Sequence[str]) -> list[tuple[str, str]]:
    return [(_number(at), text) for at, text in enumerate(texts, 1)]


def _number(at: int) -> str:
    return f"right program {at}"


def _named(mistake: WrongProgram) -> str:
    return f"the mistake “{mistake.name}”"
