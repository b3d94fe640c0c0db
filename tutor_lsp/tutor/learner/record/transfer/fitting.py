"""What is imported of a record: the files of the exercise format, and nothing that runs by itself.

Build files are rebuilt, as the toolchain of the language writes them.
"""

from base64 import b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from tutor_lsp.authoring.workspace import RECORD, record
from tutor_lsp.core.exercise.check import one_line, plain, why_invalid
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.files import NOTES, FileLimits, clashes, environments, left_out
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.session import Session
from tutor_lsp.core.text.translation import n
from tutor_lsp.files.parsing import parse_json
from tutor_lsp.files.reading import shown_name, size
from tutor_lsp.stages.economy import SENT_EVENT, STAGE_EVENTS
from tutor_lsp.tutor.learner.record.transfer.foreign_texts import ForeignReader
from tutor_lsp.tutor.learner.record.transfer.form import ExportedExercise, PastEvent, RecordExport
from tutor_lsp.wire import from_wire

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fitted:
    """`left_out` names what of the files is not taken in, `anew` the build files that were others;
    each with the name of its exercise folder before it.
    """

    kept: RecordExport
    left_out: tuple[str, ...] = ()
    anew: tuple[str, ...] = ()


def fitted(
    kept: RecordExport,
    here: Mapping[str, Session],
    toolchains: Mapping[str, Toolchain],
    limits: FileLimits,
) -> Fitted:
    """A record with only what is imported, for a home that has the sessions `here`.

    Raises ValueError with a clause for an exercise whose files are too many, too large, or
    cannot exist side by side.
    """
    files: dict[str, Mapping[str, bytes]] = {}
    exercises: dict[str, ExportedExercise] = {}
    missing: list[str] = []
    anew: list[str] = []
    for session in kept.sessions:
        builds = _builds(toolchains.get(session.language))
        mine = kept.exercises.get(session.id)
        if mine is not None:
            mine = exercises[session.id] = _exercise(mine, builds)
        if session.cases and session.id not in here:
            missing.append(f"{kept.folders[session.id]}: inputs that its reviews found")
        if session.id not in kept.files:
            continue
        given = kept.files[session.id]
        taken = _taken(given)
        if session.id not in here:
            folder = kept.folders[session.id]
            _within(taken, folder, limits)
            missing += _named(folder, given, taken, builds)
            anew += [
                f"{folder}/{name}"
                for name, text in builds.items()
                if given.get(name, text.encode()) != text.encode()
            ]
            taken |= {name: text.encode() for name, text in builds.items()}
            taken |= _marker(given.get(RECORD), mine, builds, limits)
        files[session.id] = taken
    events = tuple(event for event in kept.events if as_written(event))
    if len(events) < len(kept.events):
        strange = len(kept.events) - len(events)
        missing.append(
            n(
                "{count} event that the tutor did not write",
                "{count} events that the tutor did not write",
                strange,
            )
        )
    reader = ForeignReader()
    newest_first = [reader.made_harmless(each, here.get(each.id)) for each in kept.sessions[::-1]]
    sessions = tuple(replace(each, title=one_line(each.title)) for each in newest_first[::-1])
    whole = replace(kept, sessions=sessions, files=files, exercises=exercises, events=events)
    return Fitted(whole, tuple(missing), tuple(anew))


def _builds(toolchain: Toolchain | None) -> dict[str, str]:
    """The files that a language adds to every exercise, outside `src/`."""
    made = toolchain.complete({}) if toolchain is not None else {}
    return {name: text for name, text in made.items() if not name.startswith("src/")}


def _taken(given: Mapping[str, T]) -> dict[str, T]:
    """The files that belong to an exercise, without its record, which is rebuilt."""
    inside = environments(given)
    return {
        path: data
        for path, data in given.items()
        if left_out(path) is None and path != RECORD and not path.startswith(inside)
    }


