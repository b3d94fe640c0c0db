"""What is sent for known mistakes: behind all that was sent before, and the second time blindly."""

import stage_samples as samples

from tutor_lsp.core.stage import Role
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.mistakes import LIMIT_S
from tutor_lsp.stages.prompts import head
from tutor_lsp.stages.runner import Runner


async def test_only_what_is_new_is_sent_unshared():
    events = []
    runner = Runner(events.append)
    made = samples.conversation(Role.LESSON, setup_id="one")
    backend = ScriptedBackend(
        [{"stage": role, "payload": samples.payload(role)} for role in list(Role)[:6]]
    )
    requests = [made.request(Role.LESSON)]
    made.accept(Role.LESSON, 1, samples.payload(Role.LESSON))
    requests += [samples.request(role) for role in (Role.MISTAKES, Role.MISTAKE_TAGS)]
    for request in requests:
        packet = request.packet | {"setup_id": "one"}
        await runner.run(type(request)(request.role, packet, request.prompt), backend)
    _, first, second = (event.data for event in events)
    lesson, written, again = (request.prompt for request in requests)
    before = len((lesson.head + "".join(lesson.entries)).encode())
    assert first["sharedPrefixBytes"] >= before
    new = (*written.entries[len(lesson.entries) :], written.tail)
    assert first["promptBytes"] - first["sharedPrefixBytes"] <= len("".join(new).encode())
    assert head("mistakes", "python").strip() in "".join(new)
    new = (*again.entries[len(written.entries) :], again.tail)
    assert second["promptBytes"] - second["sharedPrefixBytes"] <= len("".join(new).encode())


def test_both_calls_name_the_tags_that_there_are():
    for role in (Role.MISTAKES, Role.MISTAKE_TAGS):
        assert '["rounds-down","off-by-one"]' in samples.request(role).prompt.text


def test_they_are_waited_for_less_than_what_an_exercise_needs():
    assert samples.request(Role.MISTAKES).limit_s == LIMIT_S
    assert samples.conversation(limit_s=5).after(Role.MISTAKES, ()).limit_s == 5


def test_a_backend_without_prompts_gets_the_packet_alone():
    request = samples.conversation(prompts=False).after(Role.MISTAKES, ("\nmore",))
    assert request.prompt is None
    assert request.packet["mistakes"] is None


async def test_without_what_they_are_about_they_are_not_asked_for():
    for role, part in ((Role.MISTAKES, None), (Role.MISTAKE_TAGS, {"reference": [], "tried": []})):
        request = samples.request(role)
        broken = type(request)(role, request.packet | {"mistakes": part}, request.prompt)
        backend = ScriptedBackend([])
        result = await Runner(lambda _: None).run(broken, backend)
        assert (result.kind, backend.requests) == ("INVALID_CONTEXT", [])
        assert "$.mistakes" in result.reason
