"""Foreign folders: what somebody else may have put into an exercise, and whether it was run."""

import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tutor_lsp.core.errors import TutorError
from tutor_lsp.process.spec import Spec

sys.path.insert(0, str(Path(__file__).parents[1] / "learner"))

from learner_kit import learner as learner_here

__all__ = ["learner_here", "planted", "refusal_of", "watched", "within"]


@contextmanager
def watched(*folders):
    """The programs that were to be started meanwhile in or for one of these folders, or on code
    put elsewhere to be run, whatever keeps them in. Tools asked for their version are none."""
    marks = (*map(str, folders), "run_tests.py", "trials", "attempts", "clippy")
    found: list[str] = []
    make = Spec.__init__

    def noted(spec, *given, **named):
        make(spec, *given, **named)
        said = repr((spec.argv, spec.cwd))
        if any(mark in said for mark in marks):
            found.append(said)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Spec, "__init__", noted)
        yield found


@contextmanager
def within(seconds):
    """Fails where what is done meanwhile takes this process longer, or, on a machine that is busy
    with other things, ten times as long by the clock."""
    worked, began = time.process_time(), time.monotonic()
    yield
    assert time.process_time() - worked < seconds
    assert time.monotonic() - began < 10 * seconds


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
