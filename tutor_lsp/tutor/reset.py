"""`tutor.reset` and `tutor.restore`: back to what was given, with nothing lost."""

import asyncio
import base64
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import Unit
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.positions import LineIndex
from tutor_lsp.tutor.files import read_bytes, replace_bytes
from tutor_lsp.tutor.opened import OpenExercise

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments, ResetArguments


async def reset(app: "App", arguments: "ResetArguments") -> dict[str, Any]:
    """Put stub files, or one stub, back. The learner's text stays in the event log, and `undo`
    brings back what the last reset replaced; a second one takes that back.

    Raises TutorError `REFUSED` if there is nothing to undo or a stub cannot be found.
    """
    opened = await app.locate(arguments)
    before = opened.texts()
    unit = opened.unit(arguments.unit) if arguments.unit is not None else None
    if arguments.undo:
        return await _undo(app, opened, before, unit)
    if unit is not None:
        new = {unit.file: _with_stub(opened, unit, before.get(unit.file, ""))}
    else:
        new = dict(opened.exercise.starter)
    result = await _put_back(app, opened, before, new, "reset", unit)
    if result["files"]:
        opened.was_reset |= {unit.id} if unit else {each.id for each in opened.exercise.units}
        app.frontend.exercise_changed(opened)
    return result


async def _undo(
    app: "App", opened: OpenExercise, before: Mapping[str, str], unit: Unit | None
) -> dict[str, Any]:
    """Bring back what the last reset took: its whole files, or its one stub and nothing else."""
    events = await app.db(lambda tx: tx.events(session=opened.session.id, kind="reset"))
    mine = (None, unit.id if unit is not None else None)
    taken = [
        data
        for data in (event["data"] for event in events)
        if data["files"]
        and (unit is None or (data.get("unit") in mine and unit.file in data["files"]))
    ]
    if not taken:
        raise TutorError(
            "REFUSED", "Nothing of yours was put back to a stub here, so nothing can be undone."
        )
    last = taken[-1]
    only = unit if unit is not None or not last.get("unit") else opened.unit(last["unit"])
    old = {file: text for file, text in last["files"].items() if file in opened.exercise.starter}
    if only is not None:
        old = {only.file: _spliced(opened, only, before.get(only.file, ""), old[only.file])}
    raw = {} if only is not None else dict(last["base64"])
    result = await _put_back(app, opened, before, old, "reset", only, raw)
    opened.was_reset -= {only.id} if only else {each.id for each in opened.exercise.units}
    app.frontend.exercise_changed(opened)
    return {**result, "undone": True}


async def restore(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """Put edited or deleted tests and the lesson back as they were given."""
    opened = await app.locate(arguments)
    before = opened.texts()
    new = {file: opened.vault.originals[file] for file in opened.changed_files(before)}
    return await _put_back(app, opened, before, new, "restore")


def _spliced(opened: OpenExercise, unit: Unit, text: str, old: str) -> str:
    """The text with one stub as it was in an older text; all of that where it cannot be found."""
    then = opened.stubs({unit.file: old}).site(unit.id)
    now = opened.stubs({unit.file: text}).site(unit.id)
    if then is None or now is None:
        return old
    return text[: _from(text, now)] + old[_from(old, then) : then.end] + text[now.end :]


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
    unit: Unit | None = None,
    new_raw: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """`new_raw` are bytes of files that are no UTF-8, as base64; they win over their text."""
    changed = {file: text for file, text in new.items() if before.get(file) != text}
    # Kept before anything is overwritten: the learner's text is never lost.
    old = {file: before[file] for file in changed if file in before}
    raw = await asyncio.to_thread(_undecodable, opened, changed)
    data = {"files": old, "base64": raw, "unit": unit.id if unit is not None else None}
    await app.record(kind, data, opened.session.id)
    for file, text in changed.items():
        path = opened.path(file)
        if file in new_raw:
            await asyncio.to_thread(_write, path, base64.b64decode(new_raw[file]))
        elif not await app.frontend.replace(path, text):
            await asyncio.to_thread(_write, path, text.encode("utf-8", "surrogatepass"))
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


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_bytes(path, data)
