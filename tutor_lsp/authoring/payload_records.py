"""Importing records of stage payloads, also of older contracts, to the current contracts.

A record is JSONL: one object per line with `stage`, `iteration`, `accepted` and `payload`. Fields
that an older payload lacks are filled in from the rest of the record, and fields that its contract
does not have are left out; what is still wrong is reported.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tutor_lsp.authoring.model import Stages
from tutor_lsp.contracts.locate import load_schema
from tutor_lsp.contracts.validate import ContractError, validate
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.files import FileLimits
from tutor_lsp.core.stage import CONTRACTS, EXPAND_ROLES, Role, sections_of
from tutor_lsp.files.parsing import parse_json
from tutor_lsp.files.reading import Unreadable, read_file
from tutor_lsp.languages.foreign import foreign_file
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
class PayloadFault:
    """What is wrong with a payload and cannot be filled in. `path` is a JSON path into it,
    `iteration` counts from 1 within the role."""

    role: str
    iteration: int
    path: str
    message: str


@dataclass(frozen=True, slots=True)
class Imported:
    """A record's payloads that fulfil their contracts, by role and in order.

    `broken` has the others, as far as they could be filled in, `faults` why. `language` is
    determined from the names of the starter files, None if they do not tell. `files` are all names.
    """

    payloads: Mapping[Role, tuple[Payload, ...]]
    faults: tuple[PayloadFault, ...] = ()
    broken: Mapping[tuple[Role, int], Payload] = field(default_factory=dict)
    language: str | None = None
    files: tuple[str, ...] = ()

    @property
    def foreign(self) -> tuple[str, str] | None:
        """The first file in a language that the tutor does not have, and that language's name."""
        return foreign_file(self.files)

    @property
    def stages(self) -> Stages | None:
        """The set-up's stages for assembly, None without a scaffold."""
        scaffold = self.payloads.get(Role.SCAFFOLD)
        if not scaffold:
            return None
        starter, test, lesson = (self.payloads.get(role, ()) for role in EXPAND_ROLES)
        return Stages(scaffold[0], starter, test, lesson)


def is_record(lines: Iterable[Mapping[str, Any]]) -> bool:
    """Whether lines are a record of accepted payloads, not a script to replay unchanged."""
    return any("accepted" in line for line in lines)


def read_lines(path: Path, most: int = FileLimits().total_bytes) -> list[dict[str, Any]]:
    """The objects of a JSONL file of at most `most` bytes, without blank lines.

    Raises TutorError `BAD_SCRIPT`.
    """
    lines: list[dict[str, Any]] = []
    try:
        texts = read_file(path, most).decode("utf-8").split("\n")
    except (Unreadable, UnicodeDecodeError) as error:
        raise _unusable(path, error.why if isinstance(error, Unreadable) else str(error)) from None
    if len(texts) > MOST_LINES:
        raise _unusable(path, f"it has more than {MOST_LINES} lines")
    for number, text in enumerate(texts, start=1):
        if text.strip():
            try:
                line = parse_json(text)
            except ValueError as error:
                raise _unusable(path, f"line {number}: {error}") from None
            if not isinstance(line, dict):
                raise _unusable(path, f"line {number}: it isn't a JSON object")
            lines.append(line)
    return lines


def _unusable(path: Path, why: str) -> TutorError:
    return TutorError(
        "BAD_SCRIPT", f"{path} cannot be used ({why}). It must have one JSON object per line."
    )


def import_payloads(lines: Iterable[Mapping[str, Any]]) -> Imported:
    """A record's payloads, filled in and checked. Loads pydantic: not on the loop."""
    return _Import(lines).result()


def replayed(imported: Imported) -> list[dict[str, Any]]:
    """The lines for the backend `scripted` to replay: every payload once, broken ones too.

    The scaffold takes node and depth from the request.
    """
    lines: list[dict[str, Any]] = []
    for role in Role:
        good = iter(imported.payloads.get(role, ()))
        iteration = 1
        while payload := imported.broken.get((role, iteration)) or next(good, None):
            line: dict[str, Any] = {"stage": role.value, "payload": payload}
            if role in EXPAND_ROLES:
                line["iteration"] = iteration
            lines.append({**line, "adopt": True} if role is Role.SCAFFOLD else line)
            iteration += 1
    return lines