def _named(
    folder: str, given: Mapping[str, bytes], taken: Mapping[str, bytes], builds: Mapping[str, str]
) -> list[str]:
    """What is not imported; folders that are left out whole are named once."""
    inside = environments(given)
    names: dict[str, None] = {}
    for path in given:
        if path not in taken and path not in builds and path != RECORD:
            where = next((each for each in inside if path.startswith(each)), None)
            names[f"{folder}/{shown_name(left_out(path) or where or path)}"] = None
    return list(names)


def _within(taken: Mapping[str, bytes], folder: str, limits: FileLimits) -> None:
    if len(taken) > limits.files:
        raise ValueError(
            f"{folder} holds more than {limits.files} files (the setting limits.exerciseFiles)"
        )
    large = [path for path, raw in taken.items() if len(raw) > limits.file_bytes]
    if set(large) - set(NOTES):
        name, most = shown_name(f"{folder}/{large[0]}"), size(limits.file_bytes)
        raise ValueError(f"{name} is larger than {most} (the setting limits.fileBytes)")
    if sum(map(len, taken.values())) > limits.total_bytes:
        most = size(limits.total_bytes)
        raise ValueError(f"{folder} holds more than {most} (the setting limits.exerciseBytes)")
    for one, other in clashes(taken):
        raise ValueError(f"{one!r} and {other!r} of {folder} cannot exist side by side")


def _exercise(kept: ExportedExercise, builds: Mapping[str, str]) -> ExportedExercise:
    """An exercise and its vault with only what is imported: programs that tests run on, and known
    mistakes, are those of the own library, or none."""
    exercise, vault = kept.exercise, kept.vault
    originals = _taken(vault.originals)
    originals |= {name: text for name, text in builds.items() if name in vault.originals}
    solution = _taken(vault.solution)
    vault = replace(vault, solution=solution, originals=originals, programs={}, mistakes={})
    return ExportedExercise(_fit(exercise, builds), vault)


def _fit(exercise: Exercise, builds: Mapping[str, str]) -> Exercise:
    files = (f for f in exercise.files if left_out(f) is None or f in builds)
    return replace(plain(exercise), files=tuple(files), starter=_taken(exercise.starter))


def _marker(
    raw: bytes | None, kept: ExportedExercise | None, builds: Mapping[str, str], limits: FileLimits
) -> dict[str, bytes]:
    """The folder's own record of its exercise, as a tutor writes it."""
    if kept is not None:
        return {RECORD: record(kept.exercise).encode("utf-8", "replace")}
    try:
        exercise = from_wire(Exercise, parse_json(raw or b""))
    except (ValueError, TypeError, KeyError):
        return {}
    if why_invalid(exercise, limits) is not None:
        return {}
    return {RECORD: record(_fit(exercise, builds)).encode("utf-8", "replace")}


_NEEDED: Mapping[str, tuple[str, ...]] = {
    "claim": ("node",),
    "reset": ("files", "base64"),
    "restore": ("files", "base64"),
}


def as_written(event: PastEvent) -> bool:
    """Whether all that is read from such an event is present and well typed."""
    data = event.data
    needed = _NEEDED.get(event.kind, ())
    if event.kind in (*STAGE_EVENTS, SENT_EVENT) and data.get("promptBytes"):
        needed = ("role", "sharedPrefixBytes")
    if any(data.get(name) is None for name in needed):
        return False
    return all(name not in data or check(data[name]) for name, check in _TYPES.items())


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53


def _number_or_none(value: Any) -> bool:
    return value is None or _number(value)


def _texts(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_text, value.values()))


def _raw(value: Any) -> bool:
    if not _texts(value):
        return False
    try:
        for text in value.values():
            b64decode(text, validate=True)
    except ValueError:
        return False
    return True


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("role", "digest", "backend"), _text),
    **dict.fromkeys(
        ("node", "unit", "setupId", "language", "depth", "tag", "source", "runId"), _text_or_none
    ),
    **dict.fromkeys(("promptBytes", "sharedPrefixBytes", "durationMs"), _number),
    **dict.fromkeys(("inputTokens", "cachedInputTokens", "outputTokens"), _number),
    **dict.fromkeys(("level", "passed", "total"), _number_or_none),
    "files": _texts,
    "base64": _raw,
}
