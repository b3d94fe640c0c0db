"""What gcc, clang and test programs really said, recorded, and what is read from it."""

import json
from pathlib import Path

import pytest
from c_kit import TOOL, files_of

from tutor_lsp.core.exercise.report import Location, TestOutcome
from tutor_lsp.languages.c.crash import from_ending, from_report, from_undefined, without_reports
from tutor_lsp.languages.c.diagnostics import compiler_said, linker_said, tools_said
from tutor_lsp.languages.c.events import Ran, parse_test

RECORDED = Path(__file__).parent / "recorded"
TEXTS = files_of(RECORDED / "c")
BROKEN = files_of(RECORDED / "c_broken")
STUBS = [site.name for site in TOOL.functions(TEXTS["src/words.c"])]


def recorded(name):
    return json.loads((RECORDED / f"{name}.json").read_text())


@pytest.fixture(scope="module")
def ran():
    return {data["name"]: data for data in recorded("c")}


@pytest.fixture(scope="module")
def tests(ran):
    return {name: parsed(data) for name, data in ran.items()}


def parsed(data, **changes):
    data = {**data, **changes}
    place = Location("tests/test_words.c", data.pop("line"))
    return parse_test(Ran(**data), place)


@pytest.mark.parametrize(
    ("name", "outcome", "message"),
    [
        ("test_count_words", "failed", '`count("a  b")` gave 4, expected 2'),
        (
            "test_count_in_a_variable",
            "failed",
            '`count(given)` gave 4, expected 2, where `given` is "ä b"',
        ),
        ("test_count_the_other_way_round", "failed", '`count("a b")` gave 3, expected 2'),
        ("test_count_through_a_helper", "failed", "`count(text)` gave 5, expected 2"),
        ("test_count_in_a_condition", "failed", '`count("a b") < 2` was false'),
        ("test_later", "failed", "`later` is not written yet"),
        ("test_uses_later", "failed", "`uses_later` needs `later`, which is not written yet"),
        ("test_label_text", "failed", '`label(2)` gave "many\\n\\"words\\"", expected "many"'),
        ("test_label_null", "failed", '`label(1)` gave NULL, expected "one"'),
        ("test_letter", "failed", "`letter(\"abc\", 2)` gave 'c', expected 'b'"),
        ("test_is_long", "failed", '`is_long("abc")` gave true, expected false'),
        ("test_is_long_as_a_value", "failed", '`is_long("bcd")` gave false, expected true'),
        ("test_size", "failed", "`size()` gave 3, expected -1"),
        ("test_share", "failed", "`share(1, 3)` gave 0.333333333333, expected 0.25"),
        (
            "test_find",
            "failed",
            "`find(text, 'x')` gave NULL, expected an address, where `text` is \"bcad\"",
        ),
        (
            "test_find_address",
            "failed",
            "`(unsigned char *)find((char *)bytes, 'a')` gave an address 1 byte further on, "
            "expected bytes + 1, where `bytes` is {0}",
        ),
        (
            "test_shout",
            "failed",
            'after `shout(text)`, `text` is "Ab", expected "AB", where `text` was "ab"',
        ),
        ("test_forge", "failed", '`forge("test_forge")` gave 0, expected 1'),
        (
            "test_hang",
            "timeout",
            "`hang()` did not finish within 1 s: look for a loop that never ends",
        ),
        (
            "test_leave",
            "errored",
            "`leave()` ended the whole run (exit code 0) instead of returning",
        ),
        ("test_give_up", "errored", "`give_up()` crashed: it gave up with `abort` (SIGABRT)"),
        (
            "test_insist",
            "errored",
            "`insist(1)` crashed: `assert(number > 3)` did not hold (src/words.c, line 82)",
        ),
        (
            "test_follow",
            "errored",
            "`follow(NULL)` crashed: it used a null pointer "
            "(undefined behaviour; src/words.c, line 88)",
        ),
        (
            "test_past_the_end",
            "errored",
            "`past_the_end(4)` crashed: it wrote past the end of memory of 16 bytes from malloc "
            "(heap-buffer-overflow; src/words.c, line 94)",
        ),
        (
            "test_freed",
            "errored",
            "`freed()` crashed: it read memory that was freed before "
            "(heap-use-after-free; src/words.c, line 104)",
        ),
        (
            "test_twice",
            "errored",
            "`twice()` crashed: it freed the same memory twice "
            "(double-free; src/words.c, line 111)",
        ),
        (
            "test_stray",
            "errored",
            "`stray()` crashed: it freed memory that malloc did not give "
            "(bad-free; src/words.c, line 118)",
        ),
        (
            "test_index_of",
            "errored",
            "`index_of(3)` crashed: it used index 3 of an array of 3 "
            "(undefined behaviour; src/words.c, line 125)",
        ),
        (
            "test_add",
            "errored",
            "`add(2147483647, 1)` crashed: 2147483647 + 1 does not fit into `int` "
            "(undefined behaviour; src/words.c, line 130)",
        ),
        (
            "test_part",
            "errored",
            "`part(3, 0)` crashed: it divided by zero (undefined behaviour; src/words.c, line 135)",
        ),
        (
            "test_deep",
            "errored",
            "`deep(0)` ran out of stack: look for a call that calls itself for ever",
        ),
        (
            "test_literal",
            "errored",
            "`literal()` crashed: it wrote to memory that it may not change, "
            "as a string in quotes is (SEGV; src/words.c, line 148)",
        ),
        (
            "test_gone",
            "errored",
            "What `gone()` left made the test crash: it read a local variable of a function that "
            "had returned (stack-use-after-return)",
        ),
    ],
)
def test_one_sentence_for_each_way_of_ending(tests, name, outcome, message):
    test = tests[name]
    assert (test.outcome.value, TOOL.explain(test, TEXTS, STUBS).message) == (outcome, message)


