"""Tests that were not built because a unit's own file, or its test file, does not build."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tutor_lsp.core.exercise.declared import declares
from tutor_lsp.core.exercise.report import (
    BuildError,
    Failure,
    Location,
    RawTest,
    TestOutcome,
)
from tutor_lsp.core.ports import Files
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.common.explain import NOTE_LIMIT
from tutor_lsp.languages.common.treesitter import one_line
from tutor_lsp.languages.registry import languages


def broken_test(name: str, error: BuildError) -> RawTest:
    """The result of a test that could not be built."""
    place = Location(error.file, error.line, error.column)
    return RawTest(name, TestOutcome.ERRORED, location=place, error=error.labelled, broken=error)


@dataclass(frozen=True, slots=True)
class Words:
    """How a language's compiler says of a declaration what a learner should hear.

    `private` are the codes of what is there but may not be used from outside, `public` the word
    that mends it. `lacks` matches a message about a name that is not there: what it is called, and
    then what it was looked for in, if that is said.
    """

    private: Collection[str] = ()
    public: str = ""
    lacks: Sequence[re.Pattern[str]] = ()


def not_built(
    error: BuildError, files: Files, stub: str | None, language: str, words: Words
) -> Failure:
    """What is missing, or does not fit, in one sentence."""
    lines = languages()[language].lines
    found = (file for file, text in files.items() if file.startswith("src/"))
    there = stub is not None and any(declares(files[file], stub, lines) for file in found)
    message = clip(one_line(error.message), NOTE_LIMIT)
    if error.file.startswith("src/"):
        return Failure(t(f"line {error.line} of {error.file} does not build: {message}"))
    if error.code in words.private:
        name = _quoted_name(error.message) or stub or ""
        return Failure(t(f"`{name}` is private to its file: make it `{words.public}`"))
    missing = next((m for each in words.lacks if (m := each.search(error.message))), None)
    name = missing["name"] if missing is not None else ""
    if stub is not None and not there:
        return Failure(t(f"`{stub}` is not declared yet"))
    if missing is not None and name != stub:
        inside = missing.groupdict().get("inside")
        if inside is None:
            return Failure(t(f"the tests use `{name}`, which is not declared"))
        return Failure(t(f"the tests use `{name}` of `{inside}`, which is not declared"))
    used = _line(files, error)
    if stub is None or not used:
        return Failure(message)
    return Failure(t(f"`{stub}` does not fit its use `{used}`: {message}"))


def _quoted_name(message: str) -> str | None:
    found = re.search(r"`([^`]+)`", message)
    return found[1] if found is not None else None


def _line(files: Files, error: BuildError) -> str:
    rows = files.get(error.file, "").split("\n")
    row = rows[error.line - 1].strip() if 0 < error.line <= len(rows) else ""
    return clip(row.rstrip(";"), NOTE_LIMIT)
