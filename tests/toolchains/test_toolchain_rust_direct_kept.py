"""What builds of Rust without cargo keep: for the next build, a later process, another exercise."""

import os

import pytest
from rust_kit import FILES, Way, calls, ready
from toolchain_kit import LIMITS, make, write

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.rust.build import PROGRAMS, TARGET, RustBuild
from tutor_lsp.languages.rust.toolchain import RustToolchain
from tutor_lsp.process.contain import Contain

__all__ = ["calls", "ready"]

pytestmark = [pytest.mark.cargo, pytest.mark.xdist_group("cargo-direct")]

LIB = "src/lib.rs"


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_nothing_that_an_earlier_build_left_is_trusted(ready, calls):
    (kept,) = ready.tool._kept.plans._plans.values()
    left = ready.folder / TARGET / PROGRAMS
    for call in (kept[0].library, *kept[0].tests):
        write(left, dict.fromkeys(call.made, "half"))
    write(left, {"more/failed": "", "failed": "", "0.said": '{"spans": [], "message": "no"}'})
    assert (await ready.report({LIB: FILES[LIB] + "\n"})).outcome is RunOutcome.PASSED
    broken = await ready.report({LIB: FILES[LIB].replace("2 }", "two }")})
    assert broken.outcome is RunOutcome.BUILD_ERROR
    assert broken.tests == ()
    assert calls == []
    assert list(left.iterdir()) == []


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_a_text_that_is_older_than_the_last_build_is_built(ready, calls):
    assert (
        await ready.report({LIB: FILES[LIB].replace("{ 2", "{ 3")})
    ).outcome is RunOutcome.FAILED
    write(ready.folder, FILES)
    os.utime(ready.folder / LIB, (1, 1))
    assert (await ready.tool.run(ready.folder, limits=LIMITS)).outcome is RunOutcome.PASSED
    assert calls == []
    # and by cargo again, whose last text this was
    ready.tool._kept.plans._plans.clear()
    write(ready.folder, {LIB: FILES[LIB].replace("{ 2", "{ 4")})
    os.utime(ready.folder / LIB, (1, 1))
    assert (await ready.tool.run(ready.folder, limits=LIMITS)).outcome is RunOutcome.FAILED
    assert calls == ["cargo"]


async def test_the_first_build_of_a_later_process_needs_no_cargo(tmp_path, calls):
    way = Way(tmp_path / "one", direct=True)
    for number in (1, 2):
        contain = Contain(home=tmp_path / "home", level="namespaces")
        if not (await contain.get()).isolated:
            pytest.skip("runs can write to what is kept")
        way.tool = RustToolchain(contain=contain)
        make(way.folder, "rust", FILES)
        assert (await way.report({LIB: FILES[LIB] + f"// {number}\n"})).outcome is RunOutcome.PASSED
    assert calls == ["cargo"]


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_what_was_built_without_cargo_is_taken_over(tmp_path, calls):
    way = Way(tmp_path / "one", direct=True, level="namespaces")
    if not (await way.tool.contain.get()).isolated:
        pytest.skip("nothing is taken over where runs can write to what was built")
    await way.begin(FILES)
    text = {LIB: FILES[LIB] + "// more\n"}
    first = await way.report(text)
    make(tmp_path / "two", "rust", {**FILES, **text})
    second = await way.tool.run(tmp_path / "two", limits=LIMITS)
    assert calls == ["cargo"]
    assert [test.name for test in first.tests] == [test.name for test in second.tests]
    assert first.outcome is second.outcome is RunOutcome.PASSED


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("back", [False, True], ids=["it stays", "it is undone"])
async def test_what_is_saved_while_rustc_builds_is_taken_for_no_other_text(
    tmp_path, monkeypatch, back
):
    way = Way(tmp_path / "one", direct=True, level="namespaces")
    if not (await way.tool.contain.get()).isolated:
        pytest.skip("nothing is taken over where runs can write to what was built")
    await way.begin(FILES)
    direct, saved = RustBuild._direct, []
    text = {LIB: FILES[LIB] + "// more\n"}

    async def saving(self, *rest):
        first = not saved
        saved.append(first)
        if first:
            write(way.folder, {LIB: text[LIB].replace("{ 2", "{ 3")})
        try:
            return await direct(self, *rest)
        finally:
            if first and back:
                write(way.folder, text)

    monkeypatch.setattr(RustBuild, "_direct", saving)
    assert (await way.report(text)).outcome is RunOutcome.FAILED
    make(tmp_path / "two", "rust", {**FILES, **text})
    assert (await way.tool.run(tmp_path / "two", limits=LIMITS)).outcome is RunOutcome.PASSED
    assert (await way.report(text)).outcome is RunOutcome.PASSED
