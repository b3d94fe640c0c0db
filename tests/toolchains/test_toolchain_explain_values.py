"""Comparisons and truths that do not hold, in one sentence each."""

import pytest
from explain_kit import check_explain

PYTHON_COMPARISONS = [
    ('«assert count("a  b") == 2', "4", "2", '`count("a  b")` gave 4, expected 2'),
    ('«assert 2 == count("a")', "2", "1", '`count("a")` gave 1, expected 2'),
    ('«assert words.count("a") == 2', "1", "2", '`words.count("a")` gave 1, expected 2'),
    ('r = count("a")\n«assert r == 2', "1", "2", '`count("a")` gave 1, expected 2'),
    ('r = count("a")\n«assert r + 1 == 2', "1", "2", '`count("a") + 1` gave 1, expected 2'),
    (
        'r = parse("a")\n«assert r.name == "b"',
        "'a'",
        "'b'",
        "`parse(\"a\").name` gave 'a', expected 'b'",
    ),
    ('r = 1\nr = count("a")\n«assert r == 2', "1", "2", '`count("a")` gave 1, expected 2'),
    ('r = count("a")\nr = 5\n«assert r == 2', "5", "2", 'after `count("a")`, `r` is 5, expected 2'),
    ('a, b = parse("x")\n«assert a == 2', "1", "2", '`a` from `parse("x")` is 1, expected 2'),
    (
        "items = []\npush(items, 3)\n«assert items == [3]",
        "[]",
        "[3]",
        "after `push(items, 3)`, `items` is [], expected [3], where `items` was []",
    ),
    ("«assert count('a') < 3", "4", "3", "`count('a')` gave 4, expected less than 3"),
    ("«assert 3 > count('a')", "3", "4", "`count('a')` gave 4, expected less than 3"),
    ("«assert count('a') >= 3", "1", "3", "`count('a')` gave 1, expected at least 3"),
    ("«assert count('a') != 3", "3", "3", "`count('a')` gave 3, expected anything but 3"),
    ("«assert count('a') in (1, 2)", "3", "(1, 2)", "`count('a')` gave 3, expected one of (1, 2)"),
    ("«assert 1 in parse('a')", "1", "[2]", "`parse('a')` gave [2], expected it to contain 1"),
    (
        "«assert 1 not in parse('a')",
        "1",
        "[1]",
        "`parse('a')` gave [1], expected it not to contain 1",
    ),
    ("«assert parse('a') is None", "3", "None", "`parse('a')` gave 3, expected None"),
    (
        "«assert parse('a') is not None",
        "None",
        "None",
        "`parse('a')` gave None, expected anything but None",
    ),
    (
        "«assert count(a) == count(b)",
        "1",
        "2",
        "`count(a) == count(b)` failed: left is 1, right is 2",
    ),
    ("«assert a == b", "1", "2", "`a == b` failed: left is 1, right is 2"),
    (
        "«assert count(a) == 1 and x == 2",
        "1",
        "2",
        "`count(a) == 1 and x == 2` failed: left is 1, right is 2",
    ),
    ("«assert (\n    count('a')\n    == 2\n)", "1", "2", "`count('a')` gave 1, expected 2"),
    ("«assert count(\n    'a',\n    'b'\n) == 2", "1", "2", "`count('a', 'b')` gave 1, expected 2"),
    (
        "say('x')\n«assert capsys.readouterr().out == 'y'",
        "'x'",
        "'y'",
        "`say('x')` printed 'x', expected 'y'",
    ),
    (
        "say('x')\nseen = capsys.readouterr()\n«assert seen.out == 'y'",
        "'x'",
        "'y'",
        "`say('x')` printed 'x', expected 'y'",
    ),
    (
        "ä = 'ß'; «assert count(ä) == 2",
        "1",
        "2",
        "`count(ä)` gave 1, expected 2, where `ä` is 'ß'",
    ),
    ("«assert 'a b'.count('a') == 2", "1", "2", "`'a b'.count('a')` is 1, expected 2"),
]


@pytest.mark.parametrize(("body", "left", "right", "message"), PYTHON_COMPARISONS)
def test_python_comparisons(body, left, right, message):
    check_explain("python", body, message, left=left, right=right)


