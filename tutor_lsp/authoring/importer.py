"""Records of stage payloads, also of older contracts, made fit for the contracts of today.

A record is a JSONL: one object a line with `stage`, `iteration`, `accepted` and `payload`. What an
older payload lacks is filled where the rest of the record tells it; what cannot be filled is told.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from tutor_lsp.authoring.model import Stages
from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.stage import CONTRACTS, EXPAND_ROLES, Role
from tutor_lsp.files.parsing import parse_json
from tutor_lsp.files.reading import Unreadable, read_file
from tutor_lsp.languages.registry import language_of

MOST_LINES = 10_000
_ROLES = {role.value: role for role in Role}
_PLANS = {
    "lesson_plan": ("section_intents", Role.LESSON, "section_id"),
    "starter_plan": ("file_intents", Role.STARTER, "file_path"),
    "test_plan": ("case_intents", Role.TEST, "section_id"),
}
_DEPTH = "D2"

Payload = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Note:
    """What was done to a payload, or (`filled` false) what is wrong with it and stays so.

    `path` is a JSON path into the payload, `iteration` counts from 1 within the role.
    """

    role: str
    iteration: int
    path: str
    message: str
    filled: bool = True


@dataclass(frozen=True, slots=True)
class Imported:
    """The payloads of a record that fulfil their contracts, by role and in order.

    `broken` holds the others, as far as they could be filled. `language` is read from the names of
    the starter files, None where they do not tell.
    """

    payloads: Mapping[Role, tuple[Payload, ...]]
    notes: tuple[Note, ...] = ()
    broken: Mapping[tuple[Role, int], Payload] = field(default_factory=dict)
    language: str | None = None

    @property
    def stages(self) -> Stages | None:
        """The set-up's stages for assembly, None without a scaffold."""
        scaffold = self.payloads.get(Role.SCAFFOLD)
        if not scaffold:
            return None
        starter, test, lesson = (self.payloads.get(role, ()) for role in EXPAND_ROLES)
        return Stages(scaffold[0], starter, test, lesson)


