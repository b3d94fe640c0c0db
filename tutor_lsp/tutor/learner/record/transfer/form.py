"""What an exported record holds, and whether a text is one: a tutor writes no values out of
range."""

import dataclasses
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.check import LONGEST_NAME, why_invalid
from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.files import FileLimits, wrong_path
from tutor_lsp.core.exercise.verdict import FAIL, PASS
from tutor_lsp.core.learner.curriculum import DEPTHS
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.learner.mastery import HIGHEST
from tutor_lsp.core.learner.spacing import read_time
from tutor_lsp.core.session import (
    Attempt,
    Finding,
    Hint,
    MasteryChange,
    MemoryCard,
    NodeRecord,
    OwnTopic,
    Place,
    Review,
    Session,
    Vault,
)
from tutor_lsp.files.parsing import parse_json
from tutor_lsp.wire import camel, from_wire, to_wire

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
class ExportedExercise:
    """The exercise of a session with its vault."""

    exercise: Exercise
    vault: Vault


@dataclass(frozen=True, slots=True)
class RecordExport:
    """Everything of one learner. Sessions name no place: `folders` has the name of each one's
    folder, `files` the bytes of what lies in it, both by session id.
    """

    sessions: tuple[Session, ...]
    exercises: Mapping[str, ExportedExercise]
    nodes: tuple[NodeRecord, ...]
    events: tuple[PastEvent, ...]
    folders: Mapping[str, str]
    files: Mapping[str, Mapping[str, bytes]]
    active: str | None


def written(kept: RecordExport, *, at: str, program: str) -> str:
    """The record as the text of a file."""
    head = {"format": FORMAT, "version": VERSION, "exportedAt": at, "program": program}
    # ASCII, so that no lone surrogate of a learner's text can make it unwritable.
    return json.dumps({**head, **to_wire(kept)}, indent=1) + "\n"


def read(text: str, name: str, limits: FileLimits = FileLimits()) -> RecordExport:  # noqa: B008 - frozen
    """The record of a file called `name`, whose exercises keep to `limits`.

    Raises TutorError `IMPORT` that says what is wrong with it; nothing has been changed then.
    """
    try:
        whole = parse_json(text)
    except ValueError as error:
        raise refused(name, str(error)) from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise refused(name, "it is not an exported record")
    version = whole.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise refused(name, f"its version {version!r:.60} is not a number from 1 up")
    if version > VERSION:
        raise TutorError(
            "IMPORT",
            f"{name} was written by a newer tutor (form {version}, this one knows {VERSION}). "
            "Update the tutor and import it again. Nothing was changed.",
            details={"version": version, "known": VERSION},
        )
    try:
        kept = from_wire(RecordExport, whole)
    except (KeyError, TypeError, ValueError):
        raise refused(name, "a part is missing or malformed") from None
    for problem in _problems(kept, limits):
        raise refused(name, problem)
    return kept


def refused(name: str, why: str) -> TutorError:
    """The error for a file that is not imported; nothing was changed."""
    return TutorError(
        "IMPORT",
        f"{name} cannot be imported: {why}. Export it again where it came from. Nothing was "
        "changed.",
    )


def _problems(kept: RecordExport, limits: FileLimits) -> Iterator[str]:
    """Inconsistencies, one sentence each."""
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
        for said in implausible_values(record):
            yield f"topic {record.node!r} has {said}"
    if len(kept.events) > MOST_EVENTS:
        yield f"it holds more than {MOST_EVENTS} events"
    for event in kept.events:
        if read_time(event.at) is None:
            yield f"an event has the time {event.at!r:.60}"


def _ids_problems(kept: RecordExport) -> Iterator[str]:
    if len(kept.sessions) > MOST_SESSIONS:
        yield f"it holds more than {MOST_SESSIONS} sessions"
    ids = {session.id for session in kept.sessions}
    if len(ids) != len(kept.sessions):
        yield "a session appears twice"
    for owner in (*kept.exercises, *kept.folders, *kept.files):
        if owner not in ids:
            yield f"something belongs to a session {owner!r} that is missing"


def _session_problems(session: Session, folder: str) -> Iterator[str]:
    name = f"session {session.id!r}"
    if not _ID.fullmatch(session.id):
        yield f"a session has the id {session.id[:80]!r}"
    for said in implausible_values(session):
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


