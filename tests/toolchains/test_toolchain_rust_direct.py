"""Rust exercises are built without cargo where that makes no difference, and only there."""

import asyncio
import os
import re
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from rust_kit import FILES, Way, calls, ready
from toolchain_kit import LIMITS, check_cancelling, make, write

import tutor_lsp
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.rust import build
from tutor_lsp.languages.rust.build import PROGRAMS, TARGET

__all__ = ["calls", "ready"]

pytestmark = [pytest.mark.cargo, pytest.mark.xdist_group("cargo-direct")]

LIBRARY = Path(tutor_lsp.__file__).parent / "library" / "rust"
LIB = "src/lib.rs"


def function(text):
    """The last public function of a text that has a body: where it begins and its body does."""
    return list(re.finditer(r"^ *pub fn \w+[^;{]*\{", text, re.MULTILINE))[-1]


def in_body(words):
    """A change that puts words to the beginning of a function."""
    return lambda text: text[: function(text).end()] + words + text[function(text).end() :]


def after(words):
    """A change that puts words to the end."""
    return lambda text: f"{text}\n{words}\n"


VARIANTS = {
    "as it is": lambda text: text,
    "warnings": in_body(" let unused = 1; let mut same = 2; "),
    "a wrong type": in_body(' let _number: i32 = "one"; '),
    "two mistakes": in_body(' let _number: i32 = "one"; let _other = missing_name; '),
    "no longer there": lambda text: text.replace("pub fn", "pub fn other_", 1),
    "private": lambda text: text.replace("pub fn", "pub(crate) fn"),
    "wrong syntax": in_body(" let ; "),
    "not closed": lambda text: text.rstrip().removesuffix("}"),
    "one more parameter": lambda text: text.replace("(", "(_more: i32, ", 1),
    "borrowed twice": in_body(" let mut s = 1; let a = &mut s; s += 1; *a += 1; "),
    "a module that is missing": after("mod nowhere;"),
    "what tests may not know": after("#[cfg(test)] compile_error!(\"tests\");"),
    "warnings are errors": lambda text: f"#![deny(warnings)]\n{in_body(' let unused = 1; ')(text)}",
    "a panic while it is compiled": after("const _: () = assert!(1 == 2);"),
    "what no linker finds": in_body(" unsafe extern \"C\" { fn nowhere(); } unsafe { nowhere() } "),
    "a panic": in_body(' if true { panic!("of {}", 1) } '),
    "nothing": lambda _: "",
    "no text": lambda _: b"\xff\xfe",
    "more tests in the library": after("#[cfg(test)] mod tests { #[test] fn inner() {} }"),
    "the manifest": in_body(' let _ = (env!("CARGO_PKG_NAME"), include_str!("../Cargo.toml")); '),
    "line by line": in_body(' if true { panic!("{} {}", file!(), line!()) } '),
}  # fmt: skip


def bundled(name):
    """Given files and solution of an exercise of the library."""
    (folder,) = LIBRARY.glob(name)

    def read(place, *parts):
        paths = [path for part in parts for path in (place / part).rglob("*.rs")]
        return {path.relative_to(place).as_posix(): path.read_text() for path in paths}

    return read(folder, "src", "tests"), read(folder / "solution", "src")


async def compared(tmp_path, calls, name, variants):
    """Both ways say the same of all variants, and cargo has no part in one of them."""
    given, solution = bundled(name)
    ways = [Way(tmp_path / word, direct=word == "direct") for word in ("cargo", "direct")]
    begun = [await way.begin(given) for way in ways]
    assert begun[0].outcome is begun[1].outcome
    if begun[0].outcome is RunOutcome.BUILD_ERROR:  # a declaration is asked for
        for way in ways:
            await way.report(solution)
    file = next(file for file in (LIB, *sorted(solution)) if "pub fn" in solution[file])
    for variant in variants:
        texts = {**solution, file: VARIANTS[variant](solution[file])}
        before = len(calls)
        said = [await way.report(texts) for way in ways]
        assert said[0] == said[1], variant
        assert len(calls) == before + 1, variant


@pytest.mark.long("builds every exercise of Rust ten times")
@pytest.mark.parametrize(
    ("turn", "name"), list(enumerate(sorted(path.name for path in LIBRARY.iterdir())))
)
async def test_rustc_alone_says_what_cargo_says_of_every_exercise(tmp_path, calls, turn, name):
    as_it_is, *others = VARIANTS
    # Each of them in three exercises: what a variant changes is the same in all.
    await compared(tmp_path, calls, name, [as_it_is, *others[turn % 5 :: 5]])


