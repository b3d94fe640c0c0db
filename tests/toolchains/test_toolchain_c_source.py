"""Reading C by syntax tree: positions, comments, tests, includes, broken text."""

import pytest
from c_kit import TOOL

from tutor_lsp.core.exercise.stub_comment import parse_stub_comment

TEXT = """\
/* Wörter, for everybody. */

#ifndef WÖRTER
#define WÖRTER

#include <stddef.h>
#include "wörter.h" // ours

/**
 * Counts 🦀 words.
 *
 * ex-1 — First principle: one
 * Start here: there
 */
static inline size_t
count(const char *text)
{
    (void)text; /* used */
    NOT_IMPLEMENTED("count");
    // nothing after it
}

// Where the
// end is.
const unsigned char *end(const unsigned char (*grid)[4], size_t rows) { return grid[rows]; }

// a section

int bare(void) {}

/* A table. */
int (*table(int at))(int) { return NULL; }

int later(void); // only declared
#if 0
int off(void) { return 1; }
#endif

int size; // a variable
int after(void) { return size; }

#endif
"""


def functions(text):
    return {site.name: site for site in TOOL.functions(text)}


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("name", "definition", "body", "signature"),
    [
        (
            "count",
            ("static inline", "}"),
            ("(void)text;", '("count");'),
            "static inline size_t count(const char *text)",
        ),
        (
            "end",
            ("const unsigned", "; }"),
            ("return", "[rows];"),
            "const unsigned char *end(const unsigned char (*grid)[4], size_t rows)",
        ),
        ("table", ("int (*table", "; }"), ("return", "NULL;"), "int (*table(int at))(int)"),
    ],
)
def test_offsets_cut_out_definition_and_body(name, definition, body, signature, line_end):
    text = TEXT.replace("\n", line_end)
    site = functions(text)[name]
    whole, inner = text[site.start : site.end], text[site.body_start : site.body_end]
    assert whole.startswith(definition[0])
    assert whole.endswith(definition[1])
    assert inner.startswith(body[0])
    assert inner.endswith(body[1])
    assert site.signature == signature
    line = text.split("\n")[site.line - 1]
    assert line[site.column - 1 : site.end_column - 1] == name


def test_all_definitions_in_order_and_nothing_else():
    assert list(functions(TEXT)) == ["count", "end", "bare", "table", "after"]
    bare = functions(TEXT)["bare"]
    assert (TEXT[bare.start : bare.end], bare.body_start) == ("int bare(void) {}", bare.body_end)


def test_comments_above():
    found = functions(TEXT)
    comment = parse_stub_comment(found["count"].comment)
    assert (comment.unit_id, comment.contract, comment.start_here) == (
        "ex-1",
        "Counts 🦀 words.",
        "there",
    )
    lines = TEXT.split("\n")
    assert lines[found["count"].comment_line - 1 + comment.places["start"][0] - 1].endswith(
        "here: there"
    )
    assert (found["count"].comment_line, found["count"].comment_end_line) == (9, 14)
    assert (found["end"].comment, found["end"].comment_line) == ("Where the\nend is.", 23)
    assert found["table"].comment == "A table."
    assert (found["bare"].comment, found["after"].comment) == (None, None)


def test_a_comment_with_marks_may_stand_further_above():
    far = "/** Far. */\n\n\nint f(void) { return 1; }\n"
    assert functions(far)["f"].comment == "Far."
    assert functions(far.replace("/**", "/*"))["f"].comment is None
    beside = "int x; /** x */\nint f(void) { return 1; }\n"
    assert functions(beside)["f"].comment is None
    framed = "/*******\n * Framed.\n *******/\nint f(void) { return 1; }\n"
    assert functions(framed)["f"].comment.strip() == "Framed."


TESTS = """\
#include "test.h"

static int setup(void) { return 1; }

void test_count_of_one(void)
{
    char room[4];
    int (*way)(int) = &twice;
    fill(room, sizeof(room));
    qsort(room, 4, 1, compare);
    TEST_ASSERT_EQ(1, count(trim("a"), &rule, room));
}

/* void test_in_a_comment(void) {} */
void test_with_parameters(int a) { count("x"); }
int test_of_another_kind(void) { return 1; }
void helper(void) { TEST_ASSERT(1); }
void test_empty() { }

int main(void) { RUN_TEST(test_count_of_one); TEST_SUMMARY(); }
"""


def test_tests_and_what_they_call():
    one, two = TOOL.tests(TESTS)
    assert (one.name, one.line, one.end_line) == ("test_count_of_one", 5, 12)
    assert one.calls == ("fill", "qsort", "compare", "count", "rule", "trim")
    assert (two.name, two.line, two.calls) == ("test_empty", 18, ())


def test_includes():
    assert TOOL.imports(TEXT) == ((6, "stddef.h"), (7, "wörter.h"))
    assert TOOL.imports('#  include  "a/b.h"\n#include MACRO\n') == ((1, "a/b.h"),)


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("int f(void) {\n    return 1\n}\n", 2, 12, "`;` is missing here"),
        ("int f(void) {\n    int ä = 2 + 3\n    return ä;\n}\n", 2, 17, "`;` is missing here"),
        ("#ifndef A\n#define A\nint f(int a);\nint g(int a)\n#endif\n", 4, 12, "`;` is missing"),
        ("int f(int a) {\n    if (a {\n        return 1; }\n}\n", 2, 8, "`(` is never closed"),
        ("int f(void) {\n    return 1;\n", 1, 13, "`{` is never closed"),
        ("int f(void) { return 1; }\n}\n", 2, 1, "`}` closes nothing"),
    ],
)
def test_syntax_errors(text, line, column, said):
    error = TOOL.syntax_error("src/a.c", text)
    assert (error.file, error.line, error.column) == ("src/a.c", line, column)
    assert said in error.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT,
        TESTS,
        "int f(int a)\n{\n#if X\n    if (a) {\n#else\n    if (!a) {\n#endif\n    }\n}\n",
        "#define BEGIN {\n#define END }\nint f(void) BEGIN return 1; END\n",
        "LIST(int)\nint f(void) { EACH(x, list) g(x); return 0; }\n",
        "int f(void) { char *s = va_arg(list, char *); return s != NULL; }\n",
        "extern API int f(void) NONNULL(1);\n",
        "int f(void) { CHECK(1)\n return 0; }\n",
    ],
)
def test_what_only_a_compiler_can_judge_is_no_syntax_error(text):
    assert TOOL.syntax_error("src/a.c", text) is None


@pytest.mark.parametrize(
    "text", ["", "{{{", "int f(", "void test_(", '"', "/*", "#include", "\0ä🦀("]
)
def test_broken_text_never_raises(text):
    TOOL.functions(text)
    TOOL.tests(text)
    TOOL.imports(text)
    TOOL.syntax_error("src/a.c", text)