def test_every_recorded_test_but_one_has_a_sentence(tests):
    assert tests["test_fine"].outcome is TestOutcome.PASSED
    assert tests["test_fine"].output == "counting ä\n"
    sentences = {TOOL.explain(test, TEXTS, STUBS).message for test in tests.values()}
    assert len(sentences) == len(tests)


def test_places_and_marks(tests):
    later, over = tests["test_uses_later"], tests["test_past_the_end"]
    assert later.not_implemented
    assert (later.raised_at, later.location) == (
        Location("src/words.c", 20),
        Location("tests/test_words.c", 55),
    )
    assert (over.raised_at, over.location) == (
        Location("src/words.c", 94),
        Location("tests/test_words.c", 141),
    )
    assert tests["test_gone"].raised_at is None
    assert tests["test_count_through_a_helper"].location == Location("tests/test_words.c", 8)
    assert tests["test_follow"].output == ""
    assert tests["test_literal"].output == ""
    assert (tests["test_shout"].left, tests["test_shout"].right) == ('"AB"', '"Ab"')


def test_only_the_own_word_counts(ran):
    passed = "\tstart\t\t0\ttest_leave\t\nother\tpassed\t\t0\ttest_leave\t\n"
    forged = parsed(ran["test_leave"], channel=f"word{passed}")
    assert forged.outcome is TestOutcome.ERRORED
    cut = parsed(ran["test_fine"], channel="word\tstart\t\t0\ttest_fine\t\nword\tpas")
    assert cut.outcome is TestOutcome.ERRORED


def test_a_test_that_main_forgets_says_what_is_missing(ran):
    test = parsed(ran["test_leave"], channel="")
    said = TOOL.explain(test, TEXTS, STUBS).message
    assert test.outcome is TestOutcome.ERRORED
    assert said == "`main` does not run this test: it needs the line RUN_TEST(test_leave);"
    before = parsed(ran["test_give_up"], channel="")
    assert "the run ended before this test: killed by SIGABRT" in before.error


