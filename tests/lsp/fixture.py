"""An exercise in memory with marked texts, for tests of what editors show.

In a text `$0` is the cursor. Under a line, `^^^ text` says that the line above has a diagnostic on
just that range whose message contains the text.
"""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import Session, Vault
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.tutor.exercise.folder.saved_texts import SavedTexts
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

ROOT = Path("/home/learner/tutor-lsp/python/words")
FILE = "src/exercise/words.py"
LESSON = """# Words

## Splitting text

`count` splits. [count](src/exercise/words.py)

## Longest word

`longest` compares. [longest](src/exercise/words.py)
"""
STARTER = '''"""Words."""


def count(text: str) -> int:
    """How many words.

    ex-1 - First principle: split on whitespace
    Read: LESSON.md, "Splitting text"
    Test: test_count_ignores_spaces
    Start here: what does split() give?
    """
    raise NotImplementedError("count")


def longest(text: str) -> str:
    """The longest word.

    ex-2 - First principle: compare by a key
    Read: LESSON.md, "Longest word"
    Test: test_longest_prefers_first
    Start here: max takes a key
    """
    raise NotImplementedError("longest")
'''
TESTS = """from exercise.words import count, longest


def test_count_ignores_spaces():
    assert count("a  b") == 2


def test_count_of_two():
    assert count("a b") == 2


def test_longest_prefers_first():
    assert longest("ab cd") == "ab"
"""
UNITS = (
    Unit(
        "ex-1", "count", FILE, 4, "split on whitespace", "Splitting text", 3,
        ("test_count_ignores_spaces", "test_count_of_two"), "what does split() give?",
    ),
    Unit(
        "ex-2", "longest", FILE, 15, "compare by a key", "Longest word", 7,
        ("test_longest_prefers_first",), "max takes a key",
    ),
)  # fmt: skip
FILES = {"LESSON.md": LESSON, FILE: STARTER, "tests/test_words.py": TESTS}


def exercise() -> Exercise:
    """Two units; the second needs the first."""
    return Exercise(
        id="python-words", node="python-strings", title="Words", language="python", depth="D1",
        description="Words.", units=UNITS, files=tuple(sorted(FILES)), starter={FILE: STARTER},
        proof=Proof(ok=True, builds=True, tests=3, fail_on_stub=3, pass_on_reference=3,
                    needs={"ex-2": ("ex-1",)}),
    )  # fmt: skip


def result(name: str, outcome: str, message: str | None = None, **more) -> TestResult:
    """A result of one of the tests above."""
    unit = exercise().unit_of_test(name)
    line = TESTS.split("\n").index(f"def {name}():") + 2
    return TestResult(
        name, unit.id, unit.stub, TestOutcome(outcome), message,
        file="tests/test_words.py", line=line, **more,
    )  # fmt: skip


def report(*results: TestResult, outcome: str = "failed", **more) -> TestReport:
    """A run with these results; tests not named passed."""
    given = {item.name: item for item in results}
    tests = [given.get(name) or result(name, "passed") for unit in UNITS for name in unit.tests]
    return TestReport("run", RunOutcome(outcome), tuple(tests), **more)


class InMemory(OpenExercise):
    """An exercise whose texts are saved as `on_disk` says."""

    on_disk = SavedTexts({}, "", "")

    def saved(self) -> SavedTexts:
        return self.on_disk


def opened(
    texts: dict[str, str] | None = None,
    saved: dict[str, str] | None = None,
    *,
    as_kept: bool = False,
    **session,
) -> InMemory:
    """The exercise as if open in an editor with these texts, all of them saved unless `saved` says
    what is. Reports without a hash are made ones of these saved texts, whose hash is `"now"`,
    unless they are to stay `as_kept`.
    """
    for name in () if as_kept else ("last_report", "last_results"):
        if (found := session.get(name)) is not None and not found.text_hash:
            session[name] = replace(found, text_hash="now")
    buffers = {**FILES, **(texts or {})}
    kept = Session(
        id="s1", exercise_id="python-words", node="python-strings", title="Words",
        language="python", depth="D1", workspace=str(ROOT), lesson=str(ROOT / "LESSON.md"),
        created_at="2026-01-01", updated_at="2026-01-01", **session,
    )  # fmt: skip
    found = InMemory(
        ROOT, exercise(), Vault(originals=FILES), kept, toolchains()["python"],
        lambda path: buffers.get(path.relative_to(ROOT).as_posix()),
    )  # fmt: skip
    found.on_disk = SavedTexts({**FILES, **saved} if saved is not None else buffers, "now", "now")
    return found


@dataclass(frozen=True)
class Marked:
    """A text without its marks. Lines and columns are 1-based."""

    text: str
    cursor: tuple[int, int] | None
    ranges: tuple[tuple[int, int, int, str], ...]


def marked(source: str) -> Marked:
    """Read `$0` and `^^^ text` marks."""
    lines: list[str] = []
    cursor = None
    ranges = []
    for line in source.split("\n"):
        mark = re.fullmatch(r"\s*(\^+)(?: (.*))?", line)
        if mark:
            ranges.append((len(lines), mark.start(1) + 1, mark.end(1) + 1, mark.group(2) or ""))
            continue
        if "$0" in line:
            cursor = (len(lines) + 1, line.index("$0") + 1)
            line = line.replace("$0", "")
        lines.append(line)
    return Marked("\n".join(lines), cursor, tuple(ranges))
