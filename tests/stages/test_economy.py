"""What calls cost: the bars of append-only prompts, sums per session, limits, the last prompt."""

import contextlib
import json
import stat
from collections import Counter
from dataclasses import replace

import pytest
import stage_samples as samples

from tutor_lsp.contracts import validate as validation
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import Event, Session
from tutor_lsp.core.stage import EXPAND_ROLES, Rejection, Role
from tutor_lsp.stages.backends.library import LibraryBackend
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.conversation import ASSIGNMENT_BYTES, HEAD_BYTES, TAIL_BYTES
from tutor_lsp.stages.economy import Allowance, Budget, Tally, economy, model_calls, session_rows
from tutor_lsp.stages.runner import Runner
from tutor_lsp.tutor.learner.record.spending import LAST_PROMPT, LastPrompt

COUNTS = {Role.STARTER: 7, Role.TEST: 9, Role.LESSON: 13}
FOCUS = "the next part, as the plan says: " + "x" * 200


class Rows(list):
    """An event sink whose items look like lines of the event log."""

    def __call__(self, event: Event) -> None:
        self.append(
            {"id": len(self) + 1, "kind": event.kind, "session": event.session, "data": event.data}
        )


def section(role: Role, number: int) -> dict:
    """A section of the size that library exercises have."""
    text = samples.payload(role)
    more = {"file_path": f"part_{number}.py"} if role is not Role.LESSON else {}
    return text | more | {
        "section_id": f"section-{number}",
        "content": f"# part {number}\n" + text["content"] * 4,
        "is_complete": number == COUNTS[role],
        "next_focus": f"{number} {FOCUS}",
    }  # fmt: skip


def script() -> list[dict]:
    """The 30 answers of a set-up."""
    lines = [{"stage": "scaffold", "payload": samples.payload(Role.SCAFFOLD)}]
    for role in EXPAND_ROLES:
        for number in range(1, COUNTS[role] + 1):
            payload = section(role, number)
            lines.append({"stage": role.value, "iteration": number, "payload": payload})
    return lines


class StoppedError(Exception):
    """A call was not accepted."""


async def play(runner: Runner, backend, **options):
    """A set-up's calls in order; the conversation and the prompts that were sent."""
    made = samples.conversation(Role.SCAFFOLD, setup_id="s-1", **options)
    prompts = []
    for line in script():
        role, number = Role(line["stage"]), line.get("iteration", 1)
        done = made.sections.get(role) or [{"next_focus": None}]
        request = made.request(role, number, done[-1]["next_focus"])
        prompts.append(request.prompt)
        result = await runner.run(request, backend)
        if not result.accepted:
            raise StoppedError(result)
        made.accept(role, number, result.payload)
    return made, prompts


def size(text: str) -> int:
    return len(text.encode())


async def test_loop_calls_send_no_byte_twice_unshared():
    rows = Rows()
    made, prompts = await play(Runner(rows), ScriptedBackend(script()))
    loops = prompts[1:]
    tails = [size(prompt.tail) for prompt in loops]
    focused = [
        size(prompt.tail) - (size(FOCUS) + 3 if FOCUS in prompt.tail else 0) for prompt in loops
    ]
    accepted = [json.dumps(line["payload"], separators=(",", ":")) for line in script()]
    found = economy(rows)["loops"]
    assert found["calls"] == sum(COUNTS.values()) == 29
    assert found["bytes"] == sum(size(prompt.text) for prompt in loops)
    unshared = found["bytes"] - found["sharedPrefixBytes"]
    assert unshared <= size(made.head) + sum(map(size, accepted)) + sum(tails)
    assert max(focused) <= TAIL_BYTES
    assert size(made.head) <= HEAD_BYTES + ASSIGNMENT_BYTES
    assert found["share"] > 0.9


async def test_the_blind_call_does_not_spoil_what_the_loops_share():
    rows = Rows()
    runner = Runner(rows)
    made, _ = await play(runner, ScriptedBackend(script()))
    solution = replace(samples.request(Role.SOLUTION))
    packet = {**solution.packet, "setup_id": "s-1"}
    line = {"stage": "solution", "payload": samples.payload(Role.SOLUTION)}
    await runner.run(replace(solution, packet=packet), ScriptedBackend([line]))
    repair = made.request(Role.LESSON, COUNTS[Role.LESSON], "mend it")
    payload = section(Role.LESSON, COUNTS[Role.LESSON])
    await runner.run(repair, ScriptedBackend([{"stage": "lesson-expand", "payload": payload}]))
    assert rows[-2]["data"]["sharedPrefixBytes"] == 0
    assert rows[-1]["data"]["sharedPrefixBytes"] > 0.9 * rows[-1]["data"]["promptBytes"] - 4000
    assert economy(rows)["other"]["calls"] == 2


