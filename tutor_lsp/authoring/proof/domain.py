"""Domains (`accepts`): they take every input of the tests and most of what lies near, and the
reference keeps its promise on what they take. Pure.

Their findings belong to the step `units`. What the reference raises on an input that is taken is
its answer if the exercise speaks of it: in Python if the name of the exception, or of one that it
is a kind of, stands in the stub's comment, docstring or signature, or in a test of the unit; in
Rust if these speak of a panic. An `Err`, an error code and what a callable of a test raises are
answers anyway.
"""

import re
from collections.abc import Iterator, Mapping

from tutor_lsp.authoring.domain.looking import Crash, Looked
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.languages.common.proof.dialect import Dialect
from tutor_lsp.languages.common.proof.guard import file_of
from tutor_lsp.languages.common.proof.splice import site_of

_TOO_WIDE = frozenset({"object", "BaseException", "Exception"})


def stray(trial: Trial) -> list[ProofFinding]:
    """Domains of units that there are not."""
    known = {unit.id for unit in trial.units}
    return [
        ProofFinding("units", f"There is no unit {unit_id} that `accepts` could be about.", None)
        for unit_id in trial.candidate.accepts
        if unit_id not in known
    ]


def check(trial: Trial, looked: Mapping[str, Looked]) -> list[ProofFinding]:
    """What speaks against the domains that were looked at."""
    return [
        ProofFinding("units", said, file_of(unit.id, unit.file), None, unit.id)
        for unit in trial.units
        if unit.id in looked
        for said in _faults(trial, unit, looked[unit.id])
    ]


def _faults(trial: Trial, unit: Unit, looked: Looked) -> Iterator[str]:
    if looked.why:
        yield looked.why
    for test in looked.refused:
        yield f"`accepts` does not take what `{test.name}` gives `{unit.stub}`."
    for line in looked.broken[:1]:
        yield f"`accepts` itself breaks off on a neighbour of the tests: `{line}`."
    for line in looked.hangs[:1]:
        yield (
            f"`accepts` takes an input on which the reference of `{unit.stub}` does not come to "
            f"an end: `{line}`."
        )
    declared = _declared(trial, unit)
    for crash in looked.crashes:
        if not _answers(trial.dialect, crash, declared):
            said = ": ".join(part for part in (*crash.kinds[:1], crash.said) if part)
            yield (
                f"`accepts` takes an input on which the reference of `{unit.stub}` breaks off "
                f"({said or 'it crashed'}), which the exercise does not speak of: `{crash.line}`."
            )
            break
    if looked.taken * 2 < looked.tried:
        yield (
            f"`accepts` takes {looked.taken} of {looked.tried} neighbours of the tests' inputs, "
            "less than half of them."
        )


def _declared(trial: Trial, unit: Unit) -> str:
    """Everything that may tell how a stub ends on an input."""
    files = trial.candidate.files
    parts = []
    for path in trial.candidate.solution.keys() | {unit.file}:
        site = site_of(trial.toolchain, files.get(path, ""), unit.stub)
        if site is not None:
            parts += [site.comment or "", site.signature]
    for path, text in files.items():
        if path.startswith("tests/"):
            sites = (site for site in trial.toolchain.functions(text) if site.name in unit.tests)
            parts += [text[max(site.start - 80, 0) : site.end] for site in sites]
    return "\n".join(parts)


def _answers(dialect: Dialect, crash: Crash, declared: str) -> bool:
    if dialect.crash_word is not None:
        return re.search(dialect.crash_word, declared, re.IGNORECASE) is not None
    kinds = [kind for kind in crash.kinds if kind not in _TOO_WIDE]
    return any(re.search(rf"\b{re.escape(kind)}\b", declared) for kind in kinds)
