"""`check-exercise` and `new-exercise` as functions: folders, records, what teachers are told."""

import json
import shutil

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.errors import TutorError
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.library.loader import Library

QUICK = {"python": kit.QuickPython()}
NAME = "own-basics-weather"


@pytest.fixture
def folder(tmp_path):
    """A new exercise without domains, which are only tried in programs of their own."""
    new_exercise(tmp_path / NAME, "python")
    shutil.rmtree(tmp_path / NAME / "accepts")
    return tmp_path / NAME


async def said(path, **options):
    result = await check_exercise(path, toolchains=QUICK, **options)
    assert result.ok == (not result.findings) == result.proof.ok
    return [(finding.step, finding.message) for finding in result.findings]


async def test_a_good_folder_under_any_name(folder, tmp_path):
    assert await said(folder) == []
    copy = tmp_path / "My best exercise"
    shutil.copytree(folder, copy)
    assert await said(copy, language="python") == []


async def test_nothing_is_left_in_the_folder(folder):
    before = sorted(path.name for path in folder.rglob("*"))
    await said(folder)
    assert sorted(path.name for path in folder.rglob("*")) == before


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("exercise.toml", "x = (", "not valid TOML"),
        ("exercise.toml", None, "no exercise.toml"),
        ("LESSON.md", None, "no LESSON.md"),
        ("hints/ex-1.md", None, "hints/ex-1.md"),
        ("solution/src/exercise/weather.py", None, "no reference: solution/src has no files"),
        ("solution/src/exercise/more.py", "x = 1\n", "does not replace any starter file"),
    ],
)
async def test_a_folder_that_is_not_complete(folder, path, text, words):
    (folder / path).unlink(missing_ok=True)
    if text is not None:
        (folder / path).write_text(text)
    ((step, message),) = await said(folder)
    assert step == "shape"
    assert words in message
    assert "/" not in message.replace(words, "").replace(path, "").replace("solution/src", "")


async def test_another_language_than_was_said(folder):
    assert await said(folder, language="rust") == [("shape", "Its language is python, not rust.")]


@pytest.mark.parametrize("name", ["nowhere", "notes.txt"])
async def test_what_is_no_exercise_at_all(tmp_path, name):
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(TutorError) as caught:
        await said(tmp_path / name)
    assert caught.value.kind in ("BAD_ARGUMENT", "BAD_SCRIPT")


# records


def record(tmp_path, lines):
    path = tmp_path / "record.jsonl"
    rows = ({"accepted": True, **line} for line in lines)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


async def test_a_good_record_holds(tmp_path):
    assert await said(record(tmp_path, kit.script())) == []


async def test_a_record_without_a_reference(tmp_path):
    found = await said(record(tmp_path, kit.script(solution_1=None)))
    assert [step for step, _ in found] == ["reference"]


async def test_what_cannot_be_filled_is_a_finding(tmp_path):
    lines = kit.script()
    del lines[1]["payload"]["content"]
    found = await said(record(tmp_path, lines))
    assert found[0][0] == "shape"
    assert "starter-expand 1, $.content" in found[0][1]


async def test_what_is_refused_is_a_finding(tmp_path):
    foreign = kit.section(
        "test", 1, "import numpy\n" + kit.FIRST_TESTS, last=True, path="test_a.py"
    )
    found = await said(record(tmp_path, kit.script(test_1=foreign, test_2=None)))
    assert "numpy" in dict(found)["shape"]


async def test_an_own_exercise_may_be_as_small_as_a_start_takes_it(folder):
    toml = (folder / "exercise.toml").read_text()
    first = toml.index("[[units]]")
    second = toml.index("[[units]]", first + 1)
    (folder / "exercise.toml").write_text(toml[:second])
    messages = [message for _, message in await said(folder)]
    assert not [message for message in messages if " units, not " in message], messages


async def test_another_language_is_named(tmp_path):
    foreign = kit.section("starter", 1, "int f();", last=True, path="src/shop.cpp")
    found = await said(record(tmp_path, kit.script(starter_1=foreign, starter_2=None)))
    assert found == [
        (
            "shape",
            "src/shop.cpp is C++, which is not a language of the tutor. It has: Rust, Python, C.",
        )
    ]


async def test_a_record_without_a_plan(tmp_path):
    found = await said(record(tmp_path, kit.script(scaffold_1=None)))
    assert {step for step, _ in found} == {"shape"}


async def test_lesson_sections_without_headings_are_told_one_by_one(tmp_path):
    bare = {
        f"lesson_{n}": kit.section("lesson", n, f"Some words, {n}.\n", last=n == 3)
        for n in (1, 2, 3)
    }
    lines = kit.script(scaffold_1=kit.scaffold(units=None), **bare)
    found = await said(record(tmp_path, lines))
    told = [message for step, message in found if message.startswith("Lesson section")]
    assert [message.split(" (")[0] for message in told] == [
        f"Lesson section {n}" for n in (1, 1, 2, 2, 3, 3)
    ]


async def test_more_units_than_an_exercise_may_have_are_told(tmp_path):
    stub = kit.FIRST_HALF.partition("def shout")[2]
    many = "\n\n".join(
        f"def shout{n}{stub}".replace('("shout")', f'("shout{n}")').replace("ex-1", f"ex-{n}")
        for n in range(1, 9)
    )
    starter = kit.section("starter", 1, many, last=True, path="signs.py")
    lines = kit.script(scaffold_1=kit.scaffold(units=None), starter_1=starter, starter_2=None)
    found = await said(record(tmp_path, lines))
    assert ("shape", "There are 8 units, at most 7.") in found