def is_record(lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether lines are a record of what was accepted, not a script to be played as it is."""
    return any("accepted" in line for line in lines)


def read_lines(path: Path, most: int = FileLimits().total_bytes) -> list[dict[str, Any]]:
    """The objects of a JSONL of at most `most` bytes; blank lines are left out.

    Raises TutorError `BAD_SCRIPT`.
    """
    found: list[dict[str, Any]] = []
    try:
        texts = read_file(path, most).decode("utf-8").split("\n")
    except (Unreadable, UnicodeDecodeError) as error:
        raise _unusable(path, error.why if isinstance(error, Unreadable) else str(error)) from None
    if len(texts) > MOST_LINES:
        raise _unusable(path, f"it has more than {MOST_LINES} lines")
    for number, text in enumerate(texts, start=1):
        if text.strip():
            try:
                found.append(_object(text))
            except ValueError as error:
                raise _unusable(path, f"line {number}: {error}") from None
    return found


def _unusable(path: Path, why: str) -> TutorError:
    return TutorError(
        "BAD_SCRIPT", f"{path} cannot be used ({why}). It must hold one JSON object a line."
    )


def _object(text: str) -> dict[str, Any]:
    line = parse_json(text)
    if not isinstance(line, dict):
        raise ValueError("it is no object")  # noqa: TRY004 - one kind of error for the file
    return line


def import_payloads(lines: Iterable[Mapping[str, Any]]) -> Imported:
    """The payloads of a record, filled and checked. Loads pydantic: not on the loop."""
    return _Import(lines).result()


def replayed(imported: Imported) -> list[dict[str, Any]]:
    """The lines that the backend `scripted` plays: every payload once, broken ones too.

    The scaffold takes over node and depth of whoever asks for it.
    """
    lines: list[dict[str, Any]] = []
    for role in Role:
        good = iter(imported.payloads.get(role, ()))
        broken = {at: payload for (of, at), payload in imported.broken.items() if of is role}
        count = len(imported.payloads.get(role, ())) + len(broken)
        for iteration in range(1, count + 1):
            payload = broken[iteration] if iteration in broken else next(good)
            line: dict[str, Any] = {"stage": role.value, "payload": payload}
            if role in EXPAND_ROLES:
                line["iteration"] = iteration
            lines.append({**line, "adopt": True} if role is Role.SCAFFOLD else line)
    return lines


class _Import:
    """One import; `found` are the payloads by role, in the order of their iterations."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self.notes: list[Note] = []
        self._taken: dict[Role, dict[int, Payload]] = {}
        for number, line in enumerate(lines, start=1):
            self._take(number, line)
        self.found = {
            role: [payload for _, payload in sorted(taken.items())]
            for role, taken in self._taken.items()
        }

    def result(self) -> Imported:
        for role in (*EXPAND_ROLES, Role.SCAFFOLD, Role.SOLUTION, Role.COACH, Role.REVIEWER):
            for iteration, payload in enumerate(self.found.get(role, []), start=1):
                self._fill(role, iteration, payload)
        good: dict[Role, list[Payload]] = {}
        broken: dict[tuple[Role, int], Payload] = {}
        for role in Role:
            for iteration, payload in enumerate(self.found.get(role, []), start=1):
                valid = self._checked(role, iteration, payload)
                if valid is None:
                    broken[role, iteration] = payload
                else:
                    good.setdefault(role, []).append(valid)
        self._missing()
        payloads = {role: tuple(found) for role, found in good.items()}
        return Imported(payloads, tuple(self.notes), broken, self._language())

    def _take(self, number: int, line: Mapping[str, Any]) -> None:
        role = _ROLES.get(str(line.get("stage")))
        payload = line.get("payload")
        if role is None or not isinstance(payload, Mapping):
            what = f"stage {line.get('stage')!r}" if role is None else "no payload"
            self._say(role, number, "$", f"line {number} has {what}; it is left out", filled=False)
        elif line.get("accepted", True) is not True:
            self._say(role, number, "$", f"line {number} was not accepted; it is left out")
        else:
            known = self._taken.setdefault(role, {})
            given = line.get("iteration")
            iteration = 1 if role not in EXPAND_ROLES else len(known) + 1
            if role in EXPAND_ROLES and isinstance(given, int):
                iteration = given
            if iteration in known:
                self._say(role, iteration, "$", f"line {number} comes again; the last one counts")
            known[iteration] = dict(payload)

    def _say(
        self, role: Role | None, iteration: int, path: str, message: str, *, filled: bool = True
    ) -> None:
        name = role.value if role is not None else "?"
        self.notes.append(Note(name, iteration, path, message, filled))

    def _fill(self, role: Role, iteration: int, payload: Payload) -> None:
        contract = CONTRACTS[role]
        known = load_schema(contract)["properties"]
        for key in [key for key in payload if key not in known]:
            del payload[key]
            self._say(role, iteration, f"$.{key}", f"is not part of {contract}; it is left out")
        self._set(role, iteration, payload, "schema_version", lambda: contract)
        self._set(role, iteration, payload, "role", lambda: role.value)
        if role is Role.SCAFFOLD:
            self._fill_scaffold(payload)
        elif role in EXPAND_ROLES:
            self._fill_section(role, iteration, payload)

    def _set(
        self, role: Role, iteration: int, payload: Payload, key: str, value: Callable[[], Any]
    ) -> None:
        """Fill one field that is missing or null, and say so."""
        if payload.get(key) is not None:
            return
        made = value()
        if made is not None:
            payload[key] = made
            self._say(role, iteration, f"$.{key}", f"was missing; filled with {_shown(made)}")

    def _fill_section(self, role: Role, iteration: int, payload: Payload) -> None:
        last = iteration == len(self.found[role])
        path = payload.get("file_path")
        if role is not Role.LESSON:
            self._set(role, iteration, payload, "file_path", lambda: _as_path(payload))
            path = payload.get("file_path")
        named = str(path) if path else f"section-{iteration}"
        self._set(role, iteration, payload, "section_id", lambda: named)
        kind = "concept" if role is Role.LESSON else "file"
        self._set(role, iteration, payload, "type", lambda: kind)
        self._set(role, iteration, payload, "is_complete", lambda: last)
        if last and payload["is_complete"] is False:
            payload["is_complete"] = True
            self._say(role, iteration, "$.is_complete", "was false in the last section; now true")

    def _fill_scaffold(self, payload: Payload) -> None:
        role = Role.SCAFFOLD
        for key, (inner, source, name) in _PLANS.items():
            plan = payload.get(key)
            if isinstance(plan, list):
                payload[key] = {inner: plan}
                self._say(role, 1, f"$.{key}", f"was a list; taken as {inner}")
                continue
            titles = [str(item.get(name)) for item in self.found.get(source, [])]
            self._set(role, 1, payload, key, partial(dict, {inner: titles}))
        self._set(role, 1, payload, "scaffold_id", lambda: "imported")
        self._set(role, 1, payload, "node_id", lambda: "imported")
        self._set(role, 1, payload, "depth_target", lambda: _DEPTH)
        self._set(role, 1, payload, "exercise_description", lambda: self._description(payload))
        if "units" not in payload:
            payload["units"] = None
            self._say(role, 1, "$.units", "was missing; units are read from comments and tests")

    def _description(self, payload: Payload) -> str:
        plan = payload.get("lesson_plan")
        intents = plan.get("section_intents") if isinstance(plan, Mapping) else None
        first = intents[0] if isinstance(intents, list) and intents else None
        return first if isinstance(first, str) and first else f"Exercise {payload['scaffold_id']}"

    def _checked(self, role: Role, iteration: int, payload: Payload) -> Payload | None:
        from tutor_lsp.contracts.validate import ContractError, validate

        try:
            return validate(CONTRACTS[role], payload)
        except ContractError as error:
            for issue in error.errors:
                self._say(role, iteration, issue["path"], issue["reason"], filled=False)
            return None

    def _missing(self) -> None:
        for role in (Role.SCAFFOLD, *EXPAND_ROLES):
            if role not in self.found:
                said = f"the record has no {role.value} payload"
                self._say(role, 1, "$", said, filled=False)

    def _language(self) -> str | None:
        paths = [payload.get("file_path") for payload in self.found.get(Role.STARTER, [])]
        names = [language_of(PurePosixPath(str(path)).suffix) for path in paths]
        return next((name for name in names if name is not None), None)


def _as_path(payload: Payload) -> str | None:
    """The section's id where it is the name of a file."""
    name = payload.get("section_id")
    if isinstance(name, str) and language_of(PurePosixPath(name).suffix):
        return name
    return None


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"
