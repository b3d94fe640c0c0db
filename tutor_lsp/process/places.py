"""Where runs of one kind work: one run at a time in each place."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Self

from tutor_lsp.process.box import Area
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.spec import Spec
from tutor_lsp.process.supervised import Guard


class Places:
    """Areas, with guards waiting in them where guards exist.

    A guard costs several milliseconds of processor time for its first run and less than one for
    each that follows, which sees nothing of earlier runs. Use as `with Places(…) as places`; the
    guards end with the block.

    """

    def __init__(self, containment: Containment, spec: Spec, area: Callable[[], Area]) -> None:
        """`spec` has the folder, environment and limits of the runs, and a program in the same
        place as theirs; `area` makes a new area."""
        self._containment = containment
        self._spec = spec
        self._area = area
        self._free: list[tuple[Area, Guard]] = []

    def make(self, count: int) -> None:
        """Start preparing that many, for the first runs. Raises OSError."""
        for _ in range(count):
            area = self._area()
            guard = self._containment.guard(self._spec, area)
            if guard is not None:
                self._free.append((area, guard))

    @contextlib.contextmanager
    def one(self) -> Iterator[tuple[Area, Guard | None]]:
        """A place for the run of the block. What the run left in the files of its area stays
        available until the end of the block. Raises OSError."""
        if not self._free:
            self.make(1)
        area, guard = self._free.pop(0) if self._free else (self._area(), None)
        try:
            yield area, guard
        finally:
            if guard is not None and guard.idle:
                self._free.append((area, guard))
            elif guard is not None:
                guard.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._free:
            self._free.pop()[1].close()
