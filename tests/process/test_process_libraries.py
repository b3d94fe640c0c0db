"""The server with its libraries unpacked beside it, as packages of the editor bring it along."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import tutor_lsp
from tutor_lsp import launch
from tutor_lsp.process.libraries import bytecode, own_python

PACKAGE = Path(tutor_lsp.__file__).parent
SITE = Path(pytest.__file__).parents[1]
BASE = Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
GRAMMARS = ("tree_sitter_c", "tree_sitter_python", "tree_sitter_rust")
COMPILED = ("pydantic_core", "tree_sitter", *GRAMMARS)
pytestmark = pytest.mark.xdist_group("libraries")
OF_RUNS = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "tutor_lsp")


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    """A user's home; the libraries and their bytecode lie where runs may read nothing else."""
    home = tmp_path_factory.mktemp("user")
    libraries = home / ".config" / "editor" / "libs"
    compiled = libraries / f"cp{sys.version_info.major}{sys.version_info.minor}"
    for folder in (libraries / "any", compiled):
        folder.mkdir(parents=True)
    for path in SITE.iterdir():
        own = path.name in COMPILED or path.name.partition("-")[0] in COMPILED
        place = (compiled if own else libraries / "any") / path.name
        if path.name in OF_RUNS:
            copy(path, place)
        elif path.suffix != ".pth" and path.name not in ("__pycache__", "pip", "setuptools"):
            place.symlink_to(path)
    copy(PACKAGE, libraries / "any" / "tutor_lsp")
    return Machine(home, libraries)


def copy(path, place):
    shutil.copytree(path, place, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)


class Machine:
    def __init__(self, home, libraries):
        self.home = home
        self.libraries = libraries
        self.bytecode = home / ".config" / "editor" / "bytecode"

    def run(self, *argv, flags=("-I", "-S"), cwd=None):
        launch = self.libraries / "any" / "tutor_lsp" / "launch.py"
        return subprocess.run(
            [BASE, *flags, launch, self.bytecode, *argv],
            env={"HOME": str(self.home), "PATH": os.defpath},
            capture_output=True, text=True, check=False, cwd=cwd or self.home,
        )  # fmt: skip

    def tutor(self, *argv):
        return self.run("-m", "tutor_lsp", *argv)


@pytest.mark.long("compiles or loads the whole server; test_process_pack.py starts it here")
def test_all_bytecode_is_written_ahead(machine):
    assert machine.run("--compile").returncode == 0
    names = {path.name.partition(".")[0] for path in machine.bytecode.rglob("*.pyc")}
    assert {"run_tests", "launch", "doctor"} <= names


@pytest.mark.long("compiles or loads the whole server; test_process_pack.py starts it here")
def test_an_exercise_is_set_up_and_its_tests_run_with_the_libraries(machine):
    ready = machine.tutor("start", "--language", "python", "--json")
    assert ready.returncode == 0, ready.stderr
    workspace = json.loads(ready.stdout)["workspace"]
    ran = machine.run("-m", "tutor_lsp", "check", "--json", cwd=workspace)
    assert ran.returncode == 3, ran.stderr
    report = json.loads(ran.stdout)
    assert report["outcome"] == "failed"
    assert {test["outcome"] for test in report["tests"]} == {"todo"}


def test_nothing_is_written_beside_the_libraries(machine):
    shutil.rmtree(machine.bytecode, ignore_errors=True)
    assert machine.tutor("--version").stdout.startswith("tutor-lsp ")
    own = machine.libraries / "any" / "tutor_lsp"
    assert not list(own.rglob("__pycache__"))
    assert list(machine.bytecode.rglob("main.py.*.pyc"))


def test_bytecode_is_used_again_and_follows_the_source(machine):
    source = machine.libraries / "any" / "followed.py"
    source.write_text("print('one')\n")
    asked = ("-c", "import followed; print(followed.__loader__.kept)")
    first, kept = machine.run(*asked).stdout.split()
    assert (first, Path(kept).is_file()) == ("one", True)
    source.write_text("print('another')\n")
    assert machine.run(*asked).stdout.split()[0] == "another"


def test_a_folder_for_bytecode_that_cannot_be_written_does_no_harm(machine):
    (machine.home / "no-folder").write_text("")
    machine.bytecode, kept = machine.home / "no-folder", machine.bytecode
    try:
        assert machine.tutor("--version").stdout.startswith("tutor-lsp ")
    finally:
        machine.bytecode = kept


def test_started_programs_learn_nothing_of_the_libraries(machine):
    asked = "import os, subprocess; subprocess.run(['/usr/bin/env'])"
    names = {line.partition("=")[0] for line in machine.run("-c", asked).stdout.splitlines()}
    assert not {name for name in names if name.startswith("PYTHON")}


def test_a_script_finds_itself_as_python_would_start_it(machine):
    script = machine.home / "script.py"
    script.write_text(
        "import sys, __main__, dataclasses\n"
        "@dataclasses.dataclass\nclass A:\n    x: int\n"
        "print(sys.argv[1:], sys.path[0], __name__, __main__.A is A, __file__)\n"
    )
    said = machine.run(script, "one", flags=()).stdout.strip()
    assert said == f"['one'] {machine.home} __main__ True {script}"


def test_children_that_need_the_libraries_get_them(machine):
    asked = "from tutor_lsp.process.libraries import own_python; print(*own_python())"
    _, launch, folder = machine.run("-c", asked).stdout.split()
    assert launch.endswith("tutor_lsp/launch.py")
    assert folder == str(machine.bytecode)
    assert own_python() == (sys.executable,)
    assert bytecode() is None


def test_a_disk_from_which_no_program_runs_is_refused_before_anything_is_loaded(monkeypatch):
    """Compiled libraries are loaded late: there it would end an exercise that is being made."""
    monkeypatch.setattr(os, "ST_NOEXEC", 8, raising=False)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=8))
    path = list(sys.path)
    with pytest.raises(SystemExit, match="failed to map segment"):
        launch.use("")
    assert sys.path == path
