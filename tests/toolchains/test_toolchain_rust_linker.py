"""A faster linker is used if it works, and has no part in what is said of the code."""

import os
import platform
import shutil

import pytest
from rust_kit import FILES, Way, calls
from toolchain_kit import write

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.rust.direct.linker import Waiting, find, usual_call
from tutor_lsp.languages.rust.environment import rust_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.spec import Spec

__all__ = ["calls"]

pytestmark = [pytest.mark.cargo, pytest.mark.xdist_group("cargo-direct")]

LIB = "src/lib.rs"
LOST = FILES[LIB].replace("{ 2", '{ unsafe extern "C" { fn nowhere(); } unsafe { nowhere() }; 2')


@pytest.fixture
def mold(tmp_path, monkeypatch):
    """Have something stand for mold: a script, before which each call is noted in `linked`."""

    bin_folder = tmp_path / "bin"
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"

    def put(script):
        text = f"#!/bin/sh\necho called >>'{tmp_path}/linked'\n{script}\n"
        write(bin_folder, {"ld.mold": text})
        (bin_folder / "ld.mold").chmod(0o755)
        monkeypatch.setenv("PATH", path)

    return put


def linked(tmp_path):
    """How often it was called."""
    noted = tmp_path / "linked"
    return len(noted.read_text().splitlines()) if noted.exists() else 0


WORKS = 'exec ld "$@"'


async def rustc_of(way):
    """The compiler that builds an exercise, which is built once."""
    assert (await way.begin(FILES)).outcome is RunOutcome.PASSED
    ((plan, _),) = way.tool._kept.plans._plans.values()
    return plan.library.command[0]


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("script", "flags"),
    [
        (WORKS, ("-Clink-arg=-fuse-ld=mold",)),
        ("exit 1", ()),
    ],
)
async def test_a_linker_is_tried_before_it_is_used(tmp_path, mold, script, flags):
    rustc = await rustc_of(Way(tmp_path / "one", direct=True))
    assert await find(rustc) == ()
    mold(script)
    assert await find(rustc) == flags
    assert linked(tmp_path) > 0


@pytest.mark.long("builds five times and asks cargo; finding a linker is tried here")
async def test_a_linker_that_works_is_used_and_the_usual_one_says_what_fails(tmp_path, mold, calls):
    mold(WORKS)
    way = Way(tmp_path / "one", direct=True)
    await rustc_of(way)
    assert (await way.report({LIB: FILES[LIB] + "// 1\n"})).outcome is RunOutcome.PASSED
    await way.tool._kept.linker._finding
    before = linked(tmp_path)
    assert (await way.report({LIB: FILES[LIB] + "// 2\n"})).outcome is RunOutcome.PASSED
    assert linked(tmp_path) == before + 1
    assert calls == ["cargo"]
    other = Way(tmp_path / "two", direct=False)
    await other.begin(FILES)
    assert await way.report({LIB: LOST}) == await other.report({LIB: LOST})
    assert len(calls) == 4
    assert (await way.report({LIB: FILES[LIB] + "// 3\n"})).outcome is RunOutcome.PASSED
    assert len(calls) == 4


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_the_learner_may_link_with_a_linker_that_looks_back_at_nothing(tmp_path, calls):
    if shutil.which("ld.bfd") is None:
        pytest.skip("not here: ld.bfd")
    settings = '[build]\nrustflags = ["-Clink-arg=-fuse-ld=bfd"]\n'
    way = Way(tmp_path, direct=True)
    assert (await way.begin({**FILES, ".cargo/config.toml": settings})).outcome is RunOutcome.PASSED
    assert (await way.report({LIB: FILES[LIB] + "// 1\n"})).outcome is RunOutcome.PASSED
    assert calls == ["cargo"]


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_a_linker_that_fails_later_fails_nothing_and_is_left(tmp_path, mold, calls):
    mold(WORKS)
    way = Way(tmp_path / "one", direct=True)
    await rustc_of(way)
    await way.report({LIB: FILES[LIB] + "// 1\n"})
    await way.tool._kept.linker._finding
    mold("exit 1")
    for more in ("// 2\n", "// 3\n"):
        assert (await way.report({LIB: FILES[LIB] + more})).outcome is RunOutcome.PASSED
    assert len(calls) == 2


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_a_linker_that_the_learner_has_set_is_kept(tmp_path, mold, calls):
    mold(WORKS)
    way = Way(tmp_path / "one", direct=True)
    settings = '[build]\nrustflags = ["-Clinker=cc"]\n'
    assert (await way.begin({**FILES, ".cargo/config.toml": settings})).outcome is RunOutcome.PASSED
    for more in ("// 1\n", "// 2\n"):
        assert (await way.report({LIB: FILES[LIB] + more})).outcome is RunOutcome.PASSED
    assert way.tool._kept.linker._finding is None
    assert calls == ["cargo"]
    assert linked(tmp_path) == 0


