"""A file that several units ask for declarations in."""

import asyncio
from types import SimpleNamespace

import pytest
from kinds_kit import TOOLS, course_of, marks
from shared_kit import FILE, shared_folder

from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.authoring.refresher.make import ReviewRequest, make_review
from tutor_lsp.authoring.refresher.pieces import starter_and_reference
from tutor_lsp.core.exercise.declared import declares, leading_comment
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.parts import parts, text_of, with_code
from tutor_lsp.core.session import Vault
from tutor_lsp.core.text.positions import split_lines
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.hinting.coach.declared import in_part

LANGUAGES = ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"]
BODIES = {"ex-3": ("ex-1", "ex-2")}
NEEDS = {
    "python": {**BODIES, "ex-5": ("ex-4",), "ex-6": ("ex-4", "ex-5")},
    "rust": {**BODIES, "ex-5": ("ex-4",), "ex-6": ("ex-4",)},
    "c": {**BODIES, "ex-5": ("ex-4",), "ex-6": ("ex-4", "ex-5")},
}


WRONG = {
    "python": (" > ", " < "), "rust": ("{ celsius,", "{ celsius: -celsius,"), "c": ("< 0", "<= 0"),
}  # fmt: skip


def with_mistake(folder, language):
    """Add a known mistake of the second unit: the whole file, with that in its part."""
    right = (folder / f"solution/{FILE[language]}").read_text()
    mine = text_of(right, "ex-5", languages()[language].lines)
    old, new = WRONG[language]
    code = right.replace(mine, mine.replace(old, new))
    assert code != right
    (folder / "mistakes").mkdir(exist_ok=True)
    tags = {"python": "condition-turned-round", "rust": "condition-turned-around"}
    said = f"## Off\n\nYou take the other one.\n\nTag: {tags.get(language, 'off-by-one')}"
    said = f"{said}\n\n```{language}\n{code}```\n"
    (folder / "mistakes/ex-5.md").write_text(said)


