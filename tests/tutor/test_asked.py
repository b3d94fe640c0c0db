"""A unit that asks for tests, from its start to its reference; what runs there is told nobody."""

import asyncio
import json
import shutil
from dataclasses import replace

import pytest
from begun_kit import OwnLearner, begun_with, taken_up
from tutor_kit import until

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.library.loader import Library
from tutor_lsp.tutor.exercise.copies import PROGRAMS
from tutor_lsp.tutor.exercise.trust import runs_of_library
from tutor_lsp.tutor.hinting.coach.checks import leak
from tutor_lsp.tutor.ide.actions import actions
from tutor_lsp.tutor.ide.diagnostics import Severity, diagnostics
from tutor_lsp.tutor.ide.hover import hover
from tutor_lsp.tutor.ide.lenses import lenses
from tutor_lsp.tutor.ide.links import links
from tutor_lsp.tutor.learner.record.transfer.export import export

pytestmark = pytest.mark.xdist_group("asked")
FILE = "tests/test_span.py"
USE = "from exercise.span import span\n\n\n"
ORDER = USE + "def test_order():\n    assert span([3, 9, 1]) == 8\n"
REST = "\n\ndef test_rest():\n    assert span([-3, -9]) == 6\n    assert span([]) == 0\n"
LOOKS = f"""import inspect

{USE}def test_the_code():
    print(inspect.getsource(span))
    raise ValueError(inspect.getsource(span).replace("max(temperatures) - min", ""))
"""
STRICT = USE + "def test_order():\n    assert span([1]) == 0\n    assert span(None) == 0\n"
HIDDEN = ("ordered[-1]", "for one in temperatures", "highest = lowest = 0", "abs(temperatures")
"""Code that only programs have on which the tests run."""


class Learner(OwnLearner):
    """With a library of one's own whose exercise is begun."""

    file = FILE

    def __init__(self, home, library):
        super().__init__(home, library)
        self.answers = []

    async def do(self, name, **argument):
        result = await super().do(name, **argument)
        self.answers.append(result)
        return result

    def write(self, code):
        self.path.write_text(f"{self.given.rstrip()}\n\n{code}")

    @property
    def mark(self):
        (only,) = diagnostics(self.view)[FILE]
        return only

    def solve_others(self):
        for file, text in self.opened.vault.solution.items():
            if file != FILE:
                (self.root / file).write_text(text)


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    return begun_with(tmp_path_factory.mktemp("begun"), UnitKind.TEST, Learner)


@pytest.fixture
async def learner(begun, tmp_path):
    async with taken_up(begun, tmp_path / "home", Learner) as made:
        yield made


async def test_marks_stand_on_the_comment_until_there_is_a_test(learner):
    unit = await learner.unit()
    assert (unit["kind"], unit["state"], unit["file"], unit["line"]) == ("test", "todo", FILE, 1)
    assert (learner.mark.code, learner.mark.severity) == ("todo", Severity.HINT)
    assert {line for line, _ in lenses(learner.view, FILE)} == {1}
    assert "ex-4" in hover(learner.view, FILE, 1, 3).markdown
    cue = next(i.cue_line for i in learner.view.units if i.unit.id == "ex-4")
    assert cue == 7
    assert "tutor.reset" in [each.command for each in actions(learner.view, FILE, cue, cue)]
    assert "LESSON.md" in [link.file for link in links(learner.view, FILE)]
    assert (await learner.do("open", unit="ex-4", target="test"))["file"] == FILE
    learner.write(ORDER)
    assert (await learner.unit())["line"] == 12
    assert {line for line, _ in lenses(learner.view, FILE)} == {12}


