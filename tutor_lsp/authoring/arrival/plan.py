"""What can be told of a plan before anything is built on it: names and size. Pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tutor_lsp.authoring.own.format_check import CURRICULUM_UNITS
from tutor_lsp.core.exercise.exercise import UnitKind, plain_name, prefixes_of_tests
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.languages.practises import DECLARE, constructs
from tutor_lsp.languages.registry import dialect

MOST_TESTS = 8
"""Most tests that a plan may have for a unit."""
_TEST = "test_"

Plan = Mapping[str, Any]


def mended(scaffold: Plan) -> dict[str, Any]:
    """The plan with the names of tests that begin with that of their stub."""
    units = scaffold.get("units")
    if not units:
        return dict(scaffold)
    return {**scaffold, "units": [_renamed(unit) for unit in units]}


def renamed(given: Plan, made: Plan) -> list[str]:
    """What code changed of a plan, a line for each test."""
    units = zip(given.get("units") or (), made.get("units") or (), strict=True)
    pairs = (zip(a["test_names"], b["test_names"], strict=True) for a, b in units)
    names = (pair for each in pairs for pair in each)
    return [f"The test `{a}` is named `{b}`, after its stub." for a, b in names if a != b]


def bare(scaffold: Plan, language: str) -> list[ProofFinding]:
    """Constructs that only a declaration has, of units whose declaration is given, unless another
    unit asks for them."""
    found = []
    for unit, name in _given(scaffold, language):
        said = (
            f"{unit['unit_id']} is to practise {constructs(language)[name].name}, which is given "
            f'there: a unit of kind "declare" has to ask for it, or `practises` must not name '
            f"`{name}`."
        )
        if not any(name in (each["practises"] or ()) for each in _declaring(scaffold)):
            found.append(ProofFinding("units", said, unit=str(unit["unit_id"])))
    return found


def without_bare(scaffold: Plan, language: str) -> tuple[dict[str, Any], list[str]]:
    """The plan without them, and a line for each."""
    gone = {(str(u["unit_id"]), name) for u, name in _given(scaffold, language)}
    units = [
        {**u, "practises": [n for n in u["practises"] or () if (str(u["unit_id"]), n) not in gone]}
        for u in scaffold.get("units") or ()
    ]
    said = [
        f"`{name}` was taken out of {unit}, whose declaration is given."
        for unit, name in sorted(gone)
    ]
    return ({**scaffold, "units": units} if gone else dict(scaffold)), said


def _given(scaffold: Plan, language: str) -> Iterator[tuple[Plan, str]]:
    known = constructs(language)
    for unit in scaffold.get("units") or ():
        for name in unit["practises"] or ():
            declared = name in known and known[name].forced == DECLARE
            if declared and unit["kind"] != UnitKind.DECLARE:
                yield unit, name


def _declaring(scaffold: Plan) -> list[Plan]:
    return [unit for unit in scaffold.get("units") or () if unit["kind"] == UnitKind.DECLARE]


def again(findings: Sequence[ProofFinding]) -> str:
    """What is asked of the next plan."""
    said = "\n".join(f"- {finding.message}" for finding in findings)
    return (
        "Make this plan again, as it is but for what cannot be as it is: all later calls would "
        f"build on it.\n{said}"
    )


def _renamed(unit: Plan) -> dict[str, Any]:
    prefixes = prefixes_of_tests(str(unit["stub"]))
    names = [str(name) for name in unit["test_names"]]
    new = [
        name if name.startswith(prefixes) else prefixes[-1] + name.removeprefix(_TEST)
        for name in names
    ]
    return {**unit, "test_names": new if len(set(new)) == len(new) else names}


def check(scaffold: Plan, language: str) -> list[ProofFinding]:
    """What is wrong with a plan that was mended."""
    units = scaffold.get("units") or ()
    found = [*_size(units)]
    for unit in units:
        found += _stub(unit, dialect(language).grammar)
        found += _tests(unit)
    every = Counter(name for unit in units for name in unit["test_names"])
    found += [
        ProofFinding("units", f"Two tests are to be named `{name}`.")
        for name, count in every.items()
        if count > 1
    ]
    return found


def too_many(units: int) -> list[ProofFinding]:
    """That there are more units than an exercise may have."""
    said = f"There are {units} units, at most {CURRICULUM_UNITS[1]}."
    return [ProofFinding("shape", said)] if units > CURRICULUM_UNITS[1] else []


def _size(units: Sequence[Plan]) -> Iterator[ProofFinding]:
    yield from too_many(len(units))
    for unit in units:
        tests = len(unit["test_names"])
        if not 1 <= tests <= MOST_TESTS:
            said = f"{unit['unit_id']} has {tests} tests, it needs 1 to {MOST_TESTS}."
            yield ProofFinding("shape", said, unit=str(unit["unit_id"]))


def _stub(unit: Plan, grammar: Grammar) -> Iterator[ProofFinding]:
    stub = plain_name(str(unit["stub"]))
    why = ""
    if stub.startswith("__"):
        why = "belongs to the language: plan a function of the exercise's own"
    elif [token.kind for token in parse(f"{stub}\n", grammar).tokens] != ["id"]:
        why = "is a word of the language"
    elif stub.startswith(_TEST):
        why = "would be taken for a test"
    if why:
        said = f"The stub of {unit['unit_id']} cannot be named `{stub}`, which {why}."
        yield ProofFinding("units", said, unit=str(unit["unit_id"]))


def _tests(unit: Plan) -> Iterator[ProofFinding]:
    """Names that say little are no matter here: whoever solves it blind shows whether they do."""
    prefixes = prefixes_of_tests(str(unit["stub"]))
    for name in map(str, unit["test_names"]):
        if not name.startswith(prefixes):
            said = f"The test `{name}` of {unit['unit_id']} is not named {prefixes[-1]}…."
            yield ProofFinding("references", said, unit=str(unit["unit_id"]))
