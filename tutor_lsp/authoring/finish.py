"""From a proven candidate to the exercise as recorded and placed."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tutor_lsp.authoring.content import candidate_hash
from tutor_lsp.authoring.model import Candidate, ProvenExercise
from tutor_lsp.authoring.remedial import Need, with_remedial
from tutor_lsp.core.exercise.exercise import LESSON, Exercise, Proof
from tutor_lsp.core.session import Vault
from tutor_lsp.library.loader import BundledExercise
from tutor_lsp.library.markdown import headings
from tutor_lsp.library.remedial import remedial_texts

NO_NEED = Need()
_SLUG = 40
_TITLE = 80


def finish(
    candidate: Candidate,
    proof: Proof,
    *,
    scaffold: Mapping[str, Any],
    title: str,
    backend: str,
    minutes: int | None,
    bundled: BundledExercise | None = None,
    challenge: bool = False,
    need: Need = NO_NEED,
) -> ProvenExercise:
    """The exercise to place, and what stays in the vault.

    Title, minutes, folder and hints come from the bundled exercise; without one, the title is the
    lesson's, or else `title`, and the folder is named after node and scaffold id. A challenge
    has a single page instead of the lesson. A bundled lesson gets the remedial section that the
    learner needs; a model was told to write that itself. Reads the language's remedial texts.
    """
    files, units = dict(candidate.files), candidate.units
    description = str(scaffold["exercise_description"])
    name = bundled.entry.title if bundled else _title(files[LESSON], title)
    if challenge:
        files[LESSON] = _challenge(name, description)
        units = tuple(replace(unit, lesson_line=1) for unit in units)
    elif bundled is not None:
        texts = remedial_texts(candidate.language) if need.open else {}
        files[LESSON], units = with_remedial(files[LESSON], units, bundled.hints, need, texts)
    exercise = Exercise(
        id=str(scaffold["scaffold_id"]),
        node=str(scaffold["node_id"]),
        title=name,
        language=candidate.language,
        depth=str(scaffold["depth_target"]),
        description=description,
        units=units,
        files=tuple(sorted(files)),
        starter={unit.file: files[unit.file] for unit in units},
        proof=proof,
        content_hash=candidate_hash(candidate),
        backend=backend,
        challenge=challenge,
        minutes=bundled.entry.minutes if bundled else minutes,
    )
    vault = Vault(
        solution=candidate.solution,
        hints=bundled.hints if bundled else {},
        originals=files,
        accepts=dict(candidate.accepts),
        programs=dict(candidate.programs),
        mistakes=dict(candidate.mistakes),
    )
    folder = bundled.entry.folder if bundled else _folder(exercise)
    return ProvenExercise(exercise, vault, files, folder)


def _title(lesson: str, otherwise: str) -> str:
    first = next((mark for mark in headings(lesson) if mark.level == 1), None)
    return first.text[:_TITLE] if first and first.text else otherwise[:_TITLE]


def _challenge(title: str, description: str) -> str:
    return (
        f"# {title}\n\n{description}\n\nThis is a challenge: the stubs and their tests are all "
        "there is. Ask for a hint whenever you want one.\n"
    )


def _folder(exercise: Exercise) -> str:
    words = re.findall(r"[a-z0-9]+", exercise.id.lower())
    node = exercise.node.split("-")
    known = {*node, exercise.language}
    slug = "-".join(word for word in words if word not in known) or "-".join(words) or "exercise"
    # The folders of all languages lie side by side.
    language = [] if exercise.language in node else [exercise.language]
    return "-".join((*language, exercise.node, slug[:_SLUG].strip("-")))
