"""What an exported record holds, and whether a text is one."""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.check import LONGEST_NAME, odd
from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.files import FileLimits, wrong_path
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.learner.spacing import read_time
from tutor_lsp.core.session import NodeRecord, Session, Vault
from tutor_lsp.core.wire import from_wire, to_wire
from tutor_lsp.files.parsing import parse_json
from tutor_lsp.tutor.record.transfer.ranges import strange

FORMAT = "tutor-lsp-record"
VERSION = 1
MOST_SESSIONS, MOST_EVENTS = 2000, 200_000
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LANGUAGE = re.compile(r"[a-z0-9]+")
_FOLDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}")


@dataclass(frozen=True, slots=True)
class PastEvent:
    """A line of the event log with its time."""

    at: str
    kind: str
    data: Mapping[str, Any]
    session: str | None = None


@dataclass(frozen=True, slots=True)
class KeptExercise:
    """The exercise of a session with its vault."""

    exercise: Exercise
    vault: Vault


@dataclass(frozen=True, slots=True)
class Kept:
    """Everything of one learner. Sessions name no place: `folders` has the name of each one's
    folder, `files` the bytes of what lies in it, both by session id.
    """

    sessions: tuple[Session, ...] = ()
    exercises: Mapping[str, KeptExercise] = field(default_factory=dict)
    nodes: tuple[NodeRecord, ...] = ()
    events: tuple[PastEvent, ...] = ()
    folders: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, bytes]] = field(default_factory=dict)
    active: str | None = None


def written(kept: Kept, *, at: str, program: str) -> str:
    """The record as the text of a file."""
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "exportedAt": at,
        "program": program,
        "active": kept.active,
        "nodes": to_wire(kept.nodes),
        "sessions": to_wire(kept.sessions),
        "exercises": to_wire(kept.exercises),
        "events": to_wire(kept.events),
        "folders": dict(kept.folders),
        "files": {
            session: {path: _text_or_base64(raw) for path, raw in files.items()}
            for session, files in kept.files.items()
        },
    }
    # ASCII, so that no lone surrogate of a learner's text can make it unwritable.
    return json.dumps(whole, indent=1) + "\n"


def read(text: str, name: str, limits: FileLimits = FileLimits()) -> Kept:  # noqa: B008 - frozen
    """The record of a file called `name`, whose exercises keep to `limits`.

    Raises TutorError `IMPORT` that says what is wrong with it; nothing has been changed then.
    """
    try:
        whole = parse_json(text)
    except ValueError as error:
        raise refused(name, str(error)) from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise refused(name, "it is no exported record")
    version = whole.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise refused(name, f"its version {version!r:.60} is no number from 1")
    if version > VERSION:
        raise TutorError(
            "IMPORT",
            f"{name} was written by a newer tutor (form {version}, this one knows {VERSION}). "
            "Update the tutor and import it again. Nothing was changed.",
            details={"version": version, "known": VERSION},
        )
    try:
        kept = Kept(
            sessions=from_wire(tuple[Session, ...], whole["sessions"]),
            exercises=from_wire(Mapping[str, KeptExercise], whole["exercises"]),  # type: ignore[type-abstract]
            nodes=from_wire(tuple[NodeRecord, ...], whole["nodes"]),
            events=from_wire(tuple[PastEvent, ...], whole["events"]),
            folders=from_wire(dict[str, str], whole["folders"]),
            files={
                session: {path: _bytes(value) for path, value in files.items()}
                for session, files in whole["files"].items()
            },
            active=from_wire(str | None, whole["active"]),  # type: ignore[arg-type]
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise refused(name, "a part is missing or of another form") from None
    for problem in _problems(kept, limits):
        raise refused(name, problem)
    return kept


def refused(name: str, why: str) -> TutorError:
    """The error for a file that is not taken in, of which nothing was changed."""
    return TutorError(
        "IMPORT",
        f"{name} cannot be imported: {why}. Export it again where it came from. Nothing was "
        "changed.",
    )


def _problems(kept: Kept, limits: FileLimits) -> Iterator[str]:
    """What does not hold together, one sentence each."""
    yield from _ids_problems(kept)
    for session in kept.sessions:
        yield from _session_problems(session, kept.folders.get(session.id, ""))
    for owner, exercise in kept.exercises.items():
        yield from _exercise_problems(owner, exercise, limits)
    for owner, files in kept.files.items():
        yield from _outside(owner, files)
    for record in kept.nodes:
        words = (record.node, *((record.own.title, record.own.text) if record.own else ()))
        if max(map(len, words)) > LONGEST_NAME:
            yield "a topic has a name that is too long"
        elif not record.node or not _LANGUAGE.fullmatch(record.language):
            yield f"topic {record.node!r} has language {record.language!r}"
        for said in strange(record):
            yield f"topic {record.node!r} has {said}"
    if len(kept.events) > MOST_EVENTS:
        yield f"it holds more than {MOST_EVENTS} events"
    for event in kept.events:
        if read_time(event.at) is None:
            yield f"an event has the time {event.at!r:.60}"


def _ids_problems(kept: Kept) -> Iterator[str]:
    if len(kept.sessions) > MOST_SESSIONS:
        yield f"it holds more than {MOST_SESSIONS} sessions"
    ids = {session.id for session in kept.sessions}
    if len(ids) != len(kept.sessions):
        yield "a session is there twice"
    for owner in (*kept.exercises, *kept.folders, *kept.files):
        if owner not in ids:
            yield f"something belongs to a session {owner!r} that is not there"


def _session_problems(session: Session, folder: str) -> Iterator[str]:
    name = f"session {session.id!r}"
    if not _ID.fullmatch(session.id):
        yield f"a session has the id {session.id[:80]!r}"
    for said in strange(session):
        yield f"{name} has {said}"
    if any(attempt.number > session.attempt_count for attempt in session.attempts):
        yield f"{name} has more attempts than attemptCount {session.attempt_count} says"
    names = (session.title, session.node, session.exercise_id, session.language, session.backend)
    if max(map(len, names)) > LONGEST_NAME:
        yield f"{name} has a name that is too long"
    if not _LANGUAGE.fullmatch(session.language):
        yield f"{name} has language {session.language!r}"
    if not _FOLDER.fullmatch(folder):
        yield f"{name} has no usable folder name"


def _exercise_problems(owner: str, kept: KeptExercise, limits: FileLimits) -> Iterator[str]:
    exercise, vault = kept.exercise, kept.vault
    for said in strange(exercise):
        yield f"the exercise of session {owner!r} has {said}"
    why = odd(exercise, limits)
    if why is not None:
        yield f"the exercise of session {owner!r} is none: {why}"
    if any(len(hints) != HIGHEST_LEVEL for hints in vault.hints.values()):
        yield f"the exercise of session {owner!r} has not {HIGHEST_LEVEL} hints for each unit"
    for texts in (vault.solution, vault.originals):
        yield from _outside(owner, texts)
        if sum(map(len, texts.values())) > limits.total_bytes:
            yield f"the exercise of session {owner!r} is too large"


def _outside(owner: str, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        wrong = wrong_path(path)
        if wrong is not None:
            yield f"the file {path[:200]!r} of session {owner!r} {wrong}"


def _text_or_base64(raw: bytes) -> Any:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(raw).decode("ascii")}


def _bytes(value: Any) -> bytes:
    if isinstance(value, str):
        return value.encode("utf-8")
    try:
        return base64.b64decode(value["base64"], validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