SEVERAL = {
    LIB: "pub fn one() -> i32 { 1 }\npub fn two() -> i32 { 2 }\n",
    "tests/common/mod.rs": "pub fn limit() -> i32 { 3 }\n",
    "tests/a.rs": "mod common;\nuse exercise::{one, two};\n#[test]\nfn test_one() "
    "{ assert!(one() < common::limit()); }\n#[test]\nfn test_both() { assert!(one() < two()); }\n",
    "tests/b.rs": "mod common;\n#[test]\nfn test_two() "
    "{ assert!(exercise::two() < common::limit()); }\n",
}
EDITS = [
    ("{ 2", "{ 9"), ("fn two", "fn other"), ("{ 1", "{ let a = 1; 1"), ("", ""), ("{ 2", "{ 1"),
    ("fn one", "fn other"), ("pub fn two", "fn two"), ("{ 2 }", "{ 2"),
]  # fmt: skip


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("edits", [EDITS[:3], EDITS[3:]], ids=["some", "more"])
async def test_several_test_programs_are_built_as_cargo_builds_them(tmp_path, calls, edits):
    ways = [Way(tmp_path / word, direct=word == "direct") for word in ("cargo", "direct")]
    for way in ways:
        assert (await way.begin(SEVERAL)).outcome is RunOutcome.PASSED
    for edit in edits:
        said = [await way.report({LIB: SEVERAL[LIB].replace(*edit)}) for way in ways]
        errors = [sorted(report.build_errors, key=repr) for report in said]
        assert errors[0] == errors[1], edit
        assert said[0].tests == said[1].tests, edit
        assert said[0].warnings == said[1].warnings, edit
        assert said[0].outcome is said[1].outcome, edit
    assert len(calls) == 2 + len(edits)


CHANGES = {
    "another edition": {"Cargo.toml": ("2024", "2021")},
    "lints": {"Cargo.toml": ("[lib]", "[lints.rust]\nunused = 'deny'\n\n[lib]")},
    "a manifest that is wrong": {"Cargo.toml": ("[lib]", "[lib")},
    "another test file": {"tests/more.rs": "#[test]\nfn test_more() {}\n"},
    "a program": {"src/main.rs": "fn main() {}\n"},
    "settings": {".cargo/config.toml": '[build]\nrustflags = ["--cfg=other"]\n'},
    "a text that the manifest may name": {"README.md": "Read me."},
}


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("change", CHANGES)
async def test_cargo_is_asked_again_where_its_answer_may_change(tmp_path, calls, change):
    way = Way(tmp_path / "one", direct=True)
    await way.begin(FILES)
    await way.report({LIB: FILES[LIB] + "// more\n"})
    assert calls == ["cargo"]
    new = {
        name: (tmp_path / "one" / name).read_text().replace(*text) if "toml" in name[:10] else text
        for name, text in CHANGES[change].items()
    }
    said = await way.report({LIB: "pub fn two() -> i32 { let a = 1; 2 }\n", **new})
    assert calls == ["cargo"] * 2
    other = Way(tmp_path / "two", direct=False)
    await other.begin(FILES)
    assert said == await other.report({LIB: "pub fn two() -> i32 { let a = 1; 2 }\n", **new})


NEVER = {
    "a package beside it": {
        "Cargo.toml": '[package]\nname = "exercise"\nedition = "2021"\n[workspace]\n'
        '[dependencies]\nbeside = { path = "beside" }\n',
        "beside/Cargo.toml": '[package]\nname = "beside"\nedition = "2021"\n',
        "beside/src/lib.rs": "pub const ONE: i32 = 1;\n",
    },
    "a script": {
        "Cargo.toml": '[package]\nname = "exercise"\nedition = "2021"\n[workspace]\n',
        "build.rs": 'fn main() { println!("cargo::rustc-cfg=seen"); }\n',
    },
    "a workspace above it": {
        "Cargo.toml": '[package]\nname = "exercise"\nedition = "2021"\n',
    },
    "a program": {"src/main.rs": "fn main() {}\n"},
    "a variable that cargo's starter sets": {
        LIB: FILES[LIB] + 'pub const A: Option<&str> = option_env!("RUSTUP_TOOLCHAIN");\n'
    },
}


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("files", [pytest.param(NEVER[name], id=name) for name in NEVER])
async def test_cargo_builds_what_is_out_of_the_ordinary(tmp_path, calls, files):
    way = Way(tmp_path, direct=True)
    assert (await way.begin({**FILES, **files})).outcome is RunOutcome.PASSED
    text = files.get(LIB, FILES[LIB])
    for more in ("// 1\n", "// 2\n"):
        assert (await way.report({LIB: text + more})).outcome is RunOutcome.PASSED
    assert len(calls) == 3


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_cargo_builds_what_links_lead_to(tmp_path, calls):
    way = Way(tmp_path / "one", direct=True)
    make(tmp_path / "one", "rust", FILES)
    (tmp_path / "one" / "src" / "more").symlink_to(tmp_path)
    for _ in range(2):
        assert (await way.report(FILES)).outcome is RunOutcome.PASSED
    assert len(calls) == 2


