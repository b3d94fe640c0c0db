"""Step `shape`: what must exist before anything is executed. Pure."""

from collections.abc import Collection

from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.stage import EXPAND_ROLES, Role

_BASES = ((Role.STARTER, "src", "starter"), (Role.TEST, "tests", "tests"))


def check(trial: Trial, there: Collection[Role] = EXPAND_ROLES) -> list[ProofFinding]:
    """Stubs, sources and tests must exist as far as their loops are over (`there`), and tests must
    be written for the harness as given."""
    candidate = trial.candidate
    found: list[ProofFinding] = []
    if Role.STARTER in there and not candidate.units and not unreadable(trial):
        found.append(ProofFinding("shape", "There is no stub to work on."))
    for role, base, what in _BASES:
        if role in there and not any(text.strip() for text in candidate.under(base).values()):
            found.append(ProofFinding("shape", f"There are no {what}: {base}/ has no files."))
    if candidate.under("tests") and not _tests(trial):
        path = next(iter(candidate.under("tests")))
        found.append(ProofFinding("shape", "No test can be found in tests/.", path, 1))
    found += [
        ProofFinding("shape", f"The reference does not have {unit.file}.", unit.file, None, unit.id)
        for unit in candidate.units
        if candidate.solution and unit.file not in candidate.solution
    ]
    found += [
        ProofFinding("shape", f"The reference has {path}, which is not a starter file.", path)
        for path in candidate.solution
        if path not in candidate.files
    ]
    stubs = [unit.stub for unit in trial.units if not unit.kind.given_broken]
    return found + trial.dialect.shape(candidate.authored, candidate.files, stubs)


def unreadable(trial: Trial) -> list[BuildError]:
    """Places where the starter does not parse: it does not build, and stubs may be missed."""
    own = {unit.file for unit in trial.units if unit.kind.given_broken}
    sources = ((f, text) for f, text in trial.candidate.under("src").items() if f not in own)
    errors = (trial.toolchain.syntax_error(path, text) for path, text in sources)
    return [error for error in errors if error is not None]


def executable(trial: Trial) -> bool:
    """Whether there is enough to execute anything."""
    return bool(trial.units and _tests(trial) and trial.candidate.under("src"))


def _tests(trial: Trial) -> bool:
    """Whether there are tests, or a unit asks for them."""
    return bool(trial.tests) or any(unit.asks_for_tests for unit in trial.units)
