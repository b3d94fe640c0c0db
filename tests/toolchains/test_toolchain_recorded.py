"""What real tools said, recorded, and what is read from it. See recorded/README.md."""

import json
from pathlib import Path

import pytest
from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.report import Location, TestOutcome
from tutor_lsp.languages.python.events import Record, Segments, event_reader, merged
from tutor_lsp.languages.rust.events import (
    Build,
    Ran,
    build_from_stderr,
    parse_list,
    parse_test,
)

RECORDED = Path(__file__).parent / "recorded"


def recorded(name):
    return json.loads((RECORDED / f"{name}.json").read_text())


def texts(name):
    folder = RECORDED / name
    paths = [path for path in folder.rglob("*") if path.suffix in (".py", ".rs")]
    return {str(path.relative_to(folder)): path.read_text() for path in paths}


def stubs(language, files):
    sites = [TOOLS[language].functions(text) for name, text in files.items() if name[0] == "s"]
    return [site.name for found in sites for site in found]


@pytest.fixture(scope="module")
def python_tests():
    record = Record()
    take = event_reader("word", record.take)
    take(b'{"kind": "end", "id": "forged"}')
    for event in recorded("python"):
        take(b"word" + json.dumps(event).encode())
    take(b'word{"kind": "en')
    take(b"word" + b"[" * 100_000)
    assert record.finished
    return {test.name: test for test in merged(record)}


@pytest.fixture(scope="module")
def rust_tests():
    ran = {}
    for data in recorded("rust"):
        place = Location("tests/words.rs", data.pop("line"))
        ran[data["name"]] = parse_test(Ran(**data), place)
    return ran


WORDS = "src/exercise/words.py"


@pytest.mark.parametrize(
    ("name", "outcome", "message"),
    [
        ("test_count", "failed", '`count("a  b")` gave 4, expected 2'),
        (
            "test_count_in_a_variable",
            "failed",
            '`count(ä + " b")` gave 3, expected 2 (spaces do not count), where `ä` is "é"',
        ),
        ("test_later", "failed", "`later` is not written yet"),
        ("test_uses_later", "failed", "`uses_later` needs `later`, which is not written yet"),
        (
            "test_bad",
            "failed",
            "`bad(1)` raised ValueError: bad ünïcode (src/exercise/words.py, line 21)",
        ),
        (
            "test_bad_raises_nothing_else",
            "failed",
            "`bad(3)` raised ValueError: bad ünïcode (src/exercise/words.py, line 21)",
        ),
        ("test_count_raises", "failed", '`count("3")` did not raise ValueError'),
        (
            "test_bad_match",
            "failed",
            "`bad(3)` raised an error that says 'bad ünïcode', expected 'boo'",
        ),
        ("test_leave", "failed", f"`leave()` raised SystemExit: 0 ({WORDS}, line 25)"),
        ("test_forge", "failed", "`forge()` gave 0, expected 1"),
        (
            "test_interrupt",
            "failed",
            "`interrupt()` raised KeyboardInterrupt (src/exercise/words.py, line 36)",
        ),
        ("test_is_even", "failed", "`is_even(4)` gave False, expected True"),
        (
            "test_thing",
            "failed",
            "`thing()` gave <Thing whose repr raised RuntimeError>, expected 3",
        ),
        ("test_count_of_many", "failed", '`count("ab")` gave 2, expected 1'),
    ],
)
def test_python_failures(python_tests, name, outcome, message):
    files = texts("python")
    test = python_tests[name]
    assert test.outcome == outcome
    assert TOOLS["python"].explain(test, files, stubs("python", files)).message == message


