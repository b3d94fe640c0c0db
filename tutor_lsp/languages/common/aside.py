"""Which units a build goes without, and what that makes of their tests."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import NO_TESTS, BuildError, RawTest, RunOutcome
from tutor_lsp.languages.common.apart import NOT_FOUND, Tested
from tutor_lsp.languages.common.broken import broken_test


def without_place(texts: Iterable[str]) -> list[BuildError]:
    """Errors of a build that name no place."""
    return [BuildError("", 1, 1, 1, 2, None, text) for text in texts]


class LeftOut:
    """The units of one run that it may do without, and which it does without so far."""

    def __init__(self, units: Sequence[Aside], names: Collection[str] | None) -> None:
        """`names` are the tests that were asked for; None for all."""
        self._units = tuple(units)
        self._names = names
        self._errors: dict[Aside, list[BuildError]] = {}
        self._whole: set[Aside] = set()
        self._suspects: tuple[str, ...] | None = None
        self._untried: list[str] = []
        self._said: list[BuildError] = []
        self._tried: str | None = None
        self.probing = False
        """Whether the next build is only to tell whether it builds."""

    @property
    def files(self) -> frozenset[str]:
        """The files that are left out: test files, and sources that do not build."""
        tests = (unit.test_file for unit in self._errors)
        return frozenset((*tests, *self.sources))

    @property
    def sources(self) -> frozenset[str]:
        """The sources that are left out."""
        return frozenset(unit.file for unit in self._whole)

    @property
    def errors(self) -> tuple[BuildError, ...]:
        """All that was said of their files."""
        found = (error for errors in self._errors.values() for error in errors)
        return tuple(dict.fromkeys(found))

    def concerns(self, errors: Sequence[BuildError]) -> bool:
        """Whether some of these are in a file that a build may do without."""
        own = {file for unit in self._units for file in (unit.file, unit.test_file)}
        return any(error.file in own for error in errors)

    def leave_out_gone(self, root: Path) -> bool:
        """Leave out the units whose files are not there; whether there are any. Blocks."""
        for unit in self._units:
            if not (root / unit.file).exists():
                self._errors[unit] = [BuildError(unit.file, 1, 1, 1, 2, None, "is gone")]
                self._whole.add(unit)
        return bool(self._whole)

    def again(self, errors: Sequence[BuildError]) -> bool:
        """Whether to build again with other files, after a build that ended with these errors.

        Left out are the units in whose files they are. Where they are in none, what is declared is
        of consequence elsewhere: all are left out, and then each file is tried again, first ones
        first.
        """
        if errors and self._blame(errors):
            return True
        if self._suspects is None:
            return self._suspect(errors)
        if not self.probing:
            return False
        if errors:
            if self._tried is None:  # all are left out: the errors are not theirs
                return False
            self._leave_out(self._tried)
        self._tried = None
        out = [file for file in self._suspects if file in self.sources]
        if self._untried and len(out) > 1:
            self._tried = self._untried.pop(0)
            self._take_back(self._tried)
        else:
            self.probing = False
        return True

    def _blame(self, errors: Sequence[BuildError]) -> bool:
        """Leave out the units in whose files these errors are; whether there are new ones."""
        new = False
        for unit in self._units:
            own = [error for error in errors if error.file == unit.file]
            tests = [error for error in errors if error.file == unit.test_file]
            if unit not in self._whole and (own or (tests and unit not in self._errors)):
                self._errors[unit] = [*own, *tests]
                new = True
                if own:
                    self._whole.add(unit)
        return new

    def _suspect(self, errors: Sequence[BuildError]) -> bool:
        left = tuple(dict.fromkeys(u.file for u in self._units if u not in self._whole))
        if not left or not errors:
            return False
        self._suspects, self._untried = left, list(left)
        self._said = list(errors)
        for file in left:
            self._leave_out(file)
        self.probing = len(left) > 1
        return True

    def _leave_out(self, file: str) -> None:
        for unit in self._of(file):
            self._whole.add(unit)
            self._errors.setdefault(unit, self._said)

    def _take_back(self, file: str) -> None:
        for unit in self._of(file):
            self._whole.discard(unit)
            if self._errors.get(unit) is self._said:
                del self._errors[unit]

    def _of(self, file: str) -> list[Aside]:
        """The units of a file, which may be several."""
        return [unit for unit in self._units if unit.file == file]

    def tests(self) -> tuple[RawTest, ...]:
        """The tests that were not built."""
        return tuple(
            broken_test(name, errors[0])
            for unit, errors in self._errors.items()
            for name in unit.tests
            if self._names is None or name in self._names
        )

    def settled(self, tested: Tested) -> Tested:
        """How a run ended with those tests among the others."""
        outcome, reason, tests = tested
        broken = self.tests()
        if not broken or outcome is RunOutcome.BUILD_ERROR:
            return tested
        if outcome is RunOutcome.PASSED or reason in (NO_TESTS, NOT_FOUND):
            outcome, reason = RunOutcome.FAILED, None
        known = {test.name for test in broken}
        return outcome, reason, (*(test for test in tests if test.name not in known), *broken)
