"""Tests that contradict themselves or each other, detected without a reference.

If a test requires that a stub's answer equals something, the call is replaced by that value;
everything else that the test asserts about the answer must then pass.
"""

from dataclasses import dataclass

from tutor_lsp.authoring.proof.reading.compare import Equality, answers, comparisons
from tutor_lsp.authoring.proof.trial import TestPlace, Trial, why
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, TestOutcome
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import mentioned, outer_calls


@dataclass(frozen=True, slots=True)
class Assumed:
    """The files with calls replaced by the values tests expect; `tests` are the affected ones."""

    files: dict[str, str]
    tests: dict[str, str]


def assume(trial: Trial) -> Assumed:
    """Replace calls. `tests` maps a test to the assertion that was assumed."""
    edits: dict[str, list[tuple[int, int, str]]] = {}
    tests: dict[str, str] = {}
    for name, place, unit in trial.owned():
        made = _edits(trial, unit, place)
        if made is not None:
            edits.setdefault(place.file, []).extend(made[0])
            tests[name] = made[1]
    files = dict(trial.candidate.files)
    for path, changes in edits.items():
        files[path] = replaced(files[path], changes)
    return Assumed(files, tests)


def _edits(
    trial: Trial, unit: Unit, place: TestPlace
) -> tuple[list[tuple[int, int, str]], str] | None:
    if len(list(outer_calls(place.body, set(trial.stubs)))) != 1:
        return None
    held = dict(answers(place, unit.stub))
    text = trial.candidate.files[place.file]
    for pair in comparisons(place, unit.stub):
        if pair.call or pair.name not in held or pair.name in mentioned(pair.expected):
            continue
        start, end = held[pair.name]
        call = place.body[start : end + 1]
        handed = mentioned(call[1:])
        if _may_change(pair, handed, place):
            continue
        wanted = text[pair.expected[0].start : pair.expected[-1].end]
        changes = [(call[0].start, call[-1].end, f"({wanted})")]
        for span, tokens in place.assertions:
            if span != pair.span and mentioned(tokens) & handed:
                changes.append((span.start, span.end, trial.dialect.grammar.nothing))
        return changes, text[pair.span.start : pair.span.end]
    return None


def _may_change(pair: Equality, handed: frozenset[str], place: TestPlace) -> bool:
    """Whether the call could change anything that the expected side uses."""
    shared = mentioned(pair.expected) & handed
    return any(not _constant(name, place.body) for name in shared)


def _constant(name: str, body: tuple[Token, ...]) -> bool:
    if name.isupper():
        return True
    lines = {token.line for token in body if token.text == "const"}
    return any(token.text == name and token.line in lines for token in body)


def check(trial: Trial, assumed: Assumed, report: RawReport) -> list[ProofFinding]:
    """The tests that fail even if the stub returns what they expect (step `reference`)."""
    found = []
    for test in report.tests:
        if test.name in assumed.tests and test.outcome is TestOutcome.FAILED:
            said = (
                f"The test `{test.name}` contradicts itself: where `{assumed.tests[test.name]}` "
                f"passes, its next assertion does not{why(test)}."
            )
            found.append(trial.at_test("reference", said, test.name, test))
    return found


def among(trial: Trial) -> list[ProofFinding]:
    """Pairs of tests that expect different answers from the same call (step `reference`)."""
    found: list[ProofFinding] = []
    wanted: dict[tuple[str, ...], tuple[str, str]] = {}
    for name, place, unit in trial.owned():
        for pair in comparisons(place, unit.stub):
            call = tuple(token.text for token in pair.actual)
            plain = all(t.kind == "literal" for t in pair.expected) and len(call) > 3
            names = mentioned(pair.actual)
            if not (pair.call and plain and names <= {unit.stub}):
                continue
            value = " ".join(token.text for token in pair.expected)
            other, before = wanted.setdefault(call, (name, value))
            if before != value:
                said = (
                    f"The test `{name}` wants {value} of `{''.join(call)}` where `{other}` wants "
                    f"{before}."
                )
                found.append(trial.at_test("reference", said, name))
    return found
