"""The hash that tells whether two exercises are the same for the proof."""

import hashlib
import json
from collections.abc import Mapping
from types import MappingProxyType

from tutor_lsp.authoring.model import Candidate
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.session import Programs
from tutor_lsp.library.loader import BundledExercise
from tutor_lsp.wire import to_wire

NONE: Mapping[str, str] = MappingProxyType({})
NO_MISTAKES: Mapping[str, tuple[Mistake, ...]] = MappingProxyType({})
NO_PROGRAMS: Mapping[str, Programs] = MappingProxyType({})


def content_hash(
    language: str,
    files: Mapping[str, str],
    solution: Mapping[str, str],
    accepts: Mapping[str, str] = NONE,
    mistakes: Mapping[str, tuple[Mistake, ...]] = NO_MISTAKES,
    programs: Mapping[str, Programs] = NO_PROGRAMS,
) -> str:
    """SHA-256 in hex over language, authored files, reference, domains, known mistakes and the
    programs that tests run on, in any order.

    `files` are lesson, starter and tests before the toolchain added its build files, so a
    record stays valid as long as what a person or model wrote is the same.
    """
    digest = hashlib.sha256()
    groups = (
        ("language", {"": language}),
        ("files", files),
        ("solution", solution),
        ("accepts", accepts),
        ("mistakes", {unit: json.dumps(to_wire(each)) for unit, each in mistakes.items()}),
        ("programs", {unit: json.dumps(to_wire(each)) for unit, each in programs.items()}),
    )
    for group, texts in groups:
        for path, text in sorted(texts.items()):
            raw = text.encode()
            digest.update(f"{group}\0{path}\0{len(raw)}\0".encode())
            digest.update(raw)
    return digest.hexdigest()


def candidate_hash(candidate: Candidate) -> str:
    """`content_hash` of an exercise to be proven."""
    return content_hash(
        candidate.language,
        candidate.authored,
        candidate.solution,
        candidate.accepts,
        candidate.mistakes,
        candidate.programs,
    )


def bundled_hash(exercise: BundledExercise) -> str:
    """`content_hash` of a bundled exercise."""
    return content_hash(
        exercise.entry.language,
        exercise.files,
        exercise.solution,
        exercise.accepts,
        exercise.mistakes,
        exercise.programs,
    )
