"""The changes of a function that are tried, and the place that those which mend it agree on."""

import pytest

from tutor_lsp.authoring.locating.agreeing import agreed
from tutor_lsp.authoring.locating.changes import MOST, form, tried
from tutor_lsp.core.exercise.mistakes import Fault, Place
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains
from tutor_lsp.tutor.hinting.diagnosis.unsure import said_of

TOOLCHAINS = toolchains()
RIGHT = {
    "python": '''def longest(words: list[str], least: int) -> int:
    """The length of the longest."""
    best = 0
    for number, word in enumerate(words, start=1):
        if len(word) >= least and number > 1:
            best = max(best, len(word.strip()))
    return round(best / 2)
''',
    "rust": """pub fn cut(text: &str, most: usize) -> String {
    let tidy = text.trim_start();
    let mut end = 0;
    for (at, _) in tidy.char_indices() {
        if at < most {
            end = at + 1;
        }
    }
    tidy[..end].replace("-", "_")
}
""",
    "c": """int blanks(const char *at, int most)
{
    int count = 0;
    while (*at && count < most) {
        if (*at == ' ')
            count += 1;
        at++;
    }
    return fill(count, most);
}
""",
}
NAMES = {"python": "longest", "rust": "cut", "c": "blanks"}
WRONG = [
    ("python", "len(word) >= least", "len(word) > least", "len(word) > least", "comparison"),
    ("python", "start=1", "start=0", "start=0", "number"),
    ("python", "best = 0", "best = 1", "best = 1", "number"),
    ("python", "least and number", "least or number", None, "operator"),
    ("python", "max(best", "min(best", "min(best, len(word.strip()))", "call"),
    ("python", "word.strip()", "word.rstrip()", "word.rstrip()", "call"),
    ("python", "round(best / 2)", "int(best / 2)", "int(best / 2)", "call"),
    ("python", "number > 1:", "not number > 1:", "not number > 1", "comparison"),
    ("python", "    return round", "        return round", "return round(best / 2)", "moved"),
    ("python", "return round", "print(round", None, "call"),
    ("python", "return round", "best += 1\n    return round", "best += 1", "expression"),
    ("python", ".strip()", "", "len(word)", "lacks"),
    ("python", "/ 2)\n", "/ 2) - len(words)\n", "round(best / 2) - len(words)", "call"),
    ("python", "(words, start=1)", "(words)", "enumerate(words)", "lacks"),
    ("rust", ".replace(\"-\", \"_\")", ".to_string()", "tidy[..end].to_string()", "call"),
    ("rust", "text.trim_start()", 'text.trim_start_matches(" ")', None, "call"),
    ("rust", "text.trim_start()", "text.trim()", "text.trim()", "call"),
    ("rust", "at < most", "at <= most", "at <= most", "comparison"),
    ("rust", "at + 1", "at", "end = at", "number"),
    ("rust", '"-", "_"', '"_", "-"', 'tidy[..end].replace("_", "-")', "order"),
    ("rust", "at < most", "at < end", "at < end", "condition"),
    ("c", "*at == ' '", "*at != ' '", "*at != ' '", "comparison"),
    ("c", "*at && count", "*at || count", "*at || count < most", "operator"),
    ("c", "        at++;\n", "", None, "missing"),
    ("c", "fill(count, most)", "fill(most, count)", "fill(most, count)", "order"),
    ("c", "count += 1", "count += 2", "count += 2", "number"),
    ("c", "count += 1;", "count = most > 2 ? fill(count, 1) : count;",
     "count = most > 2 ? fill(count, 1) : count", "expression"),
]  # fmt: skip


OTHER = {
    "python": "def longest(words, least):\n    return least\n",
    "rust": "pub fn cut(text: &str, most: usize) -> String {\n    todo!()\n}\n",
    "c": "int blanks(const char *at, int most)\n{\n    return most;\n}\n",
}
"""Other references of the same names."""


def _wrong(right, old, new):
    made = right.replace(old, new, 1)
    return f"{made.rstrip()})\n" if new.startswith("print(") else made


def changes_of(language, text, right=None, wrong=()):
    known, name = dialect(language), NAMES[language]
    tools = TOOLCHAINS[language]
    texts = [(each, site_of(tools, each, name)) for each in (text, right or text, *wrong)]
    (mine, site), theirs, *others = texts
    return tried(mine, site, known.grammar, known.mutations.operators, theirs, others), site


def mending(language, found, right):
    """Those after which the code is the reference."""
    grammar, tools = dialect(language).grammar, TOOLCHAINS[language]

    def of(text):
        return form(parse(text, grammar), site_of(tools, text, NAMES[language]), grammar)

    return [each for each in found if of(each.text) == of(right)]


def told_of(line):
    whats = (
        "the comparison there", "the number there", "the limit there", "the value written there",
        "the operator there", "the order there", "the call there", "the name used there",
        "the condition there", "something is missing there", "it stands in the wrong place",
        "the mistake is there",
    )  # fmt: skip
    missing = f"Look below line {line}: something is missing there."
    return {missing, *(f"Look at line {line}: {what}." for what in whats)}


