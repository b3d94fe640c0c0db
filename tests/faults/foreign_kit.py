"""Foreign folders: what somebody else may have put into an exercise, and whether it was run."""

import sys
from contextlib import contextmanager
from pathlib import Path

from tutor_lsp.core.errors import TutorError

sys.path.insert(0, str(Path(__file__).parents[1] / "learner"))

from learner_kit import learner as learner_here

__all__ = ["learner_here", "planted", "refusal_of", "watched"]

_watching: list[list[str]] = []


def _spawned(event, arguments):
    if _watching and event == "subprocess.Popen":
        _watching[-1].append(repr(arguments[:3]))


sys.addaudithook(_spawned)  # it stays for the process's life, and does nothing unless watched


@contextmanager
def watched(*folders):
    """The programs started meanwhile in or for one of these folders, or on code put elsewhere to
    be run, whether or not something keeps them from being seen outside. Tools asked for their
    version are none."""
    marks = (*map(str, folders), "run_tests.py", "trials", "rustc --", "clippy")
    started: list[str] = []
    found: list[str] = []
    _watching.append(started)
    try:
        yield found
    finally:
        _watching.remove(started)
        found += [each for each in started if any(mark in each for mark in marks)]


async def refusal_of(work):
    """The error of a command, None where it went well. Anything else than a refusal is raised."""
    try:
        await work
    except TutorError as error:
        return error
    return None


def planted(folder, canary):
    """Put code that leaves a canary into every place of a Python exercise that is loaded."""
    touch = f"import pathlib\npathlib.Path({str(canary)!r}).touch()\n"
    (folder / "tests" / "conftest.py").write_text(touch, "utf-8")
    (folder / "conftest.py").write_text(touch, "utf-8")
    for file in (*folder.glob("src/exercise/*.py"), *folder.glob("tests/test_*.py")):
        file.write_text(touch + file.read_text("utf-8"), "utf-8")
