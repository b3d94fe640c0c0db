"""A package that brings a Python along, made with one of this machine's: it starts the server."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from releasing import REPO, copy

pytestmark = pytest.mark.release

LIMIT_S = 300
ASKED = (
    "import json, sys, sysconfig; stdlib = sysconfig.get_path('stdlib'); "
    "print(json.dumps([sys.executable, '%d.%d' % sys.version_info[:2], stdlib]))"
)


def relocatable():
    """A Python of this machine whose program needs no library of its own: its version, program and
    standard library."""
    for name in ("/usr/bin/python3", sys.executable, "/usr/local/bin/python3"):
        asked = [name, "-I", "-c", ASKED]
        done = Path(name).exists() and subprocess.run(asked, capture_output=True, check=False)
        if not done or done.returncode != 0:
            continue
        program, version, library = json.loads(done.stdout)
        loads = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
        if "libpython" not in loads and tuple(map(int, version.split("."))) >= (3, 11):
            return version, Path(program).resolve(), Path(library)
    if os.environ.get("CI") == "true":
        pytest.fail("no Python of this machine can be moved, and CI=true: this cannot be skipped")
    return pytest.skip("no Python of this machine can be moved")


def archived(folder):
    """It as python-build-standalone would publish it."""
    version, program, library = relocatable()
    path = folder / f"cpython-{version}-install_only_stripped.tar.gz"
    with tarfile.open(path, "w:gz", compresslevel=1, dereference=True) as tar:
        tar.add(program, f"python/bin/python{version}")
        for file in sorted(library.rglob("*")):
            inside = file.relative_to(library)
            if file.is_file() and "dist-packages" not in inside.parts:
                tar.add(file, f"python/lib/python{version}/{inside}")
    return path


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """The extension's folder, as the editor unpacks it: with the modes that the package states."""
    folder = tmp_path_factory.mktemp("carried")
    root = folder / "tutor-lsp"
    copy(root)
    extension = root / "editors" / "vscode"
    modules = REPO / "editors" / "vscode" / "node_modules"
    if modules.is_dir():
        (extension / "node_modules").symlink_to(modules)
    else:
        subprocess.run(["npm", "ci", "--loglevel=error"], cwd=extension, check=True)
    archive = archived(folder)
    checksum = hashlib.sha256(archive.read_bytes()).hexdigest()
    done = subprocess.run(
        ["scripts/package.sh", "linux-x64", "--python", str(archive), "--sha256", checksum],
        cwd=extension, capture_output=True, text=True, timeout=LIMIT_S, check=False,
        env={**os.environ, "TUTOR_LSP_BUILD_PYTHON": sys.executable},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    to = folder / "unpacked"
    with zipfile.ZipFile(extension / "dist" / "tutor-lsp-linux-x64.vsix") as package:
        for entry in package.infolist():
            path = Path(package.extract(entry, to))
            path.chmod((entry.external_attr >> 16) & 0o777 or 0o644)
    shutil.rmtree(root)
    return to / "extension"


def test_the_python_that_comes_along_runs_from_where_it_is_unpacked(unpacked):
    program = unpacked / "python" / "bin" / "python3"
    assert os.access(program, os.X_OK)
    done = subprocess.run(
        [program, "-I", "-S", "-c", "import json, sys; print(sys.prefix); print(json.__file__)"],
        cwd="/", env={}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(line.startswith(str(unpacked / "python")) for line in done.stdout.splitlines())


def test_the_server_starts_with_it(unpacked, tmp_path):
    launch = unpacked / "libs" / "any" / "tutor_lsp" / "launch.py"
    program = unpacked / "python" / "bin" / "python3"
    params = {"processId": None, "rootUri": None, "capabilities": {}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "initialized", "params": {}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    texts = [json.dumps(message) for message in messages]
    done = subprocess.run(
        [program, "-I", "-S", launch, tmp_path / "bytecode", "-m", "tutor_lsp", "serve"],
        input="".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in texts).encode(),
        cwd="/", env={"HOME": str(tmp_path), "TUTOR_LSP_HOME": str(tmp_path / "home")},
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()
    assert b'"name": "tutor-lsp"' in done.stdout or b'"name":"tutor-lsp"' in done.stdout
