"""Step `units`: each test targets one stub, and each stub has tests. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from tutor_lsp.authoring.proof.kinds.shared import uses
from tutor_lsp.authoring.proof.trial import (
    EXECUTED,
    TestPlace,
    Trial,
    call_graph,
    not_executed,
    test_output,
)
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, TestOutcome
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.languages.common.syntax import is_constant, mentioned, outer_calls

Needs = Mapping[str, tuple[str, ...]]


def compared(trial: Trial) -> Iterator[ProofFinding]:
    """Tests that compare what their stub gives with what another one gives."""
    for name, place, unit in trial.owned():
        for _, tokens in place.assertions:
            asked = _asked(trial, tokens)
            others = [stub for stub in asked if stub != unit.stub]
            if unit.stub in asked and others:
                yield _two(trial, name, unit, others[0])
                break


def targets(trial: Trial, reports: Iterable[RawReport] = ()) -> Iterator[ProofFinding]:
    """Tests that assert something on two stubs one after the other, on another one than their own,
    or on none: signs that they do not test what they are listed for. `reports` are runs with the
    stubs in place."""
    strangers = foreign(trial, reports)
    for name, place, unit in trial.owned():
        asked = [_asked(trial, tokens) for _, tokens in place.assertions]
        mine = [number for number, stubs in enumerate(asked) if unit.stub in stubs]
        others = [
            stub
            for number, stubs in enumerate(asked)
            for stub in stubs
            if unit.stub not in stubs and not _sets_up(place, number, mine, trial.stubs)
        ]
        if mine and others:
            yield _two(trial, name, unit, others[0])
        elif others and name in strangers:
            text = f"The test `{name}` is listed for `{unit.stub}`, but tests `{others[0]}`."
            yield trial.at_test("units", text, name)
        elif name in strangers:
            yield trial.at_test("units", f"The test `{name}` does not call `{unit.stub}`.", name)


def _asked(trial: Trial, tokens: tuple[Token, ...]) -> dict[str, None]:
    """The stubs that an assertion is about."""
    calls = outer_calls(tokens, set(trial.stubs))
    return dict.fromkeys(tokens[start].text for start, _ in calls)


def _two(trial: Trial, name: str, unit: Unit, other: str) -> ProofFinding:
    text = f"The test `{name}` tests two stubs, `{unit.stub}` and `{other}`: make two tests of it."
    return trial.at_test("units", text, name)


def _sets_up(place: TestPlace, number: int, mine: Sequence[int], stubs: Sequence[str]) -> bool:
    """Whether an assertion only checks a step of what is set up for one of the test's own: a later
    one looks at something that this one names too."""
    names = _variables(place.assertions[number][1]).difference(stubs)
    return any(at > number and names & _variables(place.assertions[at][1]) for at in mine)


def _variables(tokens: tuple[Token, ...]) -> frozenset[str]:
    """Names that are neither called nor constant."""
    return frozenset(
        token.text
        for token, following in zip_longest(tokens, tokens[1:])
        if token.kind == "id"
        and not is_constant(token)
        and (following is None or following.kind not in ("(", "!"))
    )


def reaches(test: RawTest, stub: str) -> bool:
    """Whether a test reached that stub, which was in place, and ended there."""
    named = re.search(rf"\b{re.escape(stub)}\b", test.error or "")
    return test.not_implemented and named is not None


def foreign(trial: Trial, reports: Iterable[RawReport] = ()) -> frozenset[str]:
    """Tests that do not call their own stub: neither according to the texts, nor in any of the
    reports (a loop may call something that no text names)."""
    came = {
        test.name
        for report in reports
        for test in report.tests
        if (unit := trial.owner(test.name)) is not None and reaches(test, unit.stub)
    }
    graph = call_graph(trial, below(trial.candidate.authored, "src", "tests"))
    return frozenset(
        name
        for name, place, unit in trial.owned()
        if name not in came
        and not any(_calls(graph, mentioned(place.body), each) for each in trial.asks(unit))
    )


def _calls(graph: Mapping[str, frozenset[str]], names: frozenset[str], stub: str) -> bool:
    """Whether code with these names calls a stub, directly or through a helper."""
    return stub in names or any(stub in graph.get(name, frozenset()) for name in names)


def check(
    trial: Trial,
    files: Mapping[str, str],
    reports: Mapping[str, RawReport],
    told: Collection[str] = (),
) -> tuple[list[ProofFinding], dict[str, tuple[str, ...]]]:
    """`files` are solved, `reports` the runs with one unit's stub put back, by unit id. A program
    that is to be mended may pass the tests in `told`.

    Returns the findings, and for each unit the others that it needs: its tests reached that
    stub, or, if they end otherwise, reference or test call it.
    """
    graph = call_graph(trial, below(files, "src", "tests"))
    found: list[ProofFinding] = []
    needs: dict[str, dict[str, None]] = {unit.id: {} for unit in trial.units}
    for position, unit in enumerate(trial.units):
        report = reports.get(unit.id)
        if report is None and trial.begun(unit):
            continue
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
                passed = test is not None and test.outcome is TestOutcome.PASSED
                if test is None or (other is unit) != passed:
                    continue
                if passed and unit.kind.given_broken and name in told:
                    continue
                if passed:
                    text = (
                        f"The test `{name}` passes without `{unit.stub}`: it does not test it, or "
                        "the line `Test:` is wrong."
                    )
                elif other_position < position:
                    text = (
                        f"The test `{name}` of `{other.stub}` needs `{unit.stub}`, which comes "
                        "later."
                    )
                elif (
                    reaches(test, unit.stub)
                    or _may_need(trial, graph, other, unit, name)
                    or uses(trial, files, other, unit)
                ):
                    needs[other.id][unit.id] = None
                    continue
                else:
                    text = (
                        f"The test `{name}` of `{other.stub}` fails without `{unit.stub}`, which "
                        f"neither `{other.stub}` nor the test uses."
                    )
                output = "" if passed else test_output(test)
                found.append(trial.at_test("units", text, name, output=output))
    return found, {unit: tuple(others) for unit, others in needs.items() if others}


def _may_need(
    trial: Trial, graph: Mapping[str, frozenset[str]], unit: Unit, needed: Unit, name: str
) -> bool:
    """Whether a unit's reference uses the other stub, or its test does for its set-up."""
    place = trial.tests.get(name)
    words = mentioned(place.body) if place is not None else frozenset()
    return _calls(graph, words | {unit.stub}, needed.stub)