async def test_the_mark_says_what_got_away_and_a_refusal_stands_on_its_line(learner):
    report = await learner.do("check")
    mine = {test["message"] for test in report["tests"] if test["unit"] == "ex-4"}
    assert mine == {"the tests of `span` are not written yet"}
    learner.write(ORDER)
    report = await learner.do("check")
    assert (report["outcome"], report["buildErrors"]) == ("failed", [])
    assert learner.mark.message == (
        "accepts the right programs, catches 2 of 3: nothing notices what `span([])` gives "
        "(1 of 2 tests)"
    )
    assert learner.mark.span.line == 12
    learner.write(STRICT)
    await learner.do("check")
    assert learner.mark.message.startswith("refuses a right program: your `test_order` asks for")
    row = learner.path.read_text().split("\n")[learner.mark.span.line - 1]
    assert row.strip() == "assert span(None) == 0"
    learner.write("def test_x(:\n")
    await learner.do("check")
    assert (learner.mark.code, learner.mark.span.line) == ("test-errored", 9)
    (related,) = learner.mark.related
    assert (related.file, related.line) == (FILE, 9)
    learner.write(ORDER + REST)
    await learner.do("check")
    assert (await learner.unit())["state"] == "passing"
    assert diagnostics(learner.view)[FILE] == []


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_edits_are_the_learner_s_own(learner):
    learner.opened.edited(learner.path)
    learner.write(ORDER)
    learner.opened.edited(learner.path)
    assert (await learner.unit())["focus"]
    assert learner.opened.changed_files(learner.opened.texts()) == ()
    report = await learner.do("check")
    assert "An attempt ignores" not in report["note"]
    hint = await learner.do("hint")
    assert (hint["unit"], hint["level"]) == ("ex-4", 1)
    assert "One test with one list shows little" in hint["text"]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_reset_restore_compare_and_reveal_know_the_file(learner):
    learner.write(ORDER)
    mine = learner.path.read_text()
    assert (await learner.do("reset", unit="ex-4"))["files"] == [FILE]
    assert learner.path.read_text() == learner.given
    await learner.do("reset", undo=True)
    assert learner.path.read_text() == mine
    assert (await learner.do("restore"))["files"] == []
    learner.path.unlink()
    report = await learner.do("check")
    said = f"{FILE} is gone; tutor.reset or tutor.restore puts it back"
    assert {test["message"] for test in report["tests"] if test["unit"] == "ex-4"} == {said}
    assert (await learner.do("restore"))["files"] == [FILE]
    assert learner.path.read_text() == learner.given
    assert (await learner.refused("compare", unit="ex-4")).kind == "REFUSED"
    shown = await learner.do("reveal", unit="ex-4", confirm=True)
    assert shown["file"] == FILE
    assert "def test_span_below_zero()" in shown["solution"]
    learner.write(ORDER + REST)
    await learner.do("check")
    compared = await learner.do("compare", unit="ex-4")
    assert "+def test_span_of_nothing() -> None:" in compared["diff"]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_attempt_runs_the_tests_that_were_written(learner):
    learner.solve_others()
    learner.write(ORDER)
    attempted = await learner.do("attempt")
    assert attempted["review"]["verdict"] == "FAIL"
    assert [t["outcome"] for t in attempted["report"]["tests"]].count("failed") == 1
    learner.write(ORDER + REST)
    attempted = await learner.do("attempt")
    assert attempted["report"]["outcome"] == "passed"
    assert attempted["review"]["verdict"] == "PASS"
    await learner.do("end")
    assert not any((learner.home / PROGRAMS).iterdir())


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_verdict_of_before_is_known_where_another_file_is_edited(learner, monkeypatch):
    learner.write(ORDER)
    await learner.do("check")
    said, ran = learner.mark.message, []
    tool = learner.opened.toolchain
    run = tool.run

    async def noted(workspace, **options):
        ran.append(workspace)
        return await run(workspace, **options)

    monkeypatch.setattr(tool, "run", noted)
    learner.solve_others()
    await learner.do("check")
    assert learner.mark.message == said
    assert ran == [learner.root]
    learner.write(ORDER + "\n")
    await learner.do("check")
    assert len(ran) > 5


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_programs_are_told_nobody(learner, tmp_path):
    learner.solve_others()
    for code in (LOOKS, STRICT, ORDER, "import inspect\n" + LOOKS.replace("raise", "print(1) #")):
        learner.write(code)
        await learner.do("check")
        await learner.do("attempt")
        for _ in range(3):
            await learner.do("hint", unit="ex-4")
        diagnostics(learner.view)
    await learner.do("reveal", unit="ex-4", confirm=True)
    await learner.do("report")
    await export(learner.app.services, tmp_path / "record.json")
    views = [diagnostics(view) for view in learner.desk.shown]
    hovers = [hover(view, FILE, line, 3) for view in learner.desk.shown[-2:] for line in (1, 12)]
    told = json.dumps([learner.answers, learner.desk.notified, learner.desk.said], default=str)
    places = [tmp_path / "record.json", *learner.home.glob("*.html")]
    places += [path for path in learner.root.rglob("*") if path.is_file()]
    read = [path.read_bytes().decode("utf-8", "replace") for path in places]
    for text in (told, repr(views), repr(hovers), *read):
        assert [code for code in HIDDEN if code in text] == []
    assert any("max(temperatures)" in text for text in read), "the given program is there"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_session_keeps_its_programs_when_the_library_is_gone(learner, tmp_path):
    shutil.rmtree(tmp_path / "library")
    learner.write(ORDER)
    await learner.do("check")
    assert learner.mark.message.startswith("accepts the right programs, catches 2 of 3")
    stored = await learner.app.services.db(lambda tx: tx.exercise(learner.opened.session.id))
    assert [mistake.call for mistake in stored[1].programs["ex-4"].wrong] == [
        "span([3, 9, 1])", "span([-3, -9])", "span([])",
    ]  # fmt: skip


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_check_that_is_cancelled_ends_what_runs(learner):
    learner.write(ORDER)
    running = asyncio.create_task(learner.do("check"))
    await until(lambda: any((learner.home / PROGRAMS).glob("*/*/src")), "no program was run")
    await learner.do("cancel")
    with pytest.raises(TutorError) as cancelled:
        await running
    assert cancelled.value.kind == "CANCELLED"
    learner.write(ORDER + REST)
    await learner.do("check")
    assert (await learner.unit())["state"] == "passing"


