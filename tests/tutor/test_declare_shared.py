"""Units that ask for declarations in one file, from its start to its reference."""

from pathlib import Path

import pytest
from begun_kit import OwnLearner, begun_of, taken_up
from shared_kit import shared_folder

from tutor_lsp.core.exercise.parts import parts, text_of, with_code
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.hinting.coach.checks import leak
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.hover import hover
from tutor_lsp.tutor.ide.lenses import lenses
from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record

pytestmark = pytest.mark.xdist_group("declare")
FILE = "src/exercise/reading.py"
LINES = languages()["python"].lines
READING = """class Reading:
    def __init__(self, celsius, place):
        self.celsius, self.place = celsius, place

    def label(self):
        return f"{self.place}: {self.celsius} C"
"""
HOTTEST = "def hottest(readings):\n    return max(readings, key=lambda each: each.celsius)\n"
SUMMARY = """def summary(readings):
    top = hottest(readings)
    return f"{len(readings)}, at most {top.celsius} C in the {top.place}"
"""


class Learner(OwnLearner):
    file = FILE

    @property
    def text(self):
        return self.path.read_text()

    def write(self, **code):
        """Put code below the comments of units: `ex_4="…"`."""
        opened = self.opened
        opened.edited(self.path)
        text = self.text
        for unit, lines in code.items():
            text = with_code(text, unit.replace("_", "-"), lines, LINES)
        self.path.write_text(text)
        opened.edited(self.path)

    async def solve_others(self):
        for file, text in self.opened.vault.solution.items():
            if file != FILE:
                (self.root / file).write_text(text)

    async def units(self):
        """State, line and focus of the three."""
        found = (await self.do("status"))["units"][3:]
        return [(unit["state"], unit["line"], unit["focus"]) for unit in found]

    @property
    def marks(self):
        """Line, code and message of each mark in the file."""
        return [(m.span.line, m.code, m.message) for m in diagnostics(self.view)[FILE]]


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    folder = tmp_path_factory.mktemp("begun")
    return begun_of(folder, lambda library: shared_folder(library, "python"), Learner)


@pytest.fixture
async def learner(begun, tmp_path):
    async with taken_up(begun, tmp_path / "home", Learner) as made:
        yield made


def at(text, begin):
    """The 1-based line that begins so."""
    return next(n for n, row in enumerate(text.split("\n"), 1) if row.startswith(begin))


async def test_each_mark_stands_on_its_comment_until_its_name_is_declared(learner):
    first = [part.first + 1 for part in parts(learner.given, LINES).values()]
    assert [line for _, line, _ in await learner.units()] == first
    assert [line for line, _, _ in learner.marks] == first
    assert sorted({line for line, _ in lenses(learner.view, FILE)}) == first
    assert "ex-5" in hover(learner.view, FILE, first[1], 3).markdown
    assert "ex-4" in hover(learner.view, FILE, first[0], 3).markdown
    learner.write(ex_4=READING, ex_5=HOTTEST)
    await learner.do("check")
    text = learner.text
    lines = [
        at(text, "class Reading"),
        at(text, "def hottest"),
        parts(text, LINES)["ex-6"].first + 1,
    ]
    units = await learner.units()
    assert [state for state, _, _ in units] == ["passing", "passing", "todo"]
    assert [line for _, line, _ in units] == lines
    assert [(line, code) for line, code, _ in learner.marks] == [(lines[2], "todo")]


async def test_an_edit_moves_the_focus_to_the_unit_of_its_part(learner):
    await learner.solve_others()
    learner.write(ex_4=READING)
    assert [focus for _, _, focus in await learner.units()] == [True, False, False]
    learner.write(ex_6=SUMMARY)
    assert [focus for _, _, focus in await learner.units()] == [False, False, True]


async def test_what_does_not_build_is_told_where_it_is_and_costs_the_others_nothing(learner):
    learner.write(ex_4=READING)
    await learner.do("check")
    before = learner.opened.session.progress["ex-4"]
    learner.write(ex_5="def hottest(\n")
    await learner.do("check")
    line = at(learner.text, "def hottest")
    assert [code for _, code, _ in learner.marks] == ["test-errored", "test-errored", "todo"]
    (_, _, one), (_, _, two), _ = learner.marks
    assert one == f"ex-5 in the same file stops the build at line {line} (2 of 2 tests)"
    assert two.startswith(f"line {line} of {FILE} does not build: ")
    after = learner.opened.session.progress
    assert (after["ex-4"].passed, after["ex-4"].failing_texts) == (True, before.failing_texts)
    assert len(after["ex-5"].failing_texts) == 1
    hint = await learner.do("hint")
    assert hint["unit"] == "ex-5"


