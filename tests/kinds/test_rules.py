"""What a unit needs that asks for a declaration: its own files, and a comment that comes first."""

import pytest
from kinds_kit import DECLARED, TOOLS, course, folder_of, judged

from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.kinds import check_kinds
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.declared import declares, file_site
from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import RawReport, RunOutcome
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.entry import BrokenExerciseError, read_entry
from tutor_lsp.library.loader import Library
from tutor_lsp.stages.backends.library import planned_units

OWN, TESTS, WEATHER = "src/exercise/reading.py", "tests/test_reading.py", "tests/test_weather.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return folder_of(tmp_path_factory.mktemp("rules"), "python")


def said(folder, *changes):
    """What the index finds after changes to texts."""
    library = Library([folder])
    (entry,) = library.entries()
    files = dict(library.load(entry).files)
    for file, old, new in changes:
        assert old in files[file]
        files[file] = files[file].replace(old, new)
    index = build_index(files, planned_units(entry), TOOLS["python"], strict=True)
    return [f"{finding.file}: {finding.message}" for finding in index.findings]


def test_a_new_exercise_has_what_it_needs(folder):
    assert said(folder) == []


def test_no_header_given_may_include_that_of_the_unit(tmp_path):
    folder = folder_of(tmp_path, "c")
    library = Library([folder])
    (entry,) = library.entries()
    files = dict(library.load(entry).files)
    files["src/weather.h"] += '#include "reading.h"\n'
    index = build_index(files, planned_units(entry), TOOLS["c"], strict=True)
    assert [finding.message for finding in index.findings] == [
        'src/weather.h refers to `"reading.h"`, which ex-4 asks to declare: only src/reading.h and '
        "tests/test_reading.c may, since nothing else would build before."
    ]


def test_a_domain_of_its_own_is_refused_at_once(tmp_path):
    folder = folder_of(tmp_path, "python")
    (folder / "accepts").mkdir(exist_ok=True)
    (folder / "accepts/ex-4.py").write_text("def accepts(x: int) -> bool:\n    return True\n")
    library = Library([folder])
    (entry,) = library.entries()
    with pytest.raises(TutorError, match=r"accepts/ex-4\.py is for a unit that asks to declare"):
        library.load(entry)


