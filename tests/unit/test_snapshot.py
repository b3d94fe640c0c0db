"""What an attempt runs on: one line for each file that it takes or leaves out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.exercise.exercise import Exercise, Proof, Unit
from tutor_lsp.core.exercise.report import RunOutcome, TestReport
from tutor_lsp.core.exercise.snapshot import Found, left_out_line, run_hash, snapshot, text_hash
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.wire import from_wire, to_wire

TOOLCHAINS = toolchains()
STUBS = {"python": "src/exercise/tour.py", "rust": "src/lib.rs", "c": "src/ring.c"}
GIVEN = {
    "python": {"src/exercise/__init__.py": "", "tests/test_tour.py": "t", "pyproject.toml": "p"},
    "rust": {"Cargo.toml": "[package]", "tests/bill.rs": "t", ".gitignore": "target/\n"},
    "c": {"src/ring.h": "int f(void);\n", "tests/test_ring.c": "t", "Makefile": "all:\n"},
}


def take(language, *files, odd=(), edited=()):
    """The snapshot of an exercise with these files of the learner's own in it."""
    stub = STUBS[language]
    unit = Unit("ex-1", "f", stub, 1, "", "", 1, ("test_f",))
    names, starter = (stub, *GIVEN[language]), {stub: "s"}
    exercise = Exercise("e", "n", "t", language, "D1", "", (unit,), names, starter, Proof(ok=True))
    texts = {**GIVEN[language], stub: "mine", "LESSON.md": "l"}
    texts |= dict.fromkeys(files, "new")
    texts |= dict.fromkeys(edited, "edited")
    found = Found(texts, dict.fromkeys(odd, "it is a link"))
    originals = {**GIVEN[language], stub: "s", "LESSON.md": "l"}
    return snapshot(exercise, originals, found, TOOLCHAINS[language]), found


TAKES = [
    ("python", "src/exercise/helpers.py"),
    ("python", "src/exercise/random.py"),
    ("python", "src/exercise/more/types.py"),
    ("python", "src/mine.py"),
    ("rust", "src/parse.rs"),
    ("rust", "src/parse/words.rs"),
    ("rust", "src/build.rs.d/mod.rs"),
    ("c", "src/helper.c"),
    ("c", "src/helper.h"),
    ("c", "src/table.inc"),
    ("c", "src/util/helper.h"),
]
LEAVES_OUT = [
    ("python", "tests/conftest.py", "pytest"),
    ("python", "conftest.py", "pytest"),
    ("python", "src/conftest.py", "pytest"),
    ("python", "src/exercise/Conftest.py", "pytest"),
    ("python", "tests/deep/conftest.py", "pytest"),
    ("python", "pytest.ini", "pytest"),
    ("python", "tests/pytest.ini", "pytest"),
    ("python", "tox.ini", "pytest"),
    ("python", "setup.cfg", "pytest"),
    ("python", "src/pyproject.toml", "pytest"),
    ("python", "src/sitecustomize.py", "Python"),
    ("python", "usercustomize.py", "Python"),
    ("python", "src/paths.pth", "Python"),
    ("python", "src/random.py", "`random`"),
    ("python", "src/Random.py", "`random`"),
    ("python", "src/json/__init__.py", "`json`"),
    ("python", "src/math.cpython-312.so", "`math`"),
    ("python", "src/collections/abc.py", "`collections`"),
    ("python", "src/pytest.py", "`pytest`"),
    ("python", "src/_pytest/python.py", "`_pytest`"),
    ("python", "src/pluggy/__init__.py", "`pluggy`"),
    ("python", "src/_tutor_plugin.py", "`_tutor_plugin`"),
    ("python", "tests/helper.py", "given"),
    ("python", "tests/__init__.py", "given"),
    ("python", "tests/test_more.py", "given"),
    ("python", "src/exercise/fast.so", "no source"),
    ("python", "src/exercise/tour.pyc", "no source"),
    ("rust", "build.rs", "cargo"),
    ("rust", ".cargo/config.toml", "cargo"),
    ("rust", ".cargo/config", "cargo"),
    ("rust", "rust-toolchain.toml", "cargo"),
    ("rust", "src/Cargo.toml", "cargo"),
    ("rust", "src/main.rs", "program"),
    ("rust", "src/bin/other.rs", "program"),
    ("rust", "src/std.rs", "`std`"),
    ("rust", "src/core/mod.rs", "`core`"),
    ("rust", "tests/more.rs", "given"),
    ("rust", "tests/common/mod.rs", "given"),
    ("rust", "src/words.txt", "no source"),
    ("c", "src/test.h", "<test.h>"),
    ("c", "src/stub.h", "<stub.h>"),
    ("c", "src/stdio.h", "<stdio.h>"),
    ("c", "src/String.h", "<string.h>"),
    ("c", "src/sys/types.h", "<sys/types.h>"),
    ("c", "src/bits/libc-header-start.h", "<bits/"),
    ("c", "src/ring.h.gch", "no source"),
    ("c", "src/main.c", "program"),
    ("c", "tests/extra.c", "given"),
    ("c", "tests/test.h.gch", "given"),
]
SAYS_NOTHING = [
    ("python", "notes.txt"),
    ("python", "src/exercise/.tour.py.swp"),
    ("python", "src/exercise/tour.py~"),
    ("python", "src/.envrc"),
    ("rust", "Cargo.lock"),
    ("rust", "src/lib.rs.orig"),
    ("c", "ring"),
]


@pytest.mark.parametrize(("language", "file"), TAKES)
def test_new_source_is_taken(language, file):
    shot, _ = take(language, file)
    assert shot.files[file] == "new"
    assert shot.left_out == ()


