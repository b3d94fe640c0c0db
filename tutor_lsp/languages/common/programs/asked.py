"""The units that ask for tests, what their tests run on, and what is known of that already."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.core.exercise.exercise import LESSON, Unit, verdicts
from tutor_lsp.core.exercise.report import RawTest
from tutor_lsp.core.ports import Files, Toolchain
from tutor_lsp.core.session import Programs

REMEMBERED = 64
"""How many verdicts are kept: of texts that come back, and where another file was edited."""

UNKNOWN = Programs("", (), ())
"""Of an exercise that came without the library that it is from."""
Place = Callable[[], AbstractAsyncContextManager[Path]]
"""A folder for the copies, for as long as they run; whatever is in it was put there before."""
Results = tuple[RawTest, RawTest]


@dataclass(frozen=True, slots=True)
class Asked:
    """A unit that asks for tests; `base` is what its programs stand in: what was given."""

    stub: str
    file: str
    programs: Programs
    base: Mapping[str, str]

    @property
    def names(self) -> tuple[str, str]:
        """The names of its two results."""
        return verdicts(self.stub)

    def with_program(self, text: str, tests: str) -> dict[str, str]:
        """All files for a run of these tests on a program."""
        return {**self.base, self.programs.file: text, self.file: tests}


def asked(
    units: Sequence[Unit],
    given: Files,
    programs: Mapping[str, Programs],
    toolchain: Toolchain,
) -> tuple[Asked, ...]:
    """The units that ask for tests; where their programs are not known they have none. `given` are
    all files as given. Parses test files."""
    mine = [unit for unit in units if unit.asks_for_tests]
    if not mine:
        return ()
    alone = {unit.file for unit in units if unit.aside is not None}
    base = {
        file: "" if file in alone else text
        for file, text in given.items()
        if file != LESSON
        and not (file.startswith("tests/") and (file in alone or toolchain.tests(text)))
    }
    return tuple(Asked(unit.stub, unit.file, programs.get(unit.id, UNKNOWN), base) for unit in mine)


class ProgramRuns:
    """Runs tests on programs; keeps verdicts of texts that it has seen."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._known: dict[str, Results] = {}

    def known(self, key: str) -> Results | None:
        """The verdict of before."""
        return self._known.get(key)

    def keep(self, key: str, results: Results) -> None:
        """Remember a verdict."""
        self._known[key] = results
        while len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    def place(self) -> AbstractAsyncContextManager[Path]:
        """Where to run."""
        return self._place()
