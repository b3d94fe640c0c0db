"""Working copies, versions merged into one program, and blocks that are really run."""

import pytest
from corpus import LANGUAGES
from proof_kit import TOOLCHAINS, candidate, needing, put, trial

from tutor_lsp.authoring.proof.giveaway import check, suspects
from tutor_lsp.authoring.proof.lesson import code_blocks
from tutor_lsp.authoring.proof.trial import call_graph
from tutor_lsp.authoring.proof.wrong import Wrongs
from tutor_lsp.core.exercise.report import Location, RawReport, RawTest, RunOutcome, TestOutcome
from tutor_lsp.core.language.variants import Merged, Variant, merged_name
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.proof.bench import COPIES, Bench
from tutor_lsp.languages.common.proof.placing import place
from tutor_lsp.languages.common.proof.splice import put_back, with_body
from tutor_lsp.languages.python.proof.copies import side_by_side
from tutor_lsp.languages.registry import dialect

EVERY = pytest.mark.parametrize("language", needing(LANGUAGES, str, str))
LIMITS = RunLimits(total_s=60.0, test_s=5.0)


def bench(language, folder):
    return Bench(TOOLCHAINS[language], folder, LIMITS)


# working copies


def texts(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_a_copy_holds_just_its_files(tmp_path):
    folder = tmp_path / "copy"
    place(folder, {"src/a.py": "a", "src/deep/b.py": "b", "tests/t.py": "t", "x.toml": "x"})
    (folder / "src" / "stray.py").write_text("s")
    (folder / "left.txt").write_text("l")
    (folder / "build").mkdir()
    (folder / "build" / "object.o").write_text("o")
    kept = (folder / "src" / "a.py").stat().st_mtime_ns
    place(folder, {"src/a.py": "a", "tests/t.py": "T"})
    assert texts(folder) == {"src/a.py": "a", "tests/t.py": "T", "build/object.o": "o"}
    assert not (folder / "src" / "deep").exists()
    assert (folder / "src" / "a.py").stat().st_mtime_ns == kept


def test_what_a_run_left_may_stay(tmp_path):
    folder = tmp_path / "copy"
    place(folder, {"src/a.py": "a"})
    (folder / "left.txt").write_text("l")
    place(folder, {"src/a.py": "b"}, leave=True)
    assert texts(folder) == {"src/a.py": "b", "left.txt": "l"}


def test_links_that_a_run_left_are_not_followed(tmp_path):
    outside, folder = tmp_path / "outside", tmp_path / "copy"
    outside.mkdir()
    (outside / "kept.txt").write_text("k")
    place(folder, {"src/a.py": "a"})
    (folder / "src" / "link").symlink_to(outside)
    (folder / "src" / "a.py").unlink()
    (folder / "src" / "a.py").symlink_to(outside / "kept.txt")
    place(folder, {"src/a.py": "b"})
    assert texts(outside) == {"kept.txt": "k"}
    assert texts(folder) == {"src/a.py": "b"}


@pytest.mark.parametrize("leave", [True, False])
def test_a_copy_that_is_a_link_is_not_touched(tmp_path, leave):
    outside, folder = tmp_path / "outside", tmp_path / "copy"
    outside.mkdir()
    (outside / "kept.txt").write_text("k")
    folder.symlink_to(outside)
    with pytest.raises(OSError, match="symbolic links"):
        place(folder, {"src/a.py": "b"}, leave=leave)
    assert texts(outside) == {"kept.txt": "k"}


async def test_copies_are_lent_one_by_one(tmp_path):
    made = bench("python", tmp_path)
    async with made.lane() as first, made.lane() as second:
        assert first.folder != second.folder
        assert COPIES == 2
    async with made.lane() as again:
        assert again is first or again is second


# splicing


def test_putting_a_function_back():
    made = candidate()
    path = made.units[0].file
    text = put_back(TOOLCHAINS["python"], made.solution[path], made.files[path], "is_frosty")
    assert text.count("NotImplementedError") == 1
    assert put_back(TOOLCHAINS["python"], "x = 1\n", made.files[path], "is_frosty") is None
    assert put_back(TOOLCHAINS["python"], text, "x = 1\n", "is_frosty") is None


def test_a_body_is_indented_like_the_one_before():
    text = "class A:\n    def f(self):\n        '''Doc.'''\n        return 1\n"
    site = TOOLCHAINS["python"].functions(text)[0]
    assert with_body(text, site, "if self:\n    return 2\nreturn 3").endswith(
        "'''Doc.'''\n        if self:\n            return 2\n        return 3\n"
    )


def test_the_call_graph_goes_through_helpers():
    made = trial(
        "python", put("S", "def note", "def help(c):\n    return is_frosty(c)\n\n\ndef note")
    )
    solved = made.solved(made.candidate.solution)
    assert call_graph(made, solved)["note"] == {"is_frosty", "to_fahrenheit"}


# many versions in one program


def variants(made):
    wrongs = Wrongs(made, made.solved(made.candidate.solution), ())
    return [*wrongs.put_back(), *wrongs.neutral()]


@EVERY
@pytest.mark.sample("python")
async def test_merged_versions_say_the_same_as_each_alone(language, tmp_path):
    made = trial(language)
    chosen = variants(made)
    assert len(chosen) == 6
    merged = dialect(language).merge(
        made.solved(made.candidate.solution), chosen, [], made.toolchain
    )
    tool = bench(language, tmp_path)
    together = merged.split(await tool.run(merged.files, merged.tests))
    assert together.keys() == {variant.key for variant in chosen}
    for variant in (chosen[0], chosen[-1]):
        alone = await tool.run(variant.files, variant.tests)
        wanted = {t.name for t in alone.tests if t.outcome is not TestOutcome.NOT_RUN}
        assert {t.name: t.outcome for t in together[variant.key].tests} == {
            t.name: t.outcome for t in alone.tests if t.name in wanted
        }


def test_merged_results_are_told_apart():
    name = merged_name("test_a", 2)
    merged = Merged({}, {name: ("b", "test_a")}, {"tests/test_x__2.py": "tests/test_x.py"})
    place_of = Location("tests/test_x__2.py", 3)
    failed = RawTest(name, TestOutcome.FAILED, location=place_of)
    whole = RawReport(RunOutcome.FAILED, (failed, RawTest("other", TestOutcome.PASSED)))
    (test,) = merged.split(whole)["b"].tests
    assert (test.name, test.location.file) == ("test_a", "tests/test_x.py")
    assert merged.split(RawReport(RunOutcome.BUILD_ERROR)) is None
    assert merged.split(RawReport(RunOutcome.PASSED)) is None
    skipped = RawTest(name, TestOutcome.NOT_RUN)
    assert merged.split(RawReport(RunOutcome.TIMEOUT, (skipped,))) is None


def renamed(text, path="tests/test_a.py"):
    files = {path: text, "tests/test_z.py": "def test_z(): ...\n"}
    merged = side_by_side([Variant("a", files), Variant("b", files)])
    return next(t for p, t in merged.files.items() if p.endswith("a__tutor_2.py"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("from exercise.a import b\n", "from PACKAGE.a import b\n"),
        ("from exercise import a\n", "from PACKAGE import a\n"),
        ("import os, exercise.a as x\n", "import os, PACKAGE.a as x\n"),
        ("import exercise\nexercise.a.b()\n", "import PACKAGE\nPACKAGE.a.b()\n"),
        ('set("exercise.a.B", 1)\n', 'set("PACKAGE.a.B", 1)\n'),
        ("x.exercise = 'an exercise'\n", "x.exercise = 'an exercise'\n"),
        ("é = 1; import exercise\n", "é = 1; import PACKAGE\n"),
        ("@mark\ndef test_x(a): ...\n", "@mark\ndef test_x__tutor_2(a): ...\n"),
        ("def helper(): ...\n", "def helper(): ...\n"),
    ],
)
def test_a_python_package_gets_another_name(text, wanted):
    assert renamed(text) == wanted.replace("PACKAGE", "exercise__tutor_2")


def test_only_tests_that_are_to_run_are_compiled():
    text = (
        "import exercise\n\nHELP = 1\n\n"
        "@pytest.mark.parametrize('a', [exercise.f()])\ndef test_called(a):\n    assert a\n\n"
        "@plain\ndef test_other(a: int = HELP) -> None:\n    assert a\n\n"
        "    # more\n    assert 2\n\n"
        "def test_wanted():\n    assert 3\n"
    )
    variant = Variant("a", {"tests/test_a.py": text}, ("test_wanted",))
    whole, merged = side_by_side([Variant("a", variant.files)]), side_by_side([variant])
    (path,) = merged.files
    assert merged.tests == ["test_wanted__tutor_1"]
    lines, kept = whole.files[path].split("\n"), merged.files[path].split("\n")
    assert len(kept) == len(lines)
    gone = [line for line, now in zip(lines, kept, strict=True) if line != now]
    assert all(now in (line, "") for line, now in zip(lines, kept, strict=True))
    assert [line.strip() for line in gone if line] == [
        "@plain",
        "def test_other__tutor_1(a: int = HELP) -> None:",
        "assert a",
        "# more",
        "assert 2",
    ]


def test_what_versions_would_share_is_not_merged():
    test = {"tests/test_a.py": "def test_a(): ...\n"}
    assert side_by_side([Variant("a", {**test, "tests/conftest.py": ""})]) is None
    assert side_by_side([Variant("a", {**test, "src/other.py": ""})]) is None
    assert side_by_side([Variant("a", {"tests/test_a.py": "def (\n"})]) is None


# lesson


BLOCKS = {
    "python": [
        "print('hé')",
        "raise KeyError('x')",
        "1 +",
        "from exercise.weather import note\nprint(note(5))",
    ],
    "rust": [
        'fn main() { println!("hé"); }',
        'fn main() { panic!("x"); }',
        "fn main() { let a: u8 = 300; }",
        'fn main() { println!("{}", exercise::note(5)); }',
    ],
    "c": [
        '#include <stdio.h>\nint main(void) { puts("hé"); return 0; }',
        "int main(void) { return 1; }",
        "int main(void) { return missing(); }",
        '#include <stdio.h>\n#include "weather.h"\n'
        "int main(void) { char t[40]; note(t, sizeof t, 5); puts(t); return 0; }",
    ],
}
"""A program that works, one that ends badly, one that does not build, one with the exercise."""


def solved_files(language):
    made = candidate(language)
    return {**made.files, **made.solution}


@EVERY
async def test_blocks_are_run_and_what_they_said_is_kept(language, tmp_path):
    good, bad, broken, using = await dialect(language).try_blocks(
        BLOCKS[language], solved_files(language), bench(language, tmp_path)
    )
    assert (good.built, good.ran, good.output) == (True, True, "hé\n")
    assert (bad.built, bad.ran) == (True, False)
    assert "RUST_BACKTRACE" not in bad.said
    assert broken.built is False
    assert broken.codes
    assert using.output == "5 C is 41 F\n"


async def test_a_session_is_checked_line_by_line(tmp_path):
    codes = [">>> 1 + 1\n2", ">>> 1 + 1\n3"]
    good, bad = await dialect("python").try_blocks(codes, {}, bench("python", tmp_path))
    assert (good.ran, bad.ran) == (True, False)
    assert "Expected" in bad.said


@pytest.mark.parametrize("language", needing(["c"], str, str))
async def test_a_part_may_lean_on_earlier_includes(language, tmp_path):
    codes = ["#include <stddef.h>\nint f(void) { return 0; }", "size_t g(void) { return 0; }"]
    first, second = await dialect(language).try_blocks(codes, {}, bench(language, tmp_path))
    assert (first.built, second.built) == (True, True)
    (alone,) = await dialect(language).try_blocks(codes[1:], {}, bench(language, tmp_path))
    assert alone.built is False


@EVERY
async def test_the_starter_alone_is_built(language, tmp_path):
    made = candidate(language)
    tool = bench(language, tmp_path)
    good = await dialect(language).build_starter(made.files, tool)
    assert (good.errors, good.warnings) == ((), ())
    path = made.units[0].file
    line = {"python": "missing()", "rust": "use missing::x;", "c": "int missing = missing_();"}
    broken = {**made.files, path: f"{made.files[path]}\n{line[language]}\n"}
    found = await dialect(language).build_starter(broken, tool)
    assert found.errors
    assert {error.file for error in found.errors} == {path}


# giveaway


async def given(language, edit, tmp_path):
    made = trial(language, edit)
    blocks = code_blocks(made.candidate.authored["LESSON.md"], made.dialect)
    found = suspects(made, made.solved(made.candidate.solution), blocks)
    tool = bench(language, tmp_path)
    reports = [await tool.run(each.files, each.unit.tests) for each in found]
    return [bool(check(each, report)) for each, report in zip(found, reports, strict=True)]


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("code", "verdicts"),
    [
        ("def degrees(kelvin: int) -> int:\n    return kelvin * 9 // 5 + 32", [True]),
        ("def degrees(kelvin: int) -> int:\n    return kelvin * 8 // 5 + 30", [False]),
        ("def to_fahrenheit(celsius: int) -> int:\n    return celsius * 2 + 30", [False]),
        ("def to_fahrenheit(c):\n    total = c * 9 // 5\n    return 32 + total", [True, True]),
        ("class A:\n    def to_fahrenheit(c):\n        return c * 9 // 5 + 32", [True, True]),
        ("def degrees(kelvin: int) -> int:\n    return kelvin * 9 - 5 + 32", []),
    ],
)
async def test_what_solves_a_stub_is_found_by_running_it(code, verdicts, tmp_path):
    """One of the stub's own name as it stands, and its body below the stub's header."""
    edit = put("L", "CAPACITY = 8\n", f"CAPACITY = 8\n\n\n{code}\n")
    assert await given("python", edit, tmp_path) == verdicts


