"""Whether code that does what a known mistake does is that mistake, by what is written."""

import pytest

from tutor_lsp.authoring.locating.compared import contradicted
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.registry import dialect

LEGS = """\
    legs = 0
    for length in kms:
        if battery < length:
            break
        battery -= length
        legs += 1
    return legs
"""
BACK = LEGS.replace("    return legs", "        return legs\n    return legs")
UNASKED = LEGS.replace("        if battery < length:\n            break\n", "")
LENGTH = """\
    unsigned twice = digit * 2;
    if (twice > 9) {
        return twice - 9;
    }
    return twice;
"""
ASKS_DIGIT = """\
    if (digit > 9) {
        return digit * 2 - 9;
    }
    return digit * 2;
"""
ANOTHER = {
    "another place": ("python", LEGS, BACK, LEGS.replace("legs += 1", "legs = 1")),
    "another way back": ("python", LEGS, BACK, LEGS.replace("in kms", "in kms[:1]")),
    "nothing but a value": ("c", "return at->count == MOST;", "return at->start == MOST - 1;",
                            "return false;"),
    "more is as it should be": ("c", LENGTH, ASKS_DIGIT, LENGTH.replace("return twice - 9",
                                                                        "digit = twice - 9")),
    "something else there": ("c", "*number = value;", "number = &value;", ";"),
}  # fmt: skip
THE_SAME = {
    "the same": ("python", LEGS, BACK, BACK),
    "under other names": ("python", LEGS, BACK, BACK.replace("legs", "n").replace("length", "km")),
    "another way out": ("python", LEGS, BACK, BACK.replace("        return legs", "        break")),
    "left out or undone": ("python", LEGS, UNASKED, LEGS.replace("battery < length", "False")),
    "another limit": ("c", "while (number > 9) next();", "while (number >= 9) next();",
                      "while (number > 8) next();"),
    "another value": ("python", "return list(enumerate(row, start=1))",
                      "return list(enumerate(row))", "return list(enumerate(row, start=0))"),
    "another way altogether": ("c", LENGTH, ASKS_DIGIT, "    return \"024681357\"[digit % 10];"),
    "nothing of the mistake in it": ("python", LEGS, LEGS, LEGS.replace("legs += 1", "pass")),
}  # fmt: skip


def compare(language, right, wrong, mine):
    grammar = dialect(language).grammar
    tokens = [parse(f"{code}\n", grammar).tokens for code in (mine, right, wrong)]
    return contradicted(*tokens)


@pytest.mark.parametrize("given", ANOTHER.values(), ids=ANOTHER)
def test_code_that_is_right_where_a_mistake_is_wrong_makes_another(given):
    assert compare(*given)


@pytest.mark.parametrize("given", THE_SAME.values(), ids=THE_SAME)
def test_code_that_changes_what_a_mistake_changes_may_be_it(given):
    assert not compare(*given)
