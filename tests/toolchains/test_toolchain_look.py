"""Tests whose text does not say which call they failed in are run once more, and tell it."""

from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import ANY

import pytest
from toolchain_kit import LIMITS, TOOLS, make, write

from tutor_lsp.core.exercise.report import (
    Location,
    RawReport,
    RawTest,
    RunOutcome,
    TestOutcome,
)
from tutor_lsp.core.ports import Early
from tutor_lsp.languages.common.look import again
from tutor_lsp.languages.common.look.again import FOLDER, looked_again
from tutor_lsp.languages.common.look.marks import BEGUN, END, ENDED, MOST, SEP, calls_in, told

RUST = {
    "src/lib.rs": (
        "#[derive(Debug, PartialEq)]\npub enum Error { Empty, Other }\n"
        "pub struct Silent(pub u32);\n"
        "pub fn split(text: &str) -> (String, String) {\n"
        "    let parts: Vec<&str> = text.split(' ').collect();\n"
        "    (parts[0].to_string(), parts[1].to_string())\n}\n"
        "pub fn steps(mut n: u64) -> u64 {\n"
        "    let mut steps = 0;\n"
        "    while n != 1 { n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 }; steps += 1; }\n"
        "    steps\n}\n"
        "pub fn deep(n: u64) -> u64 { if n == 0 { 0 } else { 1 + deep(n + 1) } }\n"
        "pub fn leap(year: u32) -> bool { year % 4 == 0 }\n"
        "pub fn parse(text: &str) -> Result<i32, Error> {"
        " text.parse().map_err(|_| Error::Empty) }\n"
        "pub fn root(x: f64) -> f64 { x / 2.0 }\n"
        "pub fn open(silent: &Silent) -> u32 { 7 / silent.0 }\n"
        "pub struct Case { pub year: u32, pub leap: bool }\n"
    ),
    "tests/all.rs": (
        "use exercise::*;\n"
        'fn check(text: &str) { assert_eq!(split(text).0, "a"); }\n'
        "#[test]\nfn test_split_second() {\n"
        '    assert_eq!(split("a b").0, "a");\n    assert_eq!(split("ab").0, "ab");\n}\n'
        '#[test]\nfn test_split_loop() {\n    for text in ["a b", "c d", "e"] {\n'
        "        let (first, _) = split(text);\n        assert!(!first.is_empty());\n    }\n}\n"
        '#[test]\nfn test_split_helper() {\n    check("a b");\n    check("a");\n}\n'
        "#[test]\nfn test_steps_of_zero() {\n"
        "    assert_eq!(steps(1), 0);\n    assert_eq!(steps(0), 0);\n}\n"
        "#[test]\nfn test_deep_two() {\n"
        "    assert_eq!(deep(0), 0);\n    assert_eq!(deep(2), 2);\n}\n"
        "#[test]\nfn test_leap_table() {\n"
        "    for case in [Case { year: 1996, leap: true }, Case { year: 1900, leap: false }] {\n"
        "        assert_eq!(leap(case.year), case.leap);\n    }\n}\n"
        "#[test]\nfn test_parse_matches() {\n"
        '    assert!(matches!(parse("x"), Err(Error::Other)));\n}\n'
        "#[test]\nfn test_root_close() {\n    assert!((root(9.0) - 3.0).abs() < 1e-6);\n}\n"
        "#[test]\nfn test_open_silent() {\n    assert_eq!(open(&Silent(7)), 1);\n"
        "    let shut = Silent(0);\n    assert_eq!(open(&shut), 0);\n}\n"
        "fn same(real: Vec<i32>, wanted: Vec<i32>) { assert_eq!(real, wanted); }\n"
        '#[test]\nfn test_parse_error() {\n    let found = parse("3");\n'
        '    let Err(_) = found else { panic!("expected an error") };\n}\n'
        "#[test]\nfn test_parse_result() -> Result<(), Error> {\n"
        '    assert_eq!(parse("1")?, 1);\n    assert_eq!(parse("x")?, 2);\n    Ok(())\n}\n'
        '#[test]\nfn test_parse_bound() {\n    if let Ok(n) = parse("10") {\n'
        '        assert!(n > 10, "{n} is small");\n    }\n}\n'
        "#[test]\nfn test_parse_same() {\n"
        '    let found: Vec<i32> = vec![parse("1").unwrap()];\n    same(found, vec![2]);\n}\n'
        "#[test]\nfn test_leap_twice() {\n    let mut said = Vec::<bool>::new();\n"
        "    said.push(leap(2000));\n    said.push(leap(1900));\n"
        "    assert!(!said[1]);\n}\n"
        "#[test]\nfn test_leap_passes() {\n    assert!(leap(2000));\n}\n"
    ),
}
RUST_SAID = {
    "test_split_second": '`split("ab")` panicked: index out of bounds: the len is 1 but the index '
    "is 1 (src/lib.rs, line 6)",
    "test_split_loop": "`split(text)` panicked: index out of bounds: the len is 1 but the index is "
    '1 (src/lib.rs, line 6), where `text` is "e"',
    "test_split_helper": "`split(text)` panicked: index out of bounds: the len is 1 but the index "
    'is 1 (src/lib.rs, line 6), where `text` is "a"',
    "test_steps_of_zero": "`steps(0)` did not finish within 1 s: look for a loop that never ends",
    "test_deep_two": "`deep(2)` ran out of stack: look for a call that calls itself for ever",
    "test_leap_table": "`leap(case.year)` gave true, expected false, where `case.year` is 1900",
    "test_parse_matches": '`parse("x")` gave Err(Empty), which does not match `Err(Error::Other)`',
    "test_root_close": "`(root(9.0) - 3.0).abs() < 1e-6` was false: `root(9.0)` is 4.5",
    "test_parse_error": 'after `parse("3")`, which gave Ok(3), expected an error',
    "test_parse_result": '`parse("x")` ended the test with Error: Empty',
    "test_parse_bound": 'after `parse("10")`, which gave Ok(10), `n > 10` was false (10 is small)',
    "test_parse_same": 'after `parse("1")`, which gave Ok(1), `real == wanted` failed: left is '
    "[1], right is [2]",
    "test_leap_twice": "after `leap(1900)`, which gave true, `said[1]` was true",
    "test_open_silent": "`open(&shut)` panicked: attempt to divide by zero (src/lib.rs, line 17), "
    "where `shut` is Silent(0)",
}


