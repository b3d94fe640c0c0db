"""The program that a unit asks about."""

from collections.abc import Collection

from tutor_lsp.core.language.predictions import Answer, Answers
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.registry import dialect


def answers_of(language: str, text: str) -> Answers:
    """The answers in a text. Blocks: parses."""
    return dialect(language).predictions.answers(text)


def program_files(files: Files, own: Collection[str]) -> tuple[str, ...]:
    """What was given of src/: no file of `own`, in which learners write."""
    return tuple(sorted(file for file in files if file.startswith("src/") and file not in own))


def right_values(language: str, solution: str) -> list[Answer]:
    """The answers of a reference. Blocks: parses."""
    return [each for each in answers_of(language, solution).found if each.literal]
