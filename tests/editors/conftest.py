"""Real Neovims for the tests; see scripts/editors.py for how they come here."""

import importlib.util
import os
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]


def _load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


sys.path.insert(0, str(REPO / "scripts"))
editors = _load("tutor_test_editors", REPO / "scripts" / "editors.py")
neovim = _load("tutor_test_neovim", Path(__file__).with_name("neovim.py"))
NEOVIMS = [name for name in editors.EDITORS if name.startswith("nvim-")]


def program(name):
    """Path of an editor or language server; skips with the reason where it cannot be driven."""
    reason = None
    if sys.platform != "linux":
        reason = "the tests look for processes left behind in /proc"
    elif name.startswith("nvim-") and importlib.util.find_spec("pynvim") is None:
        reason = "pynvim is not installed: make test-editors does so"
    found = editors.locate(name)
    if found is None:
        reason = editors.why_missing(name)
    if reason is None:
        return found
    if editors.EDITORS[name].required and os.environ.get("CI") == "true":
        pytest.fail(f"{name}: {reason} (required under CI=true)")
    pytest.skip(f"{name}: {reason}")


@pytest.fixture(params=NEOVIMS)
def nvim(request):
    """Path of a Neovim, once per version."""
    return program(request.param)


@pytest.fixture
def open_editor(nvim, tmp_path):
    """Starts editors that share one home; all are gone at the end, with all they started."""
    opened = []

    def start(server=None, *, init="", argv=()):
        if server is not None and "tutor_lsp" in server:
            # However slow the machine is, the exercise that a test starts opens by itself.
            init = f'require("tutor_lsp.handlers").opens_by_itself_ns = math.huge\n{init}'
        editor = neovim.Editor(nvim, tmp_path, server, init=init, argv=argv)
        opened.append(editor)
        return editor

    yield start
    for editor in opened:  # what one keeps ready in an exercise is no leftover of another
        editor.quit()
    left = [line for editor in opened for line in editor.close()]
    assert left == [], "processes were left behind"


@pytest.fixture
def fake_server():
    """How the small server of fake_server.py is started."""
    return [sys.executable, str(Path(__file__).with_name("fake_server.py"))]


@pytest.fixture
def real_server():
    """How the real server is started."""
    return [sys.executable, "-m", "tutor_lsp"]


@pytest.fixture
def fake(open_editor, fake_server):
    """An editor with the small server on its PATH."""
    return open_editor(fake_server)


@pytest.fixture
def real(open_editor, real_server):
    """An editor with the real server on its PATH."""
    return open_editor(real_server)


@pytest.fixture
def get():
    """How a test gets a program by its name in scripts/editors.py, or is skipped."""
    return program


@pytest.fixture
def exercise(fake):
    """The same with the stub of a fresh exercise in front, the server attached."""
    fake.run("TutorLsp start python")
    fake.wait_for_stub()
    fake.wait_for_server()
    fake.wait("#vim.diagnostic.get(0) == 2")
    return fake
