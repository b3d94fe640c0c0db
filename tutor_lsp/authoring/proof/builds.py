"""Step `builds`: the starter alone without warnings, then with its tests. Pure."""

from collections.abc import Sequence

from tutor_lsp.authoring.proof.trial import build_errors
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError, RawReport, RunOutcome
from tutor_lsp.core.language.dialect import Built


def check(alone: Built, stubs: RawReport, mended: RawReport | None = None) -> list[ProofFinding]:
    """`alone` is the starter without tests, `stubs` the run with them. A program that is given to
    be mended warns as it may: then warnings of tests are those of the reference's run, `mended`."""
    warned = mended or stubs
    found = of_starter(alone)
    if stubs.outcome is RunOutcome.BUILD_ERROR:
        told = {(finding.file, finding.line) for finding in found}
        more = build_errors("builds", "the starter with its tests", stubs)
        found += [each for each in more if (each.file, each.line) not in told or not each.file]
    elif warned.warnings > len(alone.warnings):
        more_warnings = warned.warnings - len(alone.warnings)
        noun = "warning" if more_warnings == 1 else "warnings"
        said = f"The tests build with {more_warnings} {noun}: mend what the compiler names."
        found.append(ProofFinding("builds", said))
    return found


def of_starter(alone: Built) -> list[ProofFinding]:
    """What is wrong with the starter without tests."""
    found = [_of(error, "does not build") for error in alone.errors]
    return found + [_of(warning, "builds with a warning") for warning in alone.warnings]


def unreadable(errors: Sequence[BuildError]) -> list[ProofFinding]:
    """Findings for a starter that cannot be parsed."""
    return [_of(error, "does not build") for error in errors]


def _of(error: BuildError, what: str) -> ProofFinding:
    whose = "The starter" if error.file.startswith("src/") else "The starter with its tests"
    code = f" ({error.code})" if error.code else ""
    return ProofFinding("builds", f"{whose} {what}: {error.message}{code}", error.file, error.line)
