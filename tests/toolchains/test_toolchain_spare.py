"""A waiting interpreter: its run is like any other, only sooner."""

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from toolchain_kit import LIMITS, make

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome
from tutor_lsp.languages.common.toolchain import RunRequest
from tutor_lsp.languages.python import run
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.library.loader import BUNDLED
from tutor_lsp.process.contain import Contain

SOURCE = "def one():\n    return 1\n"
TESTS = "from exercise.words import one\n\n\ndef test_one():\n    assert one() == 1\n"


@pytest.fixture
async def tool(tmp_path):
    """Python runs with a workspace of their own each, which a waiting interpreter needs."""
    made = PythonToolchain(contain=Contain(home=tmp_path / "home", level="namespaces"))
    if (await made.contain.get()).level != "namespaces":
        pytest.skip("not here: namespaces")
    yield made
    await made.let_go()


@pytest.fixture
def no_start(monkeypatch):
    """Runs may not start a process of their own."""

    def refuse(*_):
        raise AssertionError("a process was started")

    def forbid():
        monkeypatch.setattr(run.PythonRun, "_started", refuse)

    return forbid


def exercise(folder, source=SOURCE, tests=TESTS):
    files = {"src/exercise/words.py": source, "tests/test_words.py": tests}
    return make(folder / "exercise", "python", files)


def told(report):
    """What a report says, without times."""
    tests = tuple(replace(test, duration_ms=0.0) for test in report.tests)
    return replace(report, tests=tests, duration_ms=0.0)


async def check_same(tool, workspace):
    """A run that was waited for says what one from the start says."""
    cold = await tool.run(workspace, limits=LIMITS)
    await tool.keep_ready(workspace, LIMITS)
    assert told(await tool.run(workspace, limits=LIMITS)) == told(cold)
    return cold


