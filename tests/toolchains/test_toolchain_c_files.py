"""What is added to a C exercise, and what its tests may include."""

import re

import pytest
from c_kit import TOOL

from tutor_lsp.core.stage import Role
from tutor_lsp.languages.c.files import harness, makefile
from tutor_lsp.languages.common.proof.test_imports import ImportRefusedError
from tutor_lsp.languages.registry import dialect

SRC = """\
#include <stdbool.h>
#include <stddef.h>

#define CAPACITY 8

struct point { int x, y; };
typedef struct point point;
static int hidden;

static int helper(void) { return hidden; }

/* Adds. */
int add(const char *restrict text,
        size_t length)
{
    (void)text; (void)length;
    return helper();
}

bool is_far(struct point at) { return at.x > CAPACITY; }
"""
TEST = """\
#include "test.h"
#include "points.h"

void test_add_nothing(void) { TEST_ASSERT_EQ(0, add("", 0)); }
void test_is_far_from_here(void) { TEST_ASSERT(is_far((struct point){9, 9})); }
"""
MAIN = """\

int main(void)
{
    RUN_TEST(test_add_nothing);
    RUN_TEST(test_is_far_from_here);
    TEST_SUMMARY();
}
"""


def complete(**changes):
    files = {"src/points.c": SRC, "tests/test_points.c": TEST, **changes}
    return TOOL.complete(files)


def test_what_is_added():
    files = complete()
    assert set(files) == {
        "src/points.c",
        "src/points.h",
        "tests/test_points.c",
        "tests/test.h",
        "Makefile",
        "compile_flags.txt",
        ".gitignore",
    }
    assert files["src/points.c"] == SRC
    assert files["tests/test_points.c"] == TEST + MAIN
    assert files["tests/test.h"] == harness("test.h")
    assert files["Makefile"] == makefile()
    assert re.search(r"@[A-Z]+@", makefile()) is None
    assert TOOL.complete(files) == files


def test_a_header_that_nobody_wrote_is_made_from_the_source_file():
    assert complete()["src/points.h"] == (
        "#ifndef POINTS_H\n#define POINTS_H\n\n"
        "#include <stdbool.h>\n#include <stddef.h>\n\n"
        "#define CAPACITY 8\nstruct point { int x, y; };\ntypedef struct point point;\n\n"
        "int add(const char *restrict text, size_t length);\nbool is_far(struct point at);\n\n"
        "#endif\n"
    )


def test_a_header_that_its_source_file_includes_repeats_no_types():
    header = complete(**{"src/points.c": f'#include "points.h"\n{SRC}'})["src/points.h"]
    assert "struct point {" not in header
    assert "CAPACITY" not in header
    assert "bool is_far(struct point at);" in header


def test_a_header_brings_what_its_prototypes_name():
    source = """\
#include "row.h"

struct row { int places[3]; };
typedef struct seat { int number; } seat;
typedef struct { int number; } guest;

bool is_free(const struct row *row, seat seat) { return row->places[0] == seat.number; }
size_t length(uint32_t from) { return from; }
void leave(guest guest) { (void)guest; }
"""
    header = TOOL.complete(
        {"src/row.c": source, "tests/test_row.c": '#include "test.h"\n#include "row.h"\n'}
    )["src/row.h"]
    assert header == (
        "#ifndef ROW_H\n#define ROW_H\n\n"
        "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
        "struct row;\nstruct seat;\ntypedef struct seat seat;\n\n"
        "bool is_free(const struct row *row, seat seat);\nsize_t length(uint32_t from);\n\n"
        "#endif\n"
    )


def test_headers_that_are_there_or_cannot_be_made_are_left_alone():
    files = complete(**{"src/points.h": "// mine\n"})
    assert files["src/points.h"] == "// mine\n"
    files = TOOL.complete(
        {"src/a.h": '#include "types.h"\nstatic inline int f(void) { return 1; }\n'}
    )
    assert "src/types.h" not in files


def test_a_header_of_another_name_declares_what_has_no_header():
    files = complete(**{"src/other.c": "int other(void) { return 1; }\n", "src/other.h": "\n",
                        "tests/test_points.c": TEST.replace("points.h", "all.h")})  # fmt: skip
    assert "int add(" in files["src/all.h"]
    assert "other" not in files["src/all.h"]


@pytest.mark.parametrize(
    ("main", "wanted"),
    [
        (MAIN, MAIN),
        ("\nint main(void)\n{\n    return 0;\n}\n", "\nint main(void)\n{\n    return 0;\n}\n"),
        (MAIN.replace("    RUN_TEST(test_is_far_from_here);\n", ""), MAIN),
        (
            MAIN.replace("RUN_TEST(test_is_far_from_here)", "// RUN_TEST(test_is_far_from_here)")
            .replace("TEST_SUMMARY();", "return TEST_SUMMARY();"),
            "    RUN_TEST(test_is_far_from_here);\n    return TEST_SUMMARY();\n}\n",
        ),
    ],
)  # fmt: skip
def test_a_main_that_forgets_tests_is_completed(main, wanted):
    text = complete(**{"tests/test_points.c": TEST + main})["tests/test_points.c"]
    assert text.endswith(wanted)
    assert text.count("    RUN_TEST(test_is_far_from_here);") == wanted.count(
        "    RUN_TEST(test_is_far"
    )


