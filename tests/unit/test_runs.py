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
    JoinCheck,
    Kill,
    KillReview,
    Publish,
    ReviewEnded,
    RunKind,
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
    testing: dict[int, RunKind] = field(default_factory=dict)
    ended: set[int] = field(default_factory=set)
    published: set[int] = field(default_factory=set)
    reviewing: list[int] = field(default_factory=list)
    asked: dict[int, RunKind] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    answers: dict[int, int | None] = field(default_factory=dict)
    kinds: dict[int, RunKind] = field(default_factory=dict)
    ran: dict[int, str] = field(default_factory=dict)
    taking: list[int] = field(default_factory=list)

    def feed(self, event):
        self.state, effects = step(self.state, event)
        for effect in effects:
            match effect:
                case Start(run, kind, text):
                    assert not self.testing, "two runs test at once"
                    assert bool(text) == (kind is RunKind.ATTEMPT)
                    self.testing[run] = self.kinds[run] = kind
                    self.ran[run] = text
                case Kill(run):
                    del self.testing[run]
                case Publish(run):
                    assert run not in self.published
                    del self.testing[run]
                    self.published.add(run)
                case StartReview(run):
                    assert run not in self.reviewing
                    self.reviewing.append(run)
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
        state = self.state
        assert (state.testing.id if state.testing else None) == next(iter(self.testing), None)
        busy_attempt = state.testing is not None and state.testing.kind is RunKind.ATTEMPT
        assert busy_attempt or (state.waiting is None and state.queued is None)
        assert state.testing is None or state.testing.text in {*state.wanted, ""}
        reviewed = {run.text for run in state.reviewing}
        assert state.waiting is None or state.waiting.text not in {state.testing.text, *reviewed}

    def join(self):
        """A save whose text is that of the check that runs."""
        self.feed(JoinCheck(self.take(RunKind.CHECK)))

    def ask(self, kind, text="a"):
        request = self.take(kind, text)
        if kind is RunKind.CHECK:
            self.feed(AskCheck(request))
        else:
            self.taken(all_of_them=True)
        return request

    def take(self, kind, text=""):
        """A request gets its number; an attempt's text is read, which takes its time."""
        request = len(self.asked) + 1
        self.asked[request] = kind
        self.texts[request] = text
        if kind is RunKind.ATTEMPT:
            self.taking.append(request)
        return request

    def taken(self, *, all_of_them=False):
        while self.taking:
            request = self.taking.pop(0)
            self.feed(AskAttempt(request, self.texts[request]))
            if not all_of_them:
                return

    def answered_rightly(self, request, run):
        """Whether the run was about the text of that time, or a later one."""
        later = [each for each in self.asked if each > request]
        about = {self.texts[each] for each in later if self.asked[each] is RunKind.ATTEMPT}
        if self.asked[request] is RunKind.CHECK:
            return self.kinds[run] is RunKind.CHECK or self.ran[run] in about
        return self.ran[run] in {self.texts[request], *about}

    def attempt(self, text="a"):
        return self.ask(RunKind.ATTEMPT, text)

    def end_tests(self, *, counted=True):
        if self.testing:
            self.feed(TestsEnded(next(iter(self.testing)), counted))

    def end_review(self, at=0):
        if self.reviewing:
            self.feed(ReviewEnded(self.reviewing.pop(at)))


ACTIONS = st.lists(
    st.one_of(
        st.sampled_from(["check", "join", "end", "not-counted", "review", "last-review"]),
        st.sampled_from(["cancel-one", "cancel-all", "late"]),
        st.sampled_from(["attempt-a", "attempt-b", "attempt-c", "slow-a", "slow-b", "taken"]),
    ),
    max_size=40,
)


def act(world, action, random):
    match action:
        case "check":
            world.ask(RunKind.CHECK)
        case "join":
            world.join()
        case "attempt-a" | "attempt-b" | "attempt-c":
            world.attempt(action[-1])
        case "slow-a" | "slow-b":
            world.take(RunKind.ATTEMPT, action[-1])
        case "taken":
            world.taken()
        case "end" | "not-counted":
            world.end_tests(counted=action == "end")
        case "review" | "last-review":
            world.end_review(0 if action == "review" else -1)
        case "cancel-all":
            world.feed(Cancel())
        case "cancel-one" if asked := [each for each in world.asked if each not in world.taking]:
            world.feed(Cancel(random.choice(asked)))
        case "late":
            before = world.state
            world.feed(TestsEnded(random.randint(1000, 2000)))
            world.feed(ReviewEnded(random.randint(1000, 2000)))
            assert world.state == before


@given(ACTIONS, st.randoms(use_true_random=False))
def test_every_request_is_answered_once_and_by_its_text_or_a_newer_one(actions, random):
    world = World()
    for action in actions:
        act(world, action, random)
    world.taken(all_of_them=True)
    while world.testing or world.reviewing:
        world.end_tests()
        world.end_review()
    assert set(world.answers) == set(world.asked)
    for request, run in world.answers.items():
        assert run is None or world.answered_rightly(request, run)
    assert world.state == State(next_id=world.state.next_id)


