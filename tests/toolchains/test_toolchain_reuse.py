"""What was built in one folder is taken over in another one, of the same texts alone."""

import os

import pytest
from c_kit import needs_cc
from toolchain_kit import LIMITS, make

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.c import build as c_build
from tutor_lsp.languages.common.build_cache import BuildCache
from tutor_lsp.languages.rust import build as rust_build
from tutor_lsp.languages.rust import run
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain

pytestmark = pytest.mark.first(3)

RUST = {
    "src/lib.rs": "pub fn two() -> i32 { 2 }\n",
    "tests/numbers.rs": "#[test]\nfn test_two() { assert_eq!(exercise::two(), 2); }\n",
}
C = {
    "src/two.h": "int two(void);\n",
    "src/two.c": '#include "two.h"\nint two(void) { int unused = 1; return 2; }\n',
    "tests/test_two.c": (
        '#include "two.h"\n#include "test.h"\n'
        "void test_two(void) { TEST_ASSERT_EQ(2, two()); }\n"
        "int main(void) { RUN_TEST(test_two); TEST_SUMMARY(); }\n"
    ),
}


@pytest.fixture
async def counted(monkeypatch):
    """The toolchains, and a list with an entry for each call of cargo or a C compiler."""
    contain, calls = Contain(), []
    if not (await contain.get()).isolated:
        pytest.skip("nothing is taken over where runs can write to what was built")
    cargo, tool = rust_build.RustBuild._cargo, c_build.Builder._tool

    async def counting_cargo(self, *rest):
        calls.append("cargo")
        return await cargo(self, *rest)

    async def counting_tool(self, argv):
        calls.append("cc")
        return await tool(self, argv)

    monkeypatch.setattr(rust_build.RustBuild, "_cargo", counting_cargo)
    monkeypatch.setattr(c_build.Builder, "_tool", counting_tool)
    return toolchains(contain=contain), calls


async def twice(counted, tmp_path, language, files, there=(), then=()):
    """The reports of two folders, of which one has files `there` and the other ones `then`, and
    how many calls each took."""
    tools, calls = counted
    reports, counts = [], []
    for name, more in (("first", there), ("second", then)):
        folder = make(tmp_path / name, language, {**files, **dict(more)})
        before = len(calls)
        reports.append(await tools[language].run(folder, limits=LIMITS))
        counts.append(len(calls) - before)
    return reports, counts


LANGUAGES = [
    pytest.param("rust", RUST, marks=[pytest.mark.cargo, pytest.mark.xdist_group("cargo")]),
    pytest.param("c", C, marks=needs_cc),
]


@pytest.mark.parametrize(("language", "files"), LANGUAGES)
async def test_the_same_texts_are_built_once(counted, tmp_path, language, files):
    (first, second), (before, after) = await twice(counted, tmp_path, language, files)
    assert before > 0
    assert after == 0
    assert (second.outcome, second.warnings) == (first.outcome, first.warnings)
    assert [(test.name, test.outcome) for test in second.tests] == [
        (test.name, test.outcome) for test in first.tests
    ]
    assert second.tests


OTHERS = {
    "another text": ("rust", {}, {}, {"src/lib.rs": "pub fn two() -> i32 { 3 }\n"}, "failed"),
    "another test": ("rust", {}, {}, {"tests/more.rs": "#[test]\nfn one() {}\n"}, "passed"),
    "bytes beside the crate": (
        "rust", {"src/lib.rs": 'pub fn two() -> i32 { include_bytes!("../two").len() as i32 }\n'},
        {"two": "ab"}, {"two": "abc"}, "failed",
    ),
    "cargo's settings": (
        "rust", {"src/lib.rs": "pub fn two() -> i32 { if cfg!(cheat) { 2 } else { 3 } }\n"},
        {".cargo/config.toml": '[target."cfg(all())"]\nrustflags = ["--cfg=cheat"]\n'}, {},
        "failed",
    ),
    "where it lies": (
        "rust", {"src/lib.rs": (
            "pub fn two() -> i32 { "
            'if env!("CARGO_MANIFEST_DIR").ends_with("first") { 2 } else { 3 } }\n'
        )}, {}, {}, "failed",
    ),
    "a header that is looked for": (
        "c", {"src/two.c": (
            '#if __has_include("../help.h")\nint two(void) { return 2; }\n#else\n'
            "int two(void) { return 3; }\n#endif\n"
        )}, {"help.h": ""}, {}, "failed",
    ),
    "a header as one of the system's": (
        "c", {"src/two.h": '#pragma GCC system_header\n#include "../help.h"\nint two(void);\n'},
        {"help.h": ""}, {}, "build_error",
    ),
    "a header beside the sources": (
        "c", {"src/two.c": '#include "../two.inc"\n'},
        {"two.inc": "int two(void) { return 2; }\n"}, {}, "build_error",
    ),
}  # fmt: skip
"""What differs: language, texts of both folders, those of the first, of the second, its outcome."""


@pytest.mark.sample("a header beside the sources")
@pytest.mark.cargo
@needs_cc
@pytest.mark.parametrize(
    ("language", "both", "there", "then", "outcome"), OTHERS.values(), ids=OTHERS
)
async def test_what_another_folder_may_lack_is_not_taken_over(
    counted, tmp_path, language, both, there, then, outcome
):
    files = {**(RUST if language == "rust" else C), **both}
    (_, second), (_, after) = await twice(counted, tmp_path, language, files, there, then)
    assert after > 0
    assert second.outcome is RunOutcome(outcome)


