"""A class that is to be declared in Python: what the learner sees of it on the way."""

import asyncio

import pytest
from kinds_kit import (
    FINE,
    LIMITS,
    TOOLS,
    check_gone,
    check_state,
    course,
    judged,
    look,
    marks,
    put,
    run,
    seen,
    states,
    with_second,
)

from tutor_lsp.core.exercise.report import RawReport, RunOutcome
from tutor_lsp.languages.python.run import PythonRun
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.process.contain import Contain

RIGHT = """class Reading:
    def __init__(self, celsius, place):
        self.celsius = celsius
        self.place = place

    def label(self):
        return f"{self.place}: {self.celsius} C"
"""
OWN, TEST = "src/exercise/reading.py", "tests/test_reading.py"
STATES = {
    "nothing": ("", "todo", "`Reading` is not written yet", 1, (TEST, "ImportError")),
    "blank lines": ("\n\n", "todo", "`Reading` is not written yet", 1, (TEST, "ImportError")),
    "unrelated": (
        "LIMIT = 3\n", "failing", "`Reading` is not declared yet", 1, (TEST, "ImportError"),
    ),
    "a comment": (
        "# todo\n", "failing", "`Reading` is not declared yet", 1, (TEST, "ImportError"),
    ),
    "half a head": (
        "class Reading\n", "failing", f"line 9 of {OWN} does not build: expected ':'", 9,
        (OWN, "SyntaxError"),
    ),
    "head alone": (
        "class Reading:\n", "failing",
        f"line 9 of {OWN} does not build: expected an indented block after class definition on "
        "line 9", 9, (OWN, "IndentationError"),
    ),
    "other name": (
        RIGHT.replace("Reading", "Reader"), "failing", "`Reading` is not declared yet", 1,
        (TEST, "ImportError"),
    ),
    "small letters": (
        RIGHT.replace("Reading", "reading"), "failing", "`Reading` is not declared yet", 1,
        (TEST, "ImportError"),
    ),
    "empty class": (
        "class Reading:\n    pass\n", "failing",
        '`Reading(21, "kitchen")` raised TypeError: Reading() takes no arguments', 9, (),
    ),
    "wrong signature": (
        RIGHT.replace("(self, celsius, place)", "(self, celsius)").replace("= place", '= ""'),
        "failing",
        '`Reading(21, "kitchen")` raised TypeError: Reading.__init__() takes 2 positional '
        "arguments but 3 were given", 9, (),
    ),
    "not kept": (
        RIGHT.replace("self.place = place", "pass").replace("{self.place}", "kitchen"), "failing",
        "`reading.place` raised AttributeError: 'Reading' object has no attribute 'place'", 9, (),
    ),
    "no label": (
        RIGHT.partition("\n    def label")[0] + "\n", "failing",
        "`Reading(21, \"kitchen\").label()` raised AttributeError: 'Reading' object has no "
        "attribute 'label'", 9, (),
    ),
    "wrong answer": (
        RIGHT.replace(" C", " F"), "failing",
        '`Reading(21, "kitchen").label()` gave \'kitchen: 21 F\', expected \'kitchen: 21 C\'',
        9, (),
    ),
    "raises at import": (
        RIGHT + "\n\nReading(1)\n", "failing", "", 9, (OWN, "TypeError"),
    ),
    "exits at import": (
        RIGHT + "\n\nraise SystemExit\n", "failing", "", 9, (OWN, "SystemExit"),
    ),
    "unknown name": (
        "class Reading(Base):\n    pass\n", "failing",
        f"line 9 of {OWN} raised NameError: name 'Base' is not defined", 9,
        (OWN, "NameError"),
    ),
    "a function": (
        "def Reading(celsius, place):\n    return place\n", "failing",
        "after `Reading(21, \"kitchen\")`, which gave 'kitchen', `reading.celsius` raised", 9, (),
    ),
    "right": (RIGHT, "passing", "", 9, ()),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"), "python")


@pytest.mark.sample(
    "nothing", "unrelated", "half a head", "no label", "wrong answer", "exits at import", "right"
)
@pytest.mark.parametrize("name", STATES)
def test_the_mark_is_right_and_no_other_unit_loses_its_result(made, tmp_path, name):
    check_state(made, tmp_path, STATES[name])


@pytest.mark.long("waits for the limit of a run")
def test_a_loop_at_import_takes_only_its_own_tests(made, tmp_path):
    shown = look(made, tmp_path, made.written(RIGHT + "\n\nwhile True:\n    pass\n"))
    assert (shown.state, shown.others) == ("failing", FINE)
    assert "did not finish loading" in shown.said


def test_a_file_without_its_comment_is_marked_on_the_name(made, tmp_path):
    shown = look(made, tmp_path, RIGHT)
    assert (shown.state, shown.line) == ("passing", 1)


def test_a_body_that_does_not_parse_stops_the_run_as_ever(made, tmp_path):
    texts = {**made.texts(made.written("class Reading\n")), "src/exercise/weather.py": "def f(\n"}
    put(tmp_path, texts)
    raw = asyncio.run(run(TOOLS["python"], tmp_path, made.exercise))
    assert [error.file for error in raw.build_errors] == ["src/exercise/weather.py"]
    assert raw.outcome == "build_error"


def test_only_tests_that_are_asked_for_are_told(made, tmp_path):
    put(tmp_path, made.texts(made.written("")))
    tests = made.exercise.units[0].tests
    raw = asyncio.run(run(TOOLS["python"], tmp_path, made.exercise, tests=tests))
    ran = {test.name for test in raw.tests if test.outcome == "passed"}
    assert (raw.outcome, ran) == ("passed", set(tests))


LIMIT = """# How cold it may get: `Limit().celsius` is -4.
#
# ex-5 - First principle: a class has a name
# Start here: what does every one have?
"""
LIMIT_TESTS = """from exercise.limit import Limit


def test_limit_is_low() -> None:
    assert Limit().celsius == -4
"""
LIMITED = "class Limit:\n    celsius = -4\n"
SECOND_FILE = "src/exercise/limit.py"
EXITS = "\n\nraise SystemExit\n"
USES = "from exercise.limit import Limit\n\n\n"


@pytest.fixture(scope="module")
def two(made):
    return with_second(made, "Limit", SECOND_FILE, LIMIT, "tests/test_limit.py", LIMIT_TESTS)


BOTH = {
    "one exits, one is half a head": (
        RIGHT + EXITS, "class Limit(\n", {"ex_4": "failing", "ex_5": "failing"},
    ),
    "one exits": (RIGHT + EXITS, LIMITED, {"ex_4": "failing"}),
    "the other exits": (RIGHT, LIMITED + EXITS, {"ex_5": "failing"}),
    "one is half a head": (RIGHT, "class Limit(\n", {"ex_5": "failing"}),
    "both exit": (RIGHT + EXITS, LIMITED + EXITS, {"ex_4": "failing", "ex_5": "failing"}),
    "one exits, one is not begun": (RIGHT + EXITS, "", {"ex_4": "failing", "ex_5": "todo"}),
    "one exits, one raises": (
        RIGHT + EXITS, LIMITED + "\n\nLimit(1)\n", {"ex_4": "failing", "ex_5": "failing"},
    ),
    "one uses what exits": (
        USES + RIGHT, LIMITED + EXITS, {"ex_4": "failing", "ex_5": "failing"},
    ),
    "both right": (RIGHT, LIMITED, {}),
}  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("name", BOTH)
def test_two_declarations_stand_and_fall_alone(two, tmp_path, name):
    first, second, others = BOTH[name]
    texts = {**two.texts(two.written(first)), SECOND_FILE: f"{LIMIT}\n{second}"}
    shown, said = marks(two, tmp_path, texts)
    assert shown == states(**others), said
    for unit, file, code in (("ex-4", OWN, first), ("ex-5", SECOND_FILE, second)):
        if EXITS in code:
            assert f"{file} raised SystemExit" in said[unit]
        if "(\n" in code:
            assert said[unit].startswith(f"line 6 of {file} does not build: ")


def test_a_third_one_is_right_beside_two_that_are_not(two, tmp_path):
    tests = "from exercise.third import Third\n\n\ndef test_third() -> None:\n    assert Third()\n"
    file, given = "src/exercise/third.py", LIMIT.replace("ex-5", "ex-6")
    three = with_second(two, "Third", file, given, "tests/test_third.py", tests, name="ex-6")
    texts = three.texts(three.written(RIGHT + EXITS))
    texts[SECOND_FILE] += "class Limit(\n"
    texts[file] += "\nclass Third:\n    pass\n"
    shown, said = marks(three, tmp_path, texts)
    assert shown == states(ex_4="failing", ex_5="failing", ex_6="passing"), said


@pytest.mark.first(1)
@pytest.mark.parametrize("file", [OWN, SECOND_FILE])
def test_a_file_that_is_gone_is_that_unit_s_alone(two, tmp_path, file):
    texts = two.texts(two.written(RIGHT))
    texts[SECOND_FILE] += LIMITED
    check_gone(two, tmp_path, texts, file)


WAITED = ["half a head", "exits at import", "nothing", "empty class", "unknown name", "right"]


@pytest.mark.first(2)
@pytest.mark.parametrize("name", WAITED)
def test_an_interpreter_that_waited_says_the_same(made, tmp_path, name, monkeypatch):
    code, state, said, line, cause = STATES[name]
    texts = made.texts(made.written(code))
    root = tmp_path / "exercise"
    put(root, texts)

    async def by_spare():
        tool = PythonToolchain(contain=Contain(home=tmp_path / "home", level="namespaces"))
        if (await tool.contain.get()).level != "namespaces":
            pytest.skip("not here: namespaces")
        await tool.keep_ready(root, LIMITS)
        started, start = [], PythonRun._started

        def noted(*arguments):
            started.append(arguments)
            return start(*arguments)

        monkeypatch.setattr(PythonRun, "_started", noted)
        try:
            return await run(tool, root, made.exercise), len(started)
        finally:
            await tool.let_go()

    raw, started = asyncio.run(by_spare())
    assert started == (name == "exits at import"), "what waited was not used"
    shown = seen(made, texts, raw)
    assert (shown.state, shown.line, shown.cause, shown.others) == (state, line, cause, FINE)
    assert shown.said.startswith(said)


def test_the_starter_is_untouched_and_an_edit_is_seen(made):
    unit = made.unit
    starter = made.exercise.starter
    for code, touched in (("", False), ("\n\n", False), ("class Reading: ...\n", True)):
        texts = {**starter, unit.file: made.written(code)}
        _, stubs = judged(made, texts, RawReport(RunOutcome.NOT_RUN))
        assert stubs.touched(unit.id) is touched
        assert not stubs.touched("ex-1")
        assert stubs.unit_at(unit.file, 1).id == unit.id
