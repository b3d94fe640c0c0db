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
from tutor_lsp.core.text.translation import filled, form_of, t
from tutor_lsp.languages.common.explain import NOTE_LIMIT
from tutor_lsp.languages.common.treesitter import one_line
from tutor_lsp.languages.registry import languages


def broken_test(name: str, error: BuildError) -> RawTest:
    """The result of a test that could not be built."""
    place = Location(error.file, error.line, error.column)
    return RawTest(name, TestOutcome.ERRORED, location=place, error=error.labelled, broken=error)


@dataclass(frozen=True, slots=True)
class Phrase:
    """How a learner hears what a compiler says. `says` is found in its message, which may be of
    one of `codes` only; `form` has places for the groups of that, and for `stub` and `use`."""

    says: re.Pattern[str]
    form: str
    codes: Collection[str] = ()

    def told(self, error: BuildError, **places: str) -> str | None:
        """The sentence; None if the message is another one."""
        found = self.says.search(error.message)
        if found is None or (self.codes and error.code not in self.codes):
            return None
        values = {**places, **{k: v or "" for k, v in found.groupdict().items()}}
        return filled(form_of(self.form), self.form, values)


@dataclass(frozen=True, slots=True)
class Words:
    """How a language's compiler says of a declaration what a learner should hear.

    `private` are the codes of what is there but may not be used from outside, `public` the word
    that mends it. `lacks` matches a message about a name that is not there: what it is called, and
    then what it was looked for in, if that is said. `unfit` is about uses of what is there, and
    `own` about the learner's own file. `parsed` are the codes of errors before anything runs,
    where a file is run rather than built.
    """

    private: Collection[str] = ()
    public: str = ""
    lacks: Sequence[re.Pattern[str]] = ()
    unfit: Sequence[Phrase] = ()
    own: Sequence[Phrase] = ()
    parsed: Collection[str] | None = None


def not_built(
    error: BuildError, files: Files, stub: str | None, language: str, words: Words
) -> Failure:
    """What is missing, or does not fit, in one sentence."""
    lines = languages()[language].lines
    found = (file for file, text in files.items() if file.startswith("src/"))
    there = stub is not None and any(declares(files[file], stub, lines) for file in found)
    if error.file.startswith("src/"):
        return Failure(_of_its_own(error, words))
    if error.code in words.private:
        name = _quoted_name(error.message) or stub or ""
        return Failure(t(f"`{name}` is private to its file: make it `{words.public}`"))
    if stub is not None and not there:
        return Failure(t(f"`{stub}` is not declared yet"))
    used = _line(files, error)
    told = (each.told(error, stub=stub or "", use=used) for each in words.unfit if used)
    if (said := next(filter(None, told), None)) is not None:
        return Failure(said)
    missing = next((m for each in words.lacks if (m := each.search(error.message))), None)
    name = missing["name"] if missing is not None else ""
    if missing is not None and name != stub:
        inside = missing.groupdict().get("inside")
        if inside is None:
            return Failure(t(f"the tests use `{name}`, which is not declared"))
        return Failure(t(f"the tests use `{name}` of `{inside}`, which is not declared"))
    # What a compiler advises is about the tests here, which are right.
    message = clip(one_line(error.message).partition("; ")[0], NOTE_LIMIT)
    if stub is None or not used:
        return Failure(message)
    return Failure(t(f"`{stub}` does not fit its use `{used}`: {message}"))


def _of_its_own(error: BuildError, words: Words) -> str:
    told = (each.told(error) for each in words.own)
    said = next(filter(None, told), None)
    message = said or clip(one_line(error.message), NOTE_LIMIT)
    if words.parsed is not None and error.code is not None and error.code not in words.parsed:
        return t(f"line {error.line} of {error.file} raised {message}")
    return t(f"line {error.line} of {error.file} does not build: {message}")


def _quoted_name(message: str) -> str | None:
    found = re.search(r"`([^`]+)`", message)
    return found[1] if found is not None else None


def _line(files: Files, error: BuildError) -> str:
    rows = files.get(error.file, "").split("\n")
    row = rows[error.line - 1].strip() if 0 < error.line <= len(rows) else ""
    return clip(row.rstrip("{;, "), NOTE_LIMIT)
