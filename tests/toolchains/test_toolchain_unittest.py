"""Tests in classes of unittest, as many people have them, run like functions."""

from explain_kit import STUBS
from toolchain_kit import TOOLS, make, outcomes

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome

SOURCE = """\
def count(text):
    return len(text)

def parse(text):
    return None

def is_even(number):
    return True

def push(items):
    items.append(1)
"""
TESTS = """\
import unittest
from exercise.words import *


class TestCount(unittest.TestCase):
    def setUp(self):
        self.text = "ab"

    def test_count_passes(self):
        self.assertEqual(count(self.text), 2)

    def test_count_differs(self):
        self.assertEqual(count("abc"), 2, "of three")

    def test_parse_raises(self):
        with self.assertRaises(ValueError):
            parse("x")

    def test_is_even_of_three(self):
        self.assertFalse(is_even(3))

    def test_count_of_list(self):
        self.assertEqual([1, 2], [count("a"), count("ab"), 3])

    def test_push_in(self):
        items = []
        push(items)
        self.assertIn(2, items)

    @unittest.skip("later")
    def test_skipped(self):
        self.fail()

    def test_exits(self):
        raise SystemExit


class TestAgain(unittest.IsolatedAsyncioTestCase):
    async def test_count_later(self):
        self.assertEqual(count(""), 0)

    async def test_count_passes_not(self):
        self.assertEqual(count(""), 1)
"""
SAID = {
    "test_count_differs": '`count("abc")` gave 3, expected 2 (of three)',
    "test_parse_raises": '`parse("x")` did not raise ValueError',
    "test_is_even_of_three": "`is_even(3)` gave True, expected False",
    "test_count_passes_not": '`count("")` gave 0, expected 1',
    "test_push_in": "after `push(items)`, `items` is [1], expected it to contain 2, "
    "where `items` was []",
}


async def test_every_end_is_told_as_of_a_function_and_in_one_sentence(tmp_path):
    files = {"src/exercise/words.py": SOURCE, "tests/test_words.py": TESTS}
    _, tests = await outcomes("python", make(tmp_path, "python", files))
    assert {name: test.outcome.value for name, test in tests.items()} == {
        "test_count_passes": "passed",
        "test_count_differs": "failed",
        "test_parse_raises": "failed",
        "test_is_even_of_three": "failed",
        "test_count_of_list": "failed",
        "test_push_in": "failed",
        "test_skipped": "not_run",
        "test_exits": "failed",
        "test_count_later": "passed",
        "test_count_passes_not": "failed",
    }
    sentences = {test: TOOLS["python"].explain(tests[test], files, STUBS).message for test in SAID}
    assert sentences == SAID


async def test_a_method_that_is_replaced_has_not_passed(tmp_path):
    source = (
        "import unittest\n\ndef count(text):\n"
        "    for case in unittest.TestCase.__subclasses__():\n"
        "        case.test_b = lambda self: None\n    return 0\n"
    )
    tests = (
        "import unittest\nfrom exercise.words import count\n\n"
        "class TestCount(unittest.TestCase):\n"
        "    def test_a(self):\n        self.assertEqual(count(''), 0)\n\n"
        "    def test_b(self):\n        self.assertEqual(count('a'), 1)\n"
    )
    files = {"src/exercise/words.py": source, "tests/test_words.py": tests}
    report, found = await outcomes("python", make(tmp_path, "python", files))
    assert report.outcome is not RunOutcome.PASSED
    assert found["test_b"].outcome is TestOutcome.FAILED


TWINS = """\
from exercise.words import count

class TestShort:
    def test_count(self):
        assert count("a") == 1

class TestLong:
    def test_count(self):
        assert count("abc") == 4

def test_other():
    assert count("") == 0
"""


async def test_classes_may_share_the_name_of_a_method(tmp_path):
    files = {"src/exercise/words.py": SOURCE, "tests/test_words.py": TWINS}
    workspace = make(tmp_path, "python", files)
    _, tests = await outcomes("python", workspace)
    assert {name: test.outcome.value for name, test in tests.items()} == {
        "TestShort::test_count": "passed",
        "TestLong::test_count": "failed",
        "test_other": "passed",
    }
    assert [site.name for site in TOOLS["python"].tests(TWINS)] == list(tests)
    _, one = await outcomes("python", workspace, tests=["TestLong::test_count"])
    ran = [name for name, test in one.items() if test.outcome is not TestOutcome.NOT_RUN]
    assert ran == ["TestLong::test_count"]
