"""One stage from request to result: what is accepted, refused, cancelled, and what is logged."""

import asyncio
import json
from dataclasses import replace

import pytest
import stage_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.authoring.payload_records import read_lines
from tutor_lsp.contracts.validate import validate
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event
from tutor_lsp.core.stage import BackendAnswer, BackendFailed, Rejection, Role, Usage
from tutor_lsp.stages.backends.scripted import ScriptedBackend, create
from tutor_lsp.stages.runner import Runner


class Log:
    """An event sink that keeps what it was given."""

    def __init__(self):
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        json.dumps(event.data)
        self.events.append(event)

    @property
    def last(self) -> dict:
        return self.events[-1].data | {"event": self.events[-1].kind}


@pytest.fixture
def log():
    return Log()


def from_file(path) -> ScriptedBackend:
    return create(BackendContext({"scripted.file": str(path)}, {"scripted.lines": read_lines}))


def scripted(role: Role, **line) -> ScriptedBackend:
    return ScriptedBackend([{"stage": role.value, **line}])


class Backend:
    """A backend made of one coroutine function."""

    name = "odd"
    is_model = needs_prompt = True

    def __init__(self, answer):
        self._answer = answer

    async def answer(self, request):
        return await self._answer(request)


@pytest.mark.parametrize("role", list(Role))
async def test_a_good_answer_is_accepted(role, log):
    payload = samples.payload(role)
    usage = {"input_tokens": 12, "cached_input_tokens": 3, "output_tokens": 4}
    backend = scripted(role, payload=payload, usage=usage)
    request = samples.request(role)
    result = await Runner(log).run(request, backend)
    payload = validate(request.contract, payload)
    assert (result.accepted, result.payload, result.kind) == (True, payload, None)
    assert result.usage == Usage(12, 3, 4)
    assert len(log.events) == 1
    assert log.last["event"] == "stage-accepted"
    assert log.last["promptBytes"] == len(request.prompt.text.encode())
    assert log.last["answerBytes"] > 100
    assert log.last["inputTokens"] == 12
    session = "session-1" if role in (Role.COACH, Role.REVIEWER) else None
    assert log.events[0].session == session


async def test_shared_prefixes_are_measured_per_set_up(log):
    runner = Runner(log)
    for setup in ("a", "b", "a"):
        role = Role.SCAFFOLD
        request = samples.conversation(role, setup_id=setup).request(role)
        await runner.run(request, scripted(role, payload=samples.payload(role)))
    shared = [event.data["sharedPrefixBytes"] for event in log.events]
    assert shared == [0, 0, log.last["promptBytes"]]


@pytest.mark.parametrize(
    ("text", "path", "reason"),
    [
        ("I would rather talk.", "$", "not a JSON document"),
        ("", "$", "empty"),
        ('{"schema_version": "lesson_sec', "$", "breaks off"),
        (json.dumps(samples.PAYLOADS[Role.LESSON])[:-2], "$", "breaks off"),
        ("x" * 3_000_000, "$", "too large"),
        (json.dumps(samples.PAYLOADS[Role.LESSON] | {"type": 3}), "$.type", "must be a string"),
    ],
)
async def test_broken_answers_are_refused_with_path_and_reason(text, path, reason, log):
    result = await Runner(log).run(samples.request(Role.LESSON), scripted(Role.LESSON, text=text))
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED
    assert result.payload is None
    assert result.details["errors"][0]["path"] == path
    assert reason in result.details["errors"][0]["reason"]
    assert reason in result.reason
    assert log.last["event"] == "stage-rejected"
    assert log.last["kind"] == "SCHEMA_VALIDATION_FAILED"
    assert log.last["details"]["errors"][0]["path"] == path
    assert len(json.dumps(log.last)) < 3000


async def test_every_error_is_in_the_result_and_few_of_many_in_the_log(log):
    payload = samples.payload(Role.SCAFFOLD)
    payload["test_plan"]["case_intents"] = [1] * 60
    backend = scripted(Role.SCAFFOLD, payload=payload)
    result = await Runner(log).run(samples.request(Role.SCAFFOLD), backend)
    assert len(result.details["errors"]) == 60
    assert result.details["errors"][59]["path"] == "$.test_plan.case_intents[59]"
    assert len(log.last["details"]["errors"]) == 50


async def test_a_broken_rule_is_told_by_its_id(log):
    payload = samples.payload(Role.STARTER) | {"file_path": "../../.bashrc", "content": " "}
    backend = scripted(Role.STARTER, payload=payload)
    result = await Runner(log).run(samples.request(Role.STARTER), backend)
    assert result.kind is Rejection.POLICY_VIOLATION
    assert result.details["rules"] == ["path-parent", "path-reserved"]
    assert result.details["violations"][0]["path"] == "$.sections[0].file_path"
    assert log.last["kind"] == "POLICY_VIOLATION"


async def test_a_backend_that_fails_is_told_with_its_details(log):
    backend = scripted(Role.TEST, error="Codex is logged out", details={"status": 401})
    result = await Runner(log).run(samples.request(Role.TEST), backend)
    assert (result.kind, result.reason) == (Rejection.EXECUTION_FAILED, "Codex is logged out")
    assert result.details == {"status": 401}
    assert log.last["reason"] == "Codex is logged out"


async def test_the_limit_ends_a_call_and_the_backend_with_it(log):
    ended = asyncio.Event()

    async def hang(_request):
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    request = samples.conversation(Role.TEST, limit_s=0.05).request(Role.TEST)
    result = await Runner(log).run(request, Backend(hang))
    assert result.kind is Rejection.EXECUTION_FAILED
    assert result.details == {"timeout": True, "limitS": 0.05}
    assert "within 0.05 s" in result.reason
    assert ended.is_set()


