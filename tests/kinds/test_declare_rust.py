"""A struct that is to be declared in Rust: what the learner sees of it on the way."""

import asyncio
from dataclasses import replace

import pytest
from kinds_kit import (
    FINE,
    LIMITS,
    TOOLS,
    check_gone,
    check_state,
    course,
    marks,
    put,
    run,
    seen,
    states,
    with_second,
)
from states_rust import FIELDS, RIGHT

from tutor_lsp.core.ports import Early
from tutor_lsp.languages.rust.toolchain import RustToolchain
from tutor_lsp.process.contain import Contain

pytestmark = [pytest.mark.cargo, pytest.mark.xdist_group("declare in Rust")]
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
        "`Reading` is private to its file: make it `pub`", 9, (TEST, "E0603"),
    ),
    "pub in the crate": (
        RIGHT.replace("pub struct", "pub(crate) struct"), "failing",
        "`Reading` is private to its file: make it `pub`", 9, (TEST, "E0603"),
    ),
    "a private value": (
        RIGHT.replace("pub celsius", "celsius"), "failing",
        "`celsius` is private to its file: make it `pub`", 9, (TEST, "E0616"),
    ),
    "a private function": (
        RIGHT.replace("pub fn", "fn"), "failing",
        "`label` is private to its file: make it `pub`", 9, (TEST, "E0624"),
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


@pytest.mark.sample("nothing")
@pytest.mark.parametrize("name", STATES)
def test_the_mark_is_right_and_no_other_unit_loses_its_result(made, root, name):
    check_state(made, root, STATES[name])


LIMIT = """// How cold it may get: `limit()` is -4.
//
// ex-5 - First principle: a function has a name
// Start here: what comes back?
"""
LIMIT_TESTS = """use exercise::limit::limit;

#[test]
fn test_limit_is_low() {
    assert_eq!(limit(), -4);
}
"""
LIMITED = "pub fn limit() -> i32 {\n    -4\n}\n"
MOD = "pub mod reading;"


@pytest.fixture(scope="module")
def two(made):
    return with_second(made, "limit", "src/limit.rs", LIMIT, "tests/limit.rs", LIMIT_TESTS)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    return tmp_path_factory.mktemp("both") / "exercise"


def with_both(two, declared, second, mod=MOD):
    """All files, with these declarations, and the line that makes the first a module."""
    texts = {**two.texts(two.written(declared)), "src/limit.rs": f"{LIMIT}\n{second}"}
    assert MOD in texts["src/lib.rs"]
    lib = texts["src/lib.rs"].replace(MOD, "pub mod limit;").rstrip()
    return {**texts, "src/lib.rs": f"{lib}\n\n{mod}\n"}


def moved(two, file):
    """The same with the first declaration in another file."""
    units = (replace(each, file=file) if each.file == OWN else each for each in two.exercise.units)
    starter = {**two.exercise.starter, file: two.exercise.starter[OWN]}
    return replace(two, exercise=replace(two.exercise, units=tuple(units), starter=starter))


MODS = {
    "a doc comment": f"/// What a thermometer says.\n{MOD}",
    "an attribute": f"#[macro_use]\n{MOD}",
    "a raw name": "pub mod r#reading;",
    "more on its line": f"{MOD} pub fn keep() {{}}\n\npub fn kept() {{\n    keep();\n}}",
    "on two lines": "pub mod\n    reading;",
}


@pytest.mark.long("builds for a rare way to name a module")
@pytest.mark.first(1)
@pytest.mark.parametrize("mod", MODS.values(), ids=MODS)
def test_what_stands_about_its_module_does_not_matter(two, both, mod):
    shown, said = marks(two, both, with_both(two, "pub struct\n", LIMITED, mod))
    assert shown == states(ex_4="failing")
    assert said["ex-4"].startswith(f"line 9 of {OWN} does not build")


@pytest.mark.long("builds for a rare place of the file")
def test_another_module_of_that_name_stays(two, tmp_path):
    texts = with_both(two, "pub struct\n", LIMITED, "pub mod a;\npub mod b;")
    texts["src/a/reading.rs"], texts["src/a/mod.rs"] = texts.pop(OWN), MOD
    texts["src/b.rs"] = f"{MOD}\n\npub fn warm() -> i32 {{\n    reading::warm()\n}}\n"
    texts["src/b/reading.rs"] = "pub fn warm() -> i32 {\n    20\n}\n"
    texts[TEST] = texts[TEST].replace("exercise::reading", "exercise::a::reading")
    shown, said = marks(moved(two, "src/a/reading.rs"), tmp_path, texts)
    assert shown == states(ex_4="failing")
    assert said["ex-4"].startswith("line 9 of src/a/reading.rs does not build")


@pytest.mark.long("builds for a rare place of the file")
def test_a_folder_of_a_module_may_be_its_file(two, tmp_path):
    texts, file = with_both(two, "pub struct\n", LIMITED), "src/reading/mod.rs"
    texts[file] = texts.pop(OWN)
    assert marks(moved(two, file), tmp_path, texts)[0] == states(ex_4="failing")


@pytest.mark.long("builds many times; Python and C stand for it in the fast run")
@pytest.mark.first(1)
@pytest.mark.parametrize("second", ["pub fn\n", "", LIMITED], ids=["half", "none", "right"])
def test_two_declarations_stand_and_fall_alone(two, both, second):
    state = "passing" if second == LIMITED else "failing" if second else "todo"
    assert marks(two, both, with_both(two, RIGHT, second))[0] == states(ex_5=state)


COMPARED = """
impl PartialEq<Reading> for i32 {
    fn eq(&self, other: &Reading) -> bool {
        *self == other.celsius
    }
}
"""
READ = '\npub fn is_three(number: i32) -> bool {\n    number == "3".parse().unwrap()\n}\n'


ELSEWHERE = {
    "by one": (RIGHT + COMPARED, LIMITED, {"ex_4": "failing"}),
    "by the other": (
        RIGHT,
        f"{LIMITED}\nstruct Reading {{\n    celsius: i32,\n}}\n{COMPARED}",
        {"ex_5": "failing"},
    ),
    "both right": (RIGHT, LIMITED, {}),
}  # fmt: skip


@pytest.mark.long("builds many times; Python and C stand for it in the fast run")
@pytest.mark.first(1)
@pytest.mark.parametrize("name", ELSEWHERE)
def test_an_error_elsewhere_is_of_the_unit_without_which_it_builds(two, both, name):
    first, second, others = ELSEWHERE[name]
    texts = with_both(two, first, second)
    texts["src/lib.rs"] += READ
    shown, said = marks(two, both, texts)
    assert shown == states(**others), said


@pytest.mark.long("builds again; Python's stands for it in the fast run")
@pytest.mark.first(1)
@pytest.mark.parametrize("file", [OWN, "src/limit.rs"])
def test_a_file_that_is_gone_is_that_unit_s_alone(two, tmp_path, file):
    texts = with_both(two, RIGHT, LIMITED)
    check_gone(two, tmp_path, texts, file)


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
    assert wrong == []
    # Nothing is told early where no other test is left to wait for.
    assert {test.name for test in heard} in (set(), tests)


WAITED = ["nothing", "half a head", "not pub", "right"]


@pytest.mark.long("builds several times; test_toolchain_rust_spare.py builds by one that waits")
@pytest.mark.first(1)
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
