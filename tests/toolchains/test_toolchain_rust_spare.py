"""Waiting compilers of Rust: their build is like any other, only sooner."""

import asyncio
import shutil

import pytest
from rust_kit import FILES, Way, calls
from toolchain_kit import LIMITS, make, write

from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.rust.build import PROGRAMS, TARGET
from tutor_lsp.languages.rust.direct.spare import Compilers

__all__ = ["calls"]

pytestmark = [pytest.mark.cargo, pytest.mark.xdist_group("cargo-direct")]

LIB = "src/lib.rs"


@pytest.fixture
async def ready(tmp_path, calls):
    """An exercise whose next build finds waiting compilers."""
    way = Way(tmp_path / "one", direct=True, level="namespaces")
    if (await way.tool.contain.get()).level != "namespaces":
        pytest.skip("not here: namespaces")
    assert (await way.begin(FILES)).outcome is RunOutcome.PASSED
    calls.clear()
    await way.tool.keep_ready(way.folder, LIMITS)
    yield way
    await way.tool.let_go()


@pytest.fixture
def no_start(monkeypatch):
    """From now on builds may not start compilers of their own."""

    def refuse(*_):
        raise AssertionError("compilers were started")

    return lambda: monkeypatch.setattr(Compilers, "start", refuse)


def waiting(way):
    return way.tool._kept.spares._waiting[way.folder]


@pytest.mark.sample("3-failed")
@pytest.mark.parametrize(
    ("body", "outcome"),
    [("2 + 0", RunOutcome.PASSED), ("3", RunOutcome.FAILED), ('"two"', RunOutcome.BUILD_ERROR)],
)
async def test_it_builds_what_is_saved_when_the_build_begins(
    ready, calls, no_start, tmp_path, body, outcome
):
    text = FILES[LIB].replace("{ 2 }", f"{{ {body} }}")
    no_start()
    warm = await ready.report({LIB: text})
    assert warm.outcome is outcome
    assert calls == []
    cold = Way(tmp_path / "two", direct=False)
    await cold.begin(FILES)
    assert warm == await cold.report({LIB: text})


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_it_serves_one_build_and_ends_with_it(ready):
    first = waiting(ready)
    assert (await ready.report({LIB: FILES[LIB] + "// 1\n"})).outcome is RunOutcome.PASSED
    assert not first.alive
    assert ready.tool._kept.spares._waiting == {}
    assert (
        await ready.report({LIB: FILES[LIB].replace("2 }", "3 }")})
    ).outcome is RunOutcome.FAILED
    await ready.tool.keep_ready(ready.folder, LIMITS)
    assert (await ready.report({LIB: FILES[LIB] + "// 2\n"})).outcome is RunOutcome.PASSED


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_one_that_has_ended_costs_only_time(ready):
    spare = waiting(ready)
    spare._child.kill()
    async with asyncio.timeout(15):
        await spare._child.wait()
    assert (await ready.report({LIB: FILES[LIB] + "// 1\n"})).outcome is RunOutcome.PASSED


@pytest.mark.long("builds Rust several times; others here stand for it")
async def test_letting_go_ends_it(ready, tmp_path):
    spare = waiting(ready)
    await ready.tool.let_go(ready.folder)
    assert not spare.alive
    assert ready.tool._kept.spares._waiting == {}


def another_manifest(folder):
    manifest = folder / "Cargo.toml"
    manifest.write_text(manifest.read_text().replace("2024", "2021"))


def remade(folder):
    shutil.copytree(folder, folder.with_name("copy"))
    folder.rename(folder.with_name("moved"))
    folder.with_name("copy").rename(folder)


def gone(folder):
    """Remove a folder in which a compiler that waits may still put something."""
    for _ in range(100):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
    raise AssertionError(f"{folder} is filled again and again")


CHANGES = {
    "another manifest": another_manifest,
    "one more test": lambda folder: write(
        folder, {"tests/more.rs": "#[test]\nfn test_more() {}\n"}
    ),
    "another folder": remade,
    "another build folder": lambda folder: gone(folder / TARGET),
    "another folder for programs": lambda folder: remade(folder / TARGET / PROGRAMS),
}


@pytest.mark.long("builds Rust several times; others here stand for it")
@pytest.mark.sample("another manifest")
@pytest.mark.parametrize("change", CHANGES)
async def test_none_serves_for_which_more_has_changed_than_texts(ready, change):
    spare = waiting(ready)
    CHANGES[change](ready.folder)
    text = FILES[LIB].replace("2 }", "3 }")
    assert (await ready.report({LIB: text})).outcome is RunOutcome.FAILED
    # Where its folder has gone it may have ended by itself.
    assert ready.tool._kept.spares._waiting.get(ready.folder) in (spare, None)
    await ready.tool.keep_ready(ready.folder, LIMITS)
    assert not spare.alive


async def test_there_is_none_where_cargo_builds(tmp_path):
    way = Way(tmp_path, direct=True, level="namespaces")
    if (await way.tool.contain.get()).level != "namespaces":
        pytest.skip("not here: namespaces")
    make(tmp_path, "rust", FILES)
    await way.tool.keep_ready(tmp_path, LIMITS)
    assert way.tool._kept.spares._waiting == {}