@pytest.mark.parametrize(
    ("report", "said"),
    [
        # as clang writes it
        (
            "==3==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7f at pc 0x5\n"
            "READ of size 4 at 0x7f thread T0\n"
            "    #0 0x55 in local ./src/words.c:22:5\n"
            "    #1 0x55 in test_local tests/test_words.c:9:3\n\n"
            "Address 0x7f is located in stack of thread T0 at offset 44 in frame\n",
            "it read past the end of a local array (stack-buffer-overflow; src/words.c, line 22)",
        ),
        (
            "==3==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x5\n"
            "WRITE of size 1 at 0x60 thread T0\n    #0 0x55 in strcpy (/lib/x+0x1)\n"
            "    #1 0x5 in copy src/words.c:7:2\n\n"
            "0x60 is located 0 bytes after 5-byte region [0x60,0x65)\n",
            "it wrote past the end of memory of 5 bytes from malloc "
            "(heap-buffer-overflow; src/words.c, line 7)",
        ),
        (
            "==3==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x5\n"
            "READ of size 1 at 0x60 thread T0\n    #0 0x55 in last src/words.c:7\n\n"
            "0x60 is located 1 bytes to the left of 5-byte region [0x61,0x66)\n",
            "it read before the start of memory of 5 bytes from malloc "
            "(heap-buffer-overflow; src/words.c, line 7)",
        ),
        (
            "==3==ERROR: AddressSanitizer: global-buffer-overflow on address 0x60 at pc 0x5\n"
            "READ of size 1 at 0x60 thread T0\n    #0 0x55 in last src/words.c:7\n",
            "it read past the end of a global array or a string "
            "(global-buffer-overflow; src/words.c, line 7)",
        ),
        (
            "==3==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x5)\n"
            "==3==The signal is caused by a READ memory access.\n"
            "==3==Hint: address points to the zero page.\n    #0 0x5 in f src/words.c:3\n",
            "it used a null pointer (SEGV; src/words.c, line 3)",
        ),
        (
            "==3==AddressSanitizer: hard rss limit exhausted (1024Mb vs 1100Mb)\n",
            "it used far too much memory (out of memory)",
        ),
        ("==3==WARNING: AddressSanitizer failed to allocate 0xffff bytes\n", None),
    ],
)
def test_reports_of_other_versions(report, said):
    crash = from_report(report)
    assert (crash.said if crash else None) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("shift exponent 32 is too large for 32-bit type 'int'",
         "it shifted a value of type `int` by 32"),
        ("negation of -2147483648 cannot be represented in type 'int'; cast",
         "-(-2147483648) does not fit into `int`"),
        ("null pointer passed as argument 1, which is declared to never be null",
         "it gave a null pointer to a function that takes none"),
        ("member access within null pointer of type 'struct node'", "it used a null pointer"),
        ("load of misaligned address 0x1 for type 'const int', which requires 4 byte alignment",
         "it used an address that no `const int` may have"),
        ("execution reached an unreachable program point",
         "it reached its end without returning a value"),
        ("variable length array bound of 'x'", "variable length array bound of `x`"),
    ],
)  # fmt: skip
def test_undefined_behaviour_in_words(text, said):
    line = f"src/words.c:9:3: runtime error: {text}\n"
    summary = "SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior src/words.c:9:3 in \n"
    crash = from_undefined(f"mine\n{line}{summary}also mine")
    assert (crash.text, crash.raised_at) == (said, Location("src/words.c", 9))
    assert without_reports(f"mine\n{line}{summary}also mine") == "mine\nalso mine"


@pytest.mark.parametrize(
    ("how", "output", "said"),
    [
        ("killed by SIGSEGV (signal 11)", "",
         "it used memory that is not its own, or ran out of stack (SIGSEGV)"),
        ("killed by SIGFPE (signal 8)", "", "it divided by zero (SIGFPE)"),
        ("killed by SIGABRT (signal 6)", "free(): double free detected in tcache 2\n",
         "it freed the same memory twice (SIGABRT)"),
        ("killed by SIGABRT (signal 6)", "*** stack smashing detected ***: terminated\n",
         "it wrote past the end of a local array (SIGABRT)"),
        ("killed by SIGABRT (signal 6)",
         "Assertion failed: (n > 0), function f, file words.c, line 3.\n",
         "`assert(n > 0)` did not hold"),
        ("killed by SIGKILL (signal 9)", "", None),
        ("exit code 1", "", None),
    ],
)  # fmt: skip
def test_endings_without_a_sanitizer(how, output, said):
    crash = from_ending(how, output)
    assert (crash.said if crash else None) == said