@pytest.mark.sample("namespaces")
@pytest.mark.parametrize("level", ["bubblewrap", "namespaces", "landlock", "limits"])
async def test_every_containment_lets_rustc_build(tmp_path, calls, level):
    way = Way(tmp_path, direct=True, level=level)
    if (await way.tool.contain.get()).level != level:
        pytest.skip(f"not here: {level}")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / ".#lib.rs").symlink_to("learner@here.1234")
    assert (await way.begin(FILES)).outcome is RunOutcome.PASSED
    assert calls == ["cargo"]
    for number, outcome in ((3, RunOutcome.FAILED), ("no", RunOutcome.BUILD_ERROR)):
        text = FILES[LIB].replace("{ 2", f"{{ {number}")
        assert (await way.report({LIB: text})).outcome is outcome
    assert calls == ["cargo"]


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize(("level", "asked"), [("namespaces", 2), (None, 0)])
async def test_two_runs_at_once_do_not_share_what_they_build(tmp_path, calls, level, asked):
    way = Way(tmp_path, direct=True, level=level)
    assert (await way.begin(FILES)).outcome is RunOutcome.PASSED
    if level and not (await way.tool.contain.get()).isolated:
        pytest.skip("no namespaces here")
    calls.clear()
    reports = await asyncio.gather(*(way.report({LIB: FILES[LIB] + "\n"}) for _ in range(3)))
    assert {report.outcome for report in reports} == {RunOutcome.PASSED}
    assert len(calls) == asked


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_a_folder_for_programs_that_is_a_link_is_left_alone(ready, calls, tmp_path):
    write(tmp_path / "mine", {"letter": "dear"})
    (ready.folder / TARGET / PROGRAMS).rmdir()
    (ready.folder / TARGET / PROGRAMS).symlink_to(tmp_path / "mine")
    assert (await ready.report({LIB: FILES[LIB] + "\n"})).outcome is RunOutcome.PASSED
    assert calls == ["cargo"]
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["letter"]


ENDLESS = (
    "#[allow(long_running_const_eval)]\n"
    "pub const N: u64 = { let mut i = 0; while i < u64::MAX { i += 1 } i };\n"
)


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_cancelling_leaves_no_compiler_and_nothing_in_the_way(ready, calls, no_process_left):
    write(ready.folder, {LIB: FILES[LIB] + ENDLESS})
    running = ready.tool.run(ready.folder, limits=LIMITS)
    await check_cancelling(running, "rustc @/dev/fd/", no_process_left)
    assert (await ready.report(FILES)).outcome is RunOutcome.PASSED
    assert calls == []


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_a_run_that_is_cancelled_as_it_begins_holds_nothing(ready, calls, monkeypatch):
    hold, begun, go_on = build._hold, threading.Event(), threading.Event()

    def slow(target):
        begun.set()
        go_on.wait(20)
        return hold(target)

    monkeypatch.setattr(build, "_hold", slow)
    running = asyncio.create_task(ready.tool.run(ready.folder, limits=LIMITS))
    assert await asyncio.to_thread(begun.wait, 20)
    running.cancel()
    await asyncio.sleep(0)
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    monkeypatch.setattr(build, "_hold", hold)
    descriptor = hold(ready.folder / TARGET)
    os.close(descriptor)
    assert (await ready.report({LIB: FILES[LIB] + "\n"})).outcome is RunOutcome.PASSED
    assert calls == []


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_a_build_that_takes_too_long_is_stopped_once_and_cargo_makes_the_next(ready, calls):
    write(ready.folder, {LIB: FILES[LIB] + ENDLESS})
    report = await ready.tool.run(ready.folder, limits=RunLimits(total_s=1, test_s=1))
    assert report.outcome is RunOutcome.TIMEOUT
    assert report.reason == "Building took longer than 1 s and was stopped."
    assert calls == []
    assert (await ready.report({LIB: FILES[LIB] + "// more\n"})).outcome is RunOutcome.PASSED
    assert calls == ["cargo"]


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_cargo_has_the_word_where_a_compiler_fails(ready, calls):
    (key, (plan, _)), *_ = ready.tool._kept.plans._plans.items()
    broken = replace(plan.library, command=("/bin/sh", "-c", "exit 101", *plan.library.command))
    ready.tool._kept.plans.put(key, replace(plan, library=broken))
    for more in ("// 1\n", "// 2\n"):
        assert (await ready.report({LIB: FILES[LIB] + more})).outcome is RunOutcome.PASSED
    assert calls == ["cargo"] * 2
