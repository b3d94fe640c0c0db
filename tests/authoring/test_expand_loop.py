"""The shared loop: caps, completion, focus, no repetition."""

import pytest

from tutor_lsp.authoring.loop import CAPS, StageRejectedError, refusal, run_expand_loop
from tutor_lsp.core.stage import EXPAND_ROLES, Rejection, Role, StageRequest, StageResult


class Stage:
    """Answers with the given payloads in order, the last one again and again."""

    def __init__(self, *payloads):
        self.payloads = payloads
        self.asked = []
        self.accepted = []
        self.begun = []

    def request(self, role, iteration, focus):
        self.asked.append((iteration, focus))
        return StageRequest(role, {}, None, iteration)

    async def call(self, request):
        payload = self.payloads[min(request.iteration, len(self.payloads)) - 1]
        if isinstance(payload, Rejection):
            return StageResult(request.role, accepted=False, kind=payload, reason="it is off")
        return StageResult(request.role, accepted=True, payload=payload)

    async def keep(self, role, iteration, payload):
        self.accepted.append(iteration)

    def begin(self, role, iteration, cap, focus):
        self.begun.append((iteration, cap, focus))

    async def run(self, role=Role.STARTER, depth="D1", done=()):
        return await run_expand_loop(
            role,
            depth,
            request=self.request,
            call=self.call,
            accepted=self.keep,
            begun=self.begin,
            done=done,
        )


def going_on(focus=None):
    return {"is_complete": False, "next_focus": focus}


DONE = {"is_complete": True, "next_focus": None}


@pytest.mark.parametrize(
    ("depth", "caps"), [("D1", (6, 8, 12)), ("D2", (8, 10, 15)), ("D3", (9, 12, 18))]
)
async def test_the_cap_ends_a_loop_with_what_it_has(depth, caps):
    for role, cap in zip(EXPAND_ROLES, caps, strict=True):
        stage = Stage(going_on())
        sections = await stage.run(role, depth)
        assert len(sections) == len(stage.asked) == cap == CAPS[depth][role]
        assert stage.begun[-1] == (cap, cap, None)


async def test_completion_ends_a_loop_at_once():
    stage = Stage(going_on(), DONE, going_on())
    assert await stage.run() == [going_on(), DONE]
    assert stage.accepted == [1, 2]


async def test_the_focus_of_one_call_goes_into_the_next():
    stage = Stage(going_on("tokens"), going_on("  "), {"is_complete": False}, DONE)
    await stage.run()
    assert stage.asked == [(1, None), (2, "tokens"), (3, None), (4, None)]


async def test_a_rejected_call_is_not_repeated():
    stage = Stage(going_on(), Rejection.SCHEMA_VALIDATION_FAILED)
    with pytest.raises(StageRejectedError) as caught:
        await stage.run()
    assert stage.asked == [(1, None), (2, None)]
    assert stage.accepted == [1]
    assert caught.value.iteration == 2


async def test_sections_of_an_earlier_start_count():
    stage = Stage(going_on())
    sections = await stage.run(done=[going_on(), going_on("parser")])
    assert len(sections) == 6
    assert stage.asked[0] == (3, "parser")


async def test_a_finished_loop_asks_nothing():
    stage = Stage(going_on())
    assert await stage.run(done=[going_on(), DONE]) == [going_on(), DONE]
    assert stage.asked == []


@pytest.mark.parametrize("kind", list(Rejection))
def test_every_refusal_names_stage_reason_and_what_to_do(kind):
    result = StageResult(
        Role.TEST, accepted=False, kind=kind, reason="no answer within 300 s", details={"a": 1}
    )
    error = refusal(result, 3)
    assert error.data() == {
        "kind": kind.value,
        "stage": "test-expand",
        "reason": "no answer within 300 s",
        "details": {"a": 1},
    }
    assert error.message.startswith("The exercise could not be made, it stopped at test-expand 3: ")
    assert error.message.count(". ") >= 1