OLD = (
    'case "$*" in *-fuse-ld=lld*)\n'
    "  echo \"cc: error: unrecognized command line option '-fuse-ld=lld'\" >&2\n"
    "  echo refused >>{noted}; exit 1 ;;\n"
    "esac\n"
    'exec {cc} "$@"'
)
"""A C compiler that knows no lld: rustc calls it again and does not ask for one."""


@pytest.fixture
def old(tmp_path):
    """What that compiler does; it notes in `refused` that it was asked for lld."""
    return OLD.format(noted=tmp_path / "refused", cc=shutil.which("cc"))


@pytest.mark.long("builds Rust several times; a single call of rustc stands for it below")
async def test_a_compiler_that_knows_no_lld_links_without_waiting_again(
    tmp_path, monkeypatch, calls, old
):
    write(tmp_path / "bin", {"cc": f"#!/bin/sh\n{old}\n"})
    (tmp_path / "bin" / "cc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    way = Way(tmp_path / "one", direct=True)
    other = "tests/more.rs"
    files = {**FILES, other: FILES["tests/numbers.rs"].replace("test_two", "test_more")}
    assert (await way.begin(files)).outcome is RunOutcome.PASSED
    if not (tmp_path / "refused").exists():
        pytest.skip("rustc links with another one here")
    write(way.folder, {LIB: FILES[LIB] + "// 1\n"})
    report = await way.tool.run(way.folder, limits=RunLimits(total_s=20))
    assert report.outcome is RunOutcome.PASSED
    assert calls == ["cargo"]


PROGRAM = 'fn main() { println!("{}", std::env::args().count()); }\n'


async def made_by(folder, around, *flags, cc="exit 9"):
    """A program that is linked by the linker that waits, where the usual one is `cc`; None where
    that fails."""
    folder.mkdir()
    write(folder, {"main.rs": PROGRAM, "bin/cc": f"#!/bin/sh\n{cc}\n"})
    (folder / "bin/cc").chmod(0o755)
    waiting = Waiting(folder)
    waiting.put(around)
    held = os.open(folder / "library-is-there", os.O_RDWR)
    environment = rust_environment({"TMPDIR": str(folder)})
    environment["PATH"] = f"{folder / 'bin'}:{environment['PATH']}"
    argv = ("rustc", *Waiting.flags(str(folder)), *flags, "main.rs", "-o", "main")
    try:
        await run(Spec(("/bin/sh", "-c", waiting.go_on(1)), folder, environment, 20))
        made = await run(Spec(argv, folder, environment, 20))
    finally:
        os.close(held)
    assert not made.timed_out
    return (folder / "main").read_bytes() if made.returncode == 0 else None


@pytest.fixture
async def around():
    found = await usual_call()
    if found is None or platform.machine() != "x86_64":
        pytest.skip("no gcc here, or another machine's")
    return found


async def test_lld_links_without_the_usual_linker_what_that_would(tmp_path, around):
    noted, cc = tmp_path / "noted", shutil.which("cc")
    usual = await made_by(tmp_path / "usual", None, cc=f'echo "$*" >{noted}; exec {cc} "$@"')
    assert usual is not None
    if "-fuse-ld=lld" not in noted.read_text():
        pytest.skip("rustc links with another one here")
    assert await made_by(tmp_path / "straight", around) == usual


async def test_a_linker_that_rustc_calls_again_does_not_wait_again(tmp_path, old):
    made = await made_by(tmp_path / "old", None, cc=old)
    if not (tmp_path / "refused").exists():
        pytest.skip("rustc links with another one here")
    assert made is not None


@pytest.mark.parametrize("flag", ["-Clink-arg=-rdynamic", "-Crelocation-model=static"])
async def test_what_is_out_of_the_ordinary_is_left_to_the_usual_linker(tmp_path, around, flag):
    assert await made_by(tmp_path / "fails", around, flag) is None
    usual = f'exec {shutil.which("cc")} "$@"'
    assert await made_by(tmp_path / "usual", around, flag, cc=usual) is not None


async def test_the_usual_linker_says_why_nothing_can_be_made_by(tmp_path, around):
    asked = tmp_path / "asked"
    missing = "-Clink-arg=/nowhere/missing.o"
    assert await made_by(tmp_path / "one", around, missing, cc=f": >{asked}; exit 1") is None
    assert asked.exists()
