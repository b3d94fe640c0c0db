"""Tests that end otherwise: exceptions, panics, crashes, in one sentence each."""

import pytest
from explain_kit import STUBS, check_explain
from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.report import Location, RawTest, TestOutcome

RUST_PANICS_IN_THE_TEST = [
    (
        "«assert!(is_even(4));",
        "assertion failed: is_even(4)",
        "`is_even(4)` gave false, expected true",
    ),
    (
        "«assert!(!is_even(3));",
        "assertion failed: !is_even(3)",
        "`is_even(3)` gave true, expected false",
    ),
    (
        '«assert!(is_even(4), "say {}", 1);',
        "say 1",
        "`is_even(4)` gave false, expected true (say 1)",
    ),
    (
        '«assert!(parse("x").is_ok());',
        'assertion failed: parse("x").is_ok()',
        '`parse("x").is_ok()` was false',
    ),
    (
        'let r = parse("x");\n«assert!(r.is_ok());',
        "assertion failed: r.is_ok()",
        '`parse("x").is_ok()` was false',
    ),
    (
        '«assert!(matches!(parse("x"), Err(Bad::Empty)));',
        "assertion failed: matches!(…)",
        '`parse("x")` did not match `Err(Bad::Empty)`',
    ),
    (
        'parse("x").«unwrap();',
        "called `Result::unwrap()` on an `Err` value: Empty",
        '`parse("x")` gave Err(Empty), expected Ok',
    ),
    (
        'let r = parse("x");\nr.«unwrap();',
        "called `Option::unwrap()` on a `None` value",
        '`parse("x")` gave None, expected Some',
    ),
    (
        'let r = parse("x").«unwrap_err();',
        "called `Result::unwrap_err()` on an `Ok` value: 3",
        '`parse("x")` gave Ok(3), expected Err',
    ),
    (
        'parse("x").«expect("a number");',
        "a number: Empty",
        '`parse("x")` gave Err(Empty), expected Ok (a number)',
    ),
    (
        'parse("x").«expect("a number");',
        "a number",
        '`parse("x")` gave None, expected Some (a number)',
    ),
    (
        'assert_eq!(parse("x").«unwrap(), 3);',
        "called `Result::unwrap()` on an `Err` value: Empty",
        '`parse("x")` gave Err(Empty), expected Ok',
    ),
    ('«panic!("expected Ok, got {r:?}");', "expected Ok, got Err(1)", "expected Ok, got Err(1)"),
]


@pytest.mark.parametrize(("body", "text", "message"), RUST_PANICS_IN_THE_TEST)
def test_rust_panics_in_the_test(body, text, message):
    check_explain("rust", body, message, error=text)


IN_SRC = {"raised_at": Location("src/exercise/words.py", 5, 3)}


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("x = «parse('a')", "ValueError: bad", "`parse('a')` raised ValueError: bad"),
        ("assert [count('a'), «parse('b')] == 1", "KeyError: 1", "`parse('b')` raised KeyError: 1"),
        ("«parse(\n    'a'\n)", "KeyError", "`parse('a')` raised KeyError"),
        ("«helper(3)", "KeyError: 1", "`helper(3)` raised KeyError: 1"),
        ("«count('a')(3)", "KeyError: 1", "`count('a')(3)` raised KeyError: 1"),
        ("x = count('a')\n«x.one(3)", "KeyError: 1", "`x.one(3)` raised KeyError: 1"),
        ("«count('a')", "SystemExit: 0", "`count('a')` raised SystemExit: 0"),
        (
            "«count('a')",
            "RecursionError: maximum recursion depth exceeded",
            "`count('a')` ran out of stack: look for a call that calls itself for ever",
        ),
    ],
)
def test_python_exceptions(body, error, message):
    place = "" if "out of stack" in message else " (src/exercise/words.py, line 5)"
    check_explain("python", body, f"{message}{place}", error=error, **IN_SRC)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x = count('a')\nassert «x.size == 3", "`x.size` raised E: 1"),
        ("assert «count('a').size() == 3", "`count('a').size()` raised E: 1"),
        ("assert 3 == «count('a')[0]", "`count('a')[0]` raised E: 1"),
    ],
)
def test_a_python_exception_of_the_test_itself_came_of_what_stands_there(body, message):
    check_explain("python", body, message, error="E: 1")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("x = count('a')\n«with raises(E):\n    x(3)", "`x(3)` did not raise E"),
        ("«with raises(E):\n    x = 3\n    count(x)", "`count(x)` did not raise E"),
    ],
)
def test_what_did_not_raise_is_what_was_to_raise(body, message):
    check_explain("python", body, message, error="Failed: DID NOT RAISE <class 'E'>")


