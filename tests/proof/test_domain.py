"""`accepts` is held to what it is for, by execution, in every language."""

import pytest

from tutor_lsp.authoring.domain.looking import look
from tutor_lsp.authoring.domain.neighbours import neighbours
from tutor_lsp.authoring.index import build_index
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import LIMITS, domain
from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.languages.common.proof.bench import Bench
from tutor_lsp.languages.registry import dialect
from tutor_lsp.languages.toolchains import toolchains

pytestmark = pytest.mark.first(3)

TOOLCHAINS = toolchains()
PYTHON = {
    "src/exercise/__init__.py": "",
    "src/exercise/parts.py": '''def part(whole: int, by: int) -> int:
    """ex-1 - First principle: dividing

    Raises ValueError below nought.
    """
    if whole < 0:
        raise ValueError(whole)
    while whole == 12:
        pass
    return whole // by
''',
    "tests/test_parts.py": """import pytest
from exercise.parts import part


def test_part_a():
    assert part(6, 2) == 3
    assert part(7, 3) == 2


def test_part_b():
    with pytest.raises(ValueError):
        part(-1, 2)
""",
}
RUST = {
    "src/lib.rs": """/// ex-1 - First principle: dividing
pub fn part(whole: i32, by: i32) -> i32 {
    whole / by
}
""",
    "tests/parts.rs": """use exercise::part;

#[test]
fn test_part_a() {
    assert_eq!(part(6, 2), 3);
    assert_eq!(part(7, 3), 2);
}

#[test]
fn test_part_b() {
    assert_eq!(part(-8, 2), -4);
}
""",
}
C = {
    "src/parts.h": "int part(int whole, int by);\n",
    "src/parts.c": """#include "parts.h"

/* ex-1 - First principle: dividing */
int part(int whole, int by)
{
    return whole / by;
}
""",
    "tests/test_parts.c": """#include "parts.h"
#include "test.h"

void test_part_a(void)
{
    TEST_ASSERT_EQ(3, part(6, 2));
    TEST_ASSERT_EQ(2, part(7, 3));
}

void test_part_b(void)
{
    TEST_ASSERT_EQ(-4, part(-8, 2));
}
""",
}
FILES = {"python": PYTHON, "rust": RUST, "c": C}


def accepts(language, says):
    head = {
        "python": "def accepts(whole: int, by: int) -> bool:\n    return {}\n",
        "rust": "pub fn accepts(whole: i32, by: i32) -> bool {{\n    {}\n}}\n",
        "c": "#include <stdbool.h>\n\nbool accepts(int whole, int by)\n{{\n    return {};\n}}\n",
    }
    return head[language].format(says)


# What `accepts` says, and what must be found: a part of the sentence, or nothing
FEW = "by > 0 && (whole == 6 || whole == 7 || whole == -8)"
CASES = {
    "what is promised, in python": ("python", "by > 0 and whole != 12", None),
    "what is promised, in rust": ("rust", "by > 0", None),
    "what is promised, in c": ("c", "by > 0", None),
    "no declared errors": ("python", "by > 0 and whole >= 0", "rejects what `test_part_b`"),
    "all, where it divides by nought": ("python", "whole != 12", "(ZeroDivisionError"),
    "all, where it panics": ("rust", "true", "(panic: attempt to divide by"),
    "all, where it crashes": ("c", "1", "it crashed"),
    "what never ends": ("python", "by > 0", "does not end"),
    "hardly anything": ("rust", "by > 0 && [6, 7, -8].contains(&whole)", "less than half"),
    "hardly anything in c": ("c", FEW, "less than half"),
    "nothing": ("python", "False", "rejects what `test_part_a`"),
    "what itself breaks": ("python", "whole != 12 and 1 // by > -1", "itself crashes"),
    "what itself panics": ("rust", "1 / by > -1", "itself crashes"),
    "what itself crashes": ("c", "1 / by > -1", "itself crashes"),
    "no code": ("python", "nonsense (", "could not be tried"),
    "what does not build": ("rust", "nonsense(whole)", "could not be tried"),
    "what does not build in c": ("c", "nonsense(whole)", "could not be tried"),
}  # fmt: skip


LONG = pytest.mark.long("builds an exercise that others like it stand for")
QUICK = {"what is promised, in rust", "all, where it panics", "all, where it crashes"}


def cases():
    for name, case in CASES.items():
        quick = case[0] == "python" or name in QUICK
        yield pytest.param(*case, id=name, marks=() if quick else LONG)


@pytest.mark.first(1)
@pytest.mark.parametrize(("language", "says", "found"), list(cases()))
async def test_a_domain_is_held_to_what_it_is_for(tmp_path, language, says, found):
    toolchain = TOOLCHAINS[language]
    files = toolchain.complete(FILES[language])
    units = build_index(files, PLAN[language], toolchain).units
    mine = {"ex-1": accepts(language, says)}
    candidate = Candidate(language, FILES[language], files, {}, units, mine)
    grammar = dialect(language).grammar
    looked = await look(Bench(toolchain, tmp_path, LIMITS), files, units, mine, grammar)
    trial = trial_of(candidate, toolchain, dialect(language))
    said = [finding.message for finding in domain.check(trial, looked)]
    if found is None:
        assert said == []
        assert looked["ex-1"].tried >= 40
    else:
        assert any(found in each for each in said), said


def plan(file):
    unit = {"unit_id": "ex-1", "stub": "part", "file_path": file, "first_principle": "dividing"}
    return [unit | {"lesson_heading": "L", "test_names": ["test_part_a", "test_part_b"]}]


PLAN = {
    "python": plan("src/exercise/parts.py"),
    "rust": plan("src/lib.rs"),
    "c": plan("src/parts.c"),
}


def test_neighbours_change_what_reaches_the_stub_alone():
    toolchain, text = TOOLCHAINS["python"], PYTHON["tests/test_parts.py"]
    sites = [site for site in toolchain.functions(text) if site.name.startswith("test_")]
    made = list(neighbours(text, sites, "part", dialect("python").grammar))
    again = list(neighbours(text, sites, "part", dialect("python").grammar))
    assert made == again
    definitions = [each.text[each.test.start : each.test.end] for each in made]
    assert len(set(definitions)) == len(definitions) > 60
    assert all("== 3\n" in each and "== 2" in each for each in definitions if "_a()" in each)
    assert all(toolchain.syntax_error("test.py", each.text) is None for each in made)