async def test_a_run_that_was_made_ready_starts_no_process(tool, tmp_path, no_start):
    workspace = exercise(tmp_path)
    await tool.keep_ready(workspace, LIMITS)
    no_start()
    report = await tool.run(workspace, limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED


async def test_it_serves_one_run(tool, tmp_path):
    workspace = exercise(tmp_path)
    await tool.keep_ready(workspace, LIMITS)
    await tool.run(workspace, limits=LIMITS)
    (workspace / "src/exercise/words.py").write_text(SOURCE.replace("1", "2"))
    report = await tool.run(workspace, limits=LIMITS)
    assert [test.left for test in report.tests] == ["2"]


async def test_it_runs_what_is_saved_when_the_run_begins(tool, tmp_path, no_start):
    left = "import pathlib\npathlib.Path('loaded').touch()\n"
    workspace = exercise(tmp_path, source=left + SOURCE)
    await tool.keep_ready(workspace, LIMITS)
    (workspace / "src/exercise/words.py").write_text("from exercise.more import one\n")
    (workspace / "src/exercise/more.py").write_text(SOURCE.replace("1", "7"))
    (workspace / "tests/test_words.py").write_text(
        f"{TESTS}\n\ndef test_new():\n    import os\n    assert not os.path.exists('loaded')\n"
    )
    no_start()
    report = await tool.run(workspace, limits=LIMITS)
    assert [(test.name, test.outcome) for test in report.tests] == [
        ("test_one", TestOutcome.FAILED),
        ("test_new", TestOutcome.PASSED),
    ]


RUNS = {
    "a long value": ("def one():\n    return ''.join(map(str, range(900)))\n", TESTS),
    "an error": (
        "def one():\n    print('said', flush=True)\n    raise ValueError('no')\n", TESTS),
    "no syntax": ("def one(:\n", TESTS),
    "no such module": ("import nothing_of_that_name\n", TESTS),
    "an end while loading": ("raise SystemExit(3)\n", TESTS),
    "an end": (
        "import os\ndef one():\n    os._exit(4)\n", TESTS + "\ndef test_two():\n    one()\n"),
    "a look at pytest": ("import sys\ndef one():\n    sys.modules['_pytest']\n", TESTS),
    "unittest": (
        SOURCE, "import unittest\n\nclass TestOne(unittest.TestCase):\n    def test_a(self):\n"
        "        self.assertEqual(1, 2)\n"),
    "fixtures": (
        SOURCE, "import pytest\n\n@pytest.mark.parametrize('n', [1, 2])\n"
        "def test_n(n, tmp_path):\n    assert n == 1 and not list(tmp_path.iterdir())\n"),
}  # fmt: skip


@pytest.mark.sample("no syntax", "an end")
@pytest.mark.parametrize("case", RUNS)
async def test_its_results_are_those_of_any_run(tool, tmp_path, case):
    await check_same(tool, exercise(tmp_path, *RUNS[case]))


BUNDLED_PYTHON = sorted(path.name for path in (BUNDLED / "python").iterdir() if path.is_dir())


@pytest.mark.long("runs every bundled exercise, solved and not, twice")
@pytest.mark.parametrize("name", BUNDLED_PYTHON)
@pytest.mark.parametrize("solved", [False, True])
async def test_bundled_exercises_give_the_same(tool, tmp_path, name, solved):
    workspace = tmp_path / name
    given = BUNDLED / "python" / name
    for part in ("src", "tests"):
        shutil.copytree(given / part, workspace / part)
    if solved:
        shutil.copytree(given / "solution", workspace, dirs_exist_ok=True)
    report = await check_same(tool, workspace)
    asking = "kind = " in (given / "exercise.toml").read_text()
    if solved or not asking:  # tests of what is not declared yet cannot be loaded
        assert report.outcome is (RunOutcome.PASSED if solved else RunOutcome.FAILED)


SEEN = """
import sys


def test_seen():
    names = {name for name in sys.modules if not name.startswith(("test_", "exercise"))}
    print(sorted(names), sys.path, sorted(sys.modules["os"].environ), len(sys.meta_path))
    assert False
"""


@pytest.mark.long("runs tests twice for a case beside those that stand for it here")
async def test_code_finds_the_same_around_it(tool, tmp_path):
    """A submodule that only the first use of pytest loads would hide an import that is missing."""
    workspace = exercise(tmp_path, tests=SEEN)
    cold = await tool.run(workspace, limits=replace(LIMITS, output_bytes=50_000))
    await tool.keep_ready(workspace, replace(LIMITS, output_bytes=50_000))
    warm = await tool.run(workspace, limits=replace(LIMITS, output_bytes=50_000))
    assert "'json'" in cold.tests[0].output
    names = [set(report.tests[0].output.split("'")) for report in (cold, warm)]
    assert names[1] - names[0] == set()
    assert names[0] - names[1] == set()


async def test_one_that_has_ended_costs_only_time(tool, tmp_path):
    workspace = exercise(tmp_path)
    await tool.keep_ready(workspace, LIMITS)
    spare = tool._spares._waiting[workspace]
    spare._child.kill()
    async with asyncio.timeout(15):
        await spare._child.wait()
    report = await tool.run(workspace, limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED
    await spare.aclose()


@pytest.mark.long("runs tests twice for a case beside those that stand for it here")
async def test_folders_that_are_used_in_place_may_come_later(tool, tmp_path):
    workspace = exercise(tmp_path, tests=TESTS + "\ndef test_there():\n    import os\n"
                         "    assert os.listdir('build') == ['made']\n")  # fmt: skip
    await tool.keep_ready(workspace, LIMITS)
    (workspace / "build").mkdir()
    (workspace / "build" / "made").touch()
    report = await tool.run(workspace, limits=LIMITS)
    assert report.outcome is RunOutcome.PASSED, report


async def test_letting_go_ends_it(tool, tmp_path):
    workspace = exercise(tmp_path)
    await tool.keep_ready(workspace, LIMITS)
    spare = tool._spares._waiting[workspace]
    await tool.let_go(workspace)
    assert not spare.alive
    assert not list(Path(tmp_path).glob("tutor-scratch-spare-*"))


async def test_asked_for_twice_there_is_one(tool, tmp_path):
    workspace = exercise(tmp_path)
    await asyncio.gather(*(tool.keep_ready(workspace, LIMITS) for _ in range(3)))
    assert list(tool._spares._waiting) == [workspace]


async def test_other_limits_are_not_its_own(tool, tmp_path):
    workspace = exercise(tmp_path)
    await tool.keep_ready(workspace, LIMITS)
    other = replace(LIMITS, test_s=2)
    assert (await tool.run(workspace, limits=other)).outcome is RunOutcome.PASSED
    assert workspace in tool._spares._waiting
    await tool.keep_ready(workspace, other)
    asked = tool.program(), LIMITS, await tool.contain.get()
    assert tool._spares.take(workspace, asked) is None


async def test_another_folder_under_the_name_is_another_text(tool, tmp_path):
    workspace = exercise(tmp_path)
    await tool.keep_ready(workspace, LIMITS)
    shutil.copytree(workspace, tmp_path / "copy")
    workspace.rename(tmp_path / "moved")
    (tmp_path / "copy").rename(workspace)
    (workspace / "src/exercise/words.py").write_text(SOURCE.replace("1", "2"))
    report = await tool.run(workspace, limits=LIMITS)
    assert [test.left for test in report.tests] == ["2"]


def remade(folder):
    folder.rename(folder.with_name("old"))
    folder.mkdir()


def replaced(file):
    new = file.with_name("new")
    new.write_text("new")
    new.rename(file)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda root, _: remade(root / "build"), id="a folder used in place"),
        pytest.param(lambda root, _: (root / ".venv").mkdir(), id="one more of them"),
        pytest.param(lambda root, _: remade(root), id="the workspace"),
        pytest.param(lambda _, home: replaced(home / ".netrc"), id="a secret"),
        pytest.param(lambda _, home: replaced(home / ".git-credentials"), id="a new secret"),
    ],
)
async def test_none_serves_whose_view_is_no_longer_right(tmp_path, monkeypatch, change):
    """Its view was made when it started: what came later is neither hidden nor shown in it."""
    home = tmp_path / "mine"
    home.mkdir()
    (home / ".netrc").write_text("before")
    monkeypatch.setenv("HOME", str(home))
    workspace = exercise(tmp_path)
    (workspace / "build").mkdir()
    made = PythonToolchain(contain=Contain(home=tmp_path / "home", level="namespaces"))
    asked = made.program(), LIMITS, await made.contain.get()
    if asked[-1].level != "namespaces":
        pytest.skip("not here: namespaces")
    await made.keep_ready(workspace, LIMITS)
    change(workspace, home)
    assert made._spares.take(workspace, asked) is None
    await made.let_go()
    (workspace / "src").mkdir(exist_ok=True)
    await made.keep_ready(workspace, LIMITS)
    spare = made._spares.take(workspace, asked)
    assert spare is not None
    assert spare.serves(asked)
    await spare.aclose()


async def test_a_run_that_needs_none_ends_it(tool, tmp_path):
    workspace = exercise(tmp_path)
    await tool.keep_ready(workspace, LIMITS)
    spare = tool._spares._waiting[workspace]
    shutil.rmtree(workspace / "tests")
    request = RunRequest(tmp_path / "gone", None, LIMITS, None, await tool.contain.get())
    gone = run.PythonRun(request, tool.program(), spare)
    assert (await gone.report()).outcome is RunOutcome.NOT_RUN
    assert not spare.alive
    del tool._spares._waiting[workspace]


async def test_letting_go_holds_for_one_that_is_just_starting(tmp_path):
    made = PythonToolchain(contain=Contain(home=tmp_path / "home", level="namespaces"))
    workspace = exercise(tmp_path)
    keeping = asyncio.ensure_future(made.keep_ready(workspace, LIMITS))
    await asyncio.sleep(0)
    await made.let_go(workspace)
    await keeping
    assert made._spares._waiting == {}
