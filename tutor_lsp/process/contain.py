"""Keeping learner and generated code in: bubblewrap where it works, else resource limits."""

import asyncio
import os
import shutil
import signal
from dataclasses import dataclass, replace

from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.process.box import Area, boxed
from tutor_lsp.process.child import Limits, Spec
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.leftovers import MARK, kill_leftovers
from tutor_lsp.process.run import run
from tutor_lsp.process.scratch import scratch_folder, sweep

PROBE_S = 5.0
SIGNALLED = 128  # bwrap ends with this plus the signal that ended the program
FILE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Containment:
    """How a run is kept in. `bwrap` is the program to wrap it with, or None."""

    bwrap: str | None = None
    why: str = "Turned off in the settings"

    @property
    def isolated(self) -> bool:
        """Whether runs have no network, a bounded throw-away copy to write to, own process ids."""
        return self.bwrap is not None

    def apply(self, spec: Spec, area: Area | None = None, *, token: str = "") -> Spec:
        """The spec, kept in: it may write to its `area` alone, and only so much.

        `token` names the run to `clear`. Outside of bubblewrap only resource limits hold.
        """
        processors = os.cpu_count() or 1
        limits = replace(
            spec.limits, file_bytes=FILE_BYTES, cpu_s=(int(spec.limit_s) + 1) * processors
        )
        environment = {**spec.env, MARK: token} if token else spec.env
        argv = spec.argv
        if self.bwrap is not None:
            argv = boxed(self.bwrap, argv, spec.cwd, area)
        return replace(spec, argv=argv, env=environment, limits=limits)

    async def clear(self, token: str) -> None:
        """End what a run with that token left running.

        Is done to the end even if the task is cancelled meanwhile.
        """
        if not self.isolated:
            await asyncio.shield(asyncio.to_thread(kill_leftovers, token))

    def how_it_ended(self, returncode: int) -> str:
        """The end of a child in words: `exit code 3`, `killed by SIGKILL (signal 9)`."""
        number = -returncode
        if self.isolated and returncode > SIGNALLED:
            number = returncode - SIGNALLED
        if number <= 0:
            return f"exit code {returncode}"
        try:
            return f"killed by {signal.Signals(number).name} (signal {number})"
        except ValueError:
            return f"killed by signal {number}"

    def status(self) -> ToolStatus:
        """What `tutor.doctor` says about it."""
        if self.isolated:
            return ToolStatus("bubblewrap", found=True, works=True)
        return ToolStatus(
            "bubblewrap",
            found=shutil.which("bwrap") is not None,
            works=False,
            remedy=(
                f"{self.why}. Until it works, tests run with limits on time, memory and file size"
                " only: they can use the network and write to your files."
            ),
        )


async def probe_containment() -> Containment:
    """Try bubblewrap once. Never raises."""
    program = shutil.which("bwrap")
    if program is None:
        return Containment(None, "Install bubblewrap (bwrap was not found)")
    async with scratch_folder("probe") as here:
        box = Containment(program).apply(
            Spec(("true",), here, child_environment(), PROBE_S, limits=Limits()), Area(here)
        )
        outcome = await run(box)
    if outcome.returncode == 0:
        return Containment(program, "")
    said = outcome.stderr.decode(errors="replace").strip()
    why = said.partition("\n")[0] or f"exit code {outcome.returncode}"
    return Containment(None, f"bwrap was found but does not work ({why})")


class Contain:
    """Finds out once, when first asked, how runs can be kept in. `enabled` turns it off.

    What killed runs left in the temporary folder is swept then too.
    """

    def __init__(self, *, enabled: bool = True) -> None:
        self._enabled = enabled
        self._found: Containment | None = None

    async def get(self) -> Containment:
        """The containment to use."""
        if self._found is None:
            await asyncio.to_thread(sweep)
            self._found = await probe_containment() if self._enabled else Containment()
        return self._found