def test_where_in_memory_a_value_was_is_left_out():
    values = {"left": "<generator object f at 0x7f3c0a>", "right": "3", "error": None}
    check_explain(
        "python",
        "«assert count('a') == 3",
        "`count('a')` gave <generator object f>, expected 3",
        **values,
    )


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("Failed: DID NOT RAISE <class 'ValueError'>", "`count('a')` did not raise ValueError"),
        ("Failed: DID NOT RAISE ValueError", "`count('a')` did not raise ValueError"),
        (
            "AssertionError: Regex pattern did not match.\n  Expected regex: 'boo'\n"
            "  Actual message: 'bad'",
            "`count('a')` raised an error that says 'bad', expected 'boo'",
        ),
        ("Failed: just so", "just so"),
    ],
)
def test_python_expected_exceptions(error, message):
    check_explain(
        "python", "«with pytest.raises(ValueError):\n    count('a')", message, error=error
    )


@pytest.mark.parametrize(
    ("body", "test", "message"),
    [
        ('assert_eq!(count("a"), 2);', "test_count_a", '`count("a")` panicked: boom'),
        ("count(1);\ncount(2);", "test_count_a", "`count` panicked: boom"),
        ("parse(1);\ncount(2);", "test_count_a", "`count(2)` panicked: boom"),
        ("parse(1);\ncount(2);", "test_other", "boom"),
        ("let mut s = S::new();\ns.push(1);", "test_push_a", "`s.push(1)` panicked: boom"),
    ],
)
def test_rust_panics_in_the_source_are_told_with_a_call_of_the_test(body, test, message):
    said = f"{message} (src/lib.rs, line 6)"
    place = Location("src/lib.rs", 6, 5)
    check_explain("rust", body, said, test=test, error="boom", raised_at=place)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            "test did not panic as expected at tests/a.rs:3:4",
            "`count(1)` did not panic, but it should",
        ),
        (
            'panic did not contain expected string\n      panic message: "a"\n'
            ' expected substring: "b"',
            '`count(1)` panicked with "a", expected a message with "b"',
        ),
        ('Error: "Empty"', '`count(1)` ended the test with Error: "Empty"'),
    ],
)
def test_rust_endings_that_libtest_tells(error, message):
    check_explain("rust", "count(1);", message, error=error)


@pytest.mark.parametrize(("language", "call"), [("python", "count(1)"), ("rust", "count(1);")])
def test_what_never_finished_names_the_call(language, call):
    for outcome, error, message in [
        (
            TestOutcome.TIMEOUT,
            "did not finish within 5 s",
            "`count(1)` did not finish within 5 s: look for a loop that never ends",
        ),
        (
            TestOutcome.ERRORED,
            "the run ended inside this test: exit code 0",
            "`count(1)` ended the whole run (exit code 0) instead of returning",
        ),
        (
            TestOutcome.ERRORED,
            "the run ended inside this test: killed by SIGSEGV (signal 11)",
            "`count(1)` ran out of stack: look for a call that calls itself for ever",
        ),
    ]:
        check_explain(language, call, message, outcome=outcome, error=error)


def test_a_stub_that_is_not_written_is_named():
    place = {
        "python": Location("src/exercise/words.py", 2, 5),
        "rust": Location("src/lib.rs", 2, 5),
    }
    for language, body in (("python", "«assert count(1) == 2"), ("rust", "count(1);")):
        raw = {"not_implemented": True, "raised_at": place[language], "error": "…"}
        check_explain(language, body, "`count` is not written yet", **raw)
        message = "`count_all` needs `count`, which is not written yet"
        check_explain(language, body, message, test="test_count_all_adds", **raw)


def test_long_values_are_cut_around_their_difference():
    left, right = f"'{'a' * 300}b{'c' * 300}'", f"'{'a' * 300}x{'c' * 300}'"
    test = RawTest(
        "test_count_a",
        TestOutcome.FAILED,
        location=Location("tests/test_words.py", 2, 5),
        left=left,
        right=right,
    )
    files = {"tests/test_words.py": "def test_count_a():\n    assert count(1) == want\n"}
    message = TOOLS["python"].explain(test, files, STUBS).message
    assert "ab" in message
    assert "ax" in message
    assert len(message) < 320


@pytest.mark.parametrize("language", ["python", "rust"])
@pytest.mark.parametrize("text", ["", "def test_count(", "fn test_count( {", "\0"])
def test_broken_or_missing_texts_still_give_a_sentence(language, text):
    file = "tests/test_words.py" if language == "python" else "tests/words.rs"
    for raw in (
        RawTest("test_count", TestOutcome.FAILED, Location(file, 7, 3), left="1", right="2"),
        RawTest("test_count", TestOutcome.FAILED, error="boom"),
        RawTest("test_count", TestOutcome.FAILED, not_implemented=True),
        RawTest("test_count", TestOutcome.TIMEOUT, error="did not finish within 1 s"),
        RawTest("test_count", TestOutcome.ERRORED),
    ):
        assert TOOLS[language].explain(raw, {file: text}, STUBS).message
        assert TOOLS[language].explain(raw, {}, STUBS).message
