"""What the names in a call held when it began is told where the test says it, and only then."""

import pytest
from explain_kit import STUBS, check_explain
from toolchain_kit import TOOLS

from tutor_lsp.core.exercise.report import Location, RawTest, TestOutcome

WRONG = {"left": "1", "right": "2"}

PYTHON = [
    ("text = 'a b'\n«assert count(text) == 2", "`text` is 'a b'"),
    ("a, b = 1, 2\n«assert count(a) == 2", None),
    ("text = 'a'\nother = text\n«assert count(text) == 2", "`text` is 'a'"),
    ("text = 'a'\ntext += 'b'\n«assert count(text) == 2", None),
    ("texts = ['a']\n«assert count(texts) == 2", "`texts` is ['a']"),
    ("texts = ['a']\ntexts.append('b')\n«assert count(texts) == 2", None),
    ("texts = ['a']\npush(texts)\n«assert count(texts) == 2", None),
    ("texts = ['a']\nkept = [texts]\n«assert count(texts) == 2", None),
    ("texts = ['a']\n«assert count(texts) == 2\ntexts.clear()", "`texts` is ['a']"),
    ("for text in ['a']:\n    «assert count(text) == 2", None),
    ("n = 0\nfor _ in 'ab':\n    «assert count(n) == 2\n    n += 1", None),
    ("x = count('a')\n«assert push(x) == 2", None),
    ("x = y + 1\n«assert count(x) == 2", None),
    (
        "a = 1\nb = 2\nc = 3\nd = 4\n«assert count(a, b, c, d) == 2",
        "`a` is 1 and `b` is 2 and `c` is 3",
    ),
    ("count = 3\n«assert words.count('a') == 2", None),
]


@pytest.mark.parametrize(("body", "given"), PYTHON)
def test_python(body, given):
    call = body.partition("assert ")[2].partition(" == 2")[0]
    where = f", where {given}" if given else ""
    check_explain("python", body, f"`{call}` gave 1, expected 2{where}", **WRONG)


def test_python_tells_what_a_run_has_found():
    body = "for text in ['a', 'b']:\n    «assert count(text) == 2"
    said = "`count(text)` gave 1, expected 2, where `text` is 'b'"
    check_explain("python", body, said, given=(("text", "'b'"),), **WRONG)
    earlier = "for text in ['a']:\n    push(text)\n    x = 3\n    «assert x == 2"
    said = "after `push(text)`, `x` is 1, expected 2"
    check_explain("python", earlier, said, given=(("text", "'b'"),), **WRONG)


def test_python_tells_what_a_name_held_whatever_is_written_last():
    body = "if words:\n    n = 5\nelse:\n    n = -5\n«assert count(n) == 2"
    said = "`count(n)` gave 1, expected 2, where `n` is 5"
    check_explain("python", body, said, given=(("n", "5"),), **WRONG)
    written = 'text = "a"\n«assert count(text) == 2'
    said = '`count(text)` gave 1, expected 2, where `text` is "a"'
    check_explain("python", written, said, given=(("text", "'a'"),), **WRONG)


RUST = [
    ('let text = "a b";\n«assert_eq!(count(text), 2);', '`text` is "a b"'),
    ('let text = String::from("a");\n«assert_eq!(count(&text), 2);', '`text` is String::from("a")'),
    ("let mut v = vec![1];\n«assert_eq!(count(&v), 2);", "`v` is vec![1]"),
    ("let mut v = vec![1];\nv.push(2);\n«assert_eq!(count(&v), 2);", None),
    ("let mut v = vec![1];\npush(&mut v);\n«assert_eq!(count(&v), 2);", None),
    (
        "let mut v = vec![1];\nassert_eq!(push(&v), 1);\n«assert_eq!(count(&v), 2);",
        "`v` is vec![1]",
    ),
    ("let v = 1;\nlet v = 3;\n«assert_eq!(count(v), 2);", "`v` is 3"),
    ("let v = x + 1;\n«assert_eq!(count(v), 2);", None),
    ("let v = 1;\n{\n    let v = 2;\n    push(v);\n}\n«assert_eq!(count(v), 2);", "`v` is 1"),
    ("for v in 0..3 {\n    «assert_eq!(count(v), 2);\n}", None),
    ("let v = Some(3);\n«assert_eq!(count(v), 2);", "`v` is Some(3)"),
]


@pytest.mark.parametrize(("body", "given"), RUST)
def test_rust(body, given):
    call = body.partition("«assert_eq!(")[2].partition(", 2);")[0]
    where = f", where {given}" if given else ""
    check_explain("rust", body, f"`{call}` gave 1, expected 2{where}", **WRONG)


C = [
    ('const char *text = "a b";', "count(text)", '`text` is "a b"'),
    ("int n[] = {1, 2};\n    n[0] = 3;", "count(n)", None),
    ("int n[] = {1, 2};", "count(n)", "`n` is {1, 2}"),
    ("int n[] = {1, 2};\n    TEST_ASSERT_EQ(1, count(n));", "count(n)", "`n` is {1, 2}"),
    ("int n[] = {1, 2};\n    push(n);", "count(n)", None),
    ("int n[] = {1, 2};\n    int *first = n;\n    *first = 3;", "count(n)", None),
    ("int n[] = {1, 2};\n    int *first;\n    first = n;", "count(n)", None),
    ("int n[] = {1, 2};\n    const int *first = n;", "count(n)", "`n` is {1, 2}"),
    ("int n[] = {1, 2};\n    int first = n[0];", "count(n)", "`n` is {1, 2}"),
    ("int n[] = {1, 2};\n    size_t all = sizeof n / sizeof n[0];", "count(n)", "`n` is {1, 2}"),
    ("struct pair p = {1};\n    struct pair *q = &p;\n    q->a = 2;", "count(p)", None),
    ("int n = 3;\n    {\n        int n = 4;\n        push(n);\n    }", "count(n)", "`n` is 3"),
    ("int n = 3;\n    n++;", "count(n)", None),
    ("int n = 3;\n    push(n);", "count(n)", "`n` is 3"),
    ("int n = 3;\n    push(&n);", "count(n)", None),
    ("int n = 3;", "count(&n)", None),
    ("struct pair p = {.a = 1};", "count(&p)", "`p` is {.a = 1}"),
    ("struct pair p = {.a = 1};\n    p.a = 2;", "count(&p)", None),
    ("int n = MOST;", "count(n)", "`n` is MOST"),
    ("", "count(MOST)", "`MOST` is 12"),
]
HEADER = "#define MOST 12\nint count(const int *n);\nint push(int *n);\n"


@pytest.mark.parametrize(("before", "call", "given"), C)
def test_c(before, call, given):
    text = f"void test_count_works(void)\n{{\n    {before}\n    TEST_ASSERT_EQ(2, {call});\n}}\n"
    line = text[: text.rindex("TEST_ASSERT_EQ")].count("\n") + 1
    place = Location("tests/test_words.c", line, 5)
    raw = RawTest("test_count_works", TestOutcome.FAILED, place, left="2", right="1")
    files = {"src/words.h": HEADER, "tests/test_words.c": text}
    where = f", where {given}" if given else ""
    said = TOOLS["c"].explain(raw, files, STUBS).message
    assert said == f"`{call}` gave 1, expected 2{where}"