CHANGES = {
    "given code that uses it": (
        ("src/exercise/weather.py", "def note(", "def later():\n"
         "    from exercise.reading import Reading\n\n    return Reading\n\n\ndef note("),
        "src/exercise/weather.py: src/exercise/weather.py refers to `Reading`, which ex-4 asks to "
        f"declare: only {OWN} and {TESTS} may, since nothing else would build before.",
    ),
    "another's test": (
        (TESTS, "def test_reading_says", "def test_note_says() -> None:\n    assert note(1)\n\n\n"
         "def test_reading_says"),
        f"{TESTS}: ex-4 asks to declare `Reading`, so {TESTS} is for its tests alone; "
        "`test_note_says` needs another file.",
    ),
    "a test elsewhere": (
        (WEATHER, "def test_note_shows", "def test_reading_is_here() -> None:\n"
         "    assert Reading\n\n\ndef test_note_shows"),
        f"{WEATHER}: ex-4 asks to declare `Reading`, so its tests stand in one file, {TESTS}; "
        "`test_reading_is_here` does not.",
    ),
    "no comment": (
        (OWN, "# ex-4 - First", "# First"),
        f"{OWN}: {OWN} does not begin with the comment of ex-4, in the marks `#`.",
    ),
    "something above it": (
        (OWN, "# What a", "import os\n# What a"),
        f"{OWN}: {OWN} does not begin with the comment of ex-4, in the marks `#`.",
    ),
    "no contract": (
        (OWN, "Reading(", "It("),
        f"{OWN}: The comment of ex-4 does not say what `Reading` is: above its other lines it "
        "needs the contract, with a use and its result.",
    ),
    "more below": (
        (OWN, "# Start here: what is every new reading given?",
         "# Start here: what is every new reading given?\n#\n# Good luck"),
        f"{OWN}: The comment of ex-4 does not end with its line `Start here:`.",
    ),
    "declared": (
        (OWN, "new reading given?", "new reading given?\n\nclass Reading:\n    pass\n"),
        f"{OWN}: `Reading` is declared already, though ex-4 asks for that.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_what_does_not_hold_is_said(folder, name):
    change, message = CHANGES[name]
    assert message in said(folder, change)


def test_two_units_of_one_file_are_refused(tmp_path):
    made = folder_of(tmp_path, "python")
    toml = made / "exercise.toml"
    text = toml.read_text().replace('file = "src/exercise/weather.py"', f'file = "{OWN}"', 1)
    toml.write_text(text)
    weather = made / "src/exercise/weather.py"
    _, stub = weather.read_text().split("def is_frosty")[0].rsplit("\n\n\ndef to_f", 1)
    weather.write_text(weather.read_text().replace(f"\n\n\ndef to_f{stub.rstrip()}", ""))
    (made / OWN).write_text(f"{(made / OWN).read_text()}\n\ndef to_f{stub.rstrip()}\n")
    alone = "`Reading` alone, which is to be declared there: `to_fahrenheit` needs another file."
    assert f"None: {OWN} is for {alone}" in said(made)


def test_a_language_may_do_without(folder):
    library = Library([folder])
    (entry,) = library.entries()
    files = library.load(entry).files
    units = build_index(files, planned_units(entry), TOOLS["python"]).units

    class Bare(type(languages()["python"])):
        name = "Bare"
        kinds = frozenset({UnitKind.BODY})

    (finding,) = check_kinds(units, files, {}, Bare())
    assert finding.message == "Bare has no units of the kind declare."


def test_an_unknown_kind_is_refused(tmp_path):
    made = folder_of(tmp_path, "python")
    toml = made / "exercise.toml"
    toml.write_text(toml.read_text().replace('kind = "declare"', 'kind = "guess"'))
    with pytest.raises(
        BrokenExerciseError, match='ex-4 is one of "body", "declare", "repair", "test"'
    ):
        read_entry(made)


NAMED = {
    "python": (
        ["class It:", "def It():", "async def It():", "    def It(self):", "It = 3", "It: int = 3"],
        ["It()", "print(It)", "# class It", "class Items:", "It == 3", "x.It = 3"],
    ),
    "rust": (
        [
            "pub struct It {", "struct It;", "pub(crate) enum It {", "pub trait It {",
            "pub async unsafe fn It() {", "impl Show for It {", "impl<'a> It<'a> {",
            "macro_rules! It {", "pub type It = u8;", "pub const It: u8 = 3;",
            "#[derive(Debug)] struct It;",
            "unsafe impl<T: Into<u8>> Show for It<T> {", "impl crate::it::It {",
            "impl Show for &It {", "impl<F> It<F> where F: for<'a> Fn(&'a u8) {",
        ],
        [
            "impl From<It> for String {", "impl<T: Into<It>> Show for Vec<T> {", "impl It for u8 {",
            "impl Show for Vec<It> {", "impl Item {", "// struct It",
            "let x = It { a: 1 };", "It::new()", "struct Items;", "use other::It;",
        ],
    ),
    "c": (
        [
            "struct It {", "typedef struct It It;", "enum It { A };", "} It;", "#define It 3",
            "int It(int a);", "static inline char *It(void)", "typedef int It;",
            "struct It", "typedef struct It {", "typedef struct { int a; } It;", "} *It;",
            "typedef char It[8];", "typedef char *It;", "typedef int (*It)(int a);",
            "struct __attribute__((packed)) It {", "struct other It(struct other one)",
            "enum It { A }; // one",
        ],
        [
            "struct It *next;", "struct It warmer(struct It a);", "do It(3);", "struct It;",
            "    struct It one;", "static struct It one = {0};", "typedef struct It other;",
            "sizeof(struct It);", "int warmer(struct It one)", "// struct It",
            "return It(3);", "It(3);", "struct Items {", "x = It(3);",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", NAMED)
def test_what_declares_a_name(language):
    lines = languages()[language].lines
    does, does_not = NAMED[language]
    assert [each for each in does if not declares(each, "It", lines)] == []
    assert [each for each in does_not if declares(each, "It", lines)] == []


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# a\n# b", "# a\n\n", "/* a", "/*\n * a\n */\n", "x"]
)
@pytest.mark.parametrize("language", NAMED)
def test_any_text_has_a_place_for_its_mark(language, text):
    site = file_site("It", text, languages()[language].lines)
    assert 1 <= site.line <= text.count("\n") + 1
    assert 0 <= site.body_start <= site.body_end <= len(text)
    assert site.column <= site.end_column


@pytest.mark.parametrize("language", NAMED)
def test_a_byte_order_mark_is_no_edit(tmp_path, language):
    made = course(tmp_path, language)
    own, lines = made.unit.file, languages()[language].lines
    given = made.files[own]
    for text, touched in ((given, False), (f"{given}\nmine\n", True)):
        texts = {**made.exercise.starter, own: f"\ufeff{text}"}
        _, stubs = judged(made, texts, RawReport(RunOutcome.NOT_RUN))
        assert stubs.touched(DECLARED) is touched
        site = stubs.site(DECLARED)
        assert site.comment == file_site(made.unit.stub, text, lines).comment
        assert texts[own][site.body_start : site.body_end] == ("mine" if touched else "")


def test_a_name_behind_a_byte_order_mark_has_its_place():
    site = file_site("It", "\ufeffclass It:\n    pass\n", languages()["python"].lines)
    assert (site.line, site.column, site.end_column) == (1, 8, 10)
