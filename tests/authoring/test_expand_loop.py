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
        self.dropped = []

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

    async def surplus(self, role, iteration, sections):
        self.dropped.append((iteration, sections))

    async def run(self, role=Role.STARTER, depth="D1", done=(), **options):
        return await run_expand_loop(
            role,
            depth,
            request=self.request,
            call=self.call,
            accepted=self.keep,
            begun=self.begin,
            surplus=self.surplus,
            done=done,
            **options,
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


def several(count, *, last=False):
    return {
        "schema_version": "starter_section_v2",
        "role": "starter-expand",
        "sections": [{"section_id": f"s{number}"} for number in range(count)],
        "is_complete": last,
        "next_focus": None,
    }


async def test_calls_of_several_sections_keep_to_the_cap_of_sections():
    stage = Stage(several(2), several(3), several(4))
    calls = await stage.run()
    assert [len(call["sections"]) for call in calls] == [2, 3, 1]
    assert calls[-1] == several(4) | {"sections": [{"section_id": "s0"}]}
    assert stage.asked == [(1, None), (2, None), (3, None)]
    assert stage.dropped == [(3, 3)]


async def test_nothing_is_dropped_where_all_fits_or_no_cap_is():
    stage = Stage(several(2), several(4, last=True))
    assert [len(call["sections"]) for call in await stage.run()] == [2, 4]
    stage = Stage(several(40, last=True))
    assert len((await stage.run(capped=False))[0]["sections"]) == 40
    assert stage.dropped == []


async def test_sections_of_earlier_calls_count_as_sections_and_calls():
    stage = Stage(several(3))
    calls = await stage.run(done=[several(2), going_on()])
    assert [iteration for iteration, _ in stage.asked] == [3]
    assert len(calls[-1]["sections"]) == 3


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
