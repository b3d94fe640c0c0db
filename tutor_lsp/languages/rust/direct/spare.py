"""The compilers of one build, which may be started before anybody knows the texts."""

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tutor_lsp.languages.common.spares import Seen, Spares
from tutor_lsp.languages.rust.direct.compiling import Compiling, LibraryRefused, Told
from tutor_lsp.languages.rust.direct.linker import Around, Waiting
from tutor_lsp.languages.rust.direct.plan import BuildPlan
from tutor_lsp.process.box import Area
from tutor_lsp.process.child import Child
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.run import Capped, LineFeed, Outcome, ended_within, processors
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import Spec

_ERR_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Asked:
    """A build in a folder by a plan, whose key names all else that it depends on; all is made in
    `out` below `target`. Its tests are linked by a linker that waits if `waits`, by a faster one
    than the usual if `fast`."""

    workspace: Path
    target: Path
    out: Path
    key: str
    plan: BuildPlan
    waits: bool
    fast: bool
    limit_s: float
    containment: Containment

    def area(self, scratch: Path) -> Area:
        """Where it works."""
        writable = (self.target, self.out)
        return Area(self.workspace, scratch, writable=writable, copied=False)


class Compilers:
    """They serve one build. Use as `async with`, which ends them."""

    def __init__(self, asked: Asked) -> None:
        linking = Waiting(asked.out, chosen=asked.fast) if asked.waits else None
        self._asked = asked
        self._resources = contextlib.AsyncExitStack()
        self._saw = Seen(self._places())
        self._resources.callback(self._saw.close)
        self._err = Capped(_ERR_BYTES)
        self.compiling = Compiling(
            asked.plan, asked.out, processors(), linking, str(asked.workspace)
        )
        self._lines = LineFeed(self.compiling.take)
        self._child: Child | None = None

    async def start(
        self, environment: Mapping[str, str], token: str, scratch: Path | None = None
    ) -> None:
        """Start them; they get a folder for temporary files if none is given. Raises OSError and
        ProgramNotFound."""
        asked = self._asked
        try:
            if scratch is None:
                scratch = await self._resources.enter_async_context(scratch_folder("spare"))
            self._resources.enter_context(self.compiling)
            spec = Spec(
                argv=("/bin/sh", "-c", self.compiling.script()),
                cwd=asked.workspace,
                env={**environment, "TMPDIR": str(scratch)},
                limit_s=asked.limit_s,
                pass_fds=self.compiling.fds,
            )
            spec = asked.containment.apply(spec, asked.area(scratch), token=token)
            child = Child(spec, self._lines.feed, self._err.feed, paced=False)
            self._child = await self._resources.enter_async_context(child)
        except BaseException:
            await self.aclose()
            raise

    async def build(self, told: Told, around: Around | None) -> tuple[int, Outcome]:
        """Build the texts as they are now: what the program or else the library's compiler ended
        with, and how. `around` is what is known of the usual linker. Raises OSError."""
        if self._child is None:
            raise OSError("they have not been started")
        started = time.monotonic()
        timed_out = False
        try:
            self.compiling.begin(told, around)
            code, timed_out = await ended_within(self._child, self._asked.limit_s)
            self._lines.finish()
        except LibraryRefused as refused:
            code = refused.code
        duration = (time.monotonic() - started) * 1000
        err = self._err
        return code, Outcome(code, b"", err.value(), timed_out, bool(err.dropped), duration)

    def serves(self, asked: object) -> bool:
        """Whether they were started for just that, in the folders that are there now."""
        return self._asked == asked and self._saw.still_at(self._places())

    def _places(self) -> Sequence[str]:
        asked = self._asked
        folders = (asked.workspace, asked.target, asked.out)
        return (*map(str, folders), *asked.containment.hidden)

    @property
    def alive(self) -> bool:
        """Whether they wait."""
        return self._child is not None and not self._child.ended

    async def aclose(self) -> None:
        """End them and all that they started."""
        await self._resources.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


RustSpares = Spares[Asked, Compilers]
