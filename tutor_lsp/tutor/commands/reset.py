"""`tutor.reset` and `tutor.restore`: back to what was given, without losing anything."""

import asyncio
import base64
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.session import ELSEWHERE, CounterExample, Event
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.commands.stub_back import spliced, with_stub
from tutor_lsp.tutor.exercise.folder.files import read_bytes, replace_bytes
from tutor_lsp.tutor.exercise.last_texts import last_texts
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.place_cases import change_cases
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.snapshots import of_found, read
from tutor_lsp.tutor.interface.arguments import ResetArguments, RestoreArguments
from tutor_lsp.tutor.interface.results import PutBack, RecordRestored
from tutor_lsp.tutor.learner.record.record import dismiss, restore_record
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import from_wire, to_wire

Cases = tuple[CounterExample, ...]


async def reset(exercises: OpenExercises, arguments: ResetArguments) -> PutBack:
    """Put stub files and given files that are gone, or one stub, back. The learner's text stays in
    the event log, and `undo` brings back what the last reset or restore replaced, then what the
    one before it did, and so on; after the first, one more takes the last undo back.

    Raises TutorError `REFUSED` if there is nothing to undo or it is not sure where a stub is.
    """
    services = exercises.services
    opened = await exercises.locate(arguments)
    before = opened.texts()
    unit = opened.unit(arguments.unit) if arguments.unit is not None else None
    if arguments.undo:
        return await _undo(exercises, opened, before, unit)
    starter, units = opened.exercise.starter, opened.exercise.units
    cases: Cases = ()
    if unit is None:
        given = opened.vault.originals
        gone = {f: given[f] for f in opened.changed_files(before) if f not in before}
        new, cases = {**gone, **starter}, opened.session.cases
    elif unit.file in before:
        new, units = {unit.file: with_stub(opened, unit, before[unit.file])}, (unit,)
    else:
        # Undoing it brings back everything that was in the file.
        new, units = {unit.file: starter[unit.file]}, tuple(u for u in units if u.file == unit.file)
        unit = None
    result = await _put_back(services, opened, before, new, "reset", unit, cases=cases or None)
    if cases:
        await change_cases(exercises, opened, lambda now: tuple(c for c in now if c not in cases))
    if result.files:
        opened.was_reset |= {each.id for each in units}
        services.frontend.exercise_changed(opened)
    return result


async def _undo(
    exercises: OpenExercises, opened: OpenExercise, before: Mapping[str, str], unit: Unit | None
) -> PutBack:
    """Bring back what the last reset replaced: its whole files, or its one stub and nothing else;
    where a restore was later and no stub is named, the tests and the lesson that it took.
    """
    services = exercises.services
    events = await services.db(lambda tx: tx.events(session=opened.session.id))
    of_here = (
        event
        for event in events
        if event["kind"] in ("reset", "restore")
        and not (data := event["data"]).get(ELSEWHERE)
        and (data.get("undo") or data["files"] or data.get("cases") is not None)
        and (unit is None or data.get("unit") in (None, unit.id))
        and (unit is None or data.get("undo") or unit.file in data["files"])
    )
    taken = _to_undo(of_here)
    if taken is None:
        raise TutorError("REFUSED", "Nothing has been put back here, so there is nothing to undo.")
    last = taken["data"]
    if taken["kind"] == "restore":
        given = opened.vault.originals.keys() - opened.exercise.starter.keys()
        own = {file: text for file, text in last["files"].items() if file in given}
        result = await _put_back(
            services, opened, before, own, "restore", None, last["base64"], undo=True
        )
        return replace(result, redone=bool(last.get("undo")))
    only = unit if unit is not None or not last.get("unit") else opened.unit(last["unit"])
    old = {file: text for file, text in last["files"].items() if file in opened.exercise.starter}
    if only is not None and only.file in old:
        old = {only.file: spliced(opened, only, before.get(only.file, ""), old[only.file])}
    raw = {} if only is not None else dict(last["base64"])
    cases = _cases_before(last, opened.session.cases, only)
    known = None if cases is None else opened.session.cases
    result = await _put_back(
        services, opened, before, old, "reset", only, raw, undo=True, cases=known
    )
    if cases is not None:
        await change_cases(exercises, opened, lambda now: _cases_before(last, now, only) or ())
    opened.was_reset -= {only.id} if only else {each.id for each in opened.exercise.units}
    services.frontend.exercise_changed(opened)
    return replace(result, redone=bool(last.get("undo")))


def _cases_before(last: Mapping[str, Any], now: Cases, only: Unit | None) -> Cases | None:
    """The cases of the session without what `last` did to them, or to those of one unit; None if
    it did nothing to them. What a review found since a reset stays."""
    if last.get("cases") is None:
        return None
    then = tuple(from_wire(CounterExample, case) for case in last["cases"])
    if only is not None:
        then = tuple(case for case in then if case.unit == only.id)
    others = tuple(case for case in now if only is not None and case.unit != only.id)
    kept = others if last.get("undo") else now
    return (*(case for case in then if case not in kept), *kept)


