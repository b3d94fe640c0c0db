"""What reaches into the run that judges it: one finding, and the sentence that refuses the run."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common.build_cache import sign

LARGEST = 1024 * 1024
"""Sources over this many bytes are not read."""


@dataclass(frozen=True, slots=True)
class Tampering:
    """Something that only serves to change what a run says. `line` is None where it is not known;
    `what` goes on a sentence that begins with the place."""

    file: str
    line: int | None
    what: str

    def sentence(self) -> str:
        """Why the run does not count, and what to do."""
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        return marked(
            f"{place} {self.what}, so this run would not tell whether the exercise is solved and "
            "is not counted: take that out and try again."
        )


def first(found: Iterable[Tampering]) -> Tampering | None:
    """The one to speak of."""
    return next(iter(found), None)


def sources(workspace: Path, *suffixes: str) -> Iterator[tuple[str, str]]:
    """Relative path and text of the files below `src/`, in order. Blocks."""
    for path in sorted((workspace / "src").rglob("*")):
        if path.suffix in suffixes and path.is_file() and path.stat().st_size <= LARGEST:
            name = path.relative_to(workspace).as_posix()
            yield name, path.read_text(encoding="utf-8", errors="replace")


REPLACED = marked(
    "A test program was changed by one of its own tests, so this run is not counted: take out what "
    "writes to the build folder and try again."
)


Stamp = tuple[int, ...]


def stamps(paths: Iterable[Path]) -> dict[Path, Stamp]:
    """What tells whether a file was replaced or written to, of those that are there. Blocks."""
    return {path: found for path in paths if (found := _stamp(path)) is not None}


def left_by_build(folder: Path) -> list[Path]:
    """All that a build has left in its folder, for `stamps`: what is kept there goes into the next
    program. Blocks."""
    return [path for path in folder.rglob("*") if path.is_file()]


def replaced(before: Mapping[Path, Stamp]) -> bool:
    """Whether one of the files is another one now; one that is gone is not. Blocks."""
    return any(before[path] != now for path, now in stamps(before).items())


def _stamp(path: Path) -> Stamp | None:
    try:
        return sign(path)  # its last part no program can set
    except OSError:
        return None