C = {
    "src/words.h": (
        "#ifndef WORDS_H\n#define WORDS_H\n#include <stdbool.h>\n"
        "struct pair { int a, b; };\n"
        "bool is_leap(int year);\nint count(const char *text);\nlong steps(long n);\n"
        "const char *day(int number);\nvoid fill(int *values, int length);\n"
        "struct pair turned(struct pair one);\nint divided(int a, int b);\nint deep(int n);\n"
        "int given_up(int n);\n#endif\n"
    ),
    "src/words.c": (
        '#include "words.h"\n'
        "bool is_leap(int year) { return year % 4 == 0; }\n"
        "int count(const char *text) { int n = 0; for (; *text; text++) n += *text == ' ';"
        " return n; }\n"
        "long steps(long n) { long s = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; s++; }"
        " return s; }\n"
        'const char *day(int number) { const char *days[] = {"Mon", "Tue"}; return days[number]; }'
        "\nvoid fill(int *values, int length) {\n"
        "    for (int i = 0; i < length; i++)\n        values[i] = 6 / (3 - length);\n}\n"
        "struct pair turned(struct pair one) { one.a = 6 / one.b; return one; }\n"
        "int divided(int a, int b) { return a / b; }\n"
        "int deep(int n) { return n == 0 ? 0 : 1 + deep(n + 1); }\n"
        "#include <stdlib.h>\nint given_up(int n) { if (n) abort(); return n; }\n"
    ),
    "tests/test_words.c": (
        '#include "test.h"\n#include "words.h"\n'
        "static void check(const char *text, int want)\n{\n"
        "    TEST_ASSERT_EQ(want, count(text));\n}\n"
        "void test_is_leap_table(void)\n{\n"
        "    struct { int year; bool want; } cases[] = {{1996, true}, {1900, false}};\n"
        "    for (int i = 0; i < 2; i++)\n"
        "        TEST_ASSERT_EQ(cases[i].want, is_leap(cases[i].year));\n}\n"
        'void test_count_helper(void)\n{\n    check("", 0);\n    check("a b", 2);\n}\n'
        "void test_steps_of_zero(void)\n{\n"
        "    TEST_ASSERT_EQ(0, steps(1));\n    TEST_ASSERT_EQ(-1, steps(0));\n}\n"
        "void test_day_short(void)\n{\n    TEST_ASSERT(day(1)[0] == 't');\n}\n"
        "void test_fill_loop(void)\n{\n    int room[4] = {0};\n"
        "    for (int n = 0; n < 4; n++)\n        fill(room, n);\n}\n"
        "void test_turned_zero(void)\n{\n    for (int n = 1; n >= 0; n--) {\n"
        "        struct pair one = {1, n};\n"
        "        TEST_ASSERT_EQ(6, turned(one).a);\n    }\n}\n"
        "void test_divided_by_zero(void)\n{\n"
        "    TEST_ASSERT_EQ(2, divided(4, 2));\n    TEST_ASSERT_EQ(0, divided(1, 0));\n}\n"
        "void test_deep_loop(void)\n{\n"
        "    for (int n = 0; n < 2; n++)\n        TEST_ASSERT_EQ(n, deep(n));\n}\n"
        "void test_given_up(void)\n{\n"
        "    TEST_ASSERT_EQ(0, given_up(0));\n    TEST_ASSERT_EQ(1, given_up(1));\n}\n"
        "void test_fill_crash(void)\n{\n    int room[4] = {0}, *none = 0;\n"
        "    fill(room, 2);\n    TEST_ASSERT_EQ(6, *none);\n}\n"
        "void test_fill_wrong(void)\n{\n    int room[4] = {0};\n"
        "    for (int n = 1; n < 3; n++)\n        fill(room, n);\n"
        "    TEST_ASSERT_EQ(7, room[0]);\n}\n"
        "int main(void)\n{\n    RUN_TEST(test_is_leap_table);\n    RUN_TEST(test_count_helper);\n"
        "    RUN_TEST(test_steps_of_zero);\n    RUN_TEST(test_day_short);\n"
        "    RUN_TEST(test_fill_loop);\n    RUN_TEST(test_turned_zero);\n"
        "    RUN_TEST(test_divided_by_zero);\n    RUN_TEST(test_deep_loop);\n"
        "    RUN_TEST(test_given_up);\n    RUN_TEST(test_fill_crash);\n"
        "    RUN_TEST(test_fill_wrong);\n"
        "    TEST_SUMMARY();\n}\n"
    ),
}
C_SAID = {
    "test_is_leap_table": "`is_leap(cases[i].year)` gave true, expected false, where "
    "`cases[i].year` is 1900",
    "test_count_helper": '`count(text)` gave 1, expected 2, where `text` is "a b"',
    "test_steps_of_zero": "`steps(0)` did not finish within 1 s: look for a loop that never ends",
    "test_day_short": "`day(1)[0] == 't'` was false: `day(1)` is \"Tue\"",
    "test_fill_loop": "`fill(room, n)` crashed: it divided by zero (undefined behaviour; "
    "src/words.c, line 8), where `n` is 3",
    "test_turned_zero": "`turned(one)` crashed: it divided by zero (undefined behaviour; "
    "src/words.c, line 10)",
    "test_divided_by_zero": "`divided(1, 0)` crashed: it divided by zero (undefined behaviour; "
    "src/words.c, line 11)",
    "test_deep_loop": "`deep(n)` ran out of stack, where `n` is 1: look for a call that calls "
    "itself for ever",
    "test_given_up": "`given_up(1)` crashed: it gave up with `abort` (SIGABRT)",
    "test_fill_crash": "What `fill(room, 2)` left made the test crash: it used a null pointer "
    "(undefined behaviour), where `room` is {0}",
    "test_fill_wrong": "after `fill(room, n)`, `room[0]` is 6, expected 7, where `n` was 2",
}


