"""What a file needs that several units ask for declarations in, and what is done without it."""

from types import SimpleNamespace

import pytest
from kinds_kit import TOOLS
from shared_kit import FILE, comment, shared_folder

from tutor_lsp.authoring.index import build_index
from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.languages.common.aside import LeftOut
from tutor_lsp.languages.practises import left_out
from tutor_lsp.library.loader import Library
from tutor_lsp.stages.backends.library import planned_units

OWN, READING = FILE["python"], "tests/test_reading.py"
SUMMARY = comment("python")
HOTTEST = """# `hottest([Reading(3, "hall"), Reading(21, "kitchen")])` is the reading with the
# most degrees, the first one of equals.
#
# ex-5 - First principle: a function takes values of a class
# Read: LESSON.md, "Values of a class are given like others"
# Test: test_hottest_has_the_most_degrees
# Start here: which one is the hottest so far?
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return shared_folder(tmp_path_factory.mktemp("shared"), "python")


def said(folder, *changes, kinds=()):
    """What the index finds after changes to texts, and of kinds of units."""
    library = Library([folder])
    (entry,) = library.entries()
    files = dict(library.load(entry).files)
    for file, old, new in changes:
        assert old in files[file]
        files[file] = files[file].replace(old, new)
    planned = [{**plan, **dict(kinds).get(plan["unit_id"], {})} for plan in planned_units(entry)]
    index = build_index(files, planned, TOOLS["python"], strict=True)
    return [f"{finding.file}: {finding.message}" for finding in index.findings]


CHANGES = {
    "nothing": ((), None),
    "another order": (
        (
            (OWN, HOTTEST, "# later\n"), (OWN, SUMMARY, f"{HOTTEST}\n\n"),
            (OWN, "# later\n", SUMMARY),
        ),
        f"{OWN}: The comments in {OWN} come in another order than ex-4, ex-5, ex-6.",
    ),
    "a comment that is not there": (
        ((OWN, HOTTEST, ""),),
        f"{OWN}: {OWN} does not have the comment of ex-5, which it shares with others, in the "
        "marks `#`.",
    ),
    "a comment with more below": (
        ((OWN, "# Start here: which one is the hottest so far?\n",
          "# Start here: which one is the hottest so far?\n#\n# More.\n"),),
        f"{OWN}: The comment of ex-5 does not end with its line `Start here:`.",
    ),
    "a name that is there": (
        ((OWN, SUMMARY, f"{SUMMARY}\n\ndef hottest(readings): ...\n"),),
        f"{OWN}: `hottest` is declared already, though ex-5 asks for that.",
    ),
    "a test of an earlier unit that uses it": (
        ((READING, "import Reading\n", "import Reading, hottest\n"),),
        f"{READING}: {READING} refers to `hottest`, which ex-5 asks to declare: only {OWN} and "
        "tests/test_hottest.py may, since nothing else would build before.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_does_not_hold_is_named(folder, name):
    changes, message = CHANGES[name]
    found = said(folder, *changes)
    assert found == [] if message is None else message in found, found


def test_a_unit_of_another_kind_does_not_share_it(folder):
    found = said(folder, kinds={"ex-6": {"kind": "repair"}})
    alone = "`summary` alone, which is to be repaired there"
    assert f"None: {OWN} is for {alone}: `Reading` needs another file." in found


def aside(stub, file):
    return Aside(stub, file, f"tests/{stub}", (f"test_{stub}_is",))


def test_a_file_is_left_out_and_tried_again_as_a_whole():
    units = [aside("a", "src/one"), aside("b", "src/one"), aside("c", "src/two")]
    left, error = LeftOut(units, None), BuildError("", 1, 1, 1, 2, None, "two of one name")
    assert left.again([error])
    assert left.sources == {"src/one", "src/two"}
    assert left.again([])  # without both it builds: the first is tried again
    assert left.sources == {"src/two"}
    assert left.files == {"src/two", "tests/c"}
    assert left.again([])  # that builds
    assert not left.probing
    assert [test.name for test in left.tests()] == ["test_c_is"]


def test_an_error_in_its_file_is_of_all_its_units_and_one_in_its_test_of_one():
    units = [aside("a", "src/one"), aside("b", "src/one"), aside("c", "src/two")]
    left = LeftOut(units, None)
    assert left.again([BuildError("tests/b", 1, 1, 1, 2, None, "no b")])
    assert (left.files, left.sources) == ({"tests/b"}, set())
    assert left.again([BuildError("src/one", 1, 1, 1, 2, None, "no end")])
    assert left.files == {"src/one", "tests/a", "tests/b"}


PRACTISED = {
    "in its part": ("[each for each in given]", ()),
    "in another's": ("list(given)", ("list-comprehension",)),
}


@pytest.mark.parametrize("name", PRACTISED)
def test_what_a_unit_practises_is_looked_for_in_its_part(name):
    code, missing = PRACTISED[name]
    practises = ("list-comprehension",)
    unit = SimpleNamespace(id="ex-5", stub="hottest", file=OWN, kind="declare", practises=practises)
    first = "# ex-4 - First principle: a\n\nROWS = [row for row in (1, 2)]\n\n\n"
    text = f"{first}{HOTTEST}\n\ndef hottest(given):\n    return {code}\n"
    assert left_out("python", unit, {OWN: text}, TOOLS["python"].functions) == missing
