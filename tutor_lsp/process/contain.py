"""Containing learner and generated code, by the best means available on this machine."""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.process.box import Area
from tutor_lsp.process.containment.bubblewrap import boxed
from tutor_lsp.process.containment.hidden import hidden, shown
from tutor_lsp.process.containment.rows import rows
from tutor_lsp.process.containment.seatbelt import confined
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.leftovers import (
    MARK,
    SUPERVISOR,
    go_on,
    kill_leftovers,
    server_mark,
    sweep_dead,
)
from tutor_lsp.process.run import run
from tutor_lsp.process.scratch import scratch_folder, sweep
from tutor_lsp.process.spec import Limits, Spec
from tutor_lsp.process.supervised import Guard, SupervisedSpec, Supervision, Supervisor
from tutor_lsp.process.supervisor.kernel import set_dumpable
from tutor_lsp.process.supervisor.plan import Powers

PROBE_S = 5.0
SIGNALLED = 128  # bwrap exits with this plus the signal that killed the program
FILE_BYTES = 256 * 1024 * 1024
LEVELS = ("bubblewrap", "namespaces", "landlock", "seatbelt", "limits")
"""The ways to contain a run, best first. `off`, besides these, sets resource limits only."""


@dataclass(frozen=True, slots=True)
class Containment:
    """How a run is contained: `level` is one of `LEVELS` or `off`, `program` is the wrapper.

    `why` is the reason no better level is used.
    """

    level: str = "off"
    why: str = "Turned off in the settings"
    program: str | None = None
    supervisor: Supervisor | None = None
    mark: str = ""
    hidden: tuple[str, ...] = ()
    powers: Powers | None = None

    @property
    def isolated(self) -> bool:
        """Whether runs have no network, write to a bounded throw-away copy and have their own
        process ids."""
        return self.level in ("bubblewrap", "namespaces")

    @property
    def guarded(self) -> bool:
        """Whether runs have guards (see `guard`), so that they can reach no other run."""
        return self.isolated and self.supervisor is not None

    def apply(
        self,
        spec: Spec,
        area: Area,
        *,
        token: str = "",
        guard: Guard | None = None,
    ) -> Spec:
        """The spec, contained: it may write only to its `area`, and only so much.

        `token` identifies the run to `clear`; by default it is unique. `guard` comes from `guard`
        for the same area; its limits apply then.
        """
        environment = {**spec.env, MARK: self._mark(token or os.urandom(16).hex())}
        spec = replace(spec, env=environment, limits=_bounds(spec))
        if self.program is not None:
            return replace(spec, argv=self._wrapped(self.program, spec, area))
        under = self._supervision(area, guard)
        return spec if under is None else SupervisedSpec.of(spec, under)

    def _supervision(self, area: Area, guard: Guard | None = None) -> Supervision | None:
        if self.supervisor is None:
            return None
        hides = () if self.level == "limits" else self.hidden
        return Supervision(self.supervisor, hides, area, guard)

    def guard(self, spec: Spec, area: Area) -> Guard | None:
        """A guard for consecutive runs in an area, which starts preparing it now.

        The runs have the folder, environment and limits of `spec`, and programs in the same place
        as its program. None if runs have no guard here, or could tamper with one that waits.
        """
        under = self._supervision(area)
        if under is None or not self.guarded:
            return None
        return Guard(under, replace(spec, limits=_bounds(spec)), spec.argv[0], again=True)

    def _wrapped(self, program: str, spec: Spec, area: Area) -> tuple[str, ...]:
        program_path = shutil.which(spec.argv[0], path=spec.env.get("PATH")) or spec.argv[0]
        places = shown(program_path, spec.env, self.hidden)
        if self.level == "seatbelt":
            return confined(program, spec.argv, area, self.hidden, places)
        return boxed(program, spec.argv, spec.cwd, area, self.hidden, places)

    def _mark(self, token: str) -> str:
        return f"{self.mark}:{token}"

    async def clear(self, token: str) -> None:
        """End what the run with that token left running, if that does not end by itself.

        That happens if nothing contains processes, or a run has killed what contained them. Runs
        to completion even if the task is cancelled.
        """
        supervised = self.supervisor is not None and not self.supervisor.lost()
        if not self.isolated and not supervised:
            await asyncio.shield(asyncio.to_thread(self._sweep, token))

    def _sweep(self, token: str) -> None:
        if self.supervisor is not None:
            go_on(self._mark(SUPERVISOR))  # a resumed guard ends what it contains
        kill_leftovers(self._mark(token))

    def how_it_ended(self, returncode: int) -> str:
        """How a child ended, in words: `exit code 3`, `killed by SIGKILL (signal 9)`."""
        number = -returncode
        if self.level == "bubblewrap" and returncode > SIGNALLED:
            number = returncode - SIGNALLED
        if number <= 0:
            return f"exit code {returncode}"
        try:
            return f"killed by {signal.Signals(number).name} (signal {number})"
        except ValueError:
            return f"killed by signal {number}"

    def status(self) -> Sequence[ToolStatus]:
        """The rows for `tutor.doctor`: one for each subject of containment."""
        return rows(self.level, self.why, self.powers)


