"""The run machine under any interleaving of save, check, attempt, cancel and (late) results."""

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.runs import (
    Answer,
    AnswerCancelled,
    AskAttempt,
    AskCheck,
    Cancel,
    Kill,
    KillReview,
    Kind,
    Publish,
    ReviewEnded,
    Start,
    StartReview,
    State,
    TestsEnded,
    step,
)


@dataclass
class World:
    """Plays the executor and checks what must hold after every step."""

    state: State = field(default_factory=State)
    testing: dict[int, Kind] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)
    published: set[int] = field(default_factory=set)
    reviewing: set[int] = field(default_factory=set)
    asked: dict[int, Kind] = field(default_factory=dict)
    answers: dict[int, int | None] = field(default_factory=dict)
    kinds: dict[int, Kind] = field(default_factory=dict)

    def feed(self, event):
        self.state, effects = step(self.state, event)
        for effect in effects:
            match effect:
                case Start(run, kind):
                    assert not self.testing, "two runs test at once"
                    self.testing[run] = self.kinds[run] = kind
                case Kill(run):
                    del self.testing[run]
                case Publish(run):
                    assert run not in self.published
                    del self.testing[run]
                    self.published.add(run)
                case StartReview(run):
                    assert not self.reviewing, "two reviews at once"
                    self.reviewing.add(run)
                case KillReview(run):
                    assert run in self.reviewing
                case Answer(run, requests):
                    for request in requests:
                        assert request not in self.answers, "answered twice"
                        assert run in self.published
                        self.answers[request] = run
                case AnswerCancelled(requests):
                    for request in requests:
                        assert request not in self.answers
                        self.answers[request] = None
        assert (self.state.testing.id if self.state.testing else None) == next(
            iter(self.testing), None
        )

    def ask(self, kind):
        request = len(self.asked) + 1
        self.asked[request] = kind
        self.feed(AskCheck(request) if kind is Kind.CHECK else AskAttempt(request))
        return request

    def end_tests(self, *, counted=True):
        if self.testing:
            self.feed(TestsEnded(next(iter(self.testing)), counted))

    def end_review(self):
        if self.reviewing:
            self.feed(ReviewEnded(self.reviewing.pop()))


ACTIONS = st.lists(
    st.sampled_from(
        ["check", "attempt", "end", "not-counted", "review", "cancel-one", "cancel-all", "late"]
    ),
    max_size=40,
)


@given(ACTIONS, st.randoms(use_true_random=False))
def test_every_request_is_answered_once_and_attempts_only_by_attempts(actions, random):
    world = World()
    for action in actions:
        match action:
            case "check" | "attempt":
                world.ask(Kind(action))
            case "end":
                world.end_tests()
            case "not-counted":
                world.end_tests(counted=False)
            case "review":
                world.end_review()
            case "cancel-all":
                world.feed(Cancel())
            case "cancel-one" if world.asked:
                world.feed(Cancel(random.choice(list(world.asked))))
            case "late":
                before = world.state
                world.feed(TestsEnded(random.randint(1000, 2000)))
                world.feed(ReviewEnded(random.randint(1000, 2000)))
                assert world.state == before
    for _ in range(3):
        world.end_tests()
        world.end_review()
    assert set(world.answers) == set(world.asked)
    for request, run in world.answers.items():
        if run is not None and world.asked[request] is Kind.ATTEMPT:
            assert world.kinds[run] is Kind.ATTEMPT
    assert world.state == State(next_id=world.state.next_id)


def test_check_supersedes_check_and_answers_both():
    world = World()
    first, second = world.ask(Kind.CHECK), world.ask(Kind.CHECK)
    world.end_tests()
    assert world.answers == {first: 2, second: 2}


def test_attempt_supersedes_check_and_its_report_answers_it():
    world = World()
    check, attempt = world.ask(Kind.CHECK), world.ask(Kind.ATTEMPT)
    world.end_tests()
    assert world.answers == {check: 2}
    world.end_review()
    assert world.answers == {check: 2, attempt: 2}


def test_check_during_attempt_runs_after_its_tests_and_beside_its_review():
    world = World()
    world.ask(Kind.ATTEMPT)
    check = world.ask(Kind.CHECK)
    assert list(world.testing.values()) == [Kind.ATTEMPT]
    world.end_tests()
    assert list(world.testing.values()) == [Kind.CHECK]
    assert world.reviewing
    world.end_tests()
    assert world.answers[check] == 2


def test_second_attempt_joins_first_also_while_it_is_reviewed():
    world = World()
    first, second = world.ask(Kind.ATTEMPT), world.ask(Kind.ATTEMPT)
    world.end_tests()
    third = world.ask(Kind.ATTEMPT)
    world.end_review()
    assert world.answers == {first: 1, second: 1, third: 1}


def test_cancelled_review_keeps_the_attempt_and_answers_it():
    world = World()
    attempt = world.ask(Kind.ATTEMPT)
    world.end_tests()
    world.feed(Cancel(attempt))
    world.end_review()
    assert world.answers == {attempt: 1}


def test_uncounted_attempt_is_answered_without_review():
    world = World()
    attempt = world.ask(Kind.ATTEMPT)
    world.end_tests(counted=False)
    assert world.answers == {attempt: 1}
    assert not world.reviewing