PYTHON = {
    "src/exercise/words.py": (
        "def steps(n):\n    count = 0\n    while n != 1:\n"
        "        n = n // 2 if n % 2 == 0 else 3 * n + 1\n        count += 1\n    return count\n\n"
        "def mean(values):\n    return sum(values) / 2\n\n"
        "def name(text):\n    return text.strip()\n\n"
        "def lookup(table, key):\n    return table[key]\n"
    ),
    "tests/test_words.py": (
        "import math\n\nimport pytest\n\nfrom exercise.words import lookup, mean, name, steps\n\n\n"
        "def test_steps_table():\n    for n, want in [(1, 0), (16, 4), (0, None)]:\n"
        "        assert steps(n) == want\n\n\n"
        "def test_mean_close():\n    assert math.isclose(mean([1, 2, 3]), 2.0)\n\n\n"
        "@pytest.mark.parametrize('text', ['a.', 'b'])\n"
        "def test_name_ends(text):\n    assert name(text).endswith('.')\n\n\n"
        "def test_lookup_missing():\n    table = {'a': 1}\n"
        "    assert lookup(table, 'a') == 1\n    assert lookup(table, 'b') is None\n"
    ),
}
PYTHON_SAID = {
    "test_steps_table": "`steps(n)` did not finish within 1 s, where `n` is 0: look for a "
    "loop that never ends",
    "test_mean_close": "`math.isclose(mean([1, 2, 3]), 2.0)` was False: `mean([1, 2, 3])` is 3.0",
    "test_name_ends": "`name(text).endswith('.')` was False, where `text` is 'b': `name(text)` is "
    "'b'",
    "test_lookup_missing": "`lookup(table, 'b')` raised KeyError: 'b' (src/exercise/words.py, line "
    "15), where `table` is {'a': 1}",
}