@pytest.mark.parametrize(("language", "file", "why"), LEAVES_OUT)
def test_names_that_a_tool_loads_or_that_shadow_are_left_out_and_said(language, file, why):
    shot, found = take(language, file)
    clean, _ = take(language)
    assert shot.files == clean.files
    assert shot.hash == clean.hash
    line = left_out_line(shot.left_out)
    assert file in line
    assert why in line
    assert "\n" not in line
    assert run_hash(shot, found) != clean.hash


@pytest.mark.parametrize(("language", "file"), SAYS_NOTHING)
def test_what_no_run_looks_at_is_not_spoken_of(language, file):
    shot, found = take(language, file)
    assert file not in shot.files
    assert left_out_line(shot.left_out) == ""
    assert run_hash(shot, found) == shot.hash


@pytest.mark.parametrize("language", sorted(STUBS))
def test_given_files_are_as_given_and_stubs_are_the_learners(language):
    shot, _ = take(language, edited=GIVEN[language])
    placed = TOOLCHAINS[language].put_in_place(GIVEN[language])
    assert shot.files == {**placed, **GIVEN[language], STUBS[language]: "mine"}
    no_run_looks_at = {".gitignore", "Makefile"}
    assert {item.file for item in shot.left_out} == set(GIVEN[language]) - no_run_looks_at
    assert "your changes to" in left_out_line(shot.left_out)


def rust(found):
    """The snapshot of an exercise whose crate root is given and whose stub lies in a module."""
    unit = Unit("ex-1", "f", "src/arena.rs", 1, "", "", 1, ("test_f",))
    exercise = Exercise("e", "n", "t", "rust", "D1", "", (unit,), (), {}, Proof(ok=True))
    root = {"src/lib.rs": "//! Arena.\n\npub mod arena;\n", "src/arena.rs": "s"}
    return snapshot(exercise, root, Found({**root, **found}), TOOLCHAINS["rust"])


def test_a_given_crate_root_may_name_new_modules_and_nothing_else():
    root = "//! Arena.\n\npub mod arena;\nmod helper;\n"
    shot = rust({"src/lib.rs": root, "src/helper.rs": "h"})
    assert "\nmod helper;\n" in shot.files["src/lib.rs"]
    assert shot.files["src/helper.rs"] == "h"
    assert shot.left_out == ()
    more = rust({"src/lib.rs": f"{root}pub use std::*;\n", "src/helper.rs": "h"})
    assert more.files == shot.files
    assert "your changes to src/lib.rs" in left_out_line(more.left_out)


def test_lines_in_another_order_are_changes():
    shot, _ = take("rust")
    assert shot.left_out == ()
    unit = Unit("ex-1", "f", "src/lib.rs", 1, "", "", 1, ("test_f",))
    exercise = Exercise("e", "n", "t", "rust", "D1", "", (unit,), (), {}, Proof(ok=True))
    tests = {"tests/a.rs": "one\ntwo\n", "src/lib.rs": "s"}
    turned = Found({**tests, "tests/a.rs": "two\none\n"})
    assert snapshot(exercise, tests, turned, TOOLCHAINS["rust"]).left_out


def test_line_ends_and_a_byte_order_mark_are_no_changes():
    shot, _ = take("rust", edited=())
    given_files = {**GIVEN["rust"], "src/lib.rs": "s"}
    odd_ends = Found({**given_files, "tests/bill.rs": "\ufefft\r\n", "src/lib.rs": "mine"})
    unit = Unit("ex-1", "f", "src/lib.rs", 1, "", "", 1, ("test_f",))
    exercise = Exercise(
        "e", "n", "t", "rust", "D1", "", (unit,), ("src/lib.rs",), {}, Proof(ok=True)
    )
    again = snapshot(exercise, given_files, odd_ends, TOOLCHAINS["rust"])
    assert again.left_out == ()
    assert again.hash == shot.hash


def test_links_and_what_cannot_be_read_are_left_out_with_that_reason():
    shot, _ = take("python", odd=["src/exercise/other.py"])
    assert left_out_line(shot.left_out) == (
        "An attempt ignores src/exercise/other.py (it is a link)."
    )


def test_a_stub_file_that_is_gone_is_missing():
    unit = Unit("ex-1", "f", "src/lib.rs", 1, "", "", 1, ("test_f",))
    exercise = Exercise("e", "n", "t", "rust", "D1", "", (unit,), (), {}, Proof(ok=True))
    shot = snapshot(exercise, {"src/lib.rs": "s"}, Found({}), TOOLCHAINS["rust"])
    assert shot.missing == ("src/lib.rs",)


def test_a_name_of_any_characters_stays_on_one_line():
    shot, _ = take("python", "tests/a\nb\u202e.py")
    assert "\\n" in left_out_line(shot.left_out)
    assert left_out_line(shot.left_out).isprintable()


def test_many_files_are_counted():
    shot, _ = take("python", *(f"tests/t{n}.py" for n in range(9)))
    assert left_out_line(shot.left_out).endswith("and 6 more files.")


FILES = st.dictionaries(st.text(max_size=4), st.text(max_size=4), max_size=4)


@given(FILES, FILES)
def test_equal_hashes_mean_equal_files(one, other):
    assert (text_hash(one) == text_hash(other)) == (one == other)


def test_a_report_keeps_its_hash_and_older_records_load():
    report = TestReport("r", RunOutcome.PASSED, text_hash="abc", note="An attempt ignores x.")
    data = json.loads(json.dumps(to_wire(report)))
    assert from_wire(TestReport, data) == report
    del data["textHash"], data["note"]
    assert from_wire(TestReport, data).text_hash == ""