async def test_a_call_costs_one_event_one_kept_prompt_and_two_checks(monkeypatch):
    done = Counter()
    real = validation.validate

    def counted(contract, data, read=None):
        done["packets" if contract == "context_packet_v1" else "answers"] += 1
        return real(contract, data, read)

    for user in ("packet", "runner"):
        monkeypatch.setattr(f"tutor_lsp.stages.{user}.validate", counted)
    rows = Rows()
    runner = Runner(rows, keep_prompt=lambda sent: done.update(["kept"]))
    await play(runner, ScriptedBackend(script()))
    assert done == {"packets": 30, "answers": 30, "kept": 30}
    assert [row["kind"] for row in rows] == ["stage-accepted"] * 30


class Killed(BaseException):
    """The process is gone."""


async def test_a_call_that_was_killed_is_known_by_what_was_sent():
    rows = Rows()
    runner = Runner(rows, sent=rows)
    request = samples.conversation(Role.STARTER, setup_id="s-1").request(Role.STARTER)

    class Model(ScriptedBackend):
        async def answer(self, request):
            sent.append([row["kind"] for row in rows])
            if not self._lines:
                raise Killed
            return await super().answer(request)

    sent = []
    line = {"stage": "starter-expand", "payload": samples.payload(Role.STARTER)}
    for lines in ([line], []):
        with contextlib.suppress(Killed):
            await runner.run(request, Model(lines))
    assert sent == [["stage-sent"], ["stage-sent", "stage-accepted", "stage-sent"]]
    found = economy(rows)
    assert (found["calls"], found["inFlight"]["calls"]) == (2, 1)
    assert found["bytes"] == 2 * found["inFlight"]["bytes"] == 2 * size(request.prompt.text)
    assert found["perStage"].keys() == {"starter-expand"}
    assert found["repairs"]["calls"] == found["askedAgain"]["calls"] == 0


async def test_what_is_not_sent_is_no_call_in_flight():
    rows = Rows()
    request = samples.request(Role.STARTER)
    broken = replace(request, packet=request.packet | {"iteration": 9})
    await Runner(rows, sent=rows).run(broken, ScriptedBackend([]))
    await Runner(rows, sent=rows).run(samples.request(Role.COACH), LibraryBackend(None))
    assert [row["kind"].partition("-")[0] for row in rows] == ["stage", "stage"]
    assert "stage-sent" not in [row["kind"] for row in rows]


async def test_sums_are_told_per_stage_with_the_providers_tokens():
    rows = Rows()
    usage = {"input_tokens": 100, "cached_input_tokens": 90, "output_tokens": 7}
    runner = Runner(rows)
    for role in (Role.SCAFFOLD, Role.STARTER):
        line = {"stage": role.value, "payload": samples.payload(role), "usage": usage}
        request = samples.conversation(role, setup_id="s-1").request(role)
        await runner.run(request, ScriptedBackend([line]))
    await runner.run(samples.request(Role.TEST), ScriptedBackend([{"stage": "coach", "text": ""}]))
    library = LibraryBackend(None)
    await runner.run(samples.request(Role.COACH), library)
    found = economy(rows)
    assert len(rows) == 4
    assert (found["calls"], set(found["perStage"])) == (
        3,
        {"scaffold", "starter-expand", "test-expand"},
    )
    assert found["providerTokens"] == {"input": 200, "cachedInput": 180, "output": 14}
    assert found["bytes"] == sum(part["bytes"] for part in found["perStage"].values())
    shared = found["perStage"]["starter-expand"]["sharedPrefixBytes"]
    assert found["sharedPrefixBytes"] == shared > 1000
    assert found["share"] == round(shared / found["bytes"], 4)
    assert economy([])["share"] == 0.0


def session(name: str, **changes) -> Session:
    given = {
        "id": name,
        "exercise_id": "e",
        "node": "python-numbers",
        "title": "T",
        "language": "python",
        "depth": "D1",
        "workspace": "/w",
        "lesson": "/w/LESSON.md",
        "created_at": "",
        "updated_at": "",
        "backend": "codex",
    }
    return Session(**given | changes)


def test_a_session_has_its_own_calls_and_the_set_ups_that_led_to_it():
    mine = {"node": "python-numbers", "language": "python", "depth": "D1", "backend": "codex"}
    lines = [
        ("stage-accepted", None, mine),
        ("session-started", "old", {}),
        ("stage-rejected", None, mine),
        ("stage-accepted", None, mine | {"depth": "D2"}),
        ("stage-accepted", None, mine | {"backend": "claude"}),
        ("session-started", "other", {}),
        ("stage-accepted", None, mine),
        ("session-started", "new", {}),
        ("stage-accepted", "new", {"role": "coach"}),
        ("stage-accepted", "old", {"role": "coach"}),
        ("stage-accepted", None, mine),
        ("hint", "new", {}),
    ]
    rows = [
        {"id": number, "kind": kind, "session": owner, "data": data}
        for number, (kind, owner, data) in enumerate(lines, start=1)
    ]
    sessions = [session("old"), session("other", node="else"), session("new")]
    found = {one.id: [r["id"] for r in session_rows(one, sessions, rows)] for one in sessions}
    assert found == {"old": [1, 10], "other": [], "new": [3, 7, 9]}
    adopted = session("adopted")
    assert session_rows(adopted, [*sessions, adopted], rows) == []


