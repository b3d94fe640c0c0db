"""docs/adding-a-backend.md followed by its own text alone: its files, its commands as printed."""

import os
import re
import shlex
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest
from added_packages import LIMIT_S
from placeholders import with_body

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "adding-a-backend.md").read_text("utf-8")
TOY = Path(__file__).parent


def block(language):
    """The one code block of that language."""
    [found] = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found


FILES = {"pyproject.toml": "toml", "toy_backend/__init__.py": "python"}


@pytest.mark.parametrize("file", FILES)
def test_the_page_shows_the_toy(file):
    assert block(FILES[file]) == (TOY / file).read_text("utf-8")


@pytest.fixture
def shell(tmp_path):
    """Runs a line in the package's folder, in an environment that has tutor-lsp."""
    package, place = tmp_path / "package", tmp_path / "venv"
    for file, language in FILES.items():
        (package / file).parent.mkdir(parents=True, exist_ok=True)
        (package / file).write_text(block(language), "utf-8")
    venv.create(place, symlinks=True)
    paths = {"base": str(place), "platbase": str(place)}
    ours = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    Path(sysconfig.get_path("purelib", vars=paths), "ours.pth").write_text(ours)
    for name, module in (("pip", "pip"), ("tutor-lsp", "tutor_lsp")):
        program = place / "bin" / name
        program.write_text(
            f'#!/bin/sh\nexec {shlex.quote(str(place / "bin/python"))} -m {module} "$@"\n'
        )
        program.chmod(0o755)
    environment = {
        "PATH": f"{place / 'bin'}:{os.environ['PATH']}",
        "HOME": str(tmp_path), "TUTOR_LSP_HOME": str(tmp_path / "home"), "NO_COLOR": "1",
        # What it builds with is here, as there is no network.
        "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }  # fmt: skip

    def run(line):
        done = subprocess.run(
            ["sh", "-c", line], cwd=package, env=environment, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=LIMIT_S, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    return run


@pytest.mark.long("installs a package and starts the program six times")
def test_its_commands_do_what_it_says(shell, tmp_path):
    lines = [line.partition(" #")[0].strip() for line in block("sh").splitlines()]
    install, doctor, word, start, choose, check, hint = lines
    assert shell(install)[0] == 0, shell(install)
    code, said = shell(doctor)
    assert re.search("backend parrot.*\n.*set parrot.word", said), said
    code, said = shell(f"{word}; {start}")
    assert code == 0, said
    [stub] = (tmp_path / "home").glob("**/src/exercise/movie.py")
    stub.write_text(with_body(stub.read_text("utf-8"), "to_minutes", "return 1"), "utf-8")
    # As in one shell, whose exports last. The tests do not pass, which 3 says.
    assert shell(f"{word}; {choose}; {check}")[0] == 3
    code, said = shell(f"{word}; {choose}; {hint}")
    assert code == 0, said
    assert "Krah!" in said