HOT = "LOWEST = 0\n\n\n"


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("code", "verdicts"),
    [
        ("def is_cold(oven: int) -> bool:\n    return oven < 0", [True]),
        ("def is_cold(oven: int) -> bool:\n    return oven < 3", [False]),
        (f"{HOT}def is_cold(oven: int) -> bool:\n    return oven < LOWEST", [True]),
        (f"{HOT}def is_frosty(celsius: int) -> bool:\n    return celsius < LOWEST", [True]),
        (
            "NINE = 9\n\n\ndef degrees(kelvin: int) -> int:\n    return kelvin * NINE // 5 + 32",
            [True],
        ),
        (
            "NINE = 8\n\n\ndef degrees(kelvin: int) -> int:\n    return kelvin * NINE // 5 + 32",
            [False],
        ),
        (
            "NINE = 9\n\n\ndef degrees(kelvin: int) -> int:\n    ninths = kelvin * NINE\n"
            "    return ninths // 5 + 32",
            [True],
        ),
    ],
)
async def test_a_value_in_the_place_of_a_constant_is_no_disguise(code, verdicts, tmp_path):
    edit = put("L", "CAPACITY = 8\n", f"CAPACITY = 8\n\n\n{code}\n")
    assert await given("python", edit, tmp_path) == verdicts


