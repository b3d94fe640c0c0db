"""What an attempt runs on: the files as given, and the learner's own files alone."""

import hashlib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from tutor_lsp.core.exercise import LESSON, Exercise
from tutor_lsp.core.positions import normalise_line_ends

NAMED = 3
"""Most files that are named in one line; further ones are counted."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """What a file that was not given is to a run of its language.

    `taken` files are the learner's own source. One that is not taken is left out for the reason
    `why`, a clause; without a reason no run looks at it, and nothing is said of it. `data` may be
    read by code, but is nothing that a tool loads: it may change during a run.
    """

    taken: bool = False
    why: str = ""
    data: bool = False


TAKEN = NewFile(taken=True)
UNSEEN = NewFile()

Classify = Callable[[str], NewFile]
"""`Toolchain.new_file`: what a new file of that workspace path is."""


@dataclass(frozen=True, slots=True)
class Found:
    """The files of an exercise folder as they were at one time, by path with `/`.

    `texts` holds what was read, bytes that are no UTF-8 as lone surrogates (`surrogateescape`);
    `odd` what was not read, with a clause that says why (a link, too large, a device).
    """

    texts: Mapping[str, str]
    odd: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that an attempt leaves out. `why` is a clause; it is empty for a given file, which is
    used as it was given."""

    file: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All files that an attempt runs on, and what was left out, in the order of the paths.

    `hash` identifies the files by path and content, byte for byte: equal hashes, equal runs.
    `missing` are stub files that are not there; `at` is when the learner's were read (ISO 8601, in
    UTC; "" where that does not matter).
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
    classify: Classify,
    placed: Mapping[str, str] | None = None,
) -> Snapshot:
    """The snapshot of an exercise folder in which `found` was read.

    `given` are all files as delivered; the lesson is no part of a run. Stub files are the
    learner's as they were found; every other given file is taken as given, whatever became of
    it, and `placed` are those that every run puts in place by itself, a check too. Of further files
    those are taken that `classify` takes.
    """
    placed = placed or {}
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
                left_out.append(LeftOut(file))
        elif file in given:
            files[file] = given[file]
            seen = file.startswith(("src/", "tests/")) or classify(file) != UNSEEN
            if seen and not same_text(found.texts.get(file), given[file]):
                left_out.append(LeftOut(file))
        else:
            new = classify(file)
            why = found.odd.get(file) or new.why
            if new.taken and file in found.texts:
                files[file] = found.texts[file]
            elif why and (new.taken or new.why):
                left_out.append(LeftOut(file, why))
    missing = tuple(file for file in sorted(own) if file not in files)
    return Snapshot(files, tuple(left_out), missing, text_hash(files))


def run_hash(shot: Snapshot, found: Found) -> str:
    """Identifies what a check runs on in a folder in which `found` was read.

    It is the snapshot's own hash where an attempt would leave nothing out, so that a check and
    an attempt of the same texts have the same hash.
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
    """In one line what an attempt leaves out; empty if that is nothing."""
    if not left_out:
        return ""
    named = [_named(item) for item in list(left_out)[:NAMED]]
    more = len(left_out) - len(named)
    if more:
        named.append(f"{more} more {'file' if more == 1 else 'files'}")
    told = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return f"An attempt leaves out {told}."


def _named(item: LeftOut) -> str:
    name = _printable(item.file)
    if item.why:
        return f"{name} ({item.why})"
    undo = " (tutor.restore takes them back)" if item.file.startswith("tests/") else ""
    return f"your changes to {name}{undo}"


def _printable(file: str) -> str:
    """The name on one line, whatever characters it has."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in file)


def readable(text: str) -> str:
    """The text without the lone surrogates of undecodable bytes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def same_text(one: str | None, other: str) -> bool:
    """Whether two texts are the same but for line ends, byte order mark and final empty lines."""
    return one is not None and _normal(one) == _normal(other)


def _normal(text: str) -> str:
    return normalise_line_ends(text.removeprefix("\ufeff")).rstrip("\n")
