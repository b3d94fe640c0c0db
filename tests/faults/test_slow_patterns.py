"""Texts of a model made to hold up the patterns that look through them."""

import time

import pytest

from tutor_lsp.authoring.proof.literals import named_values
from tutor_lsp.languages.c.includes import mend_includes
from tutor_lsp.languages.registry import languages

SMALL, LARGE = 4000, 16_000
MOST = 9.0
"""How many times as long the larger one may take. A linear look takes 4 times, a quadratic 16."""
LEAST_S = 0.02
"""What takes less than this is taken to take this: clocks and caches are not precise enough."""


def constants(text):
    """Constants, in a text of any language."""
    found = {}
    for language in languages().values():
        found |= named_values(text, language.lines)
    return found


def c_names(text):
    """Reading a C test of a model for the headers that it lacks."""
    return mend_includes("t.c", "void test_it(void) { f(1); }", {"src/a.c": text}, frozenset())


CASES = {
    "a constant of blanks": (constants, "AAA:", " "),
    "a constant without a value": (constants, "AAA", " "),
    "constants of blanks": (constants, "", "AAA: " + " " * 90 + "\n"),
    "a type that does not end": (constants, "AAA : ", "x "),
    "a value that does not end": (constants, "AAA = ", "1"),
    "words before no name": (constants, "", "static\n"),
    "types that do not end": (c_names, "", "typedef a "),
    "lines of blanks": (c_names, "", " \n"),
    "a constant of no value": (c_names, "AAA", " "),
}


def seconds(look, text):
    times = []
    for _ in range(2):
        begun = time.process_time()
        look(text)
        times.append(time.process_time() - begun)
    return max(LEAST_S, min(times))


@pytest.mark.parametrize(("look", "head", "part"), CASES.values(), ids=CASES)
def test_a_text_is_looked_through_in_linear_time(look, head, part):
    small, large = (head + part * (size // len(part)) for size in (SMALL, LARGE))
    assert seconds(look, large) / seconds(look, small) < MOST


CONSTANTS = {
    "#define MOST 3\n#define LEAST (1)\n": {"MOST": "3", "LEAST": "1"},
    "pub const MOST: u32 = 12; // of them": {"MOST": "12"},
    "const HALF: f64 =\n    0.5;": {"HALF": "0.5"},
    'static const char NAME[] = "a";': {"NAME": '"a"'},
    "MOST: int = 3  # of them\nLEAST = 1": {"MOST": "3", "LEAST": "1"},
    "SEATS: 3": {},
}


@pytest.mark.parametrize("text", CONSTANTS)
def test_constants_are_found_with_their_values(text):
    assert constants(text) == CONSTANTS[text]


NAMES = {
    "typedef struct {\n    int a;\n} Seat;": "Seat",
    "typedef unsigned int Count;": "Count",
    "#  define MOST 3\n": "MOST",
    "enum Kind {\n    FIRST,\n    SECOND = 2, // of two\n};\n": "SECOND",
    "struct Hall { int seats; };": "Hall",
}


@pytest.mark.parametrize("text", NAMES)
def test_a_test_gets_the_header_of_what_it_uses(text):
    test = f"void test_it(void) {{ f({NAMES[text]}); }}"
    mended = mend_includes("t.c", test, {"src/hall.h": text}, frozenset({"hall.h", "test.h"}))
    assert '#include "hall.h"' in mended