@pytest.mark.first(1)
async def test_a_method_is_no_call_of_a_function_that_has_its_name(tmp_path):
    def reading(made, _language):
        path = next(p for p in made if p.startswith("solution/") and "< FREEZING" in made[p])
        made[path] = made[path].replace("celsius <", "celsius.conjugate() <")

    code = "def bit_length(oven: int) -> bool:\n    return oven.bit_length() < 0"
    lesson = put("L", "CAPACITY = 8\n", f"CAPACITY = 8\n\n\n{code}\n")
    made = trial("python", reading, lesson)
    blocks = code_blocks(made.candidate.authored["LESSON.md"], made.dialect)
    found = suspects(made, made.solved(made.candidate.solution), blocks)
    solved = [each.files[each.unit.file] for each in found]
    assert ["celsius.bit_length() <" in text for text in solved] == [True]


@pytest.mark.cargo
async def test_types_and_fields_of_other_names_are_no_disguise(tmp_path):
    good = trial("rust").candidate.authored["src/lib.rs"]
    assert "pub fn is_frosty" in good
    code = "const HOT: i32 = 3;\nfn is_hot(oven: i32) -> bool {\n    oven < HOT\n}\n"
    assert await given("rust", put("L", "// Is the lift", f"{code}\n// Is the lift"), tmp_path) == [
        True
    ]