def other_text(workspace, language):
    """Put a text with another answer into the workspace, as a save does; the one before."""
    new = workspace / "saved"
    name = "src/lib.rs" if language == "rust" else "src/two.c"
    text = (workspace / name).read_text()
    new.write_text(text.replace("{ 2 }", "{ 3 }").replace("return 2;", "return 3;"))
    new.replace(workspace / name)
    return text


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("back", [False, True], ids=["it stays", "it is undone"])
@pytest.mark.parametrize(("language", "files"), LANGUAGES)
async def test_what_is_saved_while_a_build_goes_on_is_taken_for_no_other_text(
    counted, tmp_path, monkeypatch, language, files, back
):
    tools, calls = counted
    first = make(tmp_path / "first", language, files)
    owner, name = (
        (rust_build.RustBuild, "_cargo") if language == "rust" else (c_build.Builder, "_tool")
    )
    build = getattr(owner, name)

    async def saving(self, *rest):
        before = other_text(first, language) if not calls else None
        try:
            return await build(self, *rest)
        finally:
            if back and before is not None:
                (first / ("src/lib.rs" if language == "rust" else "src/two.c")).write_text(before)

    monkeypatch.setattr(owner, name, saving)
    assert (await tools[language].run(first, limits=LIMITS)).outcome is RunOutcome.FAILED
    second = make(tmp_path / "second", language, files)
    assert (await tools[language].run(second, limits=LIMITS)).outcome is RunOutcome.PASSED
    first = make(first, language, files)
    assert (await tools[language].run(first, limits=LIMITS)).outcome is RunOutcome.PASSED


@pytest.mark.sample("c-files1")
@pytest.mark.parametrize(("language", "files"), LANGUAGES)
async def test_what_somebody_put_into_a_build_folder_is_taken_over_by_no_other(
    counted, tmp_path, language, files
):
    tools, _ = counted
    first = make(tmp_path / "first", language, files)
    assert (await tools[language].run(first, limits=LIMITS)).outcome is RunOutcome.PASSED
    good = {path.name.partition("-")[0]: path.read_bytes() for path in _programs(first, language)}
    other_text(first, language)
    assert (await tools[language].run(first, limits=LIMITS)).outcome is RunOutcome.FAILED
    for program in _programs(first, language):
        times = program.stat().st_atime_ns, program.stat().st_mtime_ns
        program.write_bytes(good[program.name.partition("-")[0]])
        os.utime(program, ns=times)
    again = toolchains(contain=tools[language].contain)
    await again[language].run(first, limits=LIMITS)
    second = make(tmp_path / "second", language, files)
    other_text(second, language)
    assert (await again[language].run(second, limits=LIMITS)).outcome is RunOutcome.FAILED


def _programs(workspace, language):
    folder = workspace / ("target/tutor/debug/deps" if language == "rust" else "build/tutor")
    return [path for path in folder.iterdir() if not path.suffix and os.access(path, os.X_OK)]


@pytest.mark.long("builds several times; what lies in a build folder stands for it here")
@pytest.mark.parametrize(("language", "files"), LANGUAGES)
async def test_nothing_is_taken_over_through_a_link(counted, tmp_path, language, files):
    tools, _ = counted
    mine = tmp_path / "mine"
    (mine / "kept" / "letters").mkdir(parents=True)
    (mine / "kept" / "letters" / "one").write_text("dear")
    first = make(tmp_path / "first", language, files)
    assert (await tools[language].run(first, limits=LIMITS)).outcome is RunOutcome.PASSED
    second = make(tmp_path / "second", language, files)
    build = second / tools[language].build_folder
    build.mkdir()
    (build / "tutor").symlink_to(mine)
    await tools[language].run(second, limits=LIMITS)
    # what a contained compiler writes there is another matter
    ours = [path.name for path in mine.iterdir() if path.name.startswith(("tutor-", "test_two"))]
    assert ours == []
    assert [path.name for path in (mine / "kept").rglob("*")] == ["letters", "one"]


def test_the_oldest_files_go_where_room_is_short():
    cache = BuildCache(room=10)
    for key in "abc":
        cache.put(key, key.encode() * 4)
    assert cache.get("a") is None
    assert cache.get("b") == b"bbbb"
    cache.put("d", b"dddd")
    assert cache.get("c") is None
    assert cache.get("b") == b"bbbb"


@pytest.mark.first(1)
@pytest.mark.cargo
@pytest.mark.xdist_group("cargo")
@pytest.mark.parametrize(
    ("source", "tests", "names"),
    [
        ("", RUST["tests/numbers.rs"], ["test_two"]),
        (
            "#[macro_export] macro_rules! more { () => { #[test] fn test_more() {} } }\n",
            f"exercise::more!();\n{RUST['tests/numbers.rs']}",
            ["test_more", "test_two"],
        ),
    ],
    ids=["plain", "made by a macro of the source"],
)
async def test_a_program_is_asked_for_its_tests_where_they_may_have_changed(
    counted, tmp_path, monkeypatch, source, tests, names
):
    asked = []
    original = run.RustRun._asked

    async def asking(self, program, scratch):
        asked.append(await original(self, program, scratch))
        return asked[-1]

    monkeypatch.setattr(run.RustRun, "_asked", asking)
    first = {"src/lib.rs": RUST["src/lib.rs"] + source, "tests/numbers.rs": tests}
    then = {"src/lib.rs": first["src/lib.rs"].replace("{ 2 }", "{ 1 + 1 }")}
    (_, second), _ = await twice(counted, tmp_path, "rust", first, then=then)
    assert sorted(test.name for test in second.tests) == names
    assert len(asked) == (1 if source == "" else 2)