def test_a_save_that_joined_a_check_keeps_it_when_the_command_is_cancelled():
    world = World()
    command = world.ask(RunKind.CHECK)
    world.join()
    world.feed(Cancel(command))
    (run,) = world.testing
    world.end_tests()
    assert world.answers == {command: None, command + 1: run}


def test_a_check_asked_while_the_text_of_an_attempt_is_read_runs_after_it():
    world = World()
    attempt = world.take(RunKind.ATTEMPT, "a")
    check = world.ask(RunKind.CHECK)
    world.taken()
    world.end_tests()
    world.end_tests()
    world.end_review()
    assert world.kinds[world.answers[attempt]] is RunKind.ATTEMPT
    assert world.kinds[world.answers[check]] is RunKind.CHECK


def test_check_supersedes_check_and_answers_both():
    world = World()
    first, second = world.ask(RunKind.CHECK), world.ask(RunKind.CHECK)
    world.end_tests()
    assert world.answers == {first: 2, second: 2}


def test_attempt_supersedes_check_and_its_report_answers_it():
    world = World()
    check, attempt = world.ask(RunKind.CHECK), world.attempt()
    world.end_tests()
    assert world.answers == {check: 2}
    world.end_review()
    assert world.answers == {check: 2, attempt: 2}


def test_check_during_attempt_runs_after_its_tests_and_beside_its_review():
    world = World()
    world.attempt()
    check = world.ask(RunKind.CHECK)
    assert list(world.testing.values()) == [RunKind.ATTEMPT]
    world.end_tests()
    assert list(world.testing.values()) == [RunKind.CHECK]
    assert world.reviewing
    world.end_tests()
    assert world.answers[check] == 2


def test_second_attempt_of_the_same_text_joins_first_also_while_it_is_reviewed():
    world = World()
    first, second = world.attempt(), world.attempt()
    world.end_tests()
    third = world.attempt()
    world.end_review()
    assert world.answers == {first: 1, second: 1, third: 1}


def test_an_attempt_of_another_text_starts_after_the_tests_and_beside_the_review():
    world = World()
    first, second = world.attempt("a"), world.attempt("b")
    assert list(world.ran.values()) == ["a"]
    world.end_tests()
    assert list(world.ran.values()) == ["a", "b"]
    world.end_tests()
    assert world.reviewing == [1, 2]
    world.end_review(-1)
    assert world.answers == {second: 2}
    world.end_review()
    assert world.answers == {first: 1, second: 2}


def test_of_attempts_that_wait_the_newest_wins_and_answers_those_before():
    world = World()
    world.attempt("a")
    older, newer = world.attempt("b"), world.attempt("c")
    world.end_tests()
    world.end_tests()
    assert list(world.ran.values()) == ["a", "c"]
    world.end_review(-1)
    assert world.answers == {older: 2, newer: 2}


def test_back_at_the_text_that_is_being_tested_joins_it():
    world = World()
    first, other, again = world.attempt("a"), world.attempt("b"), world.attempt("a")
    world.end_tests()
    world.end_review()
    assert world.answers == {first: 1, again: 1}
    world.end_tests()
    world.end_review()
    assert world.answers[other] == 2


def test_checks_before_a_waiting_attempt_are_answered_by_it_and_those_after_run_after_it():
    world = World()
    world.attempt("a")
    before = world.ask(RunKind.CHECK)
    world.attempt("b")
    after = world.ask(RunKind.CHECK)
    for _ in range(3):
        world.end_tests()
    assert (world.answers[before], world.answers[after]) == (2, 3)
    assert world.kinds[3] is RunKind.CHECK


def test_giving_up_the_attempt_that_waits_leaves_its_checks():
    world = World()
    world.attempt("a")
    check, waiting = world.ask(RunKind.CHECK), world.attempt("b")
    world.feed(Cancel(waiting))
    world.end_tests()
    world.end_tests()
    assert world.answers == {waiting: None, check: 2}
    assert world.kinds[2] is RunKind.CHECK


def test_giving_up_the_attempt_that_is_tested_starts_the_one_that_waits():
    world = World()
    first = world.attempt("a")
    world.attempt("b")
    world.feed(Cancel(first))
    assert world.ran[2] == "b"
    assert world.answers == {first: None}


def test_cancelled_review_keeps_the_attempt_and_answers_it():
    world = World()
    attempt = world.attempt()
    world.end_tests()
    world.feed(Cancel(attempt))
    world.end_review()
    assert world.answers == {attempt: 1}


def test_uncounted_attempt_is_answered_without_review():
    world = World()
    attempt = world.attempt()
    world.end_tests(counted=False)
    assert world.answers == {attempt: 1}
    assert not world.reviewing
