"""The rules of the verdict over arbitrary sequences of payloads, in front of a real policy."""

import asyncio
from dataclasses import replace

import stage_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.exercise.verdict import FAIL, PASS
from tutor_lsp.core.session import Attempt, CounterExample, Vault
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.stages.policy import violations
from tutor_lsp.tutor.hinting.probing import Refuted
from tutor_lsp.tutor.reviewing.verify_review import Settling


class FakeProber:
    """Says that the learner's code differs on the calls in `wrong`, and counts what is run."""

    def __init__(self, wrong):
        self.wrong = wrong

    async def counter_example(self, claim):
        call = claim["call"]
        if call not in self.wrong:
            raise Refuted("the learner's code does the same as the reference")
        return CounterExample("ex-1", (), call, "1", "0"), call in PROMISED

    async def holds(self, setup, call, value):
        raise Refuted("the answer is different")

    async def give(self, told, *, reference):
        return [None] * len(told)


class FakeOpened:
    """As much of an open exercise as settling looks at."""

    exercise = samples.EXERCISE
    toolchain = PythonToolchain()
    vault = Vault()

    def __init__(self):
        self.session = type("Session", (), {"attempts": ()})()

    def stub_files(self):
        return (samples.FILE,)

    def functions(self, text):
        return ()

    def stubs(self, texts):
        return type("Stubs", (), {"site": lambda self, unit: None})()


RUNS = [
    samples.GREEN,
    samples.FAILING,
    replace(samples.GREEN, outcome=RunOutcome.TIMEOUT),
    replace(samples.GREEN, tests=()),
    samples.report(TestOutcome.PASSED, TestOutcome.TODO),
    TestReport("r", RunOutcome.BUILD_ERROR),
]
CALLS = ["cups(0)", "cups(1)", "pots(0)"]
PROMISED = {"cups(0)", "cups(1)"}
"""Calls that lie within what the unit promises to take."""
claims = st.none() | st.builds(
    lambda call: {"unit_id": "ex-1", "setup": [], "call": call, "expected": "1"},
    st.sampled_from(CALLS),
)
payloads = st.builds(
    lambda **changes: samples.payload(Role.REVIEWER) | changes,
    verdict=st.sampled_from([PASS, FAIL]),
    score=st.integers(0, 100),
    summary=st.sampled_from(["PASS 100", "FAIL", "ok"]),
    improvement=st.none() | st.just("do less"),
    question=st.none() | st.just("Why?"),
    tags=st.sampled_from([[], ["off-by-one"], ["made-up"]]),
    counter_example=claims,
)
attempts = st.tuples(st.sampled_from(RUNS), payloads, st.sets(st.sampled_from(CALLS)))


@given(st.lists(attempts, min_size=1, max_size=4))
def test_no_sequence_passes_a_failing_run_or_withholds_a_pass_without_execution(sequence):
    opened = FakeOpened()
    texts = samples.context().texts
    for number, (run, payload, wrong) in enumerate(sequence, start=1):
        request = samples.request(Role.REVIEWER, report=run)
        refused = bool(violations(request, payload))
        attempt = Attempt(number, "t", run, "h")
        settling = Settling(opened, attempt, texts, FakeProber(wrong))
        review, _ = asyncio.run(settling.settled(payload))
        green = run is samples.GREEN
        claim = payload["counter_example"]
        executed = green and claim is not None and claim["call"] in wrong & PROMISED
        assert (review.verdict == PASS) == (green and not executed)
        assert (review.counter_example is not None) == executed
        assert 70 <= review.score <= 100 if review.verdict == PASS else 0 <= review.score < 90
        assert review.question is None
        assert "FAIL" not in review.summary
        if payload["verdict"] == PASS and not green:
            assert refused, "such an answer is not even accepted"
        if not refused:
            opened.session.attempts += (replace(attempt, review=review),)
