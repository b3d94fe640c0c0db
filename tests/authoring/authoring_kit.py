"""A small exercise as a model would send it, and the pieces that a set-up works with."""

import asyncio
import copy
import importlib
import json
import re
import sys
from pathlib import Path

from tutor_lsp.authoring.request import AuthoringDeps, SetupRequest
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.ports import JournalEntry, JournalKey, RunLimits
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.runner import Runner
from tutor_lsp.stages.subject import NodeBrief

NODE = NodeBrief("python-strings", "Strings", "Clean and cut text.")
KEY = JournalKey("python-strings", "python", "D1", "scripted")

UNITS = [
    {
        "unit_id": "ex-1",
        "stub": "shout",
        "file_path": "src/exercise/signs.py",
        "first_principle": "methods give new text",
        "lesson_heading": "New text from old",
        "test_names": ["test_shout_is_in_capitals", "test_shout_keeps_digits"],
    },
    {
        "unit_id": "ex-2",
        "stub": "frame",
        "file_path": "src/exercise/signs.py",
        "first_principle": "text repeats with *",
        "lesson_heading": "Repeating text",
        "test_names": ["test_frame_is_as_wide_as_the_text", "test_frame_of_one_letter"],
    },
]

FIRST_HALF = '''"""Signs for a market stall."""

import math


EDGE = "="


def shout(text: str) -> str:
    """Return `text` in capitals.

    ex-1 - First principle: methods give new text
    Read: LESSON.md, "New text from old"
    Test: test_shout_is_in_capitals
    Start here: which method of a text makes capitals?
    """
    raise NotImplementedError("shout")
'''
SECOND_HALF = '''import math


def width(text: str) -> int:
    """Return how wide `text` is. (Given.)"""
    return math.ceil(len(text))


def frame(text: str) -> str:
    """Return a line of `EDGE`, as wide as `text`, then `text` in capitals, on two lines.

    ex-2 - First principle: text repeats with *
    Read: LESSON.md, "Repeating text"
    Test: test_frame_is_as_wide_as_the_text
    Start here: what is `"-" * 3`?
    """
    raise NotImplementedError("frame")
'''
FIRST_TESTS = """from exercise.signs import frame, shout


def test_shout_is_in_capitals() -> None:
    assert shout("plums") == "PLUMS"


def test_shout_keeps_digits() -> None:
    assert shout("2 kg") == "2 KG"
"""
SECOND_TESTS = """from exercise.signs import frame, shout


def test_frame_is_as_wide_as_the_text() -> None:
    assert frame("plums") == "=====\\nPLUMS"


def test_frame_of_one_letter() -> None:
    assert frame("a") == "=\\nA"
"""
SOLUTION = (
    (FIRST_HALF + "\n\n" + SECOND_HALF.removeprefix("import math\n\n\n"))
    .replace('raise NotImplementedError("shout")', "return text.upper()")
    .replace(
        'raise NotImplementedError("frame")', 'return EDGE * width(text) + "\\n" + shout(text)'
    )
)
LESSON_SECTIONS = [
    "# Signs\n\nA market stall needs signs.\n\n## New text from old\n\n"
    '```python\nprint("Abc".lower())\n```\n\nNow `shout`.\n\n[shout](src/exercise/signs.py)\n',
    '```python\nprint("ab" * 2)\n```\n\nNow `frame`.\n\n[frame](src/exercise/signs.py)\n',
    "## Together\n\n`frame` uses `shout`.\n\n[frame](src/exercise/signs.py)\n",
]


def _payload(role, contract, **fields):
    return {"schema_version": contract, "role": role, **fields}


def scaffold(units=UNITS, **changes):
    fields = {
        "scaffold_id": "python-strings-signs",
        "node_id": "python-strings",
        "depth_target": "D1",
        "exercise_description": "Signs for a market stall.",
        "lesson_plan": {"section_intents": ["capitals", "repeating", "bridge"]},
        "starter_plan": {"file_intents": ["signs.py"]},
        "test_plan": {"case_intents": ["capitals", "frames"]},
        "units": copy.deepcopy(units),
    }
    return _payload("scaffold", "scaffold_v1", **(fields | changes))


def section(kind, number, content, *, last, path=None, focus=None):
    fields = {
        "section_id": f"{kind}-{number}",
        "type": "file" if path else "concept",
        "content": content,
        "is_complete": last,
        "next_focus": focus,
    }
    if path is not None:
        fields["file_path"] = path
    return _payload(f"{kind}-expand", f"{kind}_section_v1", **fields)