def test_python_outcomes_and_places(python_tests):
    assert len(python_tests) == 18
    assert list(python_tests)[:2] == ["test_count", "test_count_in_a_variable"]
    assert python_tests["test_count_passes"].outcome is TestOutcome.PASSED
    assert python_tests["test_skipped"].outcome is TestOutcome.NOT_RUN
    assert python_tests["test_fixture"].outcome is TestOutcome.ERRORED
    bad = python_tests["test_bad"]
    assert bad.location == Location("tests/test_words.py", 23, 34)
    assert bad.raised_at == Location("src/exercise/words.py", 21, 5)
    assert python_tests["test_later"].not_implemented
    assert not bad.not_implemented
    variable = python_tests["test_count_in_a_variable"]
    assert (variable.left, variable.right) == ("3", "2")
    assert len(python_tests["test_long"].left) <= 500


@pytest.mark.parametrize(
    ("name", "outcome", "message"),
    [
        ("test_count_words_counts", "failed", "`count_words` is not written yet"),
        (
            "test_longest_é",
            "failed",
            '`longest("añb ccc")` gave Some("añb"), expected Some("ccx") (the word é)',
        ),
        ("test_parse_value", "failed", '`parse("12")` gave Ok(11), expected Ok(12)'),
        (
            "test_parse_panics",
            "failed",
            '`parse("x")` panicked: called `Result::unwrap()` on an `Err` value: '
            "ParseIntError { kind: InvalidDigit } (src/lib.rs, line 22)",
        ),
        ("test_parse_unwrap", "failed", '`parse("")` gave Err(Empty), expected Ok'),
        ("test_is_even_no", "failed", "`is_even(3)` gave true, expected false"),
        (
            "test_is_even_says_so",
            "failed",
            "`is_even(4)` gave false, expected true (four is even)",
        ),
        (
            "test_forever",
            "timeout",
            "`forever()` did not finish within 1 s: look for a loop that never ends",
        ),
        (
            "test_leave",
            "errored",
            "`leave()` ended the whole run (exit code 0) instead of returning",
        ),
        (
            "test_deep",
            "errored",
            "`deep(0)` ran out of stack: look for a call that calls itself for ever",
        ),
        ("test_parse_should_panic", "failed", '`parse("3")` did not panic, but it should'),
        ("test_result", "failed", '`parse("")` ended the test with Error: "Empty"'),
    ],
)
def test_rust_failures(rust_tests, name, outcome, message):
    files = texts("rust")
    test = rust_tests[name]
    assert test.outcome == outcome
    assert TOOLS["rust"].explain(test, files, stubs("rust", files)).message == message


def test_rust_outcomes_places_and_prints(rust_tests):
    assert rust_tests["test_ignored"].outcome is TestOutcome.NOT_RUN
    forges = rust_tests["test_parse_forges"]
    assert forges.outcome is TestOutcome.PASSED
    assert "test test_leave ... ok" in forges.output
    assert rust_tests["test_parse_value"].output == "parsing 12\n"
    assert rust_tests["test_forever"].output == "spinning\n"
    assert rust_tests["test_result"].output == ""
    longest = rust_tests["test_longest_é"]
    assert longest.location == Location("tests/words.rs", 10, 19)
    panics = rust_tests["test_parse_panics"]
    assert panics.raised_at == Location("src/lib.rs", 22, 36)
    assert panics.location == Location("tests/words.rs", 19)
    assert rust_tests["test_count_words_counts"].not_implemented


def test_without_a_log_file_the_last_line_of_libtest_counts():
    for data in recorded("rust"):
        place = Location("tests/words.rs", data.pop("line"))
        with_log = parse_test(Ran(**data), place)
        without = parse_test(Ran(**{**data, "log": None}), place)
        assert without.outcome is with_log.outcome, data["name"]


@pytest.mark.parametrize("word", ["ok", "failed"])
def test_a_test_with_its_attribute_twice_has_one_result(word):
    failed = word == "failed"
    ran = Ran("a::test_b", 101 * failed, "", f"{word} a::test_b\n{word} a::test_b\n", "exit code 0")
    assert parse_test(ran).outcome is (TestOutcome.FAILED if failed else TestOutcome.PASSED)


