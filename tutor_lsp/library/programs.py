"""The programs that a learner's tests run on, as their author wrote them: `variants/ex-N.md` has
right ones, `mistakes/ex-N.md` known mistakes. Each has a heading and its whole text in a fence,
whose first line names the language and the file that it replaces.
"""

import re

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.files import wrong_path
from tutor_lsp.core.session import Programs, WrongProgram
from tutor_lsp.library.entry import BrokenExerciseError, Entry, EntryUnit
from tutor_lsp.library.markdown import Code, code_blocks, split_at
from tutor_lsp.library.texts import Texts

RIGHT, WRONG = "variants", "mistakes"
_SHOWS = re.compile(r"`(?P<call>[^`]+)` is `(?P<gives>[^`]+)`\.?")
_KEY = re.compile(r"(?P<key>Tag|Shows):\s*(?P<value>.*)")
_L2 = "### L2"


def read_programs(texts: Texts, entry: Entry) -> dict[str, Programs]:
    """The programs of each unit that asks for tests. Raises BrokenExerciseError."""
    asking = [unit for unit in entry.units if unit.kind == UnitKind.TEST]
    known = {f"{RIGHT}/{unit.id}.md" for unit in asking}
    there = texts.below(RIGHT) if texts.has(RIGHT) else {}
    if stray := sorted(there.keys() - known):
        raise BrokenExerciseError(f"{stray[0]} belongs to no unit that asks for tests")
    return {unit.id: _of_unit(texts, unit) for unit in asking}


def _of_unit(texts: Texts, unit: EntryUnit) -> Programs:
    right, wrong = f"{RIGHT}/{unit.id}.md", f"{WRONG}/{unit.id}.md"
    variants = [_Piece(right, each) for each in _pieces(texts, right)]
    mistakes = [_Piece(wrong, each) for each in _pieces(texts, wrong)]
    named = {piece.file: piece.name for piece in (*variants, *mistakes)}
    if len(named) > 1:
        files = ", ".join(sorted(named))
        raise BrokenExerciseError(
            f"{right} and {wrong} replace {files}: all programs of a unit replace the same file"
        )
    return Programs(
        file=next(iter(named)),
        right=tuple(piece.code for piece in variants),
        wrong=tuple(piece.mistake() for piece in mistakes),
    )


def _pieces(texts: Texts, name: str) -> list[str]:
    pieces = [each for each in split_at(texts.one(name), 2) if each.strip()]
    if not pieces or not all(each.startswith("## ") for each in pieces):
        raise BrokenExerciseError(f"{name} must consist of programs with a heading (##) each")
    return pieces


class _Piece:
    """One program below its heading."""

    def __init__(self, name: str, text: str) -> None:
        fences = [block for block in code_blocks(text) if block.fenced]
        heading, _, rest = text.partition("\n")
        self.name = heading.removeprefix("## ").strip()
        self._where = f"“{self.name}” in {name}"
        if not fences:
            raise BrokenExerciseError(f"{self._where} has no program in a fence")
        self.file = _file(fences[0], self._where)
        self.code = f"{fences[0].text}\n"
        lines = rest.split("\n")
        self._above = "\n".join(lines[: fences[0].first - 2])
        self._below = "\n".join(lines[fences[0].last - 1 :]).strip()

    def mistake(self) -> WrongProgram:
        """It as a mistake, with what is said of it."""
        said: list[str] = []
        keys: dict[str, str] = {}
        for line in self._above.split("\n"):
            found = _KEY.fullmatch(line.strip())
            if found is None:
                said.append(line.strip())
            else:
                keys[found["key"]] = found["value"].strip()
        says = " ".join(filter(None, said))
        if not says:
            raise BrokenExerciseError(f"{self._where} needs a sentence that says what it does")
        shows = _SHOWS.fullmatch(keys.get("Shows", ""))
        if shows is None:
            raise BrokenExerciseError(
                f"{self._where} needs an input that shows it, and what a right program gives there,"
                " in a line of its own: Shows: `price(199, 10)` is `179`"
            )
        if self._below and not self._below.startswith(_L2):
            raise BrokenExerciseError(f"{self._where} may only have “{_L2}” below its program")
        hint = self._below.removeprefix(_L2).strip()
        tag = keys.get("Tag", "")
        return WrongProgram(self.name, self.code, says, shows["call"], shows["gives"], tag, hint)


def _file(fence: Code, where: str) -> str:
    _, _, file = fence.info.partition(" ")
    if not file.startswith("src/") or wrong_path(file.strip()) is not None:
        raise BrokenExerciseError(
            f"{where} does not name the file that it replaces: its fence begins with the language "
            "and a file of src/"
        )
    return file.strip()