RUST_COMPARISONS = [
    ('«assert_eq!(count("a  b"), 2);', "4", "2", '`count("a  b")` gave 4, expected 2'),
    ('«assert_eq!(2, count("a"));', "2", "1", '`count("a")` gave 1, expected 2'),
    (
        '«assert_eq!(exercise::count("a"), 2);',
        "1",
        "2",
        '`exercise::count("a")` gave 1, expected 2',
    ),
    (
        '«assert_eq!(count(&f(1, "a, b")), 2,);',
        "1",
        "2",
        '`count(&f(1, "a, b"))` gave 1, expected 2',
    ),
    ('let r = count("a");\n«assert_eq!(r, 2);', "1", "2", '`count("a")` gave 1, expected 2'),
    (
        'let mut r = count("a");\n«assert_eq!(r.len(), 2);',
        "1",
        "2",
        '`count("a").len()` gave 1, expected 2',
    ),
    (
        'let (a, b) = parse("x");\n«assert_eq!(a, 2);',
        "1",
        "2",
        '`a` from `parse("x")` is 1, expected 2',
    ),
    (
        "let mut v = vec![];\npush(&mut v, 3);\n«assert_eq!(v, vec![3]);",
        "[]",
        "[3]",
        "after `push(&mut v, 3)`, `v` is [], expected [3], where `v` was vec![]",
    ),
    (
        '«assert_eq!(parse("x"), Err(Bad::Empty));',
        "Ok(1)",
        "Err(Empty)",
        '`parse("x")` gave Ok(1), expected Err(Empty)',
    ),
    (
        '«assert_eq!(parse("x"), Ok("a".to_string()));',
        'Ok("b")',
        'Ok("a")',
        '`parse("x")` gave Ok("b"), expected Ok("a")',
    ),
    ('«assert_ne!(count("a"), 2);', "2", "2", '`count("a")` gave 2, expected anything but 2'),
    (
        "«assert_eq!(count(a), count(b));",
        "1",
        "2",
        "`count(a) == count(b)` failed: left is 1, right is 2",
    ),
    ('«assert_eq!(\n    count("a"),\n    2\n);', "1", "2", '`count("a")` gave 1, expected 2'),
    (
        "let ä = 'ß'; «assert_eq!(count(ä), 2);",
        "1",
        "2",
        "`count(ä)` gave 1, expected 2, where `ä` is 'ß'",
    ),
]


@pytest.mark.parametrize(("body", "left", "right", "message"), RUST_COMPARISONS)
def test_rust_comparisons(body, left, right, message):
    check_explain("rust", body, message, left=left, right=right)


def test_both_sides_are_in_the_failure():
    for language, body in (
        ("python", "«assert count(1) == 2"),
        ("rust", "«assert_eq!(count(1), 2);"),
    ):
        message = "`count(1)` gave 3, expected 2"
        check_explain(language, body, message, left="3", right="2", expected=("2", "3"))


def test_the_authors_own_words_are_added():
    for language, body in (
        ("python", "«assert count(1) == 2, 'spaces'"),
        ("rust", '«assert_eq!(count(1), 2, "spaces");'),
    ):
        message = "`count(1)` gave 3, expected 2 (spaces)"
        check_explain(language, body, message, left="3", right="2", error="spaces")


PYTHON_TRUTHS = [
    (
        "«assert is_even(4)",
        "False\n +  where False = is_even(4)",
        "`is_even(4)` gave False, expected True",
    ),
    (
        "«assert not is_even(3)",
        "not True\n +  where True = is_even(3)",
        "`is_even(3)` gave True, expected False",
    ),
    (
        "«assert parse('a')",
        "[]\n +  where [] = parse('a')",
        "`parse('a')` gave [], expected a true value",
    ),
    (
        "«assert isinstance(parse('a'), int)",
        "False\n +  where False = isinstance('b', int)",
        "`isinstance(parse('a'), int)` was False",
    ),
    ("r = is_even(4)\n«assert r", "False", "`is_even(4)` was False"),
]


@pytest.mark.parametrize(("body", "text", "message"), PYTHON_TRUTHS)
def test_python_truths(body, text, message):
    check_explain("python", body, message, error=f"AssertionError: assert {text}")
