"""The hash that tells whether two exercises are the same for the proof."""

import hashlib
from collections.abc import Mapping
from types import MappingProxyType

from tutor_lsp.authoring.model import Candidate
from tutor_lsp.library.loader import BundledExercise

NONE: Mapping[str, str] = MappingProxyType({})


def content_hash(
    language: str,
    files: Mapping[str, str],
    solution: Mapping[str, str],
    accepts: Mapping[str, str] = NONE,
) -> str:
    """SHA-256 in hex over language, authored files, reference and domains, in any order.

    `files` are lesson, starter and tests before the toolchain added its build files, so a
    record stays valid as long as what a person or model wrote is the same.
    """
    digest = hashlib.sha256()
    groups = (
        ("language", {"": language}),
        ("files", files),
        ("solution", solution),
        ("accepts", accepts),
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
        candidate.language, candidate.authored, candidate.solution, candidate.accepts
    )


def bundled_hash(exercise: BundledExercise) -> str:
    """`content_hash` of a bundled exercise."""
    return content_hash(
        exercise.entry.language, exercise.files, exercise.solution, exercise.accepts
    )