def _to_undo(events: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The last reset or restore that is not undone, else the last undo, which is then taken
    back."""
    left: dict[str, list[tuple[int, Mapping[str, Any]]]] = {"reset": [], "restore": []}
    newest = None
    for number, event in enumerate(events):
        of_kind = left[event["kind"]]
        if event["data"].get("undo") and of_kind:
            of_kind.pop()
        else:
            of_kind.append((number, event))
        newest = event
    last = max((each[-1] for each in left.values() if each), default=None, key=lambda each: each[0])
    return last[1] if last is not None else newest


async def restore(
    exercises: OpenExercises, arguments: RestoreArguments
) -> PutBack | RecordRestored:
    """Put back the lesson and everything given without a stub, whether edited or deleted, and files
    with stubs that are gone; or bring the learner's record back, or go on without what it lost.
    """
    services = exercises.services
    if arguments.dismiss and not arguments.record:
        raise TutorError(
            "BAD_ARGUMENT",
            "Only the loss of a record can be dismissed: "
            'tutor.restore with {"record": true, "dismiss": true}.',
        )
    if arguments.record:
        day = arguments.record if isinstance(arguments.record, str) else None
        return (
            await dismiss(services) if arguments.dismiss else await restore_record(exercises, day)
        )
    opened = await exercises.locate(arguments)
    before = opened.texts()
    shot = await asyncio.to_thread(lambda: of_found(opened, read(opened).found))
    left_out = (item.file for item in shot.left_out if not item.why)
    changed = dict.fromkeys([*opened.changed_files(before), *left_out])
    new = {file: text for file, text in opened.vault.originals.items() if file in changed}
    result = await _put_back(services, opened, before, new, "restore")
    gone = await asyncio.to_thread(_stubs_gone, opened, before)
    if not gone:
        return result
    # A reset, so that its undo brings back what was in them.
    stubs = await _put_back(services, opened, opened.texts(), gone, "reset")
    opened.was_reset |= {unit.id for unit in opened.exercise.units if unit.file in gone}
    services.frontend.exercise_changed(opened)
    return PutBack(
        tuple(sorted({*result.files, *stubs.files})),
        tuple(sorted({*result.kept, *stubs.kept})),
        (*result.older, *stubs.older),
    )


def _stubs_gone(opened: OpenExercise, before: Mapping[str, str]) -> dict[str, str]:
    """What was given of the files with stubs in whose place there is nothing. Blocks."""
    return {
        file: text
        for file, text in opened.exercise.starter.items()
        if file not in before and not os.path.lexists(opened.path(file))
    }


async def _put_back(
    services: Services,
    opened: OpenExercise,
    before: Mapping[str, str],
    new: Mapping[str, str],
    kind: str,
    unit: Unit | None = None,
    new_raw: Mapping[str, str] = MappingProxyType({}),
    *,
    undo: bool = False,
    cases: Cases | None = None,
) -> PutBack:
    """`new_raw` are bytes of files that are not UTF-8, as base64; they win over their text. `undo`:
    it brings back what another one took. `cases` are those of the session where that changes them.
    `kept` in the result are the files of which a text was kept that another undo brings back.

    Raises TutorError `REFUSED` for what cannot be written, and for what was changed meanwhile.
    """
    disk = opened.saved().texts
    # An editor may still hold a text that something else has replaced on the disk.
    behind = {f for f, text in new.items() if before.get(f) == text != disk.get(f, text)}
    changed = {f: text for f, text in new.items() if f in behind or before.get(f) != text}
    # Kept before anything is overwritten: the learner's text is never lost. Of what was deleted it
    # is the last text that is known.
    known = {**await last_texts(services, opened), **before}
    known |= {file: disk[file] for file in behind}
    old = {file: known[file] for file in changed if file in known}
    raw = await asyncio.to_thread(_not_text, opened, changed)
    data = {
        "files": old,
        "base64": raw,
        "unit": unit.id if unit is not None else None,
        "undo": undo,
        "cases": None if cases is None else to_wire(cases),
    }
    stubs = {file: text for file, text in changed.items() if file in opened.exercise.starter}

    def keep(tx: Transaction) -> None:
        tx.log(Event(kind, data, opened.session.id))
        tx.put_stub_texts(opened.session.id, stubs)

    await services.db(keep)
    for file, text in changed.items():
        if opened.texts().get(file) != before.get(file):
            raise TutorError(
                "REFUSED",
                f"{file} changed while it was being put back, so it stays as it is now. Try again.",
            )
        path = opened.path(file)
        if file in new_raw:
            await asyncio.to_thread(_write, path, base64.b64decode(new_raw[file]))
        elif file in behind or not await services.frontend.replace(path, text):
            await asyncio.to_thread(_write, path, text.encode("utf-8", "surrogatepass"))
    services.frontend.exercise_changed(opened)
    kept = sorted({*old, *raw})
    older = tuple(file for file in kept if file not in {*before, *raw})
    return PutBack(tuple(sorted(changed)), tuple(kept), older, undone=undo)


def _not_text(opened: OpenExercise, files: Iterable[str]) -> dict[str, str]:
    """The bytes of files that are not UTF-8, which a text would not keep, as base64. Raises
    TutorError `REFUSED` for a file that cannot be kept, or with a folder in its place. Blocks.
    """
    found = {}
    for file in files:
        path = opened.path(file)
        raw = read_bytes(path)
        if path.is_dir():
            raise TutorError(
                "REFUSED",
                f"There is a folder in the place of {file}, so nothing was put back. Move or "
                "rename it, then try again.",
            )
        if raw is None and path.is_file():
            raise TutorError(
                "REFUSED",
                f"{file} is larger than what can be kept, or cannot be read, so nothing was put "
                "back. Move or rename it, then try again.",
            )
        try:
            (raw or b"").decode()
        except UnicodeDecodeError:
            found[file] = base64.b64encode(raw or b"").decode()
    return found


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_bytes(path, data)
    except OSError as error:
        raise TutorError(
            "REFUSED",
            f"{path} cannot be put back ({error.strerror}). Fix that, then try again.",
        ) from error