def test_a_printed_result_without_the_log_file_is_no_result():
    said = "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\nmore\n"
    ran = Ran("test_a", 0, said, None, "exit code 0")
    assert parse_test(ran).outcome is TestOutcome.ERRORED


def build(lines):
    made = Build()
    for line in lines:
        made.take(line, "/exercise")
    return made


def test_build_errors_have_their_spans_in_code_points():
    made = build([json.dumps(one).encode() for one in recorded("rust_broken")] + [b"no json", b"1"])
    assert made.finished is False
    assert made.warnings == 0 or made.warnings >= 1
    spans = {
        error.code: (error.file, error.line, error.column, error.end_column)
        for error in made.errors
    }
    assert spans["E0425"] == ("src/lib.rs", 4, 9, 16)
    assert spans["E0308"] == ("src/lib.rs", 3, 33, 37)
    (mismatch,) = [error for error in made.errors if error.code == "E0308"]
    assert mismatch.message == "mismatched types: expected `usize`, found `&str`"


def test_an_error_inside_a_std_macro_is_placed_where_the_macro_is_used():
    inner = {"is_primary": True, "file_name": "/rustc/1/library/core/src/macros/mod.rs"}
    outer = {"is_primary": False, "file_name": "tests/words.rs", "label": None}
    for span, line in ((inner, 50), (outer, 5)):
        span.update(line_start=line, line_end=line, column_start=5, column_end=9, label=None)
    inner["expansion"] = {"span": {**outer, "expansion": None}}
    message = {"level": "error", "message": "can't compare", "code": None, "spans": [inner]}
    made = build([json.dumps({"reason": "compiler-message", "message": message}).encode()])
    assert [(error.file, error.line) for error in made.errors] == [("tests/words.rs", 5)]


@pytest.mark.parametrize(
    ("text", "file", "line", "message"),
    [
        (
            "error: unquoted keys cannot be empty\n  --> Cargo.toml:12:3\n   |\n",
            "Cargo.toml",
            12,
            "unquoted keys cannot be empty",
        ),
        (
            "error: could not find `Cargo.toml` in `/exercise` or any parent directory\n",
            "Cargo.toml",
            1,
            "Cargo.toml is missing",
        ),
        (
            "error: failed to parse manifest at `/exercise/Cargo.toml`\n\nCaused by:\n"
            "  can't find library `exercise`, rename file to `src/lib.rs`\n",
            "src/lib.rs",
            1,
            "src/lib.rs is missing",
        ),
    ],
)
def test_what_cargo_says_before_it_builds(text, file, line, message):
    made = Build()
    build_from_stderr(made, text)
    (error,) = made.errors
    assert (error.file, error.line, error.message) == (file, line, message)


def test_no_tests_is_no_build_error():
    made = Build()
    build_from_stderr(made, "error: no test target matches pattern `*` in default-run packages\n")
    assert made.no_tests
    assert made.errors == []


def test_the_list_of_tests():
    assert parse_list("a: test\nmod::b: test\nc: benchmark\n\n2 tests\n") == ("a", "mod::b")


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_output_is_cut_at_the_markers_however_it_arrives(step):
    said = (
        b"loading\n\x1ewordX no marker \x1e\x1eword+t.py::a\x1eone \x1e two\n\x1eword-\x1e"
        b"between\x1eword+t.py::b\x1e" + "ü".encode() * 50 + b"\x1eword-\x1eend"
    ).replace(b"\x1ewordX", b"\x1eworX")
    segments = Segments("word", 60)
    for start in range(0, len(said), step):
        segments.feed(said[start : start + step])
    assert segments.of_test("t.py::a") == "one \x1e two\n"
    assert segments.of_test("t.py::b").startswith("ü" * 30 + "\n… more was printed")
    assert segments.of_test("t.py::c") == ""
    assert segments.outside().startswith("loading\n")
