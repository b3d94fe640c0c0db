"""An interpreter that has loaded pytest before anybody asks for a run, and serves a single one."""

import asyncio
import contextlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.running import MEMORY
from tutor_lsp.languages.common.spares import Seen
from tutor_lsp.process.box import Area
from tutor_lsp.process.child import Child
from tutor_lsp.process.contain import Containment
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.pipes import Feed
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import Limits, Spec
from tutor_lsp.process.supervisor.contents import listing

Asked = tuple[tuple[str, ...], RunLimits, Containment]
"""Runs by this program, within these limits and kept in like this."""
BRIDGE = Path(__file__).parent / "bridge" / "run_tests.py"


def bridge_spec(
    program: Sequence[str],
    root: Path,
    scratch: Path,
    limits: RunLimits,
    *,
    stdin: bytes | None = None,
    arguments: Sequence[str] = (),
    fds: Sequence[int],
) -> Spec:
    """A process that runs tests of the workspace `root`; its settings come on stdin, or through
    the pipe that `arguments` names."""
    environment = child_environment(
        {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "TMPDIR": str(scratch),
            **dict(limits.around),
        }
    )
    return Spec(
        argv=(*program, str(BRIDGE), *arguments),
        cwd=root,
        env=environment,
        limit_s=limits.total_s,
        output_bytes=limits.output_bytes,
        stdin=stdin,
        pass_fds=tuple(fds),
        merge=True,
        limits=Limits(memory_bytes=MEMORY),
    )


class Spare:
    """Waits, contained, in an empty workspace that is filled when its run begins; nothing of the
    exercise is loaded before. Use from the loop's thread only."""

    def __init__(self, made_for: Asked) -> None:
        self._made_for = made_for
        self._root = Path()
        self._saw = Seen(())
        self._resources = contextlib.AsyncExitStack()
        self._token = secrets.token_hex(16)
        self._output: Feed | None = None
        self._child: Child | None = None
        self._results = self._settings = self._channel = -1

    @classmethod
    def possible(cls, containment: Containment) -> bool:
        """Whether runs here get a workspace of their own, and nothing reaches one that waits."""
        return containment.supervisor is not None and containment.isolated

    async def start(self, root: Path) -> None:
        """Start it for the workspace `root`. Raises OSError and ProgramNotFound."""
        program, limits, containment = self._made_for
        self._root = root
        try:
            self._saw = await asyncio.to_thread(lambda: Seen(self._places()))
            self._resources.callback(self._saw.close)
            scratch = await self._resources.enter_async_context(scratch_folder("spare"))
            self._resources.callback(self._close_pipes)
            self._results, write = os.pipe()
            try:
                read, self._settings = os.pipe()
            except OSError:
                os.close(write)
                raise
            try:
                arguments = ("--wait", str(read))
                spec = bridge_spec(
                    program, root, scratch, limits, arguments=arguments, fds=(read, write)
                )
                area = Area(root, scratch, later=True)
                child = Child(containment.apply(spec, area, token=self._token), self._feed)
            finally:
                os.close(read)
                os.close(write)
            self._channel = write
            self._child = await self._resources.enter_async_context(child)
        except BaseException:
            await self.aclose()
            raise

    def _feed(self, data: bytes) -> None:
        if self._output is not None:
            self._output(data)

    def _close_pipes(self) -> None:
        for fd in (self._results, self._settings):
            if fd >= 0:
                os.close(fd)
        self._results = self._settings = -1

    def serves(self, asked: object) -> bool:
        """Whether it was made for such a run, and what its view hides and shows in place is what
        one that is made now would hide and show. Takes less than a millisecond."""
        return self._made_for == asked and self._saw.still_at(self._places())

    def _places(self) -> Sequence[str]:
        with contextlib.suppress(OSError):
            shared = (str(self._root / name) for name in listing(str(self._root))[1])
            return (str(self._root), *shared, *self._made_for[2].hidden)
        return ()

    @property
    def alive(self) -> bool:
        """Whether it still waits."""
        return self._child is not None and not self._child.ended

    def proceed(self, settings: Mapping[str, Any], output: Feed, results: Feed) -> Child:
        """Have it run with these settings but for their `fd`; returns its process.

        What it prints goes to `output`, what it reports to `results`. Raises OSError.
        """
        child = self._child
        if child is None:
            raise OSError("it has not been started")
        self._output = output
        child.proceed(json.dumps({**settings, "fd": self._channel}).encode(), self._settings)
        os.close(self._settings)  # the guard has it, and closes it when all is written
        self._settings = -1
        fd, self._results = self._results, -1
        child.read_from(fd, results)
        return child

    async def aclose(self) -> None:
        """End it and all that it started."""
        containment = self._made_for[2]
        await self._resources.aclose()
        await containment.clear(self._token)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