def test_what_gcc_says():
    said = recorded("c_gcc")
    build = compiler_said(said["src/types.c"], BROKEN)
    assert [(e.line, e.column, e.end_column, e.code) for e in build.errors] == [
        (7, 38, 42, "implicit-function-declaration"),
        (7, 31, 35, "int-conversion"),
        (9, 12, 18, None),
        (20, 13, 14, None),
        (16, 1, 2, "return-type"),
    ]
    assert build.errors[0].message == "implicit declaration of function `nope`"
    assert build.errors[3].message == "expected `;` before `}` token"
    assert [(w.line, w.code) for w in build.warnings] == [
        (8, "unused-variable"),
        (7, "unused-variable"),
    ]
    (missing,) = compiler_said(said["src/words.c"], BROKEN).errors
    assert (missing.file, missing.line, missing.column) == ("src/words.c", 3, 10)
    assert missing.message == "missing.h: No such file or directory"


def test_what_clang_says():
    said = recorded("c_clang")
    build = compiler_said(said["src/types.c"], BROKEN)
    assert [(e.line, e.column, e.end_column) for e in build.errors] == [
        (7, 38, 42),
        (7, 27, 28),
        (9, 25, 26),
        (20, 13, 14),
    ]
    assert build.errors[0].message.startswith("call to undeclared function `nope`")
    assert build.errors[0].code == "implicit-function-declaration"
    (missing,) = compiler_said(said["src/words.c"], BROKEN).errors
    assert missing.message == "`missing.h` file not found"


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_what_linkers_say(compiler):
    found = {
        error.message: (error.file, error.line, error.column)
        for error in linker_said(recorded(f"c_{compiler}")["link"], BROKEN).errors
    }
    assert found.pop("`twice` is defined more than once") == ("src/again.c", 4, 1)
    if compiler == "gcc":  # clang's linker stops at the first kind of error
        said = "`gone` is declared here, but its definition is missing"
        assert found.pop(said) == ("src/words.h", 5, 5)
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "ld.lld: error: undefined symbol: lost\n"
        ">>> referenced by test_words.c:11 (tests/test_words.c:11)\n"
        ">>>               test_words.o:(test_gone)\n",
        "Undefined symbols for architecture arm64:\n"
        '  "_lost", referenced from:\n      _test_gone in test_words.o\n'
        "ld: symbol(s) not found for architecture arm64\n"
        "clang: error: linker command failed with exit code 1 (use -v to see invocation)\n",
        "tests/test_words.c:11: error: undefined reference to 'lost'\ncollect2: error: ld\n",
    ],
)
def test_other_linkers_name_what_is_missing_too(text):
    files = {"tests/test_words.c": "\n" * 10 + "    TEST_ASSERT(lost());\n"}
    (error,) = linker_said(text, files).errors
    assert (error.file, error.line, error.column) == ("tests/test_words.c", 11, 17)
    assert error.message == "`lost` is used, but defined nowhere"


def test_a_missing_main_is_said_plainly():
    text = "Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n"
    (error,) = linker_said(text, BROKEN, "tests/test_words.c").errors
    assert error.message == "There is no `main` that runs the tests"
    assert error.file == "tests/test_words.c"


def test_what_the_tools_themselves_say():
    assert tools_said("cc1: fatal error: error writing to /x.s: File too large\n") == [
        "error writing to /x.s: File too large"
    ]
    assert tools_said("something odd\n") == ["something odd"]
    assert tools_said("") == []


def test_an_error_in_a_system_header_belongs_to_its_include():
    text = (
        "In file included from /usr/include/string.h:33,\n"
        "                 from src/words.c:2:\n"
        "/usr/include/stddef.h:214:23: error: storage class specified for parameter 'size_t'\n"
        "/usr/include/string.h:44:8: error: expected declaration specifiers before 'size_t'\n"
    )
    files = {"src/words.c": '#include "words.h"\n#include <string.h>\n'}
    (error,) = compiler_said(text, files).errors
    assert (error.file, error.line) == ("src/words.c", 2)
    own = text + "src/words.c:4:1: error: expected ';' before '{' token\n"
    assert [error.line for error in compiler_said(own, files).errors] == [4]
