"""How long a test may take: the whole limit, or less where its stub has hung already."""

from collections.abc import Mapping

from tutor_lsp.core.ports import RunLimits


class Patience:
    """Limits of the tests of one run. Without targets every test has the whole limit."""

    def __init__(self, limits: RunLimits, targets: Mapping[str, str] | None) -> None:
        """`targets` says by test name which stub a test is about."""
        self._limits = limits
        self._targets = targets or {}
        self._hung: set[str] = set()

    def limit_s(self, test: str) -> float:
        """Seconds that this test may take from now on."""
        short = min(self._limits.again_s, self._limits.test_s)
        return short if self.is_short(test) else self._limits.test_s

    def is_short(self, test: str) -> bool:
        """Whether the stub of this test has hung already."""
        return self._targets.get(test) in self._hung

    def hung(self, test: str) -> None:
        """This test did not finish in its time."""
        if test in self._targets:
            self._hung.add(self._targets[test])