def test_files_without_tests_get_no_main():
    helper = '#include <stdio.h>\n\nvoid show(int a) { printf("%d", a); }\n'
    assert complete(**{"tests/show.c": helper})["tests/show.c"] == helper


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("", '#include "stub.h"\n\n'),
        ("#include <stdio.h>\n", '#include <stdio.h>\n\n#include "stub.h"\n'),
        (
            '#include "a.h"\n#include <stdio.h>\n',
            '#include "a.h"\n#include "stub.h"\n#include <std',
        ),
        ("/* About. */\n\n", '/* About. */\n\n#include "stub.h"\n\n'),
        ("#ifndef A_H\n#define A_H\n\n", '#ifndef A_H\n#define A_H\n\n#include "stub.h"\n\n'),
        ('#include "stub.h"\n', '#include "stub.h"\n\nint'),
    ],
)
def test_stub_h_is_there_where_it_is_used(head, wanted):
    gap = "" if head[-2:] in ("", "\n\n") else "\n"
    stub = 'int f(void)\n{\n    NOT_IMPLEMENTED("f");\n}\n'
    files = TOOL.complete({"src/a.c": head + gap + stub})
    assert files["src/a.c"].startswith(wanted)
    assert files["src/a.c"].count("stub.h") == 1
    assert files["src/stub.h"] == harness("stub.h")


def test_a_comment_about_the_mark_needs_no_stub_h():
    text = "// NOT_IMPLEMENTED(x) is gone\nint f(void) { return 1; }\n"
    assert "src/stub.h" not in TOOL.complete({"src/a.c": text})


@pytest.mark.parametrize(
    ("role", "path", "wanted"),
    [
        (Role.STARTER, "points.c", "src/points.c"),
        (Role.STARTER, "src/points.h", "src/points.h"),
        (Role.STARTER, "include/points.h", "src/points.h"),
        (Role.STARTER, "src/deep/points.h", "src/deep/points.h"),
        (Role.TEST, "test_points.c", "tests/test_points.c"),
        (Role.TEST, "tests/test_points.c", "tests/test_points.c"),
        (Role.STARTER, "../points.h", "../points.h"),
    ],
)
def test_paths(role, path, wanted):
    assert TOOL.normalise_path(role, path) == wanted


def test_what_a_test_may_include():
    files = {"src/points.c": SRC, "src/deep/a.h": "", "tests/kit.h": "", "tests/test_a.c": ""}
    assert TOOL.own_names(files) == {
        "test.h", "stub.h", "points.h", "deep/a.h", "a.h", "kit.h",
    }  # fmt: skip


def mended(includes):
    body = TEST.partition("\n\n")[2]
    tests = dialect("c").mend_imports(
        {"tests/test_points.c": f"{includes}\n{body}"}, {"src/points.c": SRC}, TOOL
    )
    text = tests["tests/test_points.c"]
    assert text.endswith(body)
    return text.removesuffix(body).rstrip("\n")


@pytest.mark.parametrize(
    ("includes", "wanted"),
    [
        ('#include "test.h"\n#include "points.h"\n#include <sys/types.h>', None),
        ('#include "test.h"\n#include <points.h>', None),
        ('#include "test.h"\n#include "../src/points.h"', '#include "test.h"\n#include "points.h"'),
        ('#include "test.h"\n#include "src/points.c"', '#include "test.h"\n#include "points.h"'),
        ('#include "test.h"\n#include "exercise.h"', '#include "test.h"\n#include "points.h"'),
        ('#include "test.h"', '#include "test.h"\n#include "points.h"'),
        ('#include "points.h"', '#include "points.h"\n#include "test.h"'),
        ("#include <math.h>", '#include <math.h>\n\n#include "test.h"\n#include "points.h"'),
        ("", '#include "test.h"\n#include "points.h"'),
    ],
)
def test_includes_are_mended(includes, wanted):
    assert mended(includes) == (wanted or includes)


@pytest.mark.parametrize("name", ["<curl/curl.h>", '"../../etc/passwd"', "<windows>"])
def test_other_libraries_are_refused(name):
    with pytest.raises(ImportRefusedError) as caught:
        dialect("c").mend_imports(
            {"tests/t.c": f"#include {name}\nint main(void) {{ return 0; }}\n"},
            {"src/points.c": SRC},
            TOOL,
        )
    assert (caught.value.rule, caught.value.line) == ("import-foreign", 1)


@pytest.mark.parametrize("name", ["<curl/curl.h>", "<ncurses.h>", '"cJSON/cJSON.h"'])
def test_other_libraries_are_no_header_of_the_exercise(name):
    with pytest.raises(ImportRefusedError):
        mended(f'#include "test.h"\n#include {name}')
