"""A struct that is to be declared in Rust: what the learner sees of it on the way."""

import asyncio

import pytest
from kinds_kit import LIMITS, TOOLS, course, folder_of, look, put, run, seen

from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.core.ports import Early
from tutor_lsp.languages.rust.toolchain import RustToolchain
from tutor_lsp.process.contain import Contain

pytestmark = pytest.mark.cargo
FIELDS = """pub struct Reading {
    pub celsius: i32,
    pub place: String,
}
"""
LABEL = """
impl Reading {
    pub fn label(&self) -> String {
        format!("{}: {} C", self.place, self.celsius)
    }
}
"""
RIGHT = FIELDS + LABEL
FINE = ("passing", "passing", "passing")
OWN, TEST = "src/reading.rs", "tests/reading.rs"
NOT_YET = "`Reading` is not declared yet"
STATES = {
    "nothing": ("", "todo", "`Reading` is not written yet", 1, (TEST, "E0432")),
    "unrelated": ("const LIMIT: i32 = 3;\n", "failing", NOT_YET, 1, (TEST, "E0432")),
    "half a head": ("pub struct\n", "failing", f"line 9 of {OWN} does not build", 1, (OWN, None)),
    "open brace": (
        "pub struct Reading {\n", "failing", f"line 9 of {OWN} does not build", 9, (OWN, None),
    ),
    "other name": (RIGHT.replace("Reading", "Reader"), "failing", NOT_YET, 1, (TEST, "E0432")),
    "not pub": (
        RIGHT.replace("pub struct", "struct"), "failing",
        "`Reading` may not be used from outside of its file: it needs `pub`", 9, (TEST, "E0603"),
    ),
    "pub in the crate": (
        RIGHT.replace("pub struct", "pub(crate) struct"), "failing",
        "`Reading` may not be used from outside of its file: it needs `pub`", 9, (TEST, "E0603"),
    ),
    "a private value": (
        RIGHT.replace("pub celsius", "celsius"), "failing",
        "`celsius` may not be used from outside of its file: it needs `pub`", 9, (TEST, "E0616"),
    ),
    "a private function": (
        RIGHT.replace("pub fn", "fn"), "failing",
        "`label` may not be used from outside of its file: it needs `pub`", 9, (TEST, "E0624"),
    ),
    "no values": (
        "pub struct Reading;\n", "failing",
        "the tests use `celsius` of `Reading`, which is not declared", 9, (TEST, "E0560"),
    ),
    "no label": (
        FIELDS, "failing", "the tests use `label` of `Reading`, which is not declared", 9,
        (TEST, "E0599"),
    ),
    "wrong type": (
        RIGHT.replace("i32", "String"), "failing", "`Reading` does not fit its use `", 9,
        (TEST, "E0308"),
    ),
    "wrong signature": (
        RIGHT.replace("(&self)", "(&self, _digits: u8)"), "failing",
        '`Reading` does not fit its use `assert_eq!(hall.label(), "hall: 21 C")`: this method takes'
        " 1 argument but 0 arguments were supplied", 9, (TEST, "E0061"),
    ),
    "unknown type": (
        RIGHT.replace("i32", "Celsius"), "failing",
        f"line 10 of {OWN} does not build: cannot find type `Celsius` in this scope", 9,
        (OWN, "E0425"),
    ),
    "a body that does not fit": (
        RIGHT.replace('format!("{}: {} C", self.place, self.celsius)', "self.celsius"), "failing",
        f"line 16 of {OWN} does not build: mismatched types", 9, (OWN, "E0308"),
    ),
    "clash elsewhere": (
        "impl Copy for String {}\n" + RIGHT, "failing", f"line 9 of {OWN} does not build", 10,
        (OWN, "E0117"),
    ),
    "wrong answer": (
        RIGHT.replace("{} C", "{} F"), "failing",
        '`hall.label()` is "hall: 21 F", expected "hall: 21 C"', 9, (),
    ),
    "right": (RIGHT, "passing", "", 9, ()),
}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return course(tmp_path_factory.mktemp("course"), "rust")


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("work") / "exercise"


@pytest.mark.parametrize("name", STATES)
def test_the_mark_is_right_and_no_other_unit_loses_its_result(made, root, name):
    code, state, said, line, cause = STATES[name]
    shown = look(made, root, made.written(code))
    assert (shown.state, shown.line, shown.cause, shown.others) == (state, line, cause, FINE)
    assert shown.said.startswith(said)
    assert bool(shown.said) == (state != "passing")


def test_a_body_that_does_not_build_stops_the_run_as_ever(made, root):
    texts = made.texts(made.written("pub struct\n"))
    texts["src/lib.rs"] = texts["src/lib.rs"].replace("celsius * 9", "celsius * true")
    put(root, texts)
    raw = asyncio.run(run(TOOLS["rust"], root, made.exercise))
    assert raw.outcome == "build_error"
    assert {error.file for error in raw.build_errors} == {"src/lib.rs"}


def test_what_can_be_done_without_is_not_told_early_as_wrong(made, root):
    put(root, made.texts(made.written("pub struct\n")))
    wrong, heard = [], []
    tests = frozenset(made.exercise.units[0].tests)
    early = Early(tests, heard.extend, wrong.extend)
    asyncio.run(run(TOOLS["rust"], root, made.exercise, early=early))
    assert (wrong, {test.name for test in heard}) == ([], tests)


WAITED = ["nothing", "half a head", "not pub", "right"]


@pytest.mark.parametrize("name", WAITED)
def test_compilers_that_waited_say_the_same(made, tmp_path, name):
    code, state, said, line, cause = STATES[name]
    root = tmp_path / "exercise"
    put(root, made.texts(made.written(RIGHT)))

    async def by_spare():
        tool = RustToolchain(contain=Contain(home=tmp_path / "home"))
        try:
            await run(tool, root, made.exercise)
            await tool.keep_ready(root, LIMITS)
            put(root, made.texts(made.written(code)))
            return await run(tool, root, made.exercise)
        finally:
            await tool.let_go()

    shown = seen(made, made.texts(made.written(code)), asyncio.run(by_spare()))
    assert (shown.state, shown.line, shown.cause, shown.others) == (state, line, cause, FINE)
    assert shown.said.startswith(said)


def test_the_new_exercise_is_proven_with_its_codes(tmp_path):
    folder = folder_of(tmp_path, "rust")
    result = asyncio.run(check_exercise(folder, toolchains=TOOLS))
    assert [f"{f.step} {f.file} {f.message}" for f in result.findings] == []
    assert result.proof.codes == {"ex-4": ("E0432",)}