def script(**changes):
    """Every line of the exercise, in the order of the calls; `changes` replace the payload of e.g.
    `starter_2`."""
    source, tests = "signs.py", "tests/test_signs.py"
    payloads = {
        "scaffold_1": scaffold(),
        "starter_1": section("starter", 1, FIRST_HALF, last=False, path=source, focus="frame"),
        "starter_2": section("starter", 2, SECOND_HALF, last=True, path=f"src/{source}"),
        "test_1": section("test", 1, FIRST_TESTS, last=False, path=tests),
        "test_2": section("test", 2, SECOND_TESTS, last=True, path="test_signs.py"),
        "solution_1": _payload(
            "solution",
            "solution_v1",
            files=[{"file_path": "src/exercise/signs.py", "content": SOLUTION}],
        ),
        **{
            f"lesson_{n}": section("lesson", n, text, last=n == len(LESSON_SECTIONS))
            for n, text in enumerate(LESSON_SECTIONS, start=1)
        },
    } | changes
    lines = []
    for name, payload in payloads.items():
        if payload is None:
            continue
        kind, number = name.split("_")
        role = f"{kind}-expand" if kind in ("starter", "test", "lesson") else kind
        answer = payload if "error" in payload else {"payload": payload}
        lines.append({"stage": role, "iteration": int(number), **answer})
    return lines


class MemoryJournal:
    """`core.ports.Journal` without a file."""

    def __init__(self):
        self.open = {}
        self.closed = []

    def load(self, key):
        return list(self.open.get(key, ()))

    def append(self, key, entry):
        self.open.setdefault(key, []).append(entry)

    def close(self, key, outcome):
        if self.open.pop(key, None) is not None:
            self.closed.append((key, outcome))

    def stages(self, key=KEY):
        """Each entry as `role number`, a call outside the loops by its own number alone."""
        return [f"{entry.role.value} {entry.iteration % 100}" for entry in self.load(key)]


class Told:
    """Progress that remembers what it was told."""

    def __init__(self):
        self.steps = []

    def report(self, percent, message):
        self.steps.append((percent, message))

    @property
    def texts(self):
        return [message for _, message in self.steps]


class QuickPython(PythonToolchain):
    """Reads as the real one; tests really run, but in this process, which costs next to nothing."""

    def __init__(self):
        super().__init__()
        self.runs = []

    async def probe(self):
        return ()

    async def run(self, workspace, *, tests=None, limits: RunLimits | None = None):
        self.runs.append(workspace.name)
        await asyncio.sleep(0)
        sys.path.insert(0, str(workspace / "src"))
        importlib.invalidate_caches()
        try:
            return self._run(workspace, tests)
        finally:
            sys.path.remove(str(workspace / "src"))
            for name in [name for name in sys.modules if name.startswith("exercise")]:
                del sys.modules[name]

    def _run(self, workspace, wanted):
        results = []
        for path in sorted((workspace / "tests").rglob("*.py")):
            text = path.read_text("utf-8")
            try:
                space = {"__name__": path.stem}
                exec(compile(text, str(path), "exec"), space)  # noqa: S102
            except Exception as error:  # noqa: BLE001 - whatever an exercise raises
                return RawReport(RunOutcome.BUILD_ERROR, reason=repr(error))
            for site in self.tests(text):
                if wanted is None or site.name in wanted:
                    results.append(_outcome(site.name, space[site.name]))
        if not results:
            return RawReport(RunOutcome.NOT_RUN, reason="There are no tests in tests/.")
        green = all(test.outcome is TestOutcome.PASSED for test in results)
        return RawReport(RunOutcome.PASSED if green else RunOutcome.FAILED, tuple(results))


def _try_blocks_once():
    """Where runs are no matter, the same code of a lesson is run just once: it takes a process."""
    kind, tried = type(dialect("python")), {}
    really = kind.try_blocks

    async def try_blocks(self, blocks, reference, bench):
        if type(bench.toolchain) is not QuickPython:
            return await really(self, blocks, reference, bench)
        used = any(re.search(r"\bexercise\b", code) for code in blocks)
        key = tuple(blocks), tuple(sorted(reference.items())) if used else ()
        if key not in tried:
            tried[key] = await really(self, blocks, reference, bench)
        return tried[key]

    kind.try_blocks = try_blocks


_try_blocks_once()


def _outcome(name, function):
    try:
        function()
    except NotImplementedError:
        return RawTest(name, TestOutcome.FAILED, not_implemented=True)
    except Exception as error:  # noqa: BLE001 - whatever an exercise raises
        return RawTest(name, TestOutcome.FAILED, error=f"{type(error).__name__}: {error}")
    return RawTest(name, TestOutcome.PASSED)


def request(**changes):
    return SetupRequest(**({"language": "python", "depth": "D1", "node": NODE} | changes))


def deps(lines, *, journal=None, toolchain=None, events=None, scratch: Path | None = None):
    return AuthoringDeps(
        runner=Runner((lambda event: None) if events is None else events.append),
        backend=ScriptedBackend(lines),
        toolchain=toolchain or QuickPython(),
        library=Library([BUNDLED]),
        journal=journal,
        scratch=scratch,
    )


def asked(given):
    """What the scripted backend of these deps was asked, as `role iteration`."""
    return [f"{one.role.value} {one.iteration}" for one in given.backend.requests]


def json_text(payload):
    """A payload as a model writes it."""
    return json.dumps(payload)


__all__ = ["JournalEntry"]
