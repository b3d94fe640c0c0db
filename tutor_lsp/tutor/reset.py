"""`tutor.reset` and `tutor.restore`: back to what was given, with nothing lost."""

import asyncio
import base64
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import Unit
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.positions import LineIndex
from tutor_lsp.tutor.files import read_bytes, replace_text
from tutor_lsp.tutor.opened import OpenExercise

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments, UnitArguments


async def reset(app: "App", arguments: "UnitArguments") -> dict[str, Any]:
    """Put stub files, or one stub, back. The learner's text stays in the event log."""
    opened = await app.locate(arguments)
    before = opened.texts()
    if arguments.unit is not None:
        unit = opened.unit(arguments.unit)
        new = {unit.file: _with_stub(opened, unit, before.get(unit.file, ""))}
    else:
        new = dict(opened.exercise.starter)
    return await _put_back(app, opened, before, new, "reset")


async def restore(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """Put edited or deleted tests and the lesson back as they were given."""
    opened = await app.locate(arguments)
    before = opened.texts()
    new = {file: opened.vault.originals[file] for file in opened.changed_files(before)}
    return await _put_back(app, opened, before, new, "restore")


def _with_stub(opened: OpenExercise, unit: Unit, text: str) -> str:
    """The text with one stub as it was given; the whole file where the stub is gone."""
    starter = opened.exercise.starter[unit.file]
    given = opened.starter_site(unit)
    now = opened.stubs({unit.file: text}).site(unit.id)
    if given is None or now is None:
        others = [other for other in opened.exercise.units if other.file == unit.file]
        if len(others) > 1 and text.strip():
            raise TutorError(
                "REFUSED",
                f"{unit.stub} cannot be found in {unit.file}. Reset without a unit to put the "
                "whole file back; your text stays in the event log.",
            )
        return starter
    stub = starter[_from(starter, given) : given.end]
    if "\r\n" in text:
        stub = stub.replace("\n", "\r\n")
    return text[: _from(text, now)] + stub + text[now.end :]


def _from(text: str, site: FunctionSite) -> int:
    """Where a stub begins, its comment above included."""
    if site.comment is None or site.comment_line >= site.line:
        return site.start
    return min(site.start, LineIndex(text).offset(site.comment_line, 1))


async def _put_back(
    app: "App",
    opened: OpenExercise,
    before: Mapping[str, str],
    new: Mapping[str, str],
    kind: str,
) -> dict[str, Any]:
    changed = {file: text for file, text in new.items() if before.get(file) != text}
    # Kept before anything is overwritten: the learner's text is never lost.
    old = {file: before[file] for file in changed if file in before}
    raw = await asyncio.to_thread(_undecodable, opened, changed)
    await app.record(kind, {"files": old, "base64": raw}, opened.session.id)
    for file, text in changed.items():
        path = opened.path(file)
        if not await app.frontend.replace(path, text):
            await asyncio.to_thread(_write, path, text)
    app.frontend.exercise_changed(opened)
    return {"files": sorted(changed)}


def _undecodable(opened: OpenExercise, files: Iterable[str]) -> dict[str, str]:
    """Bytes that are no UTF-8, which the text form would not keep."""
    found = {}
    for file in files:
        raw = read_bytes(opened.path(file)) or b""
        try:
            raw.decode()
        except UnicodeDecodeError:
            found[file] = base64.b64encode(raw).decode()
    return found


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, text)
