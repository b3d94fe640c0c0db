"""What holds of units that ask what a program gives. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import LESSON, Unit, UnitKind
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.told_value import is_distinct, place_of, stands_in
from tutor_lsp.core.language.predictions import Answer
from tutor_lsp.languages.common.predict.program import answers_of, program_files, right_values
from tutor_lsp.languages.common.predict.values import another


def asking(units: Sequence[Unit]) -> tuple[Unit, ...]:
    """The units that ask what a program gives."""
    return tuple(unit for unit in units if unit.kind is UnitKind.PREDICT)


def check_starter(unit: Unit, text: str, language: str) -> Iterator[ProofFinding]:
    """The file that a learner gets has nothing but questions, the first of which is the stub."""
    found = answers_of(language, text)
    if not found.found or found.found[0].name != unit.stub:
        said = f"The first answer that {unit.file} asks for is not `{unit.stub}`."
        yield ProofFinding("units", said, unit.file, unit.line, unit.id)
    for line in found.strays:
        said = f"{unit.file} is for answers alone, and line {line} is none."
        yield ProofFinding("units", said, unit.file, line, unit.id)
    for each in found.found:
        if not each.open:
            said = f"`{each.name}` is answered already, though {unit.id} asks for it."
            yield ProofFinding("units", said, unit.file, each.line, unit.id)


def check_reference(trial: Trial, solution: Mapping[str, str]) -> list[ProofFinding]:
    """The reference has a value for each answer, there is a program, and no file that a learner
    gets tells a value."""
    found: list[ProofFinding] = []
    for unit in asking(trial.units):
        found += _unanswered(trial, unit, solution.get(unit.file, ""))
        files = trial.candidate.files
        program = [files[each] for each in program_of(trial)]
        if not program:
            said = f"{unit.id} asks what a program gives: it needs a file of its own in src/."
            found.append(ProofFinding("units", said, unit.file, unit.line, unit.id))
        given = {unit.file: files.get(unit.file, ""), LESSON: files.get(LESSON, "")}
        given |= {file: text for file, text in files.items() if file.startswith("tests/")}
        for file, text in given.items():
            found += told_in(unit, _right(trial, unit, solution), program, file, text)
    return found


def check_hints(
    units: Sequence[Unit],
    language: str,
    files: Mapping[str, str],
    solution: Mapping[str, str],
    hints: Mapping[str, Sequence[str]],
) -> list[ProofFinding]:
    """No hint tells a value."""
    own = {unit.file for unit in units}
    program = [files[each] for each in program_files(files, own)]
    return [
        finding
        for unit in asking(units)
        for level, text in enumerate(hints.get(unit.id, ()), start=1)
        for finding in told_in(
            unit,
            right_values(language, solution.get(unit.file, "")),
            program,
            f"hints/{unit.id}.md",
            text,
            f"L{level}",
        )
    ]


def told_in(
    unit: Unit,
    values: Sequence[Answer],
    program: Sequence[str],
    file: str,
    text: str,
    where: str | None = None,
) -> Iterator[ProofFinding]:
    """The values that a text tells. Short ones, and those that the program has, may stand anywhere
    by chance."""
    for each in values:
        if is_distinct(each.text, program) and stands_in(each.text, text):
            said = f"{where or file} has {each.text}, which is what `{each.name}` asks for."
            line = place_of(each.text, text) if where is None else None
            yield ProofFinding("giveaway", said, file, line, unit.id)


def program_of(trial: Trial) -> tuple[str, ...]:
    """The files of the program that is asked about."""
    return program_files(trial.candidate.files, {unit.file for unit in trial.units})


def _right(trial: Trial, unit: Unit, solution: Mapping[str, str]) -> list[Answer]:
    return right_values(trial.dialect.language, solution.get(unit.file, ""))


def _unanswered(trial: Trial, unit: Unit, text: str) -> Iterator[ProofFinding]:
    read = answers_of(trial.dialect.language, text)
    for each in answers_of(trial.dialect.language, trial.candidate.files.get(unit.file, "")).found:
        mine = read.named(each.name)
        if mine is None or not mine.literal:
            said = f"The reference has no value for `{each.name}`."
            yield ProofFinding("reference", said, unit.file, mine.line if mine else None, unit.id)


def others(trial: Trial, unit: Unit, text: str) -> Iterator[str]:
    """The reference's file with another value in one answer each."""
    for each in right_values(trial.dialect.language, text):
        value = another(each.text)
        if value is not None:
            yield text[: each.start] + value + text[each.end :]
