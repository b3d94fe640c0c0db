"""A unit that asks for a declaration, from its start to its reference."""

import textwrap
from pathlib import Path

import pytest
from begun_kit import OwnLearner, begun_with, taken_up

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.hinting.coach.checks import leak
from tutor_lsp.tutor.hinting.coach.declared import added
from tutor_lsp.tutor.ide.actions import actions
from tutor_lsp.tutor.ide.diagnostics import Severity, diagnostics
from tutor_lsp.tutor.ide.hover import hover
from tutor_lsp.tutor.ide.lenses import lenses

pytestmark = pytest.mark.xdist_group("declare")
FILE = "src/exercise/reading.py"
RIGHT = """class Reading:
    def __init__(self, celsius, place):
        self.celsius = celsius
        self.place = place

    def label(self):
        return f"{self.place}: {self.celsius} C"
"""


class Learner(OwnLearner):
    """With a library of one's own whose exercise is begun."""

    file = FILE

    def write(self, code):
        self.path.write_text(f"{self.given.rstrip()}\n\n\n{code}")

    @property
    def mark(self):
        (only,) = diagnostics(self.view)[FILE]
        return only


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    return begun_with(tmp_path_factory.mktemp("begun"), UnitKind.DECLARE, Learner)


@pytest.fixture
async def learner(begun, tmp_path):
    async with taken_up(begun, tmp_path / "home", Learner) as made:
        yield made


async def test_marks_stand_on_the_comment_until_the_name_is_declared(learner):
    unit = await learner.unit()
    assert (unit["kind"], unit["state"], unit["line"]) == ("declare", "todo", 1)
    assert (learner.mark.code, learner.mark.severity) == ("todo", Severity.HINT)
    assert learner.mark.span.line == 1
    assert {line for line, _ in lenses(learner.view, FILE)} == {1}
    assert "ex-4" in hover(learner.view, FILE, 1, 3).markdown
    cue = next(i.cue_line for i in learner.view.units if i.unit.id == "ex-4")
    assert cue == 7
    assert "tutor.reset" in [each.command for each in actions(learner.view, FILE, cue, cue)]
    learner.write("LIMIT = 3\n\n\nclass Reading:\n    pass\n")
    assert (await learner.unit())["line"] == 13
    assert {line for line, _ in lenses(learner.view, FILE)} == {13}
    await learner.do("check")
    assert learner.mark.span.line == 13


async def test_a_check_tells_what_is_missing_and_where(learner):
    report = await learner.do("check")
    mine = [test for test in report["tests"] if test["unit"] == "ex-4"]
    assert {test["outcome"] for test in mine} == {"todo"}
    learner.write("LIMIT = 3\n")
    report = await learner.do("check")
    mine = [test for test in report["tests"] if test["unit"] == "ex-4"]
    assert {test["buildError"]["code"] for test in mine} == {"ImportError"}
    assert (report["outcome"], report["buildErrors"]) == ("failed", [])
    assert learner.mark.message == "`Reading` is not declared yet (2 of 2 tests)"
    (related,) = learner.mark.related
    assert (related.file, related.line) == ("tests/test_reading.py", 1)
    assert related.message.startswith("ImportError: cannot import name 'Reading'")
    others = {test["outcome"] for test in report["tests"] if test["unit"] != "ex-4"}
    assert others == {"todo"}


async def test_a_file_that_does_not_parse_is_run_all_the_same(learner):
    learner.write("class Reading(\n")
    opened = learner.app.exercises.open_at(learner.root)
    assert opened.parses()
    await learner.do("check")
    assert learner.mark.code == "test-errored"
    assert learner.mark.message.startswith(f"line 10 of {FILE} does not build")


async def test_edits_move_the_focus_and_a_hint_is_given(learner):
    opened = learner.app.exercises.open_at(learner.root)
    opened.edited(learner.path)
    learner.write("LIMIT = 3\n")
    opened.edited(learner.path)
    assert (await learner.unit())["focus"]
    hint = await learner.do("hint")
    assert (hint["unit"], hint["level"]) == ("ex-4", 1)
    assert "read the first line of the tests" in hint["text"].lower()


async def test_a_reset_takes_the_whole_file_and_gives_it_back(learner):
    learner.write(RIGHT)
    mine = learner.path.read_text()
    assert (await learner.do("reset", unit="ex-4"))["files"] == [FILE]
    assert learner.path.read_text() == learner.given
    await learner.do("reset", undo=True)
    assert learner.path.read_text() == mine
    learner.write("class Reading(\n")
    await learner.do("reset", unit="ex-4")
    assert learner.path.read_text() == learner.given


async def test_what_is_written_is_compared_with_the_reference(learner):
    assert (await learner.refused("compare", unit="ex-4")).kind == "REFUSED"
    learner.write(RIGHT)
    await learner.do("check")
    assert (await learner.unit())["state"] == "passing"
    compared = await learner.do("compare", unit="ex-4")
    assert "+    def label(self) -> str:" in compared["diff"]
    assert Path(compared["reference"]).read_text().startswith("# What a thermometer says")


GIVEN_AWAY = {
    "the whole class": (2, RIGHT, "leak"),
    "half of it": (2, "class Reading:\n    def __init__(self, *both):\n"
                   "        self.celsius, self.place = both\n", "leak"),
    "another class": (2, "class Book:\n    def __init__(self, pages):\n"
                      "        self.pages = pages\n", None),
    "an empty class": (2, "class Reading:\n    pass\n", None),
    "half of it at the end": (3, "class Reading:\n    def __init__(self, *both):\n"
                              "        self.celsius, self.place = both\n", None),
}  # fmt: skip


