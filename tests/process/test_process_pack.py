"""The server with the modules of its libraries in one file."""

import json
import re
import shutil
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path

import pytest
from test_process_libraries import COMPILED, PACKAGE, SITE, Machine, copy

SCRIPTS = Path(__file__).parents[2] / "editors" / "vscode" / "scripts"
sys.path.insert(0, str(SCRIPTS))
import modules  # noqa: E402

sys.path.remove(str(SCRIPTS))
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
OTHERS = (
    "__", "pip", "setuptools", "pkg_resources", "mypy", "ruff", "hypothesis", "openai", "babel",
    "uv", "pygments", "hatchling", "ast_serialize", "librt", "jsonschema", "anyio", "http", "jiter",
)  # fmt: skip
pytestmark = pytest.mark.xdist_group("packed libraries")
HALF = "first = 'half of it is there'\n"


@pytest.fixture(scope="module")
def machine(tmp_path_factory):
    home = tmp_path_factory.mktemp("user")
    libraries = home / ".config" / "editor" / "libs"
    compiled = libraries / modules.tag(VERSION)
    for path in SITE.iterdir():
        own = path.name.partition("-")[0] in COMPILED
        place = (compiled if own else libraries / "any") / path.name
        if path.name.startswith(OTHERS):
            continue
        if path.is_dir():
            copy(path, place)
        elif path.suffix == ".py":
            shutil.copy(path, place)
    copy(PACKAGE, libraries / "any" / "tutor_lsp")
    broken = libraries / "any" / "broken.py"
    broken.write_text("def work():\n    return 1 / 0  # as it was written\n")
    half = libraries / "any" / "packaging" / "half.py"
    half.write_text(f"{HALF}second = 'half of it is gone'\n")
    assert modules.pack(libraries, [VERSION]) == [VERSION]
    return Machine(home, libraries)


@pytest.mark.long("compiles all that it needs; test_process_libraries.py does the same here")
def test_an_exercise_is_set_up_and_its_tests_run(machine):
    assert not (machine.libraries / "any" / "tutor_lsp" / "core").exists()
    ready = machine.tutor("start", "--language", "python", "--json")
    assert ready.returncode == 0, ready.stderr
    workspace = json.loads(ready.stdout)["workspace"]
    ran = machine.run("-m", "tutor_lsp", "check", "--json", cwd=workspace)
    assert ran.returncode == 3, ran.stderr
    report = json.loads(ran.stdout)
    assert {test["outcome"] for test in report["tests"]} == {"todo"}


def test_what_is_needed_to_start_is_compiled_before(machine):
    shutil.rmtree(machine.bytecode, ignore_errors=True)
    asked = "import tutor_lsp.lsp.server, pydantic, pygls.server; print(pydantic.__file__)"
    ran = machine.run("-c", asked)
    assert ran.stdout.strip().endswith("any/pydantic/__init__.py"), ran.stderr
    assert not list(machine.bytecode.rglob("*.pyc"))


@pytest.mark.long("compiles everything; test_process_libraries.py does so here, without a pack")
def test_all_the_rest_can_be_compiled_ahead(machine):
    shutil.rmtree(machine.bytecode, ignore_errors=True)
    assert machine.run("--compile").returncode == 0
    names = {path.name.partition(".")[0] for path in machine.bytecode.rglob("*.pyc")}
    assert {"run_tests", "launch", "runner", "console"} <= names
    assert "doctor" not in names


def test_code_for_another_python_is_not_taken(machine):
    shutil.rmtree(machine.bytecode, ignore_errors=True)
    pack = machine.libraries / modules.NAME
    before = pack.read_bytes()
    pack.write_bytes(before.replace(MAGIC_NUMBER, b"\0\0\r\n", 1))
    try:
        assert machine.tutor("--version").stdout.startswith("tutor-lsp ")
    finally:
        pack.write_bytes(before)
    assert list(machine.bytecode.rglob("main.py.*.pyc"))


@pytest.mark.parametrize("left", [0, 5, 40, "half a module", -1])
def test_a_file_that_is_cut_off_loads_nothing(machine, left):
    pack = machine.libraries / modules.NAME
    before = pack.read_bytes()
    half = before.index(HALF.encode()) + len(HALF)
    pack.write_bytes(before[: half if left == "half a module" else left])
    try:
        ran = machine.run("-c", "import packaging.half; print('loaded')")
    finally:
        pack.write_bytes(before)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert re.fullmatch(rf"{pack} is damaged: only \d+ bytes of it are there\n", ran.stderr)


def test_a_traceback_shows_the_line_and_its_place(machine):
    asked = "import broken, traceback\ntry: broken.work()\nexcept Exception: traceback.print_exc()"
    said = machine.run("-c", asked).stderr
    assert f'File "{machine.libraries / "any" / "broken.py"}", line 2, in work' in said
    assert "return 1 / 0  # as it was written" in said


def test_what_comes_first_on_the_path_is_taken(machine):
    own = machine.home / "own"
    own.mkdir()
    (own / "broken.py").write_text("print('mine')\n")
    asked = f"import sys; sys.path.insert(0, {str(own)!r}); import broken"
    assert machine.run("-c", asked).stdout == "mine\n"


def test_a_version_of_which_there_is_no_python_is_left_to_its_first_start(tmp_path):
    (tmp_path / "any").mkdir()
    (tmp_path / "any" / "one.py").write_text("print('one')\n")
    assert modules.pack(tmp_path, ["3.99"]) == []
    assert (tmp_path / modules.NAME).stat().st_size > 0
    assert list((tmp_path / "any").iterdir()) == [tmp_path / modules.NAME]


def test_the_newest_versions_are_compiled_ahead_as_far_as_a_package_has_room(tmp_path, monkeypatch):
    asked = []

    def code(program, libs, names):
        asked.append(program)
        return program.encode(), {}

    has = {"3.9": "a", "3.11": "b", "3.13": "d", "3.14": "e"}
    monkeypatch.setattr(modules, "interpreter", has.get)
    monkeypatch.setattr(modules, "code", code)
    (tmp_path / "any").mkdir()
    found = modules.pack(tmp_path, ["3.9", "3.11", "3.12", "3.13", "3.14"])
    assert sorted(found) == ["3.11", "3.13", "3.14"]
    assert asked == ["e", "d", "b"]
