"""What follows from versions that pass all tests. Pure."""

from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.proof.mutants.trying import Found, Survivor
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding

STEP = "mistakes"


def figures(found: Sequence[Found]) -> dict[str, int]:
    """How many versions were tried, noticed by a test, and like the reference; {} if none was."""
    if not found:
        return {}
    return {
        "tried": sum(each.tried for each in found),
        "killed": sum(each.killed for each in found),
        "equivalent": sum(each.equivalent for each in found),
    }


def judged(
    found: Sequence[Found], accepts: Mapping[str, str], *, strict: bool
) -> tuple[list[ProofFinding], list[ProofFinding]]:
    """Findings and advice. A unit that a value solves is a finding; another version that passes is
    one if that is asked for (`strict`) and an input within what the unit accepts tells it apart."""
    findings: list[ProofFinding] = []
    advice: list[ProofFinding] = []
    for each in found:
        if each.why:
            advice.append(ProofFinding(STEP, each.why, None, None, each.unit.id))
        for survivor, said in _told(each):
            known = survivor.difference is not None and each.unit.id in accepts
            hard = survivor.mutant.constant is not None or (strict and known)
            (findings if hard else advice).append(said)
    return findings, advice


def _told(found: Found) -> Iterator[tuple[Survivor, ProofFinding]]:
    solved = False
    for survivor in found.survivors:
        if survivor.difference is None and survivor.inputs > 0:
            continue
        if survivor.mutant.constant is not None and solved:
            continue  # the same value, written in another way
        solved |= survivor.mutant.constant is not None
        mutant, unit = survivor.mutant, found.unit
        place = "" if mutant.constant is not None else f" in line {mutant.line} of {unit.file}"
        what = f"{mutant.says}{place} passes all tests of {unit.id}"
        text, test = _apart(survivor, what, unit)
        yield survivor, ProofFinding(STEP, text, unit.test_file or None, None, unit.id, test)


def _apart(survivor: Survivor, what: str, unit: Unit) -> tuple[str, str]:
    """The sentence, and the test that is missing."""
    what = what[:1].upper() + what[1:]
    told = survivor.difference
    if told is None:
        return f"{what}, and no input was found on which `{unit.stub}` could be compared.", ""
    after = f" after `{'; '.join(told.before)}`" if told.before else ""
    text = f"{what}: `{told.call}`{after} gives {told.given}, the reference {told.wanted}."
    return text, "\n".join([*told.before, f"{told.call} gives {told.wanted}"])
