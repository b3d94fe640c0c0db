"""Runs of Python exercises in interpreters forked from one that has loaded pytest, where the run
itself is not what is tested: a cold one takes most of its time to load.

It was used on an empty folder, as the interpreter that waits for a learner's next run, which
`test_toolchain_spare_corpus.py` compares with cold ones; `test_warm_python.py` compares these.
Supervisors are forked from it too, so that their guards can fork runs. Each fork shows the command
line and the environment that a program of its own would, since tests look in /proc for what is
left. Linux only; elsewhere all runs are cold.
"""

import contextlib
import os
import signal
import sys
from functools import cache
from pathlib import Path

import pytest
from forks import Loaded

from tutor_lsp.languages.python.spare import BRIDGE
from tutor_lsp.process import child, contain, supervised
from tutor_lsp.process.direct import Direct
from tutor_lsp.process.libraries import own_python

WORDS_BYTES, ROOM_BYTES = 4 * 1024, 64 * 1024
"""How long the command line of a fork may be at least, and its environment."""
INTERPRETER = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"}
"""What an interpreter reads when it starts, as `bridge_spec` sets it."""


@contextlib.contextmanager
def warm():
    """Within this block runs and supervisors are forked."""
    with pytest.MonkeyPatch.context() as patch:
        if hasattr(os, "pidfd_open"):
            patch.setattr(child, "Direct", _direct)
            patch.setattr(supervised.Supervisor, "_spawned", staticmethod(_supervisor))
            patch.setattr(contain, "_probe", _probe)
        yield


@pytest.fixture(scope="module", autouse=True)
def warm_python(request):
    """For the tests of a folder whose conftest has this, but for modules that are marked `cold`."""
    cold = request.node.get_closest_marker("cold") is not None
    with contextlib.nullcontext() if cold else warm():
        yield


_really_probe, _works = contain._probe, set()


async def _probe(tried):
    """Whether runs can be contained like this is found out once."""
    if tried.level not in _works:
        await _really_probe(tried)
        _works.add(tried.level)


@cache
def _parent():
    known = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    env = {**known, **INTERPRETER, **alone, "ROOM": "." * ROOM_BYTES}
    script = str(Path(__file__).with_name("loaded_pytest.py"))
    return Loaded(*own_python(), script, "." * WORDS_BYTES, env=env)


def _supervisor(arguments, control, null):
    pid, status = _parent().fork({"supervisor": arguments}, [control, null])
    status.close()
    return pid


def _is_run(spec):
    """Whether it is a cold run by the tutor's own Python, which is told nothing else."""
    told = {name: value for name, value in spec.env.items() if name.startswith("PYTHON")}
    return spec.argv == (*own_python(), str(BRIDGE)) and told == INTERPRETER


def _direct(spec, program, streams):
    return Forked(spec, program, streams) if _is_run(spec) else Direct(spec, program, streams)


class Forked(Direct):
    """A run that nothing supervises. It ends with the process that it is forked from."""

    def __init__(self, spec, program, streams):
        sys.audit("subprocess.Popen", program, list(spec.argv), str(spec.cwd), dict(spec.env))
        limits = spec.limits
        given = {
            "argv": spec.argv,
            "cwd": str(spec.cwd),
            "env": {**spec.env, "PWD": str(spec.cwd)},
            "limits": [limits.cpu_s, limits.file_bytes, limits.memory_bytes],
            "numbers": [0, 1, 2, *spec.pass_fds],
        }
        files = [streams.stdin, streams.stdout, streams.stderr, *spec.pass_fds]
        self._pid, self._status = _parent().fork(given, files)
        self._loop = None

    def watch(self, loop, ended):
        self._loop = loop
        loop.add_reader(self._status, self._ready, ended)

    def _ready(self, ended):
        code = self._status.recv(16)
        self._loop.remove_reader(self._status)
        ended(int(code or -signal.SIGKILL))

    def close(self):
        if self._loop is not None:
            self._loop.remove_reader(self._status)
        self._status.close()
