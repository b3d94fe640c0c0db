"""The bundled library as a backend: its files go through the same contracts as a model's answers.

Coach and reviewer answer from the authored hints, the test report and what compilers mean; they
know nothing else and claim nothing else.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.core.stage import CONTRACTS, BackendAnswer, BackendFailed, Role, StageRequest
from tutor_lsp.core.text.translation import n
from tutor_lsp.library.entry import Entry
from tutor_lsp.library.loader import BundledExercise, Library
from tutor_lsp.library.markdown import headings, split_at
from tutor_lsp.stages.backends import authored
from tutor_lsp.stages.plain_hint import plain_hint

Packet = Mapping[str, Any]
Payload = dict[str, Any]


class LibraryBackend:
    """Answers every stage from a library of exercises.

    With `exercise_id` a set-up gets that exercise; else the first one of the packet's node,
    language and depth. Texts are read when they are first needed and kept.
    """

    name = "library"
    is_model = False
    needs_prompt = False

    def __init__(self, library: Library, exercise_id: str | None = None) -> None:
        self._library = library
        self._exercise_id = exercise_id
        self._loaded: dict[str, BundledExercise] = {}

    async def probe(self) -> BackendStatus:
        """Available if there is an exercise."""
        count = len(self._library.listed)
        why = n("{count} exercise is bundled", "{count} exercises are bundled", count)
        why = why if count else "there is no exercise"
        return BackendStatus(self.name, bool(count), why)

    async def answer(self, request: StageRequest) -> BackendAnswer:
        """The answer of that role. Raises BackendFailed if the library has none."""
        payload = {
            "schema_version": CONTRACTS[request.role],
            "role": request.role.value,
            **self._payload(request),
        }
        return BackendAnswer(json.dumps(payload, ensure_ascii=False))

    def _payload(self, request: StageRequest) -> Payload:
        role, packet, iteration = request.role, request.packet, request.iteration
        if role is Role.COACH:
            tutoring = packet["tutoring"]
            return plain_hint(tutoring, self._hints(tutoring), packet["language"])
        if role is Role.REVIEWER:
            return authored.review(packet["tutoring"])
        if role in (Role.MISTAKES, Role.MISTAKE_TAGS):
            raise BackendFailed("the library's mistakes come with its exercises")
        if role is Role.WITHOUT:
            raise BackendFailed("the library's exercises have one solution each")
        exercise = self._bundled(packet)
        if role is Role.SCAFFOLD:
            return _scaffold(exercise)
        if role is Role.LESSON:
            return _lesson_section(exercise, iteration)
        if role is Role.SOLUTION:
            return _solution(exercise)
        return _file_section(exercise.src if role is Role.STARTER else exercise.tests, iteration)

    def _bundled(self, packet: Packet) -> BundledExercise:
        entry = self._entry(packet)
        if entry is None:
            raise BackendFailed(
                f"the library has no {packet['language']} exercise for {packet['node']['id']} "
                f"at {packet['depth_target']}",
                {"node": packet["node"]["id"], "language": packet["language"]},
            )
        if entry.id not in self._loaded:
            try:
                self._loaded[entry.id] = self._library.load(entry)
            except TutorError as error:
                raise BackendFailed(error.message, {"exercise": entry.id}) from error
        return self._loaded[entry.id]

    def _entry(self, packet: Packet) -> Entry | None:
        planned = (packet.get("scaffold") or {}).get("scaffold_id")
        wanted = self._exercise_id or planned
        if wanted is not None:
            return self._library.by_id(wanted)
        fits = (packet["language"], packet["depth_target"])
        known = self._library.find(packet["node"]["id"])
        return next((each for each in known if (each.language, each.depth) == fits), None)

    def _hints(self, tutoring: Packet) -> Sequence[str]:
        given = {hint["level"]: hint["text"] for hint in tutoring["authored_hints"]}
        if given:
            return [given.get(level, "") for level in (1, 2, 3)]
        entry = self._library.by_id(tutoring["exercise_id"])
        if entry is None:
            return ()
        return self._library.load(entry).hints.get(tutoring["unit"]["unit_id"], ())


def _scaffold(exercise: BundledExercise) -> Payload:
    entry = exercise.entry
    return {
        "scaffold_id": entry.id,
        "node_id": entry.node,
        "depth_target": entry.depth,
        "exercise_description": entry.description,
        "lesson_plan": {"section_intents": _second_headings(exercise.lesson)},
        "starter_plan": {"file_intents": sorted(exercise.src)},
        "test_plan": {"case_intents": [test for unit in entry.units for test in unit.tests]},
        "units": planned_units(entry),
    }


def _lesson_section(exercise: BundledExercise, iteration: int) -> Payload:
    pieces = split_at(exercise.lesson, 2)
    names = [
        next(iter(_second_headings(piece)), f"section-{n}") for n, piece in enumerate(pieces, 1)
    ]
    section = _section(names, iteration)
    unit_headings = {unit.lesson_heading for unit in exercise.entry.units}
    kind = "worked_example" if section["section_id"] in unit_headings else "bridge"
    return {**section, "type": kind, "content": pieces[iteration - 1]}


def _solution(exercise: BundledExercise) -> Payload:
    sources = below(exercise.solution, "src").items()
    files = [{"file_path": path, "content": text} for path, text in sources]
    accepts = [{"unit_id": u, "content": text} for u, text in exercise.accepts.items()]
    return {"files": files, "accepts": accepts or None}


def planned_units(entry: Entry) -> list[Payload]:
    """The units of an exercise as its `scaffold_v1` names them."""
    return [
        {
            "unit_id": unit.id,
            "stub": unit.stub,
            "file_path": unit.file,
            "first_principle": unit.first_principle,
            "lesson_heading": unit.lesson_heading,
            "kind": unit.kind,
            "test_names": list(unit.tests),
            "practises": list(unit.practises) or None,
        }
        for unit in entry.units
    ]


def _second_headings(text: str) -> list[str]:
    return [heading.text for heading in headings(text) if heading.level == 2]


def _section(names: Sequence[str], iteration: int) -> Payload:
    if not 1 <= iteration <= len(names):
        raise BackendFailed(
            f"the library has {len(names)} sections, section {iteration} was requested"
        )
    last = iteration == len(names)
    return {
        "section_id": names[iteration - 1],
        "is_complete": last,
        "next_focus": None if last else names[iteration],
    }


def _file_section(files: Mapping[str, str], iteration: int) -> Payload:
    texts = {path: text for path, text in files.items() if text}  # the toolchain adds empty files
    section = _section(list(texts), iteration)
    path = section["section_id"]
    return {**section, "type": "file", "file_path": path, "content": texts[path]}


def create(context: BackendContext) -> LibraryBackend:
    """The backend of the service `library`."""
    return LibraryBackend(context.services["library"])
