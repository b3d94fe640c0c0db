"""What an exercise needs that asks what a program gives, and what gives the answers away."""

import asyncio

import pytest
from kinds_kit import TOOLS, folder_of

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.own.check_exercise import check_exercise
from tutor_lsp.authoring.predict.checks import check_hints
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.told_value import is_distinct, says, stands_in
from tutor_lsp.languages.common.predict.trace import Step, lines_of, without
from tutor_lsp.languages.common.predict.values import another
from tutor_lsp.library.loader import Library
from tutor_lsp.stages.backends.library import planned_units

OWN, GAUGE, TESTS = "src/exercise/answers.py", "src/exercise/gauge.py", "tests/test_answers.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("rules"), "python", UnitKind.PREDICT)


def loaded(folder):
    library = Library([folder])
    (entry,) = library.entries()
    return entry, library.load(entry)


def said(folder, file="", old="", new=""):
    """What the index finds after a change to a text."""
    entry, bundled = loaded(folder)
    files = dict(bundled.files)
    if file:
        assert old in files[file]
        files[file] = files[file].replace(old, new)
    index = build_index(files, planned_units(entry), TOOLS["python"], strict=True)
    return [f"{finding.file}:{finding.line}: {finding.message}" for finding in index.findings]


def test_a_new_exercise_has_what_it_needs(folder):
    assert said(folder) == []


CHANGES = {
    "answered already": (
        (OWN, "WATER = ...", "WATER = 3"),
        [f"{OWN}:10: `WATER` is answered already, though ex-4 asks for it."],
    ),
    "another answer first": (
        (OWN, "WATER = ...", "LAST = ...\nWATER = ..."),
        [f"{OWN}:11: The first answer that {OWN} asks for is not `WATER`."],
    ),
    "code among answers": (
        (OWN, "WATER = ...", "WATER = ...\nprint(1)"),
        [f"{OWN}:11: {OWN} is for answers alone, and line 11 is none."],
    ),
    "no last line": (
        (OWN, "# Start here: what is", "# What is"),
        [f"{OWN}:8: The comment of ex-4 does not end with its line `Start here:`."],
    ),
    "a test elsewhere": (
        (TESTS, "def test_signs_of_four_days", "def test_note_is_short() -> None:\n    pass\n\n\n"
         "def test_signs_of_four_days"),
        [f"{TESTS}:None: ex-4 asks to predict `WATER`, so {TESTS} is for its tests alone; "
         "`test_note_is_short` needs another file."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_does_not_hold_is_named_at_its_place(folder, name):
    change, expected = CHANGES[name]
    found = said(folder, *change)
    assert all(each in found for each in expected), found


def test_no_hint_tells_a_value(folder):
    entry, bundled = loaded(folder)
    units = build_index(bundled.files, planned_units(entry), TOOLS["python"]).units
    hints = {"ex-4": ("It is 34, or `#-#.`.", "", "Write #-#. at the end.")}
    found = check_hints(units, "python", bundled.files, bundled.solution, hints)
    assert [f"{each.file}: {each.message}" for each in found] == [
        'hints/ex-4.md: L1 has "#-#.", which is what `SIGNS` asks for.',
        'hints/ex-4.md: L3 has "#-#.", which is what `SIGNS` asks for.',
    ]
    assert check_hints(units, "python", bundled.files, bundled.solution, bundled.hints) == []


def changed(folder, *changes):
    for file, old, new in changes:
        path = folder / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
    result = asyncio.run(check_exercise(folder, toolchains=TOOLS))
    return [finding.message for finding in result.findings]


@pytest.mark.long("proves an exercise")
def test_the_proof_finds_what_gives_values_away_or_asks_for_none(tmp_path):
    folder = folder_of(tmp_path, "python", UnitKind.PREDICT)
    found = changed(
        folder,
        ("LESSON.md", "What does a purse hold", "It is #-#. in the end. What does a purse hold"),
        (TESTS, "answers.WATER ==", "answers.WATER and"),
        (f"solution/{OWN}", 'SIGNS = "#-#."', 'SIGNS = "".join("#-#.")'),
    )
    assert "The reference has no value for `SIGNS`." in found
    assert "The reference does not pass `test_signs_of_four_days`: `SIGNS`: write what it gives " \
        "as a value, not as code that computes it." in found  # fmt: skip


@pytest.mark.long("proves an exercise")
def test_the_proof_finds_a_test_that_takes_any_answer_and_a_program_without_steps(tmp_path):
    folder = folder_of(tmp_path, "python", UnitKind.PREDICT)
    found = changed(
        folder,
        ("LESSON.md", "What does a purse hold", "It is #-#. in the end. What does a purse hold"),
        (TESTS, "answers.WATER == gauge", "answers.WATER and gauge"),
        (TESTS, "gauge.line([20, 0, 31, 4])", '"#-" + "#."'),
    )
    assert 'LESSON.md has "#-#.", which is what `SIGNS` asks for.' in found
    any_answer = "The test `test_water_after_three_days` passes on 3 wrong versions of `WATER`"
    assert any(each.startswith(any_answer) for each in found), found
    assert any("No step of the program can be told for `test_signs" in each for each in found)


def test_values_are_known_by_what_stands_around_them():
    assert stands_in('"ab."', "is ab. then")
    assert not stands_in("34", "1347 or 3.34 or x34")
    assert says("34", "It gives `34`.")
    assert says("34", "height = 34")
    assert not says("34", "on line 34 of it")
    assert is_distinct("446", ["sum = 1"])
    assert not is_distinct("446", ["sum = 446"])
    assert not is_distinct("34", [])


@pytest.mark.parametrize(
    ("value", "other"),
    [("34", "44"), ("-9.5", "-1.5"), ("98", "18"), ('"ab"', '"~ab"'), ("'a'", "'~'"), ("''", "'~'"),
     ("True", "False"), ("false", "true"), ("0x1f", "0x11f"), ("[1, 2]", "[2, 2]"), ("None", None),
     ("'\\n'", "'~'")],
)  # fmt: skip
def test_another_value_has_the_same_type(value, other):
    assert another(value) == other


def test_a_trace_shows_the_last_steps_and_never_the_value():
    steps = [Step("src/a.py", 1, "row", str(number)) for number in range(30)]
    steps += [Step("src/a.py", 2, "last", "4711"), Step("src/a.py", 1, "row", "29")]
    shown = without(steps, ["29", "'x4711'", "4711"], ["row += 1\nlast = row"])
    assert [step.value for step in shown[-3:]] == ["29", "?", "?"]
    lines = lines_of(shown, {"src/a.py": "row += 1\nlast = row"}).splitlines()
    assert (len(lines), lines[0], lines[1]) == (21, "…", "1  row += 1    row = 12")
    assert lines[-1] == "1  row += 1    row = ?"
