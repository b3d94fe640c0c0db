"""The known versions of a unit: the reference, the stub, mutants, mistakes. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tutor_lsp.authoring.proof import mistakes
from tutor_lsp.authoring.proof.mutants.choice import mutants
from tutor_lsp.authoring.proof.mutants.variants import mutants as of_files
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.language.variants import Variant
from tutor_lsp.languages.common.proof.splice import with_body


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a unit: the text of its file, and its function's body if only that differs.
    `mistake` is the number of the known mistake that it is."""

    key: str
    unit: Unit
    text: str
    body: str | None = None
    mistake: int | None = None


REFERENCE = "reference"


def versions_of(trial: Trial, unit: Unit, solved: Mapping[str, str]) -> list[Version]:
    """The reference first, then all others that differ from it and from each other."""
    text = solved.get(unit.file, "")
    site = trial.solved_site(unit, solved)
    if site is None:
        return []
    body = text[site.body_start : site.body_end] if unit.aside is None else None
    found = [Version(REFERENCE, unit, text, body)]
    for number, mistake in enumerate(trial.candidate.mistakes.get(unit.id, ())):
        placed = None if mistake.error else mistakes.put_in_place(trial, solved, unit, mistake)
        if placed is not None:
            found.append(Version(f"mistake {number}", unit, placed[0], placed[1], number))
    found += _stub(trial, unit, solved)
    operators = trial.dialect.mutations
    if unit.aside is not None:
        wrong = of_files(text, site, trial.dialect.grammar)
        found += [Version(f"mutant {n}", unit, each) for n, each in enumerate(wrong)]
    elif operators is not None:
        made = mutants(trial, solved, unit, operators)
        found += [Version(f"mutant {n}", unit, m.text, m.body) for n, m in enumerate(made)]
    unique = {each.text: each for each in reversed(found)}
    return [each for each in found if unique[each.text] is each]


def _stub(trial: Trial, unit: Unit, solved: Mapping[str, str]) -> Iterator[Version]:
    starter = trial.candidate.files.get(unit.file, "")
    site, mine = trial.stub_site(unit), trial.solved_site(unit, solved)
    if unit.aside is not None:
        if not unit.kind.unbuilt:
            yield Version("stub", unit, starter)
    elif site is not None and mine is not None:
        body = starter[site.body_start : site.body_end]
        yield Version("stub", unit, with_body(solved[unit.file], mine, body), body)


def variant(version: Version, solved: Mapping[str, str], tests: tuple[str, ...]) -> Variant:
    """A version among `solved` files, of which these tests are run."""
    alone = version.unit if version.body is not None or version.unit.aside is not None else None
    files = {**solved, version.unit.file: version.text}
    return Variant(f"{version.unit.id} {version.key}", files, tests, alone, version.body)