async def test_a_timeout_of_the_backends_own_is_not_taken_for_ours(log):
    async def give_up(_request):
        raise TimeoutError("socket")

    result = await Runner(log).run(samples.request(Role.TEST), Backend(give_up))
    assert result.kind is Rejection.EXECUTION_FAILED
    assert "timeout" not in result.details
    assert "socket" in result.reason


async def test_cancelling_is_logged_and_raised_again(log):
    asked, ended = asyncio.Event(), asyncio.Event()

    async def hang(_request):
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    task = asyncio.create_task(Runner(log).run(samples.request(Role.TEST), Backend(hang)))
    await asyncio.wait_for(asked.wait(), 5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
    assert log.last["kind"] == "CANCELLED"


async def test_a_backend_that_cancels_itself_gives_a_result(log):
    async def refuse(_request):
        raise asyncio.CancelledError

    result = await Runner(log).run(samples.request(Role.TEST), Backend(refuse))
    assert (result.accepted, result.kind) == (False, Rejection.CANCELLED)
    assert log.last["kind"] == "CANCELLED"


async def test_a_defect_in_a_backend_is_a_result_that_names_it(log):
    async def broken(_request):
        raise KeyError("oops")

    result = await Runner(log).run(samples.request(Role.TEST), Backend(broken))
    assert result.kind is Rejection.EXECUTION_FAILED
    assert "KeyError" in result.reason
    assert "broken" in result.details["trace"]


async def test_a_request_that_is_not_in_order_is_not_asked(log):
    backend = scripted(Role.LESSON, payload=samples.payload(Role.LESSON))
    request = samples.conversation(Role.TEST).request(Role.LESSON)
    result = await Runner(log).run(request, backend)
    assert result.kind is Rejection.INVALID_CONTEXT
    assert [error["path"] for error in result.details["errors"]] == ["$.tests"]
    assert backend.requests == []
    assert log.last["kind"] == "INVALID_CONTEXT"


async def test_nobody_is_asked_for_a_verdict_without_evidence(log):
    empty = replace(samples.GREEN, tests=())
    for report in (None, empty):
        backend = scripted(Role.REVIEWER, payload=samples.payload(Role.REVIEWER))
        result = await Runner(log).run(samples.request(Role.REVIEWER, report=report), backend)
        assert result.kind is Rejection.INVALID_CONTEXT
        assert result.details["errors"][0]["path"] == "$.tutoring.run"
        assert backend.requests == []


async def test_a_prompt_is_needed_only_where_the_backend_says_so(log):
    request = samples.conversation(Role.TEST, prompts=False).request(Role.TEST)
    line = {"stage": "test-expand", "payload": samples.payload(Role.TEST)}
    result = await Runner(log).run(request, ScriptedBackend([line]))
    assert result.kind is Rejection.INVALID_CONTEXT
    backend = ScriptedBackend([line])
    backend.needs_prompt = False
    result = await Runner(log).run(request, backend)
    assert result.accepted
    assert log.last["promptBytes"] == 0


async def test_an_answer_survives_a_log_that_does_not_take_it():
    def full(_event):
        raise TutorError("STORE", "The disk is full.")

    backend = scripted(Role.TEST, payload=samples.payload(Role.TEST))
    result = await Runner(full).run(samples.request(Role.TEST), backend)
    assert result.accepted
    assert result.details == {"logError": "The disk is full."}


async def test_the_duration_is_that_of_the_clock(log):
    times = iter([10.0, 12.5, 12.5])
    backend = scripted(Role.TEST, payload=samples.payload(Role.TEST))
    result = await Runner(log, lambda: next(times)).run(samples.request(Role.TEST), backend)
    assert result.duration_ms == 2500
    assert log.last["durationMs"] == 2500


@given(st.text(st.characters(codec=None), max_size=80) | st.sampled_from(["{", "[]", "null", "{}"]))
def test_no_text_breaks_the_runner(text):
    async def answer(_request):
        return BackendAnswer(text)

    result = asyncio.run(Runner(Log()).run(samples.request(Role.LESSON), Backend(answer)))
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED
    assert result.details["errors"]


async def test_scripts_are_used_up_in_order_and_by_iteration(tmp_path):
    lines = [
        {"stage": "test-expand", "iteration": 2, "text": "second", "accepted": True},
        {"stage": "test-expand", "text": "any"},
    ]
    path = tmp_path / "script.jsonl"
    path.write_text("\n\n".join(json.dumps(line) for line in lines) + "\n", "utf-8")
    backend = from_file(path)
    assert (await backend.probe()).available
    request = samples.request(Role.TEST)
    assert (await backend.answer(request)).text == "any"
    with pytest.raises(BackendFailed, match="no answer for test-expand 1"):
        await backend.answer(request)
    assert len(backend.requests) == 2


async def test_a_scripted_answer_may_be_late_and_is_cancelled_like_any_other():
    backend = scripted(Role.TEST, text="x", delay_s=60)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(backend.answer(samples.request(Role.TEST)), 0.05)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "line 1: it isn't valid JSON"),
        ("[]", "line 1: it isn't a JSON object"),
        ("{}", "line 1 names no stage"),
        ('{"stage": "coach"}', "line 1 must have one of"),
        ('{"stage": "coach", "text": "a", "error": "b"}', "line 1 must have one of"),
    ],
)
def test_a_broken_script_is_refused_with_its_line(text, said, tmp_path):
    path = tmp_path / "script.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(TutorError) as caught:
        from_file(path)
    assert caught.value.kind == "BAD_SCRIPT"
    assert said in caught.value.message


def test_a_missing_script_is_refused(tmp_path):
    with pytest.raises(TutorError, match="cannot be used"):
        from_file(tmp_path / "none.jsonl")
