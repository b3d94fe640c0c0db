"""What an attempt runs on: the files as given, plus only the learner's own."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tutor_lsp.core.exercise.exercise import LESSON, Exercise
from tutor_lsp.core.text.plain_text import listed
from tutor_lsp.core.text.positions import normalise_line_ends
from tutor_lsp.core.text.translation import n, t

NAMED = 3
"""Most files named in one line; the rest are counted."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """How a run in a language treats a file that was not given.

    `taken` files are the learner's own source. One that is not taken is left out for the reason
    `why`, a clause; without a reason no run would use it, and it is not mentioned. `data` may be
    read by code but is not loaded by any tool: it may change during a run.
    """

    taken: bool = False
    why: str = ""
    data: bool = False


TAKEN = NewFile(taken=True)
UNSEEN = NewFile()


class Rules(Protocol):
    """A language's rules for files; a `Toolchain` implements them. Pure."""

    def new_file(self, file: str) -> NewFile:
        """How a run treats the file at that workspace path if it was not given: as the learner's
        own source, or as one with a name that a tool loads by itself or that shadows part of
        the standard library or the test framework."""

    def with_new_files(self, file: str, given: str, found: str) -> str:
        """A given source file, with those lines of the learner's `found` text that only declare
        their new files, if the language needs such lines."""

    def put_in_place(self, given: Collection[str]) -> Mapping[str, str]:
        """Files, by path, that every run, also a check, puts in place by itself, if `given` are
        the files given."""


@dataclass(frozen=True, slots=True)
class Found:
    """The files of an exercise folder as they were at one time, by path with `/`.

    `texts` has what was read, bytes that are not UTF-8 as lone surrogates (`surrogateescape`);
    `odd` what was not read, with a clause that says why (a link, too large, a device).
    """

    texts: Mapping[str, str]
    odd: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that an attempt ignores. `why` is a clause; it is empty for a given file, which is
    used as it was given, whether it was changed or is `gone`."""

    file: str
    why: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All files that an attempt runs on, and what was left out, ordered by path.

    `hash` identifies the files by path and content, byte for byte: equal hashes, equal runs.
    `missing` are stub files that do not exist; `at` is when the learner's were read (ISO 8601, in
    UTC; "" if it does not matter).
    """

    files: Mapping[str, str]
    left_out: tuple[LeftOut, ...]
    missing: tuple[str, ...]
    hash: str
    at: str = ""

    @property
    def texts(self) -> dict[str, str]:
        """The files as text for people and parsers: undecodable bytes are replaced."""
        return {file: readable(text) for file, text in self.files.items()}


def snapshot(
    exercise: Exercise,
    given: Mapping[str, str],
    found: Found,
    rules: Rules,
) -> Snapshot:
    """The snapshot of an exercise folder whose files are `found`.

    `given` are all files as delivered; the lesson is not part of a run. Stub files are taken as
    found; every other given file is taken as given, whatever happened to it, except for lines
    that declare new files. Of new files those are taken that `rules` take.
    """
    placed = rules.put_in_place(given)
    own = {unit.file for unit in exercise.units}
    files: dict[str, str] = {}
    left_out: list[LeftOut] = []
    for file in sorted({*given, *placed, *own, *found.texts, *found.odd} - {LESSON}):
        if file in own:
            if file in found.texts:
                files[file] = found.texts[file]
            elif file in found.odd:
                left_out.append(LeftOut(file, found.odd[file]))
        elif file in placed:
            files[file] = placed[file]
            if file not in given and found.texts.get(file, placed[file]) != placed[file]:
                left_out.append(LeftOut(file, rules.new_file(file).why))
        elif file in given:
            mine = found.texts.get(file)
            files[file] = _as_given(file, given[file], mine, rules)
            if affects_runs(file, rules) and (
                mine is None or not _same_text(mine, given[file], files[file])
            ):
                left_out.append(LeftOut(file, gone=mine is None))
        else:
            new = rules.new_file(file)
            why = found.odd.get(file) or new.why
            if new.taken and file in found.texts:
                files[file] = found.texts[file]
            elif why and (new.taken or new.why):
                left_out.append(LeftOut(file, why))
    missing = tuple(file for file in sorted(own) if file not in files)
    return Snapshot(files, tuple(left_out), missing, text_hash(files))


def affects_runs(file: str, rules: Rules) -> bool:
    """Whether a given file affects a run."""
    return file.startswith(("src/", "tests/")) or rules.new_file(file) != UNSEEN


def run_hash(shot: Snapshot, found: Found) -> str:
    """Identifies what a check runs on in a folder whose files are `found`.

    It is the snapshot's own hash if an attempt would leave nothing out, so a check and an
    attempt of the same texts have the same hash.
    """
    if not shot.left_out:
        return shot.hash
    odd = {f"{file}\0": why for file, why in found.odd.items()}
    return text_hash({**found.texts, **odd})


def text_hash(files: Mapping[str, str]) -> str:
    """Identifies files by path and content, byte for byte."""
    digest = hashlib.sha256()
    for file, text in sorted(files.items()):
        for part in (file, text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()[:32]


def left_out_line(left_out: Collection[LeftOut]) -> str:
    """One line on what an attempt ignores; empty if that is nothing."""
    if not left_out:
        return ""
    named = [_named(item) for item in list(left_out)[:NAMED]]
    more = len(left_out) - len(named)
    if more:
        named.append(n("{count} more file", "{count} more files", more))
    return t(f"An attempt ignores {listed(named)}.")


def _named(item: LeftOut) -> str:
    name = _printable(item.file)
    if item.why:
        return f"{name} ({item.why})"
    if item.gone:
        return t(f"the deletion of {name} (tutor.restore puts it back)")
    return t(f"your changes to {name} (tutor.restore undoes them)")


def _printable(file: str) -> str:
    """The name on one line, whatever characters it has."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in file)


def readable(text: str) -> str:
    """The text without the lone surrogates of undecodable bytes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _as_given(file: str, given: str, mine: str | None, rules: Rules) -> str:
    """A given file, with the learner's lines that declare their new files."""
    if mine is None or not file.startswith("src/"):
        return given
    return rules.with_new_files(file, given, mine)


def _same_text(mine: str, given: str, taken: str) -> bool:
    """Whether nothing of the learner's is left out, ignoring line ends, a byte order mark and
    final empty lines. A line that declares a new file may be anywhere."""
    if taken == given:
        return _lines(mine) == _lines(given)
    return sorted(filter(None, _lines(mine))) == sorted(filter(None, _lines(taken)))


def _lines(text: str) -> list[str]:
    return normalise_line_ends(text.removeprefix("\ufeff")).rstrip("\n").split("\n")