@pytest.mark.parametrize(("language", "old", "new", "quote", "fault"), WRONG)
def test_a_wrong_place_is_found_by_a_change_towards_the_reference(language, old, new, quote, fault):
    right = RIGHT[language]
    assert old in right
    text = _wrong(right, old, new)
    found, site = changes_of(language, text, right)
    mends = mending(language, found, right)
    assert mends
    known = dialect(language)
    place = agreed(text, site, known.grammar, known.mutations.operators, mends)
    assert place is not None
    assert place.fault == fault
    lines = text.split("\n")
    if quote is not None:
        assert place.quote == quote
        assert quote.split("\n")[0] in lines[place.line - 1]
    assert place.quote == "" or place.quote in text
    says = said_of(place)
    own = f", `{place.quote}`" if place.quote else ""
    assert says.replace(own, "", 1) in told_of(place.line)  # nothing of the change is in it
    assert len(found) <= MOST


@pytest.mark.sample("rust", "c")
@pytest.mark.parametrize("language", RIGHT)
def test_the_same_is_found_without_the_reference(language):
    """By the operators alone, which know nothing of it."""
    right = RIGHT[language]
    lost = []
    mine = [each for each in WRONG if each[0] == language]
    for _, old, new, _, fault in mine:
        found, _ = changes_of(language, _wrong(right, old, new), OTHER[language])
        assert all(each.kind not in ("nearer", "undone") for each in found)
        if not mending(language, found, right):
            lost.append((old, fault))
    assert len(lost) <= len(mine) / 2, lost


@pytest.mark.parametrize("language", RIGHT)
def test_names_and_layout_of_ones_own_are_no_difference(language):
    names = {"python": ("best", "most_so_far"), "rust": ("tidy", "neat"), "c": ("count", "seen")}
    old, new = names[language]
    right = RIGHT[language]
    first = {"python": ">= least", "rust": "at < most", "c": "== ' '"}[language]
    wrong = {"python": "> least", "rust": "at > most", "c": "== 'x'"}[language]
    text = right.replace(first, wrong, 1).replace(old, new)
    found, _ = changes_of(language, text, right)
    nearer = [each.text for each in found if each.kind == "nearer"]
    assert right.replace(old, new) in nearer


def test_the_change_that_undoes_a_known_mistake_is_tried_in_other_code():
    right, wrong = RIGHT["python"], RIGHT["python"].replace("start=1", "start=2")
    text = """def longest(words, least):
    kept = []
    while kept:
        kept.pop()
    for number, word in enumerate(words, start=2):
        kept += [len(word)] * (number > least)
    return sum(kept) or len(kept) or 7
"""
    found, _ = changes_of("python", text, right, [wrong])
    assert text.replace("start=2", "start=1") in [each.text for each in found]


def test_code_of_another_kind_is_not_replaced_by_the_reference():
    text = "def longest(words, least):\n    return -1\n"
    found, _ = changes_of("python", text, RIGHT["python"])
    assert not [each for each in found if each.kind == "nearer"]


def test_the_place_is_where_a_value_is_worked_out_and_not_where_it_is_used():
    right = """def share(day: int, goal: int) -> int:
    return LEVELS[min(day * TOP // goal, TOP)]
"""
    text = """def share(day: int, goal: int) -> int:
    index = day // goal * TOP
    return LEVELS[min(index, TOP)]
"""
    known, tools = dialect("python"), TOOLCHAINS["python"]
    mine, theirs = (site_of(tools, each, "share") for each in (text, right))
    given = (known.grammar, known.mutations.operators)
    found = tried(text, mine, *given, (right, theirs))
    mends = [each for each in found if "day * TOP // goal" in each.body]
    assert len(mends) == 2
    assert agreed(text, mine, *given, mends).quote == "day // goal * TOP"
    round_it = [each for each in mends if "index = day // goal * TOP" in each.body]
    assert agreed(text, mine, *given, round_it) is None


def test_changes_in_two_places_say_nothing():
    right = RIGHT["python"]
    found, site = changes_of("python", right)
    known = dialect("python")
    one = next(each for each in found if "best = 1" in each.text)
    other = next(each for each in found if "start=2" in each.text)
    near = next(each for each in found if "best -= 0" in each.text or "best = -" in each.text or
                "best = 1" in each.text)  # fmt: skip
    operators = known.mutations.operators
    assert agreed(right, site, known.grammar, operators, [one, other]) is None
    assert agreed(right, site, known.grammar, operators, [one, near]).line == 3
    assert agreed(right, site, known.grammar, operators, []) is None


def test_a_comparison_and_its_number_are_a_limit():
    right = RIGHT["python"]
    found, site = changes_of("python", right)
    known = dialect("python")
    both = [each for each in found if "number >= 1" in each.text or "number > 2" in each.text]
    place = agreed(right, site, known.grammar, known.mutations.operators, both)
    assert place == Place(5, "number > 1", Fault.LIMIT)
