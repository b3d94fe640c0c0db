"""`tutor.reveal` and `tutor.compare`: the reference of one unit, before and after it passes."""

import asyncio
import difflib
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit, UnitState
from tutor_lsp.core.learner.ladder import reveal_refusal, reveal_rule
from tutor_lsp.core.session import Event, Session, UnitProgress
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.tutor.exercise.files import replace_text
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.unit_at_cursor import unit_meant
from tutor_lsp.tutor.hinting.coach_file import NAME, note_for_learner
from tutor_lsp.tutor.ide.view import UnitView

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import RevealArguments, UnitArguments

FOLDER = Path(".cache", "compare")
"""Where references to compare with are put, below the tutor home: never in the exercise."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """`tutor.reveal`: the reference of one stub."""

    unit: str
    file: str
    solution: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`tutor.compare`. `yours` and `reference` are absolute paths: the learner's own file, and a
    read-only copy of it with the reference of this unit in place of theirs.
    """

    unit: str
    file: str
    yours: str
    reference: str


async def reveal(app: "App", arguments: "RevealArguments") -> Revealed:
    """The reference of one unit: freely after 4 failing runs with changed text, else confirmed.

    Where the unit passes or it was shown before it costs nothing and changes nothing.
    """
    opened = await app.locate(arguments)
    view = opened.view()
    item = unit_meant(app, opened, view, arguments)
    unit = item.unit
    progress = opened.session.progress.get(unit.id)
    known = _is_known(opened, item)
    rule = reveal_rule(progress, known=known, confirm=arguments.confirm)
    if not rule.allowed:
        raise TutorError(
            "REFUSED",
            reveal_refusal(rule, unit.stub),
            details={
                "runsLeft": rule.runs_left,
                "confirm": True,
                "unit": unit.id,
                "stub": unit.stub,
            },
        )
    solution = _solution(opened, unit)

    def change(session: Session) -> Session:
        before = session.progress.get(unit.id, UnitProgress())
        return replace(
            session, progress={**session.progress, unit.id: replace(before, revealed=True)}
        )

    if not known:
        event = Event("reveal", {"unit": unit.id, "free": rule.free}, opened.session.id)
        await app.change_session(opened, change, event)
    entry = f"## Solution of `{unit.stub}`\n\n```{opened.exercise.language}\n{solution}\n```"
    await note_for_learner(app, opened, entry)
    app.frontend.exercise_changed(opened)
    return Revealed(unit.id, unit.file, solution)


async def compare(app: "App", arguments: "UnitArguments") -> Comparison:
    """A unit beside its reference, once it passes or that was shown; changes nothing in the record.

    The difference is written to `.tutor/coach.md`, which is opened where the client does not show
    results itself. Raises TutorError `REFUSED` before.
    """
    opened = await app.locate(arguments)
    view = opened.view()
    item = unit_meant(app, opened, view, arguments)
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
    path = folder_of(app, opened) / unit.id / Path(unit.file).name
    try:
        await asyncio.to_thread(_write, path, theirs)
    except OSError as error:
        raise TutorError(
            "HOME",
            f"{path} cannot be written ({error.strerror or error}). "
            + remedy(error, "Make it writable."),
        ) from error
    yours = mine[item.site.start : item.site.end]
    entry = _entry(unit, yours, solution, passes=item.state is UnitState.PASSING)
    await note_for_learner(app, opened, entry)
    if not app.frontend.abilities.shows_results:
        await app.frontend.open(opened.root / NAME, 1)
    return Comparison(unit.id, unit.file, str(opened.root / unit.file), str(path))


def folder_of(app: "App", opened: OpenExercise) -> Path:
    """Where the references of a session are put."""
    return app.home / FOLDER / app.trials.copy_of(opened).name


async def forget_comparisons(app: "App", opened: OpenExercise) -> None:
    """Remove the references of a session that has ended."""
    await asyncio.to_thread(shutil.rmtree, folder_of(app, opened), ignore_errors=True)


def _is_known(opened: OpenExercise, item: UnitView) -> bool:
    """Whether the reference of a unit is no secret any more: it passes, or that was shown."""
    progress = opened.session.progress.get(item.unit.id)
    return item.state is UnitState.PASSING or (progress is not None and progress.revealed)


def _entry(unit: Unit, yours: str, reference: str, *, passes: bool) -> str:
    title = f"## `{unit.stub}` beside the reference"
    if yours.split() == reference.split():
        return f"{title}\n\nYours and the reference are the same."
    lines = difflib.unified_diff(
        yours.splitlines(), reference.splitlines(), "yours", "reference", lineterm="", n=3
    )
    diff = "\n".join(lines)
    which = "Both pass" if passes else "Yours does not pass yet"
    return f"{title}\n\n{which}; the reference is one way among many.\n\n```diff\n{diff}\n```"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    replace_text(path, text)
    path.chmod(0o444)


def _solution(opened: OpenExercise, unit: Unit) -> str:
    """The reference of a unit. Raises TutorError `REFUSED` where none is known."""
    text = opened.vault.solution.get(unit.file, "")
    site = next((s for s in opened.functions(text) if s.name == unit.stub), None)
    if site is None:
        raise TutorError("REFUSED", f"No reference is known for {unit.stub} on this machine.")
    return text[site.start : site.end]
