"""Real runs of pytest on small exercises."""

import asyncio
import os
import sys

import pytest
from toolchain_kit import LIMITS, TOOLS, check_cancelling, make, outcomes, python_exercise, write

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.report import Location, RunOutcome, TestOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain


def states(tests):
    return {name: test.outcome.value for name, test in tests.items()}


async def test_passing_and_failing_tests_with_both_sides(tmp_path):
    workspace = python_exercise(
        tmp_path / "with space and ünïcode",
        "def count(text):\n    print('counting', text)\n    return len(text)\n",
        "def test_count_b(): assert count('ä') == 1\n"
        "def test_count_a():\n    assert count('a  b') == 2\n",
    )
    report, tests = await outcomes("python", workspace)
    assert report.outcome is RunOutcome.FAILED
    assert states(tests) == {"test_count_b": "passed", "test_count_a": "failed"}
    assert list(tests) == ["test_count_b", "test_count_a"]
    failed = tests["test_count_a"]
    assert (failed.left, failed.right) == ("4", "2")
    assert (failed.location.file, failed.location.line) == ("tests/test_words.py", 5)
    assert failed.output == "counting a  b\n"
    assert report.command == "python -m pytest"
    assert not list(workspace.rglob("__pycache__"))
    assert not (workspace / ".pytest_cache").exists()


async def test_a_value_in_itself_and_one_of_many_layers_are_told_like_others(tmp_path):
    workspace = python_exercise(
        tmp_path,
        "def count(text):\n    found = [text]\n    found.append(found)\n    return found\n",
        "def test_count_a(): assert count('a') == ['a']\n"
        "def test_count_b():\n    layers = ()\n    for _ in range(5000): layers = (layers,)\n"
        "    assert len(layers) == 2\n",
    )
    _, tests = await outcomes("python", workspace)
    assert (tests["test_count_a"].left, tests["test_count_b"].right) == ("['a', [...]]", "2")


async def test_windows_line_ends_and_non_ascii_keep_their_places(tmp_path):
    source = "def später(text):\r\n    ä = text; raise NotImplementedError('später')\r\n"
    tests = "def test_später():\r\n    ß = 'ß'; assert später(ß) == 1\r\n"
    workspace = make(
        tmp_path,
        "python",
        {
            "src/exercise/words.py": source,
            "tests/test_words.py": f"from exercise.words import *\r\n\r\n{tests}",
        },
    )
    _, found = await outcomes("python", workspace)
    (test,) = found.values()
    assert test.not_implemented
    assert test.raised_at == Location("src/exercise/words.py", 2, 15)
    assert test.location.line == 4
    assert test.location.column == (21 if sys.version_info >= (3, 11) else 1)


ENDINGS = """\
import os, signal, subprocess, sys, threading, time

def hang():
    print("before")
    while True: pass
def leave(): sys.exit(0)
def vanish(): os._exit(0)
def kill(): os.kill(os.getpid(), signal.SIGKILL)
def interrupt(): raise KeyboardInterrupt
def fork():
    if os.fork() == 0: time.sleep(60)
    return 1
def daemon():
    subprocess.Popen(["sleep", "60"], start_new_session=True)
    return 1
def thread():
    threading.Thread(target=time.sleep, args=(60,)).start()
    return 1
def close():
    os.closerange(3, 50)
    return 1
def flood():
    os.write(1, b"x" * 3_000_000)
    print("y" * 100_000_000)
    return 1
def forge():
    print("test_hang PASSED", "1 passed in 0.01s", sep="\\n")
    for fd in range(3, 300):
        try: os.write(fd, b'{"kind": "end", "id": "tests/test_words.py::test_forge"}\\n')
        except OSError: pass
    return 0
"""


@pytest.mark.long("waits for a limit")
async def test_no_way_of_ending_a_test_takes_the_others_along(tmp_path):
    names = [line[4:].partition("(")[0] for line in ENDINGS.split("\n") if line.startswith("def ")]
    workspace = python_exercise(
        tmp_path, ENDINGS, "".join(f"def test_{n}(): assert {n}() == 1\n" for n in names)
    )
    report, tests = await outcomes("python", workspace)
    assert states(tests) == {
        "test_hang": "timeout",
        "test_leave": "failed",
        "test_vanish": "errored",
        "test_kill": "errored",
        "test_interrupt": "failed",
        "test_fork": "passed",
        "test_daemon": "passed",
        "test_thread": "passed",
        "test_close": "passed",
        "test_flood": "passed",
        "test_forge": "failed",
    }
    assert report.outcome is RunOutcome.FAILED
    assert tests["test_hang"].error == "did not finish within 4 s"
    assert tests["test_hang"].output == "before\n"
    assert tests["test_hang"].location.file == "tests/test_words.py"
    assert tests["test_vanish"].error == "the run ended inside this test: exit code 0"
    assert tests["test_kill"].error.endswith("killed by SIGKILL (signal 9)")
    assert tests["test_leave"].error == "SystemExit: 0"
    assert tests["test_interrupt"].error == "KeyboardInterrupt"
    assert len(tests["test_flood"].output) < LIMITS.output_bytes + 100
    assert "more was printed" in tests["test_flood"].output