async def _said(tool, folder, files, **more):
    report = await tool.run(folder, limits=replace(LIMITS, test_s=1), **more)
    assert report.outcome == "failed", report
    stubs = [
        site.name
        for file, text in files.items()
        if file.startswith("src/")
        for site in tool.functions(text)
    ]
    return {
        test.name: tool.explain(test, files, stubs).message
        for test in report.tests
        if test.outcome is not TestOutcome.PASSED
    }


async def test_a_rust_test_tells_the_call_and_what_it_was_given(tmp_path):
    make(tmp_path, "rust", RUST)
    said = await _said(TOOLS["rust"], tmp_path, RUST, targets={})
    assert said == RUST_SAID


async def test_a_c_test_tells_the_call_and_what_it_was_given(tmp_path):
    make(tmp_path, "c", C)
    assert await _said(TOOLS["c"], tmp_path, C, targets={}) == C_SAID


async def test_a_python_test_tells_the_call_and_what_it_was_given(tmp_path):
    make(tmp_path, "python", PYTHON)
    assert await _said(TOOLS["python"], tmp_path, PYTHON, targets={}) == PYTHON_SAID
    assert {path.name for path in tmp_path.iterdir()} >= {"src", "tests"}
    assert not list(tmp_path.rglob("look_calls*"))


async def test_who_waits_for_a_result_does_not_wait_for_the_second_look(tmp_path):
    make(tmp_path, "python", PYTHON)
    name, heard = "test_mean_close", []
    early = Early(frozenset({name}), heard.append)
    report = await TOOLS["python"].run(
        tmp_path, limits=LIMITS, tests=[name], targets={}, early=early
    )
    assert [[test.name for test in tests] for tests in heard] == [[name]]
    assert heard[0][0].gave is None
    assert next(test.gave for test in report.tests if test.name == name) == "3.0"


async def test_no_test_is_run_again_where_nobody_reads_it(tmp_path):
    make(tmp_path, "rust", RUST)
    report = await TOOLS["rust"].run(tmp_path, limits=LIMITS, tests=["test_split_second"])
    assert report.outcome == "failed"
    assert not (tmp_path / "target" / FOLDER).exists()


class Marks:
    """What stands for telling the calls of tests."""

    lacks = staticmethod(lambda test, files, stubs: True)
    helpers = staticmethod(dict)

    def marked(self, file, files, stubs, tests, without):
        self.files, self.stubs = files, stubs
        return files[file] + "# marked\n", {(1, 1): "name()"}


