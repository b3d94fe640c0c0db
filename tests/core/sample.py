"""A small exercise, a reader for its text, and strategies for reports and sessions."""

import re

from hypothesis import strategies as st
from placeholders import with_body

from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.report import (
    Failure,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
    TestReport,
    TestResult,
)
from tutor_lsp.core.ports import FunctionSite, TestSite
from tutor_lsp.core.session import Attempt, Review, Session

FILE = "src/exercise/words.py"
TEST_FILE = "tests/test_words.py"

STARTER = '''\
"""Words."""

LIMIT = 3


def split(text: str) -> list[str]:
    """Cut a text into words.

    ex-1 — First principle: split on whitespace
    """
    raise NotImplementedError("split")


def count(text: str) -> int:
    """Count the words.

    ex-2 — First principle: use what is there
    """
    raise NotImplementedError("count")


def longest(text: str) -> str:
    """Return the longest word.

    ex-3 — First principle: key functions
    """
    raise NotImplementedError("longest")
'''

TESTS = """\
def test_split_cuts():
    assert split("a b") == ["a", "b"]


def test_split_ignores_spaces():
    assert split("a  b") == ["a", "b"]


def test_count_counts():
    assert count("a b") == 2


def test_longest_finds():
    assert longest("a bb") == "bb"
"""


def unit(number, stub, line, *tests):
    return Unit(
        id=f"ex-{number}",
        stub=stub,
        file=FILE,
        line=line,
        first_principle="",
        lesson_heading="",
        lesson_line=1,
        tests=tests,
    )


EXERCISE = Exercise(
    id="python-words",
    node="python-strings",
    title="Words",
    language="python",
    depth="D1",
    description="",
    units=(
        unit(1, "split", 6, "test_split_cuts", "test_split_ignores_spaces"),
        unit(2, "count", 14, "test_count_counts"),
        unit(3, "longest", 22, "test_longest_finds"),
    ),
    files=(FILE, TEST_FILE),
    starter={FILE: STARTER},
    proof=Proof(ok=True, needs={"ex-2": ("ex-1",)}),
)
ALL_TESTS = tuple(name for each in EXERCISE.units for name in each.tests)
UNIT_OF = {name: each for each in EXERCISE.units for name in each.tests}

_DEF = re.compile(r"^def (\w+)\((.*?)\).*?:\r?\n((?:[ \t]+.*\n|\r?\n)*)", re.MULTILINE)
_DOC = re.compile(r'\s*"""(.*?)"""', re.DOTALL)


def functions(text):
    """Top-level functions, as a toolchain would read them."""
    return tuple(_site(text, found) for found in _DEF.finditer(text))


def _site(text, found):
    line = text.count("\n", 0, found.start()) + 1
    doc = _DOC.match(text, found.start(3))
    first = last = line
    if doc:
        first = text.count("\n", 0, doc.start(1)) + 1
        last = text.count("\n", 0, doc.end()) + 1
    return FunctionSite(
        name=found[1],
        line=line,
        column=5,
        end_column=5 + len(found[1]),
        signature=f"def {found[1]}({found[2]})",
        comment=doc[1] if doc else None,
        comment_line=first,
        comment_end_line=last,
        start=found.start(),
        end=found.start() + len(found[0].rstrip()),
        body_start=doc.end() if doc else found.start(3),
        body_end=found.end(),
    )


def test_sites(text):
    """Test functions, as a toolchain would read them."""
    return tuple(
        TestSite(site.name, site.line, text.count("\n", 0, site.end) + 1, ())
        for site in functions(text)
        if site.name.startswith("test_")
    )


test_sites.__test__ = False


def written(**bodies):
    """The starter with these stubs' bodies in place of the mark."""
    text = STARTER
    for name, body in bodies.items():
        text = with_body(text, name, body)
    return {FILE: text, TEST_FILE: TESTS}


def explain(test, files, stubs):
    """What a toolchain says of a failure."""
    return Failure(f"{stubs[0]}() gave {test.left}, expected {test.right}", test.right, test.left)


def raw(outcome=RunOutcome.FAILED, /, **tests):
    """A raw report of all tests; those not named passed."""
    found = (tests.get(name, TestOutcome.PASSED) for name in ALL_TESTS)
    listed = tuple(
        each if isinstance(each, RawTest) else RawTest(name, each)
        for name, each in zip(ALL_TESTS, found, strict=True)
    )
    return RawReport(outcome, listed)


def report(outcome=RunOutcome.FAILED, /, **tests):
    """A judged report of all tests; those not named passed."""
    results = tuple(
        TestResult(name, UNIT_OF[name].id, UNIT_OF[name].stub, tests.get(name, TestOutcome.PASSED))
        for name in ALL_TESTS
    )
    return TestReport("run", outcome, results)


def session(**fields):
    """A session on the exercise."""
    given = {
        "id": "s1",
        "exercise_id": EXERCISE.id,
        "node": EXERCISE.node,
        "title": EXERCISE.title,
        "language": "python",
        "depth": "D1",
        "workspace": "/home/me/words",
        "lesson": "/home/me/words/LESSON.md",
        "created_at": "2025-01-01",
        "updated_at": "2025-01-01",
    }
    return Session(**{**given, **fields})


def reviewed(*scores):
    """Attempts with reviews of these scores."""
    return tuple(
        Attempt(number, "", report(), "", review=Review("FAIL", score, ""))
        for number, score in enumerate(scores, start=1)
    )


test_outcomes = st.sampled_from(TestOutcome)
judged_reports = st.builds(
    lambda outcomes, outcome: report(outcome, **dict(zip(ALL_TESTS, outcomes, strict=True))),
    st.lists(test_outcomes, min_size=len(ALL_TESTS), max_size=len(ALL_TESTS)),
    st.sampled_from([RunOutcome.FAILED, RunOutcome.TIMEOUT]),
)