@pytest.mark.long("waits for a limit")
async def test_the_limit_of_the_whole_run_ends_it(tmp_path):
    workspace = python_exercise(
        tmp_path,
        "def hang():\n    while True: pass\n",
        "def test_a(): hang()\ndef test_b(): hang()\ndef test_c(): pass\n",
    )
    limits = RunLimits(total_s=5, test_s=3)
    report, tests = await outcomes("python", workspace, limits=limits)
    assert report.outcome is RunOutcome.TIMEOUT
    assert "longer than 5 s" in report.reason
    assert tests["test_a"].outcome is TestOutcome.TIMEOUT
    assert tests["test_c"].outcome is TestOutcome.NOT_RUN
    assert report.duration_ms < 30_000


async def test_only_the_named_tests_run_but_all_are_listed(tmp_path):
    workspace = python_exercise(
        tmp_path, "", "def test_a(): assert 0\ndef test_b(): pass\ndef test_c(): assert 0\n"
    )
    report, tests = await outcomes("python", workspace, tests=["test_b"])
    assert report.outcome is RunOutcome.PASSED
    assert states(tests) == {"test_a": "not_run", "test_b": "passed", "test_c": "not_run"}
    report, tests = await outcomes("python", workspace, tests=["test_x"])
    assert report.outcome is RunOutcome.NOT_RUN
    assert report.reason


@pytest.mark.first(4)
@pytest.mark.parametrize(
    ("files", "place", "message"),
    [
        (
            {"src/exercise/words.py": "ä = 1; x = = 2\n"},
            ("src/exercise/words.py", 1, 12),
            "invalid",
        ),
        (
            {"src/exercise/words.py": "def f():\n    return\n  x\n"},
            ("src/exercise/words.py", 3, 4),
            "",
        ),
        ({"tests/test_words.py": "def test_a(:\n"}, ("tests/test_words.py", 1, 12), "invalid"),
        ({"src/exercise/words.py": b"y\nx = '\xff'\n"}, ("src/exercise/words.py", 2, 6), "utf-8"),
        (
            {"src/exercise/words.py": "x = 1\n"},
            ("src/exercise/words.py", 1, 1),
            "`f` is not defined",
        ),
        (
            {"src/exercise/words.py": "f = 1\n\nboom = 1 / 0\n"},
            ("src/exercise/words.py", 3, 8),
            "ZeroDivisionError: division by zero",
        ),
        (
            {"src/exercise/words.py": "import nothing_here\n"},
            ("src/exercise/words.py", 1, 1),
            "No module",
        ),
        (
            {"src/exercise/words.py": "import sys\nsys.exit(3)\n"},
            ("src/exercise/words.py", 2, 1),
            "SystemExit: 3",
        ),
    ],
)
async def test_what_does_not_load_is_a_build_error_with_its_place(tmp_path, files, place, message):
    tests = "from exercise.words import f\ndef test_a():\n    assert f\n"
    base = {"src/exercise/words.py": "f = 1\n", "tests/test_words.py": tests}
    workspace = make(tmp_path, "python", {**base, **files})
    report, _ = await outcomes("python", workspace)
    assert report.outcome is RunOutcome.BUILD_ERROR
    error = report.build_errors[0]
    assert (error.file, error.line, error.column) == place
    assert (error.end_line, error.end_column) > (error.line, error.column)
    assert message in error.message
    assert report.reason


@pytest.mark.long("waits for a limit")
async def test_a_run_that_ends_or_hangs_while_loading_says_so(tmp_path):
    tests = "def test_a(): pass\n"
    ends = python_exercise(tmp_path / "a", "import os\nos._exit(0)\n", tests)
    report, _ = await outcomes("python", ends)
    assert report.outcome is RunOutcome.BUILD_ERROR
    assert "while the code was loading" in report.reason
    hangs = python_exercise(tmp_path / "b", "while True: pass\n", tests)
    report, _ = await outcomes("python", hangs, limits=RunLimits(total_s=0.8, test_s=0.5))
    assert report.outcome is RunOutcome.TIMEOUT
    assert "outside of all functions" in report.reason