def _bounds(spec: Spec) -> Limits:
    cpu_s = (int(spec.limit_s) + 1) * (os.cpu_count() or 1)
    return replace(spec.limits, file_bytes=FILE_BYTES, cpu_s=cpu_s)


class Contain:
    """Finds out once, on first use, how runs can be contained. `enabled` turns it off.

    It then also sweeps what killed runs left in the temporary folder and what dead servers of the
    same `home` left running. `level` tries only that one of `LEVELS`.
    `private` hides this process's memory and environment from others of the same user, as far as
    the system can, before anything runs.
    """

    def __init__(
        self,
        *,
        enabled: bool = True,
        home: Path | None = None,
        level: str | None = None,
        private: bool = False,
    ) -> None:
        self._home = home
        self._levels = LEVELS if level is None else LEVELS[LEVELS.index(level) :]
        self._enabled = enabled
        self._private = private
        self._finding: asyncio.Task[Containment] | None = None
        self._found: Containment | None = None

    @property
    def home(self) -> Path | None:
        """The home that runs neither see nor write to."""
        return self._home

    async def get(self) -> Containment:
        """The containment to use. Never raises."""
        loop = asyncio.get_running_loop()
        if self._found is None:
            if self._finding is None or self._finding.get_loop() is not loop:
                self._finding = loop.create_task(self._find(), name="containment")
            # Not cancelled along with one waiter: there may be others.
            self._found = await asyncio.shield(self._finding)
        return self._found

    async def _find(self) -> Containment:
        ahead = _AHEAD.pop(self._home, None)
        if ahead is not None and self._enabled and self._levels == LEVELS:
            return ahead
        await asyncio.to_thread(self._prepare)
        if not self._enabled:
            return Containment(mark=server_mark(self._home))
        base = Containment(
            mark=server_mark(self._home), hidden=hidden(os.environ, self._home), why=""
        )
        reasons: list[str] = []
        for level in self._levels:
            try:
                tried = await asyncio.to_thread(_LEVELS[level], base)
                await _probe(tried)
            except OSError as error:
                reasons.append(f"{level}: {error}")
            else:
                return replace(tried, why="; ".join(reasons))
        return replace(base, level="limits", why="; ".join(reasons))

    def _prepare(self) -> None:
        if self._private and os.uname().sysname == "Linux":
            # imports ctypes, which is too slow for server start
            set_dumpable(value=False)
        sweep()
        sweep_dead(self._home)


def _bubblewrap(base: Containment) -> Containment:
    program = shutil.which("bwrap")
    if program is None:
        raise OSError("bwrap was not found")
    return replace(base, level="bubblewrap", program=program)


def _seatbelt(base: Containment) -> Containment:
    program = shutil.which("sandbox-exec")
    if os.uname().sysname != "Darwin" or program is None:
        raise OSError("only on macOS")
    return replace(base, level="seatbelt", program=program)


def _supervised(level: str, base: Containment) -> Containment:
    """Blocks for tens of milliseconds. Raises OSError."""
    if os.uname().sysname != "Linux":
        raise OSError("only on Linux")
    supervisor = Supervisor(level, f"{MARK}={base.mark}:{SUPERVISOR}")
    powers = supervisor.start()
    if level == "namespaces" and powers["why_not"]:
        raise OSError(powers["why_not"])
    if level == "landlock" and not powers["landlock"]:
        raise OSError("this kernel does not have it")
    return replace(base, level=level, supervisor=supervisor, powers=powers)


_LEVELS: dict[str, Callable[[Containment], Containment]] = {
    "bubblewrap": _bubblewrap,
    "seatbelt": _seatbelt,
    **{level: partial(_supervised, level) for level in ("namespaces", "landlock", "limits")},
}


async def _probe(tried: Containment) -> None:
    """Run something small. Raises OSError with the reason if it fails."""
    async with scratch_folder("probe") as here:
        spec = Spec(("/bin/sh", "-c", ":"), here, child_environment(), PROBE_S, limits=Limits())
        outcome = await run(tried.apply(spec, Area(here)))
    if outcome.returncode != 0:
        message = outcome.stderr.decode(errors="replace").strip()
        raise OSError(message.partition("\n")[0] or f"exit code {outcome.returncode}")


_AHEAD: dict[Path | None, Containment] = {}


def find_ahead(home: Path) -> None:
    """Find it before there is an application: the next `Contain` of that home has it. Blocks, and
    never raises."""
    _AHEAD[home] = asyncio.run(Contain(home=home, private=True).get())


async def probe_containment(home: Path | None = None) -> Containment:
    """Look for the best way again. Never raises."""
    return await Contain(home=home).get()
