"""A faster linker for Rust's test programs than the usual one, if it is there and works."""

import asyncio
import shutil
from pathlib import Path

from tutor_lsp.languages.rust.plan import Plan
from tutor_lsp.process.child import ProgramNotFound, Spec
from tutor_lsp.process.environment import child_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.scratch import scratch_folder

LINKERS = ("mold", "lld")
"""Fastest first; some versions of rustc take the second of themselves. None is required."""
TRIAL_S = 20.0
_OWN = ("linker", "link-arg=-fuse-ld", "link-args=")
_TRIAL = "fn main() {}\n"


class FastLinker:
    """Looks for one in the background when first asked, and anew for another compiler."""

    def __init__(self) -> None:
        self._rustc = ""
        self._finding: asyncio.Future[tuple[str, ...]] | None = None

    def flags(self, plan: Plan) -> tuple[str, ...]:
        """What to add to the calls for tests; nothing as long as it is not known, or where the
        plan itself names a linker. Microseconds."""
        if any(word.removeprefix("-C").startswith(_OWN) for word in plan.tests[0].command):
            return ()
        rustc = plan.library.command[0]
        if self._finding is None or self._rustc != rustc:
            self._rustc = rustc
            self._finding = asyncio.create_task(find(rustc), name="linker")
        found = self._finding
        return found.result() if found.done() and not found.cancelled() else ()

    def leave(self) -> None:
        """Use none any more."""
        self._finding = asyncio.get_running_loop().create_future()
        self._finding.set_result(())

    async def found(self) -> None:
        """Wait for what is being looked for."""
        if self._finding is not None:
            await asyncio.shield(self._finding)


async def find(rustc: str) -> tuple[str, ...]:
    """The flag for the fastest linker with which the compiler makes a program that runs; none if
    that is the usual one."""
    search = child_environment()["PATH"]
    there = [name for name in LINKERS if shutil.which(f"ld.{name}", path=search)]
    try:
        async with scratch_folder("linker") as folder:
            usual = await _linked(rustc, folder, "--print=link-args") if there else None
            for name in there if usual is not None else ():
                if f"-fuse-ld={name}" in (usual or ""):
                    break
                flag = f"-Clink-arg=-fuse-ld={name}"
                if await _linked(rustc, folder, flag) is not None:
                    return (flag,)
    except (OSError, ProgramNotFound):
        pass  # a temporary folder or a compiler that is gone: runs say so
    return ()


async def _linked(rustc: str, folder: Path, *flags: str) -> str | None:
    """What rustc says of a small program; None unless it is made and runs."""
    source, program = folder / "trial.rs", folder / "trial"
    source.write_text(_TRIAL, encoding="utf-8")
    environment = child_environment({"TMPDIR": str(folder)})
    ended = None
    for argv in ((rustc, *flags, str(source), "-o", str(program)), (str(program),)):
        made = await run(Spec(argv, folder, environment, TRIAL_S))
        if made.returncode != 0:
            return None
        ended = ended or made
    return ended.stdout.decode(errors="replace") if ended else None
