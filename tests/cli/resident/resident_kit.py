"""Asks for verbs in processes of their own, and ends the process that stays for them."""

import contextlib
import ctypes
import os
import subprocess
import sys
from pathlib import Path

from cli_tools import environment, until

from tutor_lsp.process import hand_over
from tutor_lsp.process.hand_over import Place

ASKING = """
import os, sys
from tutor_lsp.process import hand_over as caller
def served(given, usual=caller.served):
    code = usual(given)
    if code is not None:
        os.write(2, b"\\nserved")
    return code
caller.served = served
{more}
from tutor_lsp.cli.main import main
sys.exit(main())
"""
"""A process of the program that says, at the end, where another one did the verb."""
SOON = """
import tutor_lsp.process.resident.staying as staying
import tutor_lsp.process.resident.waiting as waiting
waiting.LOOK_S = 0.05
"""
"""What stays looks often whether it is still needed."""


class Asking:
    """A home, and verbs that are done for it."""

    def __init__(self, home: Path, ready, more: str = ""):
        self.home = home
        self.place = Place(str(home))
        self.workspace = Path(ready["workspace"])
        self.source = self.workspace / ready["units"][0]["file"]
        self.folder = home.parent
        self.usual = {"stdin": subprocess.DEVNULL}
        """How each process is started unless a call says otherwise."""
        self.env = environment(home, TUTOR_LSP_RESIDENT="always")
        self.env.pop("CI", None)
        self.code = f"# {home}\n{ASKING.replace('{more}', more)}"

    def start(self, *given, **more):
        # A status that is said again is made by nobody.
        (self.home / ".cache" / "status.json").unlink(missing_ok=True)
        usual = {**self.usual, "env": self.env, "cwd": self.folder}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([sys.executable, "-c", self.code, *given], **(usual | pipes | more))

    def __call__(self, *given, **more):
        """Exit code, output, errors, and whether another process did it."""
        ran = self.start(*given, **more)
        out, err = ran.communicate(timeout=60)
        said, served, _ = err.partition(b"\nserved")
        return ran.returncode, out, said, bool(served)

    @property
    def pid(self):
        """The process that stays, None if there is none."""
        found = hand_over.reached(self.place)
        if found is None:
            return None
        found[0].close()
        return found[1]

    def left_by(self, *given):
        """Do a verb here, and wait for what it leaves behind; its id."""
        before = self.pid
        for seconds in (5, 30):  # a thread of the first one may take too long to end
            assert not self(*given)[-1]
            with contextlib.suppress(AssertionError):
                return until(
                    "one stays", lambda: self.pid not in (None, before) and self.pid, seconds
                )
        raise AssertionError("no process stays")

    def end(self):
        """End it, and what is about to take its place."""

        def ended():
            hand_over.end(self.place)
            return not self.processes

        until("nothing stays", ended)

    @property
    def processes(self):
        """The processes that this has begun, and all that they left behind."""
        found = []
        for each in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if f"# {self.home}\n".encode() in each.read_bytes():
                    found.append(int(each.parent.name))
        return [each for each in found if state_of(each) != "Z"]


def alone(asking, *given, **more):
    """What a verb does in a process of its own that leaves nothing behind."""
    env = {**asking.env, "TUTOR_LSP_RESIDENT": "never"}
    return asking(*given, **{"env": env, **more})


def without_tracing():
    """Take from what this process executes what lets root look into any process."""
    if os.geteuid() == 0:
        drop, tracing = 24, 19  # PR_CAPBSET_DROP, CAP_SYS_PTRACE
        if ctypes.CDLL(None, use_errno=True).prctl(drop, tracing, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "it keeps the capability")


def state_of(pid):
    """The state of a process as the kernel names it, Z where there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return "Z"
    return stat.rpartition(")")[2].split()[0]


def gone(pid):
    """Wait for the end of a process, which nobody may have waited for."""
    until(f"process {pid} ended", lambda: state_of(pid) == "Z")


def children(pid):
    """The processes that a process has started and that run."""
    each_thread = Path(f"/proc/{pid}/task").glob("*/children")
    found = [int(each) for file in each_thread for each in file.read_text().split()]
    return [each for each in found if state_of(each) != "Z"]


def kill(pid, number):
    """Send a signal where there is still somebody."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
