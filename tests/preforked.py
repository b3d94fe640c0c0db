"""Servers and programs forked from a process that has loaded them: a start costs no imports.

Beside `python -m tutor_lsp` in a process of its own, whose imports take longer than most tests.
Sessions with real editors, over raw streams and in terminals still start that one.
"""

import asyncio
import contextlib
import gc
import importlib
import json
import logging
import os
import pkgutil
import signal
import sys
from functools import cache
from pathlib import Path

import known_tools
import quick
from forks import Loaded, serve

from tutor_lsp.cli import lazy_methods
from tutor_lsp.lsp import lazy_types

PACKAGES = ("core", "contracts", "files", "stages", "store", "library", "tutor", "lsp")
MODULES = (
    "cli.conversation",
    "cli.loading",
    "cli.serve",
    "cli.transport",
    "authoring.request",
    "authoring.setup",
    "authoring.repair.mend",
    "process.contain",
)
LIBRARIES = ("pydantic", "tree_sitter", "tree_sitter_python")
SPOKEN = (
    "initialize", "initialized", "shutdown", "exit", "workspace/executeCommand",
    "workspace/applyEdit", "workspace/codeLens/refresh", "window/showMessage",
    "window/showMessageRequest", "window/showDocument", "window/workDoneProgress/create",
    "$/progress", "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave",
    "textDocument/didClose", "textDocument/hover", "textDocument/codeLens",
    "textDocument/codeAction", "textDocument/publishDiagnostics",
)  # fmt: skip
"""Messages of most sessions."""


class Forked:
    """One process, as `asyncio.subprocess.Process` is one. Linux only."""

    def __init__(self, arguments, env, files, code):
        given = {"arguments": arguments, "env": env, "cwd": str(Path.cwd()), "code": code}
        self.pid, self._status = _parent().fork(given, files)
        self.returncode = None
        self.stdin = self.stdout = self.stderr = None
        self._ended = asyncio.ensure_future(self._end())

    async def _end(self):
        said = await asyncio.get_running_loop().sock_recv(self._status, 16)
        self._status.close()
        self.returncode = int(said)
        return self.returncode

    async def wait(self):
        """Wait for its end; the exit code, negative for a signal."""
        return await asyncio.shield(self._ended)

    def send_signal(self, number):
        """Send a signal, where it has not ended."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self):
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


async def forked(*arguments, env, code=None):
    """`tutor-lsp` with these arguments, or a program of that code, its three streams as pipes."""
    loop = asyncio.get_running_loop()
    pipes = [os.pipe() for _ in range(3)]
    inner = [pipes[0][0], pipes[1][1], pipes[2][1]]
    outer = [pipes[0][1], pipes[1][0], pipes[2][0]]
    found = Forked(arguments, env, inner, code)
    for fd in inner:
        os.close(fd)
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(outer[0], "wb", 0)
    )
    found.stdin = asyncio.StreamWriter(transport, protocol, None, loop)
    found.stdout, found.stderr = [await _reader(loop, fd) for fd in outer[1:]]
    return found


async def connect(client, *arguments, env, code=None):
    """Let a client talk to what `forked` starts, or `python` does where none can be forked."""
    if not hasattr(os, "pidfd_open"):
        words = ("-m", "tutor_lsp") if code is None else ("-c", code)
        await client.start_io(sys.executable, *words, *arguments, env=env)
        return
    from pygls.io_ import run_async
    from pytest_lsp.client import forward_stderr

    server = await forked(*arguments, env=env, code=code)
    # what pygls does with a process that it started itself
    client._server = server
    client.protocol.set_writer(server.stdin)
    client._stderr_forwarder = asyncio.create_task(forward_stderr(server))
    reading = run_async(
        stop_event=client._stop_event,
        reader=server.stdout,
        protocol=client.protocol,
        logger=logging.getLogger(__name__),
        error_handler=client.report_server_error,
    )
    client._async_tasks.extend(
        [asyncio.create_task(reading), asyncio.create_task(client._server_exit())]
    )


async def _reader(loop, fd):
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(fd, "rb", 0)
    )
    return reader


@cache
def _parent():
    """The process that all others are forked from, one for each process of tests."""
    return Loaded(sys.executable, __file__)


def _load():
    quick.install()
    lazy_methods.install()
    lazy_types.install()
    for name in PACKAGES:
        package = importlib.import_module(f"tutor_lsp.{name}")
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(each.name)
    for name in MODULES:
        importlib.import_module(f"tutor_lsp.{name}")
    for name in LIBRARIES:
        importlib.import_module(name)
    _learn_the_protocol()
    # What is read of the library stays read (quick.py).
    loader = importlib.import_module("tutor_lsp.library.loader")
    loader.Library([loader.BUNDLED]).entries()
    loader.load_curriculum()
    known_tools.install()
    asyncio.run(known_tools.find_out())
    gc.collect()
    gc.freeze()


def _learn_the_protocol():
    """Let all servers have the one converter, which takes longer to make than to start a server."""
    from importlib import resources

    from lsprotocol.types import METHOD_TO_TYPES, InitializeParams

    from tutor_lsp.lsp import server

    converter = server.strict_converter()
    for file in resources.files("pytest_lsp.clients").iterdir():
        if file.name.startswith("neovim_v0.11"):
            known = converter.structure(json.loads(file.read_text()), InitializeParams)
            converter.unstructure(known)
    for method, types in METHOD_TO_TYPES.items():
        if method in SPOKEN:
            for each in filter(None, types[:2]):
                converter.get_structure_hook(each)
                converter.get_unstructure_hook(each)
    server.strict_converter = lambda: converter


def _become(given, fds):
    from tutor_lsp.cli.main import main

    for at, fd in enumerate(fds[:3]):
        os.dup2(fd, at)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.environ.clear()
    os.environ.update(given["env"])
    os.chdir(given["cwd"])
    sys.argv[1:] = given["arguments"]
    if given["code"] is None:
        return main()
    exec(given["code"], {"__name__": "__main__"})  # noqa: S102 - a test's own
    return 0


if __name__ == "__main__":
    _load()
    asked = serve(int(sys.argv[1]))
    sys.exit(0 if asked is None else _become(*asked))
