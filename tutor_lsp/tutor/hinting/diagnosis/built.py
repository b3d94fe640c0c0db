"""The statements because of which known mistakes do not build: found by building them, once.

What is kept in the home are hashes of their normal forms, by what was built.
"""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from tutor_lsp import __version__
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof.mistakes import put_in_place
from tutor_lsp.authoring.proof.trial import Trial, trial_of
from tutor_lsp.core.exercise.declared import file_site
from tutor_lsp.core.exercise.diagnosis import first_error
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import RawReport, RunOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.normal.form import form_of_error
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.exercise.folder.files import replace_text
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import to_wire

FOLDER = Path(".cache", "mistakes")
LIMITS = RunLimits(total_s=15.0, test_s=1.0)
Statements = Mapping[str, str]
"""What mistakes stumble over, by their names: `hashed` forms."""


def hashed(form: str) -> str:
    """What is kept of a form."""
    return hashlib.sha256(form.encode("utf-8", "replace")).hexdigest()


async def statements(
    services: Services,
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    mistakes: Sequence[Mistake],
) -> Statements | None:
    """Those of a unit's mistakes: as they were found once, or by building them now; None if that
    took too long. Raises TutorError as `ShadowCopies.execute` does."""
    vault, language = opened.vault, opened.exercise.language
    given = to_wire((vault.originals, vault.solution, mistakes, unit, __version__))
    digest = hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()
    path = services.home / FOLDER / f"{digest[:32]}.json"
    known = await asyncio.to_thread(_read, path)
    if known is not None:
        return known
    files, known = vault.originals, {}
    candidate = Candidate(language, files, files, vault.solution, opened.exercise.units)
    trial = await asyncio.to_thread(trial_of, candidate, opened.toolchain, dialect(language))
    for mistake in mistakes:
        try:
            stumbles = await _stumbles(trials, opened, trial, unit, mistake)
        except TimeoutError:
            return None
        if stumbles is not None:
            known[mistake.name] = stumbles
    await asyncio.to_thread(_write, path, known)
    return known


async def _stumbles(
    trials: ShadowCopies, opened: OpenExercise, trial: Trial, unit: Unit, mistake: Mistake
) -> str | None:
    solved = trial.solved(opened.vault.solution)
    made = await asyncio.to_thread(put_in_place, trial, solved, unit, mistake)
    if made is None:
        return None
    files = {**solved, unit.file: made[0]}
    raw = await trials.execute(opened, files, unit.tests[:1], LIMITS)
    if raw.outcome is RunOutcome.TIMEOUT and not raw.tests:
        raise TimeoutError
    return await asyncio.to_thread(_statement, trial, unit, made[0], raw)


def _statement(trial: Trial, unit: Unit, text: str, raw: RawReport) -> str | None:
    site = file_site(unit.stub, text, trial.lines) if unit.aside is not None else None
    site = site or site_of(trial.toolchain, text, unit.stub)
    if site is None:
        return None
    first = text.count("\n", 0, site.start) + 1
    last = text.count("\n", 0, site.end) + 1
    error = first_error([*raw.build_errors, *raw.aside_errors], unit.file, first, last)
    form = None if error is None else form_of_error(text, site, error, trial.dialect.grammar)
    return None if form is None else hashed(form)


def _read(path: Path) -> dict[str, str] | None:
    try:
        return {str(name): str(form) for name, form in json.loads(path.read_text("utf-8")).items()}
    except (OSError, ValueError, AttributeError):
        return None


def _write(path: Path, known: Mapping[str, str]) -> None:
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_text(path, json.dumps(known))