async def rules(learner, cases):
    """Which rule each hint offends against, by name."""
    opened = learner.app.exercises.open_at(learner.root)
    trials, unit = learner.app.exercises.shadow_copies, opened.exercise.unit("ex-4")
    found = {}
    for name, (level, code, _) in cases.items():
        fault = await leak(trials, opened, unit, level, "Look at this.", code, opened.texts())
        found[name] = fault.rule if fault else None
    return found


HALVES = [pytest.param(True, id="some"), pytest.param(False, id="others")]


def part(cases, some, *names):
    """The cases of these names, or all others."""
    return {name: case for name, case in cases.items() if (name in names) is some}


def rules_of(cases):
    return {name: rule for name, (_, _, rule) in cases.items()}


@pytest.mark.first(1)
@pytest.mark.parametrize("some", HALVES)
async def test_a_hint_does_not_hold_the_declaration(learner, some):
    cases = part(GIVEN_AWAY, some, "half of it", "another class")
    assert await rules(learner, cases) == rules_of(cases)


BEGUN = RIGHT.partition("\n    def label")[0]
LABEL = "def label(self):\n    words = (self.place, self.celsius)\n    return '%s: %s C' % words\n"
REST = {
    "the method": (2, LABEL, "leak"),
    "the method, indented": (2, textwrap.indent(LABEL, "    "), "leak"),
    "in its class": (2, f"class Reading:\n{textwrap.indent(LABEL, '    ')}", "leak"),
    "in a class below": (2, f"class Reading(Reading):\n{textwrap.indent(LABEL, '    ')}", "leak"),
    "at the end": (3, LABEL, "leak"),
    "another method": (2, LABEL.replace("label", "shown"), None),
    "another answer": (2, LABEL.replace(" C'", "'"), None),
    "a call": (2, 'Reading(21, "kitchen").label()\n', None),
}  # fmt: skip


@pytest.mark.long("runs tests several times; others here stand for it")
@pytest.mark.first(1)
@pytest.mark.parametrize("some", HALVES)
async def test_a_hint_does_not_hold_the_rest_of_a_declaration(learner, some):
    learner.write(BEGUN)
    await learner.do("check")
    cases = part(REST, some, "the method", "in its class", "another answer")
    assert await rules(learner, cases) == rules_of(cases)


ADDED = {
    "rust": (
        "struct It {\n    a: u8,\n}\n\nimpl It {\n    fn b() {}\n}\n", "fn c() {}",
        "struct It {\n    a: u8,\n}\n\nimpl It {\n    fn b() {}\n    fn c() {}\n}\n",
    ),
    "rust, no block yet": (
        "struct It;\n", "fn c() {}", "struct It;\n\n\nimpl It {\n    fn c() {}\n}\n",
    ),
    "c": ("struct It {\n    int a;\n};\n", "int b;", "struct It {\n    int a;\n    int b;\n};\n"),
    "c, a function": ("struct It;\n", "int c(void);", "struct It;\n\n\nint c(void);\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", ADDED)
def test_a_piece_is_added_where_a_learner_would(name):
    mine, piece, expected = ADDED[name]
    lines = languages()[name.partition(",")[0]].lines
    assert expected in list(added(mine, piece, "It", lines, "impl It {\n    fn c() {}\n}\n"))


async def test_the_reference_is_shown_on_request(learner):
    shown = await learner.do("reveal", unit="ex-4", confirm=True)
    assert "class Reading:" in shown["solution"]
    assert shown["file"] == FILE


async def test_a_file_that_is_gone_leaves_the_other_units_their_results(learner):
    for file, text in learner.app.exercises.open_at(learner.root).vault.solution.items():
        (learner.root / file).write_text(text)
    mine = learner.path.read_text()
    await learner.do("check")
    learner.path.unlink()
    sentence = f"{FILE} is gone; tutor.reset or tutor.restore puts it back"
    for command, result in (("check", lambda said: said), ("attempt", lambda said: said["report"])):
        report = result(await learner.do(command))
        assert (report["outcome"], report["buildErrors"]) == ("failed", [])
        units = (await learner.do("status"))["units"]
        assert [unit["state"] for unit in units] == ["passing", "passing", "passing", "failing"]
        assert {test["message"] for test in report["tests"] if test["unit"] == "ex-4"} == {sentence}
    shown = [each.message for group in diagnostics(learner.view).values() for each in group]
    assert any(sentence in message for message in shown), shown
    assert "is gone" in (await learner.refused("hint", unit="ex-4")).message
    await learner.do("reset", unit="ex-4")
    assert learner.path.read_text() == learner.given
    await learner.do("reset", undo=True)
    assert learner.path.read_text() == mine
    learner.path.unlink()
    assert (await learner.do("restore"))["files"] == [FILE]
    assert learner.path.exists()


async def test_an_attempt_counts_it_like_any_other(learner):
    for file, text in learner.app.exercises.open_at(learner.root).vault.solution.items():
        (learner.root / file).write_text(text)
    attempted = await learner.do("attempt")
    assert attempted["report"]["outcome"] == "passed"
    assert attempted["review"]["verdict"] == "PASS"