class _Import:
    """One import; `found` are the payloads by role, in the order of their iterations."""

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self.faults: list[PayloadFault] = []
        self._taken: dict[Role, dict[tuple[int, int], Payload]] = {}
        for number, line in enumerate(lines, start=1):
            self._take(number, line)
        self.found = {
            role: [payload for _, payload in sorted(taken.items())]
            for role, taken in self._taken.items()
        }

    def result(self) -> Imported:
        good: dict[Role, tuple[Payload, ...]] = {}
        broken: dict[tuple[Role, int], Payload] = {}
        for role in (*EXPAND_ROLES, *(each for each in Role if each not in EXPAND_ROLES)):
            for iteration, payload in enumerate(self.found.get(role, []), start=1):
                self._fill(role, iteration, payload)
                try:
                    good[role] = (*good.get(role, ()), validate(CONTRACTS[role], payload))
                except ContractError as error:
                    broken[role, iteration] = payload
                    self.faults += [
                        PayloadFault(role.value, iteration, issue["path"], issue["reason"])
                        for issue in error.errors
                    ]
        self.faults += [
            PayloadFault(role.value, 1, "$", f"the record has no {role.value} payload")
            for role in (Role.SCAFFOLD, *EXPAND_ROLES)
            if role not in self.found
        ]
        return Imported(good, tuple(self.faults), broken, self._language(), self._files())

    def _take(self, number: int, line: Mapping[str, Any]) -> None:
        """Of lines with the same role and iteration the last one counts."""
        role = _ROLES.get(str(line.get("stage")))
        payload = line.get("payload")
        if role is None or not isinstance(payload, Mapping):
            what = f"stage {line.get('stage')!r}" if role is None else "no payload"
            said = f"line {number} has {what}; it is left out"
            self.faults.append(PayloadFault("?" if role is None else role.value, number, "$", said))
        elif line.get("accepted", True) is True:
            known = self._taken.setdefault(role, {})
            given = line.get("iteration")
            next_one = given if isinstance(given, int) else len(known) + 1
            for at, section in enumerate(sections_of(payload)):
                known[next_one if role in EXPAND_ROLES else 1, at] = dict(section)

    def _fill(self, role: Role, iteration: int, payload: Payload) -> None:
        contract = CONTRACTS[role]
        for key in payload.keys() - load_schema(contract)["properties"].keys():
            del payload[key]
        _set(payload, schema_version=contract, role=role.value)
        if role is Role.SCAFFOLD:
            self._fill_scaffold(payload)
        elif role in EXPAND_ROLES:
            self._fill_section(role, iteration, payload)

    def _fill_section(self, role: Role, iteration: int, payload: Payload) -> None:
        last = iteration == len(self.found[role])
        if role is not Role.LESSON:
            _set(payload, file_path=_as_path(payload))
        name = str(payload.get("file_path") or f"section-{iteration}")
        kind = "concept" if role is Role.LESSON else "file"
        _set(payload, section_id=name, type=kind, is_complete=last)
        if last and payload["is_complete"] is False:
            payload["is_complete"] = True

    def _fill_scaffold(self, payload: Payload) -> None:
        for key, (inner, source, name) in _PLANS.items():
            plan = payload.get(key)
            if isinstance(plan, list):
                payload[key] = {inner: plan}
            titles = [str(item.get(name)) for item in self.found.get(source, [])]
            _set(payload, **{key: {inner: titles}})
        _set(payload, scaffold_id="imported", node_id="imported", depth_target=_DEPTH)
        _set(payload, exercise_description=self._description(payload))

    def _description(self, payload: Payload) -> str:
        plan = payload.get("lesson_plan")
        intents = plan.get("section_intents") if isinstance(plan, Mapping) else None
        first = intents[0] if isinstance(intents, list) and intents else None
        return first if isinstance(first, str) and first else f"Exercise {payload['scaffold_id']}"

    def _files(self) -> tuple[str, ...]:
        payloads = [each for role in (Role.STARTER, Role.TEST) for each in self.found.get(role, [])]
        return tuple(str(each.get("file_path") or each.get("section_id")) for each in payloads)

    def _language(self) -> str | None:
        paths = [payload.get("file_path") for payload in self.found.get(Role.STARTER, [])]
        names = [language_of(PurePosixPath(str(path)).suffix) for path in paths]
        return next((name for name in names if name is not None), None)


def _set(payload: Payload, /, **values: Any) -> None:
    """Fill in fields that are missing or null; no field gets None."""
    for key, value in values.items():
        if payload.get(key) is None and value is not None:
            payload[key] = value


def _as_path(payload: Payload) -> str | None:
    """The section's id if that is a file name."""
    name = payload.get("section_id")
    if isinstance(name, str) and language_of(PurePosixPath(name).suffix):
        return name
    return None
