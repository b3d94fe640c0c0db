"""`tutor.reveal` and `tutor.compare`: the reference of one unit, before and after it passes."""

import asyncio
import difflib
import shutil
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit, UnitState
from tutor_lsp.core.learner.ladder import reveal_refusal, reveal_rule
from tutor_lsp.core.session import Event, Session, UnitProgress
from tutor_lsp.core.text.translation import t
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.tutor.exercise.folder.coach_file import NAME, note_for_learner
from tutor_lsp.tutor.exercise.folder.files import replace_text
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.unit_at_cursor import unit_meant, unit_pointed_at
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.interface.arguments import RevealArguments, UnitArguments
from tutor_lsp.tutor.interface.results import Comparison, Revealed

FOLDER = Path(".cache", "compare")
"""Folder of the references to compare with, below the tutor home: never in the exercise."""


async def reveal(exercises: OpenExercises, arguments: RevealArguments) -> Revealed:
    """The reference of one unit: freely after 4 failing runs with changed text, else confirmed.

    If the unit passes or its reference was shown before, this costs and changes nothing.
    """
    services = exercises.services
    opened = await exercises.locate(arguments)
    view = opened.view()
    item = unit_meant(services, opened, view, arguments)
    unit = item.unit
    progress = opened.session.progress.get(unit.id)
    known = _is_known(opened, item)
    rule = reveal_rule(progress, known=known, confirm=arguments.confirm)
    if not rule.allowed:
        said = reveal_refusal(rule, unit.stub)
        if not services.frontend.abilities.shows_results:
            # Nobody puts the question for this client.
            said += t(f' tutor.reveal with {{"unit": "{unit.id}", "confirm": true}} shows it.')
        raise TutorError(
            "REFUSED",
            said,
            details={
                "runsLeft": rule.runs_left,
                "confirm": True,
                "unit": unit.id,
                "stub": unit.stub,
            },
        )
    solution = _solution(opened, unit)

    def change(session: Session) -> Session:
        revealed = replace(session.progress.get(unit.id, UnitProgress()), revealed=True)
        return replace(session, progress={**session.progress, unit.id: revealed})

    if not known:
        event = Event("reveal", {"unit": unit.id, "free": rule.free}, opened.session.id)
        await exercises.change_session(opened, change, event)
    title = t(f"## Solution of `{unit.stub}`")
    entry = f"{title}\n\n```{opened.exercise.language}\n{solution}\n```"
    await note_for_learner(services, opened.root, entry)
    services.frontend.exercise_changed(opened)
    return Revealed(unit.id, unit.file, solution, unit.stub)


async def compare(exercises: OpenExercises, arguments: UnitArguments) -> Comparison:
    """A unit beside its reference, once it passes or that was shown; changes nothing in the record.

    The difference is written to `.tutor/coach.md`, which is opened where the client does not show
    results itself. Raises TutorError `REFUSED` before.
    """
    services = exercises.services
    opened = await exercises.locate(arguments)
    view = opened.view()
    item = _to_compare(opened, view, unit_pointed_at(services, opened, view, arguments))
    unit = item.unit
    if not _is_known(opened, item):
        raise TutorError(
            "REFUSED",
            f"`{unit.stub}` does not pass yet: compare it with the reference once it does, or once "
            "tutor.reveal has shown you that.",
        )
    if item.site is None:
        raise TutorError(
            "REFUSED",
            f"There is no `{unit.stub}` in {unit.file} to compare with the reference; tutor.reveal "
            "shows that.",
        )
    solution = _solution(opened, unit)
    mine = view.texts[unit.file]
    theirs = mine[: item.site.start] + solution + mine[item.site.end :]
    path = folder_of(exercises, opened) / unit.id / Path(unit.file).name
    try:
        await asyncio.to_thread(_write, path, theirs)
    except OSError as error:
        raise TutorError(
            "HOME",
            f"{path} cannot be written ({error.strerror or error}). "
            + remedy(error, "Make it writable."),
        ) from error
    diff = difference(mine[item.site.start : item.site.end], solution)
    entry = _entry(unit, diff, passes=item.state is UnitState.PASSING)
    await note_for_learner(services, opened.root, entry)
    if not services.frontend.abilities.shows_results:
        await services.frontend.open(opened.root / NAME, 1)
    mine_at = str(opened.root / unit.file)
    return Comparison(unit.id, unit.file, mine_at, str(path), diff, unit.stub)


def _to_compare(opened: OpenExercise, view: View, pointed_at: UnitView | None) -> UnitView:
    """The unit pointed at, else the focus, or the nearest before it that can be compared. Raises
    TutorError `REFUSED` if there is no unit."""
    if pointed_at is not None:
        return pointed_at
    if view.focus is None:
        raise TutorError("REFUSED", "This exercise has no unit.")
    before = view.units[: view.units.index(view.focus) + 1]
    known = (item for item in reversed(before) if _is_known(opened, item))
    return next(known, view.focus)


def folder_of(exercises: OpenExercises, opened: OpenExercise) -> Path:
    """The folder of a session's references."""
    return exercises.services.home / FOLDER / exercises.shadow_copies.of(opened).name


async def forget_comparisons(exercises: OpenExercises, opened: OpenExercise) -> None:
    """Remove the references of a session that has ended."""
    await asyncio.to_thread(shutil.rmtree, folder_of(exercises, opened), ignore_errors=True)


def _is_known(opened: OpenExercise, item: UnitView) -> bool:
    """Whether a unit's reference is no longer secret: the unit passes, or it was shown."""
    progress = opened.session.progress.get(item.unit.id)
    return item.state is UnitState.PASSING or (progress is not None and progress.revealed)


def _entry(unit: Unit, diff: str, *, passes: bool) -> str:
    title = t(f"## `{unit.stub}` beside the reference")
    if not diff:
        return t(f"{title}\n\nYour code and the reference are the same.")
    which = (
        t("Both pass; the reference is one way among many.")
        if passes
        else t("Yours does not pass yet; the reference is one way among many.")
    )
    return f"{title}\n\n{which}\n\n```diff\n{diff}\n```"


def difference(yours: str, reference: str) -> str:
    """A unified diff; empty where both are the same but for white space."""
    if yours.split() == reference.split():
        return ""
    lines = difflib.unified_diff(
        yours.rstrip().splitlines(),
        reference.rstrip().splitlines(),
        "yours",
        "reference",
        lineterm="",
        n=3,
    )
    return "\n".join(lines)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    replace_text(path, text)
    path.chmod(0o444)


def _solution(opened: OpenExercise, unit: Unit) -> str:
    """The reference of a unit. Raises TutorError `REFUSED` where none is known."""
    text = opened.vault.solution.get(unit.file, "")
    site = opened.stubs({unit.file: text}).site(unit.id)
    if site is None or not text:
        raise TutorError("REFUSED", f"No reference is known for {unit.stub} on this machine.")
    return text[site.start : site.end]