def _exercise_problems(owner: str, kept: ExportedExercise, limits: FileLimits) -> Iterator[str]:
    exercise, vault = kept.exercise, kept.vault
    for said in implausible_values(exercise):
        yield f"the exercise of session {owner!r} has {said}"
    why = why_invalid(exercise, limits)
    if why is not None:
        yield f"the exercise of session {owner!r} is not valid: {why}"
    if any(len(hints) != HIGHEST_LEVEL for hints in vault.hints.values()):
        yield f"the exercise of session {owner!r} does not have {HIGHEST_LEVEL} hints for each unit"
    for texts in (vault.solution, vault.originals):
        yield from _outside(owner, texts)
        if sum(map(len, texts.values())) > limits.total_bytes:
            yield f"the exercise of session {owner!r} is too large"


def _outside(owner: str, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        wrong = wrong_path(path)
        if wrong is not None:
            yield f"the file {path[:200]!r} of session {owner!r} {wrong}"


_MOST = 2.0**53
_FIRST = (1.0, _MOST)
_LEVELS = (0.0, float(HIGHEST))
_LINES = {"line": _FIRST, "end_line": _FIRST}
RANGES: Mapping[type, Mapping[str, tuple[float, float]]] = {
    Session: {"hint_level_used": (0.0, float(HIGHEST_LEVEL))},
    Attempt: {"number": _FIRST},
    Review: {"score": (0.0, 100.0)},
    Finding: _LINES,
    Place: _LINES,
    Hint: {"level": (1.0, float(HIGHEST_LEVEL))},
    NodeRecord: {"mastery": _LEVELS},
    MasteryChange: {"before": _LEVELS, "after": _LEVELS},
    MemoryCard: {
        "stability": (math.ulp(0.0), math.inf),
        "difficulty": (1.0, 10.0),
        "reviews": _FIRST,
    },
    Unit: {"line": _FIRST},
}
"""Minimum and maximum of a number, inclusive; other numbers are at least 0, and all are finite."""
WORDS: Mapping[type, Mapping[str, frozenset[str]]] = {
    Session: {"depth": frozenset(DEPTHS)},
    Exercise: {"depth": frozenset(DEPTHS)},
    OwnTopic: {"depth": frozenset(DEPTHS)},
    NodeRecord: {"passed_depths": frozenset(DEPTHS)},
    Review: {"verdict": frozenset({PASS, FAIL})},
}
"""The allowed values of a text, or of each of several."""
MOST_ENTRIES = 10_000
"""Maximum size of one list or object in a session, an exercise or a topic."""
TIMES = frozenset({"at", "created_at", "updated_at", "ended_at", "last_at", "due", "last_review"})


def implausible_values(value: object) -> Iterator[str]:
    """The values in a tree of records that no tutor would have written, each with its name, such as
    `attemptCount -4`."""
    if isinstance(value, Mapping) and len(value) > MOST_ENTRIES:
        yield f"an object of {len(value)} entries"
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if not _is_usual_number(each):
                yield f"{key} {each!r}"
            yield from implausible_values(each)
    elif isinstance(value, tuple) and len(value) > MOST_ENTRIES:
        yield f"a list of {len(value)} entries"
    elif isinstance(value, tuple):
        for each in value:
            yield from implausible_values(each)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            inner = getattr(value, field.name)
            if not _is_usual(type(value), field, inner):
                yield f"{camel(field.name)} {inner!r}"
            yield from implausible_values(inner)


def _is_usual(kind: type, field: "dataclasses.Field[object]", value: object) -> bool:
    words = WORDS.get(kind, {}).get(field.name)
    if words is not None:
        return {*value} <= words if isinstance(value, tuple) else value in words
    if field.name in TIMES and isinstance(value, str):
        return (value == "" and field.default == "") or read_time(value) is not None
    return _is_usual_number(value, *RANGES.get(kind, {}).get(field.name, ()))


def _is_usual_number(value: object, least: float = 0.0, greatest: float = _MOST) -> bool:
    """Whether a value is a number within the bounds, or not a number."""
    if not isinstance(value, int | float):
        return True
    return least <= value <= greatest and value != math.inf
