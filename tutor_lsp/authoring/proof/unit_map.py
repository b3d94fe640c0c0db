"""Step `units`: each test belongs to one stub, and each stub has tests. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping

from tutor_lsp.authoring.proof.trial import EXECUTED, Trial, call_graph, not_executed, said
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, TestOutcome
from tutor_lsp.languages.common.syntax import mentioned, outer_calls

Needs = Mapping[str, tuple[str, ...]]


def targets(trial: Trial, reports: Iterable[RawReport] = ()) -> Iterator[ProofFinding]:
    """Tests that assert something on two stubs, on another one than their own, or on none.
    `reports` are runs in which stubs were in their place."""
    stubs = set(trial.stubs)
    strangers = foreign(trial, reports)
    for name, place in trial.tests.items():
        unit = trial.owner(name)
        if unit is None:
            continue
        asked: dict[str, int] = {}
        for span, tokens in place.assertions:
            for start, _ in outer_calls(tokens, stubs):
                asked.setdefault(tokens[start].text, span.line)
        others = [stub for stub in asked if stub != unit.stub]
        if unit.stub in asked and others:
            text = (
                f"The test `{name}` asks about two stubs, `{unit.stub}` and `{others[0]}`: make "
                "two tests of it."
            )
            yield trial.at_test("units", text, name)
        elif others and name in strangers:
            text = f"The test `{name}` is said to be one of `{unit.stub}`, but asks `{others[0]}`."
            yield trial.at_test("units", text, name)
        elif name in strangers:
            yield trial.at_test("units", f"The test `{name}` does not call `{unit.stub}`.", name)


def reaches(test: RawTest, stub: str) -> bool:
    """Whether a test came to that stub, which was in its place, and ended there."""
    named = re.search(rf"\b{re.escape(stub)}\b", test.error or "")
    return test.not_implemented and named is not None


def foreign(trial: Trial, reports: Iterable[RawReport] = ()) -> frozenset[str]:
    """Tests that do not call their own stub: neither do the texts say so, nor did they come to it
    in one of the reports (a loop may call what no text names)."""
    candidate = trial.candidate
    came = {
        test.name
        for report in reports
        for test in report.tests
        if (unit := trial.owner(test.name)) is not None and reaches(test, unit.stub)
    }
    graph = call_graph(trial, {**candidate.under("src"), **candidate.under("tests")})
    found: set[str] = set()
    for name, place in trial.tests.items():
        unit = trial.owner(name)
        words = mentioned(place.body)
        if unit is None or unit.stub in words or name in came:
            continue
        if not any(unit.stub in graph.get(word, frozenset()) for word in words):
            found.add(name)
    return frozenset(found)


def check(
    trial: Trial, files: Mapping[str, str], reports: Mapping[str, RawReport]
) -> tuple[list[ProofFinding], dict[str, tuple[str, ...]]]:
    """`files` are solved, `reports` the runs with one unit's stub put back, by unit id.

    Gives the findings, and for each unit which others it needs: its tests came to that stub, or,
    where they end otherwise, reference or test call it.
    """
    graph = call_graph(trial, {p: t for p, t in files.items() if p.startswith(("src/", "tests/"))})
    found: list[ProofFinding] = []
    needs: dict[str, list[str]] = {unit.id: [] for unit in trial.units}
    for position, unit in enumerate(trial.units):
        report = reports.get(unit.id)
        if report is None:
            text = f"`{unit.stub}` cannot be put back into the reference."
            found.append(trial.at_stub("units", text, unit))
            continue
        if report.outcome not in EXECUTED:
            what = f"the reference without `{unit.stub}`"
            found += not_executed("units", what, report)
            continue
        outcomes = {test.name: test for test in report.tests}
        for other_position, other in enumerate(trial.units):
            for name in other.tests:
                test = outcomes.get(name)
                if test is None:
                    continue
                passed = test.outcome is TestOutcome.PASSED
                if other is unit and passed:
                    text = (
                        f"The test `{name}` passes without `{unit.stub}`: it does not test it, or "
                        "the line `Test:` is wrong."
                    )
                    found.append(trial.at_test("units", text, name))
                elif other is unit or passed:
                    continue
                elif other_position < position:
                    text = (
                        f"The test `{name}` of `{other.stub}` needs `{unit.stub}`, which comes "
                        "later."
                    )
                    found.append(trial.at_test("units", text, name, output=said(test)))
                elif reaches(test, unit.stub) or _may_need(trial, graph, other, unit, name):
                    if unit.id not in needs[other.id]:
                        needs[other.id].append(unit.id)
                else:
                    text = (
                        f"The test `{name}` of `{other.stub}` fails without `{unit.stub}`, which "
                        f"neither `{other.stub}` nor the test uses."
                    )
                    found.append(trial.at_test("units", text, name, output=said(test)))
    return found, {unit: tuple(others) for unit, others in needs.items() if others}


def _may_need(
    trial: Trial, graph: Mapping[str, frozenset[str]], unit: Unit, needed: Unit, name: str
) -> bool:
    """Whether the reference of a unit uses the other stub, or its test does to set things up."""
    if needed.stub in graph.get(unit.stub, frozenset()):
        return True
    place = trial.tests.get(name)
    if place is None:
        return False
    words = mentioned(place.body)
    return needed.stub in words or any(needed.stub in graph.get(w, frozenset()) for w in words)