def never(_session: str) -> Tally:
    raise AssertionError("a set-up counts by itself")


@pytest.mark.parametrize(
    ("allowance", "setting"),
    [
        (Allowance(5, 10**9), "limits.sessionCalls"),
        (Allowance(10**6, 40_000), "limits.sessionBytes"),
    ],
)
async def test_a_set_up_stops_at_its_limit_with_a_clear_message(allowance, setting):
    rows = Rows()
    backend = ScriptedBackend(script())
    runner = Runner(rows, budget=Budget(allowance, never))
    with pytest.raises(StoppedError) as caught:
        await play(runner, backend)
    (result,) = caught.value.args
    assert result.kind is Rejection.BUDGET
    assert result.reason.endswith(f"to a model for one session is reached ({setting})")
    sent = Tally.of(model_calls(rows))
    assert sent.calls == len(backend.requests) <= allowance.calls
    assert sent.bytes <= allowance.bytes
    last = rows[-1]
    assert (last["kind"], last["data"]["kind"]) == ("stage-rejected", Rejection.BUDGET)
    assert last["data"]["promptBytes"] == 0
    assert last["data"]["details"]["setting"] == setting


async def test_a_session_that_spent_its_limit_gets_no_more_hints_from_a_model():
    asked = []

    def spent(name: str) -> Tally:
        asked.append(name)
        return Tally(200, 1000)

    request = samples.request(Role.COACH)
    backend = ScriptedBackend([{"stage": "coach", "payload": samples.payload(Role.COACH)}])
    rows = Rows()
    result = await Runner(rows, budget=Budget(Allowance(200, 10**6), spent)).run(request, backend)
    assert result.kind is Rejection.BUDGET
    assert backend.requests == []
    result = await Runner(rows, budget=Budget(Allowance(201, 10**6), spent)).run(request, backend)
    assert result.accepted
    assert asked == ["session-1", "session-1"]


async def test_a_record_that_cannot_be_read_is_told_and_nothing_is_sent():
    def locked(_name: str) -> Tally:
        raise TutorError("STORE", "The record is locked. Try again.")

    backend = ScriptedBackend([{"stage": "coach", "text": "{}"}])
    runner = Runner(Rows(), budget=Budget(Allowance(9, 10**6), locked))
    result = await runner.run(samples.request(Role.COACH), backend)
    assert result.reason == "The record is locked. Try again."
    assert backend.requests == []


async def test_only_the_last_prompt_is_kept_and_only_for_its_owner(tmp_path):
    last = LastPrompt(tmp_path, lambda: "2026-01-02T03:04:05Z")
    with pytest.raises(TutorError) as caught:
        last.read()
    assert caught.value.kind == "NO_PROMPT"
    runner = Runner(Rows(), keep_prompt=last.keep)
    for role in (Role.SCAFFOLD, Role.LESSON):
        await runner.run(
            samples.request(role), ScriptedBackend([{"stage": role.value, "text": ""}])
        )
    text = samples.request(Role.LESSON).prompt.text
    assert last.read() == {
        "at": "2026-01-02T03:04:05Z",
        "backend": "scripted",
        "role": "lesson-expand",
        "iteration": 1,
        "contract": "lesson_section_v2",
        "bytes": size(text),
        "text": text,
    }
    assert [path.name for path in tmp_path.iterdir()] == [LAST_PROMPT]
    assert stat.S_IMODE((tmp_path / LAST_PROMPT).stat().st_mode) == 0o600


async def test_a_prompt_that_cannot_be_kept_does_not_cost_the_answer(tmp_path):
    keep = LastPrompt(tmp_path / "gone", lambda: "now").keep
    line = {"stage": "test-expand", "payload": samples.payload(Role.TEST)}
    result = await Runner(Rows(), keep_prompt=keep).run(
        samples.request(Role.TEST), ScriptedBackend([line])
    )
    assert result.accepted
    assert "gone" in result.details["keepError"]


def test_a_damaged_last_prompt_is_told(tmp_path):
    (tmp_path / LAST_PROMPT).write_text("{", "utf-8")
    with pytest.raises(TutorError, match="cannot be read"):
        LastPrompt(tmp_path, lambda: "").read()