@pytest.mark.long("proves whole exercises; that of all kinds stands for them in the fast run")
@pytest.mark.first(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_exercise_whose_declarations_share_a_file_is_proven(tmp_path, language):
    folder = shared_folder(tmp_path, language)
    with_mistake(folder, language)
    result = asyncio.run(check_exercise(folder, toolchains=TOOLS))
    assert dict(result.proof.mistakes) == {"ex-5": 1}
    assert [f"{f.step} {f.file} {f.message}" for f in result.findings] == []
    assert dict(result.proof.needs) == NEEDS[language]
    assert sorted(result.proof.codes) == ["ex-4", "ex-5", "ex-6"]


PY = {
    4: "class Reading:\n    def __init__(self, celsius, place):\n"
    "        self.celsius, self.place = celsius, place\n\n"
    '    def label(self):\n        return f"{self.place}: {self.celsius} C"\n',
    5: "def hottest(readings):\n    return max(readings, key=lambda each: each.celsius)\n",
    6: "def summary(readings):\n    top = hottest(readings)\n"
    '    return f"{len(readings)}, at most {top.celsius} C in the {top.place}"\n',
}
RS = {
    4: "pub struct Reading {\n    pub celsius: i32,\n    pub place: String,\n}\n\n"
    "impl Reading {\n    pub fn label(&self) -> String {\n"
    '        format!("{}: {} C", self.place, self.celsius)\n    }\n}\n',
    5: "impl Reading {\n    pub fn new(celsius: i32, place: &str) -> Self {\n"
    "        Reading { celsius, place: place.to_string() }\n    }\n}\n",
    6: "pub fn is_warmer(one: &Reading, other: &Reading) -> bool {\n"
    "    one.celsius > other.celsius\n}\n",
}
C = {
    4: "struct reading {\n    int celsius;\n    const char *place;\n};\n\n"
    "static inline struct reading warmer(struct reading one, struct reading other)\n{\n"
    "    return other.celsius > one.celsius ? other : one;\n}\n",
    5: "static inline int has_frost(struct reading it)\n{\n    return it.celsius < 0;\n}\n",
    6: "static inline int frosts(const struct reading *readings, int count)\n{\n"
    "    int found = 0;\n    for (int at = 0; at < count; at++)\n"
    "        found += has_frost(readings[at]);\n    return found;\n}\n",
}
CODE = {"python": PY, "rust": RS, "c": C}
STOPS = "ex-5 in the same file stops the build at line "
P, F, T = "passing", "failing", "todo"
STATES = {
    "nothing": ({}, (T, T, T), {}),
    "the first": ({4: "{4}"}, (P, T, T), {}),
    "the first two": ({4: "{4}", 5: "{5}"}, (P, P, T), {}),
    "all": ({4: "{4}", 5: "{5}", 6: "{6}"}, (P, P, P), {}),
    "the second alone under another name": (
        {4: "{4}", 5: "other"}, (P, F, T), {5: "`{stub}` is not declared yet"},
    ),
    "the second is not right": ({4: "{4}", 5: "wrong"}, (P, F, T), {}),
    "the second does not build": (
        {4: "{4}", 5: "broken"}, (F, F, T), {4: STOPS, 5: "line "},
    ),
    "the second does not build beside the third": (
        {4: "{4}", 5: "broken", 6: "{6}"}, (F, F, F), {4: STOPS, 5: "line ", 6: STOPS},
    ),
    "the second stands with the first": ({4: "{4}\n\n{5}", 6: "{6}"}, (P, P, P), {}),
    "only the third": ({6: "{6}"}, (T, T, F), {}),
}  # fmt: skip
ELSE = {
    "python": {
        "other": ("hottest", "coldest"), "wrong": ("max(", "min("),
        "broken": ("readings):", "readings)"),
    },
    "rust": {
        "other": ("fn new", "fn made"), "wrong": ("{ celsius,", "{ celsius: celsius + 1,"),
        "broken": ("place.to_string()", "celsius"),
    },
    "c": {
        "other": ("has_frost", "is_frosty"), "wrong": ("< 0", "> 0"),
        "broken": ("it.celsius", "it.cold"),
    },
}  # fmt: skip


OPEN = {
    "python": "class Reading(\n",
    "rust": "pub struct Reading {\n    pub celsius: i32,\n    pub place: String,\n",
    "c": "struct reading {\n    int celsius;\n    const char *place;\n",
}


def written(made, **parts):
    """The file with code below the comments of its units."""
    language = made.exercise.language
    text = made.files[FILE[language]]
    for unit, code in parts.items():
        text = with_code(text, unit, code, languages()[language].lines)
    return text


def codes(language, wanted):
    """The code below each comment."""
    mine = CODE[language]
    found = {}
    for unit, how in wanted.items():
        code = mine[unit].replace(*ELSE[language][how]) if how in ELSE[language] else how
        for number, right in mine.items():
            code = code.replace(f"{{{number}}}", right)
        found[f"ex-{unit}"] = code
    return found


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("courses")
    return {
        language: course_of(shared_folder(folder / language, language), language)
        for language in CODE
    }


@pytest.fixture(scope="module")
def roots(tmp_path_factory):
    return {language: tmp_path_factory.mktemp(language) / "exercise" for language in CODE}


@pytest.mark.first(2)
@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_unit_has_its_own_mark(courses, roots, language, name):
    made, (wanted, expected, sentences) = courses[language], STATES[name]
    text = written(made, **codes(language, wanted))
    texts = {**made.files, **made.solution, FILE[language]: text}
    shown, said = marks(made, roots[language], texts)
    assert shown == dict(zip(shown, (P, P, P, *expected), strict=True)), said
    stubs = {unit.id: unit.stub for unit in made.exercise.units}
    for unit, begin in sentences.items():
        stub = stubs[f"ex-{unit}"]
        assert said[f"ex-{unit}"].startswith(begin.replace("{stub}", stub)), said


@pytest.mark.first(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_left_open_is_told_where_it_is_opened(courses, tmp_path, language):
    """Not at the end of the file, which is another unit's."""
    made = courses[language]
    right = codes(language, {5: "{5}", 6: "{6}"})
    text = written(made, **{"ex-4": OPEN[language], **right})
    line = text[: text.index(OPEN[language])].count("\n") + 1
    shown, said = marks(made, tmp_path, {**made.files, **made.solution, FILE[language]: text})
    assert list(shown.values()) == [P, P, P, F, F, F]
    assert said["ex-4"].startswith(f"line {line} of {FILE[language]} does not build: ")
    stops = f"ex-4 in the same file stops the build at line {line}"
    assert (said["ex-5"], said["ex-6"]) == (stops, stops)


@pytest.mark.long("builds Rust for a rare case")
@pytest.mark.cargo
def test_what_adds_to_a_type_does_not_declare_it(courses, tmp_path):
    made = courses["rust"]
    text = written(made, **codes("rust", {5: "{5}"}))
    shown, said = marks(made, tmp_path, {**made.files, **made.solution, FILE["rust"]: text})
    assert list(shown.values()) == [P, P, P, T, F, T]
    assert said["ex-4"] == "`Reading` is not written yet"


@pytest.mark.first(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_gone_is_that_of_its_units_alone(courses, tmp_path, language):
    made, file = courses[language], FILE[language]
    texts = {name: text for name, text in {**made.files, **made.solution}.items() if name != file}
    shown, said = marks(made, tmp_path, texts)
    assert list(shown.values()) == [P, P, P, F, F, F], said
    gone = f"{file} is gone; tutor.reset or tutor.restore puts it back"
    assert {said[unit] for unit in ("ex-4", "ex-5", "ex-6")} == {gone}


@pytest.mark.parametrize("language", list(CODE))
@pytest.mark.parametrize("unit_id", ["ex-4", "ex-5", "ex-6", "ex-1"])
def test_a_review_has_what_its_unit_needs_and_nothing_that_needs_it(courses, language, unit_id):
    made, lines = courses[language], languages()[language].lines
    units, unit = made.exercise.units, made.exercise.unit(unit_id)
    cut = starter_and_reference(made.files, made.solution, units, unit, TOOLS[language])
    starter, reference = cut
    given, file = starter[FILE[language]], FILE[language]
    stubs = [each.stub for each in units if each.file == file]
    there = [stub for stub in stubs if declares(given, stub, lines)]
    if unit.file != file:
        assert there == stubs
        assert parts(given, lines) == {}
        return
    own = stubs.index(unit.stub)
    assert there == stubs[:own]
    assert list(parts(given, lines)) == ["ex-1"]
    assert leading_comment(split_lines(given), lines)[0] == 1
    solved = reference[file]
    assert [stub for stub in stubs if declares(solved, stub, lines)] == stubs[: own + 1]


@pytest.mark.long("proves whole exercises")
@pytest.mark.parametrize(
    ("language", "unit"),
    [
        ("python", "ex-5"),
        pytest.param("rust", "ex-5", marks=pytest.mark.cargo),
        ("c", "ex-6"),
        ("c", "ex-1"),
    ],
)
def test_a_review_of_one_of_them_is_proven(tmp_path, language, unit):
    folder = shared_folder(tmp_path, language)
    made = course_of(folder, language)
    files = {**made.files, LESSON: (folder / LESSON).read_text()}
    asked = ReviewRequest(made.exercise, Vault(made.solution, {}, files), files, [unit], seed=1)
    reviewed = asyncio.run(make_review(asked, TOOLS[language], Quiet()))
    assert [each.stub for each in reviewed.exercise.units] == [made.exercise.unit(unit).stub]


class Quiet:
    def report(self, percent, message):
        pass


METHOD = "pub fn new(celsius: i32, place: &str) -> Reading { Reading { celsius, place: p(place) } }"


def test_a_piece_of_a_hint_is_tried_in_the_blocks_of_its_part(courses):
    made = courses["rust"]
    opened = SimpleNamespace(exercise=made.exercise, lines=languages()["rust"].lines)
    mine, reference = made.files[FILE["rust"]], made.solution[FILE["rust"]]
    tried = list(in_part(opened, made.exercise.unit("ex-5"), METHOD, mine, reference))
    assert f"impl Reading {{\n    {METHOD}\n}}\n" in "".join(tried)
    assert all("String::from(place)" not in text for text in tried)
