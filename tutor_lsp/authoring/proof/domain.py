"""Domains (`accepts`): they accept every input of the tests and most of its neighbours, and the
reference works on what they accept. Pure.

Their findings belong to the step `units`. An exception that the reference raises on an accepted
input is its answer if the exercise mentions it: if the name of the exception, or of one of its
bases, or the language's word for every crash, is in the stub's comment or signature, or in one of
the unit's tests. A returned error and whatever a test's callable raises are always answers.
"""

import re
from collections.abc import Iterator, Mapping

from tutor_lsp.authoring.domain.looking import Crash, Looked
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.languages.common.proof.guard import file_of
from tutor_lsp.languages.common.proof.splice import site_of

_TOO_WIDE = frozenset({"object", "BaseException", "Exception"})


def stray(trial: Trial) -> list[ProofFinding]:
    """Domains of units that do not exist."""
    known = {unit.id for unit in trial.units}
    return [
        ProofFinding("units", f"`accepts` has a domain for {unit_id}, which does not exist.", None)
        for unit_id in trial.candidate.accepts
        if unit_id not in known
    ]


def check(trial: Trial, looked: Mapping[str, Looked]) -> list[ProofFinding]:
    """Findings against the measured domains."""
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
        yield f"`accepts` rejects what `{test.name}` passes to `{unit.stub}`."
    for line in looked.broken[:1]:
        yield f"`accepts` itself crashes on a neighbour of the tests' inputs: `{line}`."
    for line in looked.hangs[:1]:
        yield (
            f"`accepts` allows an input on which the reference of `{unit.stub}` does not end: "
            f"`{line}`."
        )
    declared = _declared(trial, unit)
    for crash in looked.crashes:
        if not _answers(trial.dialect, crash, declared):
            said = ": ".join(part for part in (*crash.kinds[:1], crash.said) if part)
            yield (
                f"`accepts` allows an input on which the reference of `{unit.stub}` fails "
                f"({said or 'it crashed'}), which the exercise does not mention: `{crash.line}`."
            )
            break
    if looked.taken * 2 < looked.tried:
        yield (
            f"`accepts` allows {looked.taken} of {looked.tried} neighbours of the tests' inputs, "
            "less than half of them."
        )


def _declared(trial: Trial, unit: Unit) -> str:
    """All text that may mention how a stub ends on an input."""
    files = trial.candidate.files
    parts = []
    for path in trial.candidate.solution.keys() | {unit.file}:
        site = site_of(trial.toolchain, files.get(path, ""), unit.stub)
        if site is not None:
            parts += [site.comment or "", site.signature]
    for text in below(files, "tests").values():
        sites = (site for site in trial.toolchain.functions(text) if site.name in unit.tests)
        parts += [text[max(site.start - 80, 0) : site.end] for site in sites]
    return "\n".join(parts)


def _answers(dialect: Dialect, crash: Crash, declared: str) -> bool:
    if dialect.crash_word is not None:
        return re.search(dialect.crash_word, declared, re.IGNORECASE) is not None
    kinds = [kind for kind in crash.kinds if kind not in _TOO_WIDE]
    return any(re.search(rf"\b{re.escape(kind)}\b", declared) for kind in kinds)