def test_a_crate_root_that_is_missing_lacks_no_lines_itself():
    made = {f"src/{name}.rs": f"pub const {name.upper()}: i32 = 1;\n" for name in ("a", "b")}
    found = dialect("rust").completed(made, toolchains()["rust"].complete(made))
    assert [each.message for each in found] == [
        "There is no crate root: src/lib.rs is missing. It is to have `pub mod a;` and "
        "`pub mod b;`."
    ]
    rooted = {**made, "src/lib.rs": "pub mod a;\n"}
    found = dialect("rust").completed(rooted, toolchains()["rust"].complete(rooted))
    assert [each.message for each in found] == [
        "src/lib.rs has no line `pub mod b;`: src/b.rs is no part."
    ]


async def test_a_record_whose_language_nobody_knows(tmp_path):
    lines = kit.script(starter_1=None, starter_2=None)
    with pytest.raises(TutorError, match="name it"):
        await said(record(tmp_path, lines))
    with pytest.raises(TutorError, match="not a language of the tutor"):
        await said(record(tmp_path, kit.script()), language="cobol")


# new exercises


def test_a_new_exercise_is_one_of_a_library(tmp_path):
    for language in languages():
        files = new_exercise(tmp_path / language / f"{language}-basics-tea", language)
        assert "exercise.toml" in files
    library = Library([tmp_path])
    assert library.problems == ()
    assert {(e.language, e.node, e.slug) for e in library.entries()} == {
        (language, f"{language}-basics", "tea") for language in toolchains()
    }


def test_a_new_exercise_says_what_each_unit_takes(tmp_path):
    for language in languages():
        new_exercise(tmp_path / language / f"{language}-basics-tea", language)
    library = Library([tmp_path])
    for entry in library.entries():
        domains = library.load(entry).accepts
        assert set(domains) == {unit.id for unit in entry.units}
        assert "What the unit promises to take" in domains["ex-1"]


@pytest.mark.long("proves an exercise")
async def test_a_domain_that_is_too_narrow_is_told(tmp_path):
    folder = tmp_path / NAME
    new_exercise(folder, "python")
    domain = folder / "accepts" / "ex-1.py"
    domain.write_text(domain.read_text().replace(">= -273", "> 50"))
    found = (await check_exercise(folder, toolchains=toolchains())).findings
    assert {(finding.step, finding.unit) for finding in found} == {("units", "ex-1")}
    assert "rejects what `test_to_fahrenheit" in found[0].message


def test_an_empty_folder_will_do_and_a_used_one_will_not(tmp_path):
    folder = tmp_path / NAME
    folder.mkdir()
    new_exercise(folder, "python")
    with pytest.raises(TutorError, match="already exists"):
        new_exercise(folder, "python")


@pytest.mark.parametrize("name", ["weather", "My-Weather", "a--b", "-x"])
def test_a_name_that_a_library_could_not_use(tmp_path, name):
    with pytest.raises(TutorError, match="lower-case letters") as caught:
        new_exercise(tmp_path / name, "python")
    assert caught.value.kind == "BAD_ARGUMENT"
    assert list(tmp_path.iterdir()) == []


def test_a_language_without_a_template(tmp_path):
    with pytest.raises(TutorError, match="Choose one of: c, python, rust"):
        new_exercise(tmp_path / NAME, "cobol")


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(TutorError) as caught:
        new_exercise(tmp_path / "file" / NAME, "python")
    assert caught.value.kind == "HOME"


METHODS = """\
class TestFrost({base}):
    def test_note_shows_both_temperatures(self) -> None:
        {first}

    def test_note_warns_of_frost(self) -> None:
        {second}
"""
PLAIN = METHODS.format(
    base="",
    first='assert note(20) == "20 C is 68 F"',
    second='assert note(-5) == "-5 C is 23 F, frost"',
).replace("()", "", 1)
OF_UNITTEST = METHODS.format(
    base="unittest.TestCase",
    first='self.assertEqual(note(20), "20 C is 68 F")',
    second='self.assertEqual(note(-5), "-5 C is 23 F, frost")',
)
CASES = """\
@pytest.mark.parametrize(("celsius", "said"), [(20, "20 C is 68 F"), (5, "5 C is 41 F")])
def test_note_shows_both_temperatures(celsius: int, said: str) -> None:
    assert note(celsius) == said


def test_note_warns_of_frost() -> None:
    assert note(-5) == "-5 C is 23 F, frost"
"""


WAYS = {"plain": ("", PLAIN), "unittest": ("unittest", OF_UNITTEST), "pytest": ("pytest", CASES)}


def write_tests(folder, way, said="frost"):
    """Give the exercise tests that are written in a way; `said` is what the last one expects."""
    module, tests = WAYS[way]
    file = folder / "tests" / "test_weather.py"
    before, _, _ = file.read_text("utf-8").partition("def test_note_shows")
    head = f"import {module}\n\n" if module else ""
    expecting = tests.replace("F, frost", f"F, {said}")
    file.write_text(f"{head}{before}{expecting}", "utf-8")


@pytest.mark.long("proves an exercise; test_toolchain_unittest.py runs such tests")
@pytest.mark.parametrize("way", WAYS)
async def test_tests_may_be_written_as_people_write_them(folder, way):
    write_tests(folder, way)
    assert (await check_exercise(folder, toolchains=toolchains())).findings == ()


@pytest.mark.long("proves an exercise; test_prove.py tells of a wrong expectation in tests of ours")
@pytest.mark.parametrize("way", WAYS)
async def test_what_such_tests_wrongly_expect_is_found(folder, way):
    write_tests(folder, way, said="warm")
    found = await check_exercise(folder, toolchains=toolchains())
    assert ("reference", "ex-3") in {(each.step, each.unit) for each in found.findings}