async def _again(folder, look):
    """The report of a failed test in a folder after a second look, and the files of its copies as
    `look` found them there."""
    tool = SimpleNamespace(
        build_folder="build", suffixes=(".py",), functions=TOOLS["python"].functions
    )
    test = RawTest("test_name", TestOutcome.ERRORED, file="tests/test_words.py")
    raw, seen = RawReport(RunOutcome.FAILED, (test,)), []

    async def run(copy, names, limits):
        seen.append(look(copy))
        said = replace(test, output=_begun("1:1", 0))
        return replace(raw, tests=(said,))

    marks = Marks()
    after = await looked_again(tool, marks, raw, folder, {}, LIMITS, run)
    return after.tests[0].call, seen, marks


SMALL = {"src/words.py": "def name():\n    pass\n", "tests/test_words.py": "test_name\n"}


@pytest.mark.parametrize("link", ["build", f"build/{FOLDER}"])
async def test_a_second_look_follows_no_link_out_of_the_folder(tmp_path, link):
    outside = tmp_path / "outside"
    write(outside, {"own.txt": "", "src/own.py": "", "more/own.txt": ""})
    before = sorted(outside.rglob("*"))
    folder = write(tmp_path / "root", SMALL)
    (folder / link).parent.mkdir(exist_ok=True)
    (folder / link).symlink_to(outside)
    call, seen, _ = await _again(folder, str)
    assert (call, seen) == (None, [])
    assert sorted(outside.rglob("*")) == before


async def test_large_and_other_files_are_there_and_not_read_as_code(tmp_path, monkeypatch):
    monkeypatch.setattr(again, "LARGEST", 100)
    large = {"tests/large.bin": b"\xff" * 101, "src/large.py": "def large(): 1\n" * 20}
    folder = write(tmp_path, {**SMALL, **large, "tests/notes.txt": "def test_name(): test_name\n"})

    def look(copy):
        return {name: (copy / name).read_bytes() for name in (*large, "tests/notes.txt")}

    call, seen, marks = await _again(folder, look)
    assert call == "name()"
    assert seen == [look(folder)]
    assert (set(marks.files), marks.stubs) == (set(SMALL), ["name"])
    monkeypatch.setattr(again, "MOST_BYTES", 200)
    assert await _again(folder, look) == (None, [], ANY)


def _begun(place, at, *names):
    return f"{BEGUN}{place}{SEP}{at}{''.join(SEP + each for each in names)}{END}\n"


def _ended(place, value):
    return f"{ENDED}{place}{SEP}{value}{END}\n"


def test_calls_are_read_from_between_what_is_printed():
    output = f"one\n{_begun('3:5', 0, 'n', '1', 'x', '')}two{_ended('3:5', '7')}three\n"
    first, second = calls_in(output + _begun("4:5", 12))
    assert (first.line, first.column, first.given, first.gave) == (3, 5, (("n", "1"),), "7")
    assert (second.at_ms, second.given, second.gave) == (12, (), None)


def test_of_calls_in_one_another_the_inner_one_that_has_not_ended_is_told():
    output = _begun("3:5", 0) + _begun("3:9", 0) + _ended("3:9", "1") + _begun("3:15", 1)
    test = RawTest("t", TestOutcome.ERRORED, file="tests/a.rs")
    calls = {(3, 5): "f(g(1), h(2))", (3, 9): "g(1)", (3, 15): "h(2)"}
    found = told(test, calls, output, 1000)
    assert (found.call, found.location) == ("h(2)", Location("tests/a.rs", 3, 15))


@pytest.mark.parametrize(("at_ms", "call"), [(499, "f(1)"), (501, None)])
def test_a_call_that_began_shortly_before_the_end_is_not_said_to_hang(at_ms, call):
    test = RawTest("t", TestOutcome.TIMEOUT)
    assert told(test, {(3, 5): "f(1)"}, _begun("3:5", at_ms), 1000).call == call


def test_nothing_is_told_of_too_many_calls():
    output = (_begun("3:5", 0) + _ended("3:5", "1")) * MOST + _begun("4:5", 0)
    assert calls_in(output) == []