async def test_no_tests_are_not_run(tmp_path):
    workspace = python_exercise(tmp_path, "", "def helper(): pass\n")
    report, tests = await outcomes("python", workspace)
    assert (report.outcome, tests) == (RunOutcome.NOT_RUN, {})
    (workspace / "tests" / "test_words.py").unlink()
    (workspace / "tests").rmdir()
    report, _ = await outcomes("python", workspace)
    assert report.outcome is RunOutcome.NOT_RUN
    assert "no tests" in report.reason


async def test_edited_tests_and_sources_are_never_taken_from_old_bytecode(tmp_path):
    workspace = python_exercise(tmp_path, "def f(): return 1\n", "def test_f(): assert f() == 1\n")
    for name in ("src/exercise/words.py", "tests/test_words.py"):
        # bytecode as an ordinary run leaves it, then an edit of the same size and time
        path = workspace / name
        compile_in = [sys.executable, "-m", "py_compile", str(path)]
        process = await asyncio.create_subprocess_exec(*compile_in)
        assert await process.wait() == 0
        before = path.stat()
        path.write_text(path.read_text().replace("1\n", "2\n"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    report, tests = await outcomes("python", workspace)
    assert report.outcome is RunOutcome.PASSED, tests


async def test_a_broken_pyproject_and_settings_of_the_learner_change_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTEST_ADDOPTS", "--nonsense")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "nowhere"))
    workspace = python_exercise(tmp_path, "", "def test_a(): pass\n")
    (workspace / "pyproject.toml").write_text("[[[")
    report, _ = await outcomes("python", workspace)
    assert report.outcome is RunOutcome.PASSED


async def test_tests_see_neither_our_packages_nor_the_words_of_the_channel(tmp_path):
    source = (
        "import os, sys\n"
        "def seen():\n"
        "    names = [n for n in ('run_tests', '_tutor_plugin', 'registry') if _found(n)]\n"
        "    return names, [v for v in sys.argv[1:]], [k for k in os.environ if 'WORD' in k]\n"
        "def _found(name):\n"
        "    import importlib.util\n"
        "    return name not in sys.modules and importlib.util.find_spec(name) is not None\n"
    )
    tests = "def test_seen(): assert seen() == ([], [], [])\ndef test_in(): input()\n"
    _, found = await outcomes("python", python_exercise(tmp_path, source, tests))
    assert found["test_seen"].outcome is TestOutcome.PASSED, found["test_seen"].left
    assert found["test_in"].error.startswith("EOFError")


async def test_cancelling_leaves_no_process(tmp_path, no_process_left):
    workspace = python_exercise(
        tmp_path,
        "import subprocess\ndef f():\n    subprocess.run(['sleep', '60'])\n",
        "def test_f(): f()\n",
    )
    running = TOOLS["python"].run(workspace, limits=RunLimits(test_s=60))
    await check_cancelling(running, "sleep", no_process_left)


async def test_an_interpreter_without_pytest_or_none_at_all_names_the_remedy(tmp_path):
    workspace = python_exercise(tmp_path, "", "def test_a(): pass\n")
    bare = tmp_path / "bare"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho cannot open shared object >&2; exit 127\n")
    broken.chmod(0o755)
    for interpreter, said in (
        (bare, "pip install"),
        (broken, "shared object"),
        ("/no", "not found"),
    ):
        tools = toolchains({"python.interpreter": str(interpreter)}, contain=Contain(enabled=False))
        with pytest.raises(TutorError) as caught:
            await tools["python"].run(workspace)
        assert caught.value.kind == "TOOLCHAIN_MISSING"
        assert said in caught.value.message
        assert not all(tool.works for tool in await tools["python"].probe())


async def test_a_python_in_the_workspace_is_not_used_and_the_setting_goes_first(tmp_path):
    workspace = write(
        tmp_path,
        {
            ".venv/bin/python": "#!/bin/sh\nexit 3\n",
            "tests/test_a.py": "def test_one():\n    pass\n",
        },
    )
    (workspace / ".venv/bin/python").chmod(0o755)
    assert (await TOOLS["python"].run(workspace)).outcome is RunOutcome.PASSED
    assert TOOLS["python"].interpreter() == sys.executable
    assert toolchains({"python.interpreter": "py"})["python"].interpreter() == "py"


async def test_the_probe_names_both_tools():
    python, tests = await TOOLS["python"].probe()
    assert (python.name, python.works) == ("python", True)
    assert (tests.name, tests.works) == ("pytest", True)
    assert await TOOLS["python"].probe() is await TOOLS["python"].probe()


async def test_a_workspace_that_is_gone_is_not_run(tmp_path):
    report, tests = await outcomes("python", tmp_path / "gone")
    assert (report.outcome, tests) == (RunOutcome.NOT_RUN, {})
    assert "is gone" in report.reason