async def test_a_reset_takes_one_part_and_gives_it_back(learner):
    learner.write(ex_4=READING, ex_5=HOTTEST, ex_6=SUMMARY)
    mine = learner.text
    assert (await learner.do("reset", unit="ex-5"))["files"] == [FILE]
    text = learner.text
    assert text_of(text, "ex-5", LINES) == text_of(learner.given, "ex-5", LINES)
    for other in ("ex-4", "ex-6"):
        assert text_of(text, other, LINES) == text_of(mine, other, LINES)
    await learner.do("reset", undo=True)
    assert learner.text == mine
    await learner.do("reset", unit="ex-5")
    learner.write(ex_6=SUMMARY.replace("top", "best"))
    await learner.do("reset", undo=True)
    assert "best = hottest" in learner.text
    assert text_of(learner.text, "ex-5", LINES) == text_of(mine, "ex-5", LINES)


async def test_a_reset_works_in_a_text_that_does_not_parse(learner):
    learner.write(ex_4='class Reading(\n    """\n', ex_5=HOTTEST)
    mine = learner.text
    await learner.do("reset", unit="ex-4")
    assert learner.text == learner.given.replace(
        text_of(learner.given, "ex-5", LINES), text_of(mine, "ex-5", LINES)
    )


async def test_a_reset_of_what_has_lost_its_comment_takes_nothing_else(learner):
    learner.write(ex_4=READING, ex_5=HOTTEST)
    whole = learner.text
    comment = whole[whole.index("# `hottest") : whole.index("def hottest")]
    learner.path.write_text(whole.replace(comment, ""))
    for unit in ("ex-4", "ex-5"):
        refused = await learner.refused("reset", unit=unit)
        assert "not clear which lines" in refused.message
    learner.path.write_text(whole.replace(comment, "").replace(HOTTEST, ""))
    await learner.do("reset", unit="ex-5")
    assert learner.text.split() == whole.replace(HOTTEST, "").split()


async def test_one_part_is_compared_and_shown(learner):
    learner.write(ex_4=READING, ex_5=HOTTEST)
    await learner.do("check")
    compared = await learner.do("compare", unit="ex-5")
    assert "-    return max(readings, key=lambda each: each.celsius)" in compared["diff"]
    assert "class Reading" not in compared["diff"]
    assert "def summary" not in Path(compared["reference"]).read_text()
    assert "def label(self):" in Path(compared["reference"]).read_text()
    assert (await learner.refused("compare", unit="ex-6")).kind == "REFUSED"
    shown = (await learner.do("reveal", unit="ex-6", confirm=True))["solution"]
    assert "def summary" in shown
    assert "class Reading" not in shown
    assert "def hottest" not in shown


GIVEN_AWAY = {
    "the function": (HOTTEST.replace("each", "one"), "leak"),
    "with its class": (f"{READING}\n\n{HOTTEST}".replace("each", "one"), "leak"),
    "another function": ("def coldest(readings):\n    return min(readings)\n", None),
    "the class": (READING.replace("celsius, place", "place, celsius"), None),
}


@pytest.mark.long("builds several programs; test_declare.py has this of one declaration")
@pytest.mark.first(1)
@pytest.mark.parametrize("mine", [READING, "class Reading(\n"], ids=["built", "not built"])
async def test_a_hint_does_not_hold_the_declaration(learner, mine):
    learner.write(ex_4=mine)
    opened = learner.opened
    trials, unit = learner.app.exercises.shadow_copies, opened.exercise.unit("ex-5")
    found = {}
    for name, (code, _) in GIVEN_AWAY.items():
        fault = await leak(trials, opened, unit, 2, "Look at this.", code, opened.texts())
        found[name] = fault.rule if fault else None
    assert found == {name: rule for name, (_, rule) in GIVEN_AWAY.items()}


async def test_an_attempt_counts_each_like_any_other(learner):
    for file, text in learner.opened.vault.solution.items():
        (learner.root / file).write_text(text)
    attempted = await learner.do("attempt")
    assert attempted["review"]["verdict"] == "PASS"
    assert [state for state, _, _ in await learner.units()] == ["passing"] * 3


async def test_a_record_takes_them_along(learner, tmp_path):
    learner.write(ex_4=READING, ex_5=HOTTEST)
    await learner.do("attempt")
    record = tmp_path / "record.json"
    await export(learner.app.services, record)
    other = Learner(tmp_path / "other", tmp_path / "library")
    try:
        told = await import_record(other.app.services, record)
        [session] = await other.app.services.db(lambda tx: tx.sessions())
    finally:
        await other.app.close()
    assert (told["sessions"], told["leftOut"]) == (1, [])
    assert [unit for unit, known in session.progress.items() if known.passed] == ["ex-4", "ex-5"]
