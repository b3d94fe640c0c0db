"""An environment with packages that are none of ours, installed as people install them."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "cli"))
from cli_tools import Server  # noqa: E402

LIMIT_S = 120
TOGETHER = pytest.mark.xdist_group("added packages")
"""One environment serves all tests with this mark."""


@dataclass(frozen=True)
class Added:
    """An interpreter that has tutor-lsp and the packages, and the environment to start it in."""

    python: Path
    environment: dict[str, str]

    def __call__(self, *verb, code=0):
        """What a verb of the terminal says with `--json`; `code` is the exit code it must have."""
        done = subprocess.run(
            [self.python, "-m", "tutor_lsp", *map(str, verb), "--json"],
            env=self.environment, capture_output=True, text=True, timeout=LIMIT_S, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout) if done.stdout else json.loads(done.stderr.splitlines()[-1])

    def at_home(self, folder, **settings):
        """The same with a tutor home of its own, below `folder`."""
        home = {"HOME": str(folder), "TUTOR_LSP_HOME": str(folder / "home")}
        return replace(self, environment=self.environment | home | settings)

    def server(self):
        """The server, which answers many commands for the price of one start."""
        return Editor([self.python, "-m", "tutor_lsp"], self.environment)


class Editor(Server):
    """A raw client that keeps what it is told."""

    def __init__(self, argv, environment):
        super().__init__(env=environment, argv=argv)
        self.told = []
        self.initialize()

    def _first(self, wanted):
        def kept(message):
            self.told.append(message)
            return wanted(message)

        return super()._first(kept)

    def do(self, name, **argument):
        """The result of a command, for `start` that of its job."""
        answer = self.command(f"tutor.{name}", argument)
        assert "result" in answer, answer
        return self.notification("tutor/sessionReady") if name == "start" else answer["result"]

    def open(self, file, language):
        """Open a file of an exercise; the address of the document."""
        document = {"uri": file.as_uri(), "languageId": language, "version": 1}
        params = {"textDocument": {**document, "text": file.read_text()}}
        self.send("textDocument/didOpen", params, request=False)
        return document["uri"]

    def shown(self, uri):
        """All diagnostics of a document that were shown so far."""
        return [
            item
            for told in self.told
            if told.get("method") == "textDocument/publishDiagnostics"
            and told["params"]["uri"] == uri
            for item in told["params"]["diagnostics"]
        ]


def added(tmp_path_factory):
    """`toy_language` and `toy_backend` in an environment beside tutor-lsp, one for all tests."""
    return _installed(tmp_path_factory.getbasetemp() / "added")


@cache
def _installed(folder):
    venv.create(folder / "venv", symlinks=True)
    python = folder / "venv" / "bin" / "python"
    paths = {"base": folder / "venv", "platbase": folder / "venv"}
    site = Path(sysconfig.get_path("purelib", vars={k: str(v) for k, v in paths.items()}))
    ours = sysconfig.get_path("purelib")
    (site / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
    sources = [HERE / package for package in ("toy_language", "toy_backend")]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--no-build-isolation", "--disable-pip-version-check", "--target", site, *sources],
        check=True, timeout=LIMIT_S,
    )  # fmt: skip
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return Added(python, kept)
