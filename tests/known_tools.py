"""What the tools of this machine can is found out once for all tests: it takes a dozen processes.

Where a test puts another tool in the place of one, or sets an interpreter, that one is tried.
"""

import os
import shutil
import sys

from tutor_lsp.languages.c import compiler
from tutor_lsp.languages.python import toolchain as python
from tutor_lsp.languages.rust import toolchain as rust
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.environment import child_environment


def _as_it_is(program):
    """The program with that name, and all that it sees of the environment but a test's own mark."""
    seen = child_environment()
    path = shutil.which(program, path=seen["PATH"])
    if path is None:
        return None
    status = os.stat(path)  # noqa: PTH116 - follows links, as starting it does
    marked = {name: value for name, value in seen.items() if name != "LC_TUTOR_TEST"}
    return path, status.st_size, status.st_mtime_ns, *sorted(marked.items())


def _remember(module, name, *, among=None):
    """Let a function try each tool once; where `among` is given, only those are remembered."""
    really, known = getattr(module, name), {}

    async def asked(tool, *more):
        key = _as_it_is(tool)
        if key is None or (among is not None and tool not in among):
            return await really(tool, *more)
        key += more
        if key not in known:
            known[key] = await really(tool, *more)
        return known[key]

    setattr(module, name, asked)


def install():
    """For this process, and those that it forks."""
    _remember(compiler, "_try")
    _remember(rust, "_probe")
    _remember(python, "_probe", among={sys.executable})


async def find_out():
    """Try all of them now."""
    for tool in toolchains(contain=Contain(enabled=False)).values():
        await tool.probe()
