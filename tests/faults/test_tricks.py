"""Tricks and accidents never pass, and no honest program is held for one: see `tricks/*.toml`.

A toolchain is asked as a check asks it, on the folder as it is; what an attempt leaves out of its
copy beside that is attacked in `test_tricks_attempt.py`.
"""

from collections import Counter

import pytest
from c_kit import needs_cc
from trick_kit import Case, corpus, passes

pytestmark = pytest.mark.cold
SLOW = ("second", "rust")
LONG = pytest.mark.long("one of many tricks, each with a build of its own")


MISSED = {
    "rust-first-tricks-equal_by_length": "an `eq` that reads both values to no purpose",
    "rust-second-tricks-not_unequal": "an `eq` that names both values and looks at neither",
}
NEEDS = {"rust": [pytest.mark.cargo], "c": [needs_cc], "python": []}


QUICK = 1
"""How many of the first cases of a kind, in one language, are not left to the long run."""


def _cases():
    seen = Counter()
    for case in corpus():
        kind = (case.language, case.half, case.kind)
        seen[kind] += 1
        yield _case(
            case, slow=seen[kind] > QUICK or not {case.half, case.language}.isdisjoint(SLOW)
        )


def _case(case: Case, *, slow):
    marks = [*NEEDS[case.language], *([LONG] if slow else [])]
    if case.id in MISSED:
        marks.append(pytest.mark.xfail(strict=True, reason=MISSED[case.id]))
    return pytest.param(case, id=case.id, marks=marks)


@pytest.mark.parametrize("case", list(_cases()))
async def test_just_honest_programs_pass(case, tmp_path):
    passed, report = await passes(case, tmp_path)
    assert passed == (case.kind == "honest"), report


def test_the_corpus_is_as_large_as_promised():
    count = Counter(case.kind for case in corpus())
    assert count["tricks"] >= 80
    assert count["accidents"] >= 30
    assert count["honest"] >= 40
