"""Forty wrong and unfinished states of a unit of each kind in each language: the right mark, on the
right line, and no other unit loses its result.

They come together, one of each kind at a time, so what one says does not depend on what is wrong
elsewhere.
"""

import asyncio
from dataclasses import dataclass

import pytest
import states_c
import states_python
import states_rust
from kinds_kit import LIMITS
from mixed_kit import Mark, Mixed, mixed, place
from predict_kit import told

from tutor_lsp.core.exercise.judge import merge
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.languages.common.spares import Spares
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.process.contain import Contain
from tutor_lsp.process.forking import Forking

TABLES = {"python": states_python.KINDS, "rust": states_rust.KINDS, "c": states_c.KINDS}
VALUES = {"python": ("34", "#-#."), "rust": ("34", "#-#."), "c": ("34", "446")}
UNBUILT = "build"
"""The state of what stops the run."""
MANY = 40
BATCH = 8
"""Runs of one test."""
EACH, FEW = 6, 20
"""Which turns are also run by what waits, and which of Python in the fast run."""
LONG = pytest.mark.long("hundreds of states; those of the tests of each kind stand for them")


def turns(language):
    """Which states come together: one of each kind, while there are any, by kind."""
    tables = {
        kind: [name for name, state in table.items() if state[1] != UNBUILT]
        for kind, table in TABLES[language].items()
    }
    most = max(map(len, tables.values()))
    return [{kind: t[turn] for kind, t in tables.items() if turn < len(t)} for turn in range(most)]


def batches(language):
    every = turns(language)
    return [every[at : at + BATCH] for at in range(0, len(every), BATCH)]


CASES = [
    pytest.param(
        language,
        batch,
        id=f"{language}-{number}",
        marks=[pytest.mark.xdist_group(f"states in {language}"), LONG]
        + [pytest.mark.cargo] * (language == "rust"),
    )
    for language in TABLES
    for number, batch in enumerate(batches(language))
]
LANGUAGES = [
    pytest.param("python"),
    pytest.param("rust", marks=[pytest.mark.cargo, pytest.mark.xdist_group("states in rust")]),
    pytest.param("c", marks=pytest.mark.xdist_group("states in c")),
]


@dataclass(frozen=True)
class Here:
    """Such an exercise, where it runs, and the report of the solved one."""

    it: Mixed
    root: object
    solved: object


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    known = {}

    def here(language):
        if language not in known:
            folder = tmp_path_factory.mktemp(language)
            it = mixed(folder / "library", language)
            solved, marks = it.marks(*it.raw(folder / "root", it.right))
            assert {mark.state for mark in marks.values()} == {"passing"}
            known[language] = Here(it, folder / "root", solved)
        return known[language]

    return here


def edited(it, language, picked):
    """All texts after these edits."""
    texts = it.right
    for kind, name in picked.items():
        texts = it.edited(texts, it.unit(kind).file, TABLES[language][kind][name][0])
    return texts


def check(it, language, picked, raw, files):
    """Each unit is marked as the tables have it, and nothing tells what is to be predicted."""
    report, marks = it.marks(raw, files)
    for unit in it.made.exercise.units:
        kind, seen = unit.kind.value, marks[unit.id]
        if unit.id != it.unit(kind).id or kind not in picked:
            assert seen.state == "passing", (picked, unit.id, seen)
            continue
        _, state, line, begins = TABLES[language][kind][picked[kind]]
        assert seen == Mark(state, seen.said, line), (kind, picked[kind])
        assert seen.said.startswith(begins), (kind, picked[kind])
        assert bool(seen.said) == (state != "passing"), (kind, picked[kind])
    predicting = it.unit("predict")
    mine = [test for test in report.tests if test.unit == predicting.id]
    mine += [test for test in raw.tests if test.name in predicting.tests]
    text = files.get(predicting.file, "")
    assert told(mine, [value for value in VALUES[language] if value not in text]) == []


@pytest.mark.parametrize("language", TABLES)
def test_there_are_so_many_of_each_kind_and_no_two_alike(language):
    for kind, table in TABLES[language].items():
        edits = [repr(state[0]) for state in table.values()]
        assert len(set(edits)) == len(edits) >= MANY, kind


@pytest.mark.parametrize(("language", "batch"), CASES)
def test_each_has_its_mark_whatever_is_wrong_elsewhere(places, language, batch):
    here = places(language)
    for picked in batch:
        raw, files = here.it.raw(here.root, edited(here.it, language, picked))
        check(here.it, language, picked, raw, files)


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("language", "each"),
    [("python", FEW), *(pytest.param(*p.values, EACH, marks=p.marks) for p in LANGUAGES)],
)
def test_what_waits_for_a_run_says_the_same(tmp_path, language, each, monkeypatch):
    tool = toolchains(contain=Contain(home=tmp_path / "home", level="namespaces"))[language]
    it, root = mixed(tmp_path / "library", language, tool), tmp_path / "root"
    used = []

    def noting(owner, name):
        really = getattr(owner, name)

        def noted(self, *arguments, **named):
            found = really(self, *arguments, **named)
            used.append(found is not None or name == "__init__")
            return found

        monkeypatch.setattr(owner, name, noted)

    noting(Spares, "take")
    noting(Forking, "__init__")

    async def checked():
        if (await tool.contain.get()).level != "namespaces":
            pytest.skip("not here: namespaces")
        try:
            place(root, it.right)
            await it.ran(root)
            for picked in turns(language)[1::each]:
                await tool.keep_ready(root, LIMITS)
                files = place(root, edited(it, language, picked))
                check(it, language, picked, await it.ran(root), files)
        finally:
            await tool.let_go()

    asyncio.run(checked())
    assert any(used), "nothing that waited was used"


@LONG
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stops_the_run_is_told_at_its_line_and_takes_no_result(places, language):
    here = places(language)
    stops = [
        (kind, name, state)
        for kind, table in TABLES[language].items()
        for name, state in table.items()
        if state[1] == UNBUILT
    ]
    for kind, name, (_, _, line, begins) in stops:
        raw, files = here.it.raw(here.root, edited(here.it, language, {kind: name}))
        report, _ = here.it.marks(raw, files)
        assert report.outcome is RunOutcome.BUILD_ERROR, name
        first = report.build_errors[0]
        assert (first.line, f"{first.file}: {first.message}"[: len(begins)]) == (line, begins), name
        assert merge(here.solved, report) == here.solved, name
