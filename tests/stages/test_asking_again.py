"""What is asked again, and with which words."""

import json

import pytest
import stage_samples as samples

from tutor_lsp.core.stage import BackendAnswer, BackendFailed, Rejection, Role
from tutor_lsp.stages.asking_again import ERRORS_BYTES, AskingAgain
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.runner import Runner

GOOD = json.dumps(samples.PAYLOADS[Role.TEST])
PATHLESS = json.dumps(samples.PAYLOADS[Role.TEST] | {"file_path": "../Cargo.toml"})
BAD = json.dumps(samples.PAYLOADS[Role.TEST] | {"content": 1, "file_path": None, "more": True})


class Model:
    """Gives its answers in order."""

    name, is_model, needs_prompt = "model", True, True

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    async def answer(self, request):
        self.requests.append(request)
        answer = self.answers[len(self.requests) - 1]
        if answer is None:
            raise BackendFailed("it is logged out")
        return BackendAnswer(answer)


async def asked(backend, role=Role.TEST):
    events = []
    result = await AskingAgain(Runner(events.append)).run(samples.request(role), backend)
    return result, events


async def test_another_form_is_asked_for_again_with_every_error():
    model = Model(BAD, "Sorry, here is half of it: {", GOOD)
    result, events = await asked(model)
    assert result.accepted
    assert result.payload["sections"][0]["content"] == samples.TESTS
    assert [event.data["again"] for event in events] == [0, 1, 2]
    assert [event.kind for event in events] == ["stage-rejected"] * 2 + ["stage-accepted"]
    first, second, third = (request.prompt for request in model.requests)
    for again in (second, third):
        assert (again.head, again.entries) == (first.head, first.entries)
        assert again.tail.startswith(first.tail)
    for path in ("$.content", "$.file_path", "$.more"):
        assert f"\n- {path} " in second.tail
        assert path not in third.tail
    assert "\n- $ is prose" in third.tail
    assert {request.iteration for request in model.requests} == {1}


async def test_it_ends_after_two_more_calls():
    model = Model(BAD, BAD, BAD, GOOD)
    result, _ = await asked(model)
    assert (result.accepted, result.kind) == (False, Rejection.SCHEMA_VALIDATION_FAILED)
    assert len(model.requests) == 3
    assert len(result.details["errors"]) == 3


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(PATHLESS, Rejection.POLICY_VIOLATION), (None, Rejection.EXECUTION_FAILED)],
)
async def test_nothing_else_is_asked_again(answer, kind):
    for answers in ([answer, GOOD], [BAD, answer, GOOD]):
        model = Model(*answers)
        result, _ = await asked(model)
        assert result.kind is kind
        assert len(model.requests) == len(answers) - 1


async def test_a_script_is_played_once():
    lines = [{"stage": "test-expand", "text": text} for text in (BAD, GOOD)]
    backend = ScriptedBackend(lines)
    result, _ = await asked(backend)
    assert result.kind is Rejection.SCHEMA_VALIDATION_FAILED
    assert len(backend.requests) == 1


async def test_a_flood_of_errors_stays_a_prompt():
    flood = json.dumps({"x" * 100 + str(n): 1 for n in range(900)})
    model = Model(flood, GOOD)
    result, _ = await asked(model)
    assert result.accepted
    first, second = (request.prompt.text.encode() for request in model.requests)
    assert 2000 < len(second) - len(first) < ERRORS_BYTES + 500
