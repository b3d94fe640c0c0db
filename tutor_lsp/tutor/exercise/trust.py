"""Code that came from elsewhere: what running it would execute, in words that let a learner judge
it, and the question that opens the gate before it.

Nothing that was not made on this machine (an imported record, a copied or cloned folder, the
learner's own library) runs before its learner has agreed to what is named.
"""

import asyncio
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tutor_lsp.authoring import content
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.files.reading import shown_name
from tutor_lsp.languages.registry import languages, special_names
from tutor_lsp.library.entry import Entry
from tutor_lsp.library.loader import BundledExercise
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.trust_gate import KIND, TRUSTED_LIBRARY, TRUSTED_SESSION, is_allowed
from tutor_lsp.tutor.services.services import Services

TRUST, LEAVE = marked("Trust and run"), marked("Not now")
MOST_NAMES = 3
MOST_ENTRIES = 5000
"""Most folder entries that are checked."""
_SKIPPED = frozenset({".git", "node_modules"})
"""Folders that are skipped, besides those that tools fill."""


@dataclass(frozen=True, slots=True)
class ConsentRequest:
    """`said` is one or two sentences on what would run, `where` the folder as it is shown, `data`
    the same for programs: `workspace`, and `runs`, paths relative to it.
    """

    said: str
    where: str
    data: Mapping[str, Any]


async def allow(
    exercises: OpenExercises, opened: OpenExercise, *, agreed: bool, command: str
) -> None:
    """Open the gate of a folder from elsewhere with the learner's consent, unless it is open.

    `agreed` is consent given with the command. Raises TutorError `UNTRUSTED`, which names
    what would run, where there is none.
    """
    services = exercises.services
    async with opened.trusting:
        await exercises.refresh(opened)
        if opened.session.trusted:
            return
        runs = await asyncio.to_thread(runs_of_folder, opened)
        if not agreed:
            await _ask(services, runs, command)
        event = Event(TRUSTED_SESSION, runs.data, opened.session.id)
        await exercises.change_session(
            opened, lambda session: replace(session, trusted=True), event
        )
        services.frontend.exercise_changed(opened)


async def allow_library(
    services: Services, entry: Entry, *, agreed: bool, options: str = ""
) -> None:
    """Consent to an exercise from the learner's own library, asked once for each of its versions:
    its proof runs before it opens. `options` are those that its start has besides the topic.
    Raises TutorError `UNTRUSTED`, `BROKEN_EXERCISE`.
    """
    exercise = await asyncio.to_thread(services.library.load, entry)
    digest = content.bundled_hash(exercise)
    if await is_allowed(services, digest):
        return
    runs = runs_of_library(exercise)
    if not agreed:
        await _ask(services, runs, f"tutor.start --node {entry.node}{options}")
    await services.record(TRUSTED_LIBRARY, {**runs.data, "hash": digest, "exercise": entry.id})


async def allow_recording(services: Services, path: Path, *, agreed: bool) -> None:
    """Consent to playing a model's recorded answers, whose exercise is proven before it opens.

    Raises TutorError `UNTRUSTED`.
    """
    if not agreed:
        await _ask(
            services, runs_of_recording(path), f"tutor.start --replay {shown_name(str(path))}"
        )


async def _ask(services: Services, runs: ConsentRequest, command: str) -> None:
    """Raises TutorError `UNTRUSTED` unless somebody answers yes."""
    details: dict[str, Any] = {**runs.data, "trust": True}
    if not services.frontend.abilities.chooses:
        raise TutorError(KIND, f"{runs.said} {how_to_agree(services, command)}", details=details)
    answer = await services.frontend.choose(f"{runs.said} Run it?", (TRUST, LEAVE))
    if answer != TRUST:
        raise TutorError(
            KIND, f"Nothing was run: you did not agree to run {runs.where}.", details=details
        )


def how_to_agree(services: Services, command: str) -> str:
    """How to give consent where nobody can be asked."""
    verb = command.replace("tutor.", "tutor-lsp ")
    if services.frontend.abilities.terminal:
        return t(f"If you trust it: {verb} --trust.")
    return t(f'If you trust it: {command} with {{"trust": true}}, or {verb} --trust in a terminal.')


def runs_of_folder(opened: OpenExercise) -> ConsentRequest:
    """What a check or an attempt on a folder would run. Blocks; lists the folder and reads no
    file."""
    root, exercise = opened.root, opened.exercise
    found = list(_files(root))
    sources = [name for name in found if name.startswith("src/")]
    tests = [name for name in found if name.startswith("tests/")]
    loaded = [name for name in found if name.rpartition("/")[2] in special_names().loads]
    loaded += [str(path) for path in languages()[exercise.language].loaded_from_above(root)]
    count = sum(len(unit.tests) for unit in exercise.units)
    said = t(
        f"“{shown_name(exercise.title)}” came from elsewhere ({shown_name(str(root))}). Running it "
        f"executes its tests ({count} in {_listed(tests)}) and the code in src/ "
        f"({_listed(sources)}) on this machine"
    )
    if opened.vault.solution:
        said += t(", and for hints and reviews the solution that came with it")
    said += t(f"; tools also load {_listed(loaded)}.") if loaded else "."
    runs = [*tests, *sources, *loaded]
    return ConsentRequest(said, shown_name(str(root)), {"workspace": str(root), "runs": runs[:200]})


def runs_of_library(exercise: BundledExercise) -> ConsentRequest:
    """What opening the exercise of a library would run."""
    entry = exercise.entry
    where = shown_name(str(entry.path))
    count = sum(len(unit.tests) for unit in entry.units)
    tests = sorted(exercise.tests)
    said = t(
        f"“{shown_name(entry.title)}” comes from your own library ({where}). Before it opens "
        f"it is proven, which runs its tests ({count} in {_listed(tests)}), its code in src/, its "
        "solution and the code in its lesson on this machine."
    )
    more = [f"variants/{unit}.md" for unit in exercise.programs]
    more += [f"mistakes/{unit}.md" for unit in (*exercise.programs, *exercise.mistakes)]
    if more:
        said += t(f" It runs the programs in {_listed(more)} as well.")
    solution = (f"solution/{name}" for name in exercise.solution)
    runs = [*tests, *sorted(exercise.src), *solution, *more, "LESSON.md"]
    return ConsentRequest(said, where, {"workspace": str(entry.path), "runs": runs[:200]})


def runs_of_recording(path: Path) -> ConsentRequest:
    """What playing recorded answers of a model would run."""
    where = shown_name(str(path))
    said = t(
        f"The exercise recorded in {where} is proven before it opens, which runs its tests, its "
        "code in src/, its solution and the code in its lesson on this machine."
    )
    return ConsentRequest(said, where, {"workspace": str(path), "runs": [str(path)]})


def _files(root: Path) -> Iterator[str]:
    """Relative paths of files, and of folders that tools look for, in order."""
    seen, known = 0, special_names()
    for folder, folders, names in os.walk(root):
        base = os.path.relpath(folder, root)
        prefix = "" if base == "." else f"{base}/"
        yield from (f"{prefix}{name}" for name in sorted(folders) if name in known.loads)
        folders[:] = sorted(name for name in folders if name not in _SKIPPED | known.makes)
        for name in sorted(names):
            yield f"{prefix}{name}"
        seen += len(names) + len(folders)
        if seen > MOST_ENTRIES:
            return


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(shown_name(name) for name in names[:MOST_NAMES]) or "none"
    more = len(names) - MOST_NAMES
    return f"{shown} and {more} more" if more > 0 else shown