TESTS = ORDER.replace(USE, "")
GIVEN_AWAY = {
    "a test that accepts": (2, TESTS, "leak"),
    "tests of all": (3, TESTS + REST, "leak"),
    "tests of another": (2, "def test_shorter():\n    assert shorter('', 'a') == ''\n", None),
    "a test that is wrong": (2, TESTS.replace("8", "9"), None),
    "some at the end": (3, TESTS, None),
}  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("name", GIVEN_AWAY)
async def test_a_hint_does_not_hold_the_tests(learner, name):
    level, code, rule = GIVEN_AWAY[name]
    opened = learner.opened
    trials, unit = learner.app.exercises.shadow_copies, opened.exercise.unit("ex-4")
    fault = await leak(trials, opened, unit, level, "Look at this.", code, opened.texts())
    assert (fault.rule if fault else None) == rule


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_programs_that_a_record_came_without_are_those_of_the_library(learner, tmp_path):
    learner.write(ORDER)
    session = learner.opened.session.id
    exercise, vault = await learner.app.services.db(lambda tx: tx.exercise(session))
    bare = replace(vault, programs={})
    await learner.app.services.db(lambda tx: tx.put_exercise(session, exercise, bare))
    await learner.app.close()
    changed = tmp_path / "library/python-weather-notes/mistakes/ex-4.md"
    agreed = changed.read_text()
    changed.write_text(f"{agreed}\n")
    stranger = Learner(tmp_path / "home", tmp_path / "library")
    await stranger.do("resume", session=session)
    why = "the wrong programs on which your tests are tried are not on this machine"
    assert why in json.dumps(await stranger.do("check")), "nobody has agreed to these"
    await stranger.app.close()
    changed.write_text(agreed)
    again = Learner(tmp_path / "home", tmp_path / "library")
    again.root, again.path = learner.root, learner.path
    await again.do("resume", session=session)
    await again.do("check")
    assert again.mark.message.startswith("accepts the right programs, catches 2 of 3")
    await again.app.close()
    shutil.rmtree(tmp_path / "library")
    alone = Learner(tmp_path / "home", tmp_path)
    await alone.do("resume", session=session)
    report = await alone.do("check")
    outcomes = {t["outcome"]: t["message"] for t in report["tests"] if t["unit"] == "ex-4"}
    assert outcomes == {"passed": None, "not_run": why}
    await alone.app.close()


def test_consent_names_the_programs_that_run(tmp_path):
    new_exercise(tmp_path / "python-weather-notes", "python", kinds=[UnitKind.TEST])
    mistake = "## None\n\nYou say nothing.\n\n```python\ndef note(celsius: int) -> None: ...\n```\n"
    (tmp_path / "python-weather-notes" / "mistakes" / "ex-3.md").write_text(mistake)
    library = Library([tmp_path])
    asked = runs_of_library(library.load(library.entries()[0]))
    programs = ["variants/ex-4.md", "mistakes/ex-4.md", "mistakes/ex-3.md"]
    assert [name for name in asked.data["runs"] if name.endswith(".md")] == [*programs, "LESSON.md"]
    assert all(name in asked.said for name in programs)
