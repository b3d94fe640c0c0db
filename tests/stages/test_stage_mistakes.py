"""What is sent for known mistakes: what they need, and the second time blindly."""

import stage_samples as samples

from tutor_lsp.core.stage import Role
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.mistakes import LIMIT_S, mistakes_request
from tutor_lsp.stages.prompts import head
from tutor_lsp.stages.runner import Runner


async def test_what_both_calls_need_is_sent_once_and_nothing_else_is():
    events = []
    runner = Runner(events.append)
    backend = ScriptedBackend(
        [{"stage": role, "payload": samples.payload(role)} for role in list(Role)[:7]]
    )
    made = samples.conversation(Role.LESSON)
    written, again = (samples.request(role) for role in (Role.MISTAKES, Role.MISTAKE_TAGS))
    for request in (made.request(Role.LESSON), written, made.request(Role.LESSON, 2), again):
        packet = request.packet | {"setup_id": "one"}
        sent = type(request)(request.role, packet, request.prompt, request.iteration)
        await runner.run(sent, backend)
    assert written.prompt.head == again.prompt.head == head("mistakes", "python")
    assert written.prompt.entries == again.prompt.entries[:-1]
    shared = len("".join((written.prompt.head, *written.prompt.entries)).encode())
    _, first, loop, second = (event.data for event in events)
    assert first["sharedPrefixBytes"] == 0
    assert second["sharedPrefixBytes"] >= shared
    assert loop["sharedPrefixBytes"] > 4000  # of the loop's call before
    text = written.prompt.text
    assert text.count("def cups(") == text.count("def test_cups_of_three") == 1
    assert "raise NotImplementedError" not in text
    assert "Three shelves of four books" not in text


def test_files_without_stubs_are_shown_beside_the_reference():
    made = samples.conversation(Role.STARTER)
    for number, (path, text) in enumerate(
        (("tea.py", samples.STARTER), ("src/exercise/cake.py", "A = 1\n"), ("cake.py", "B = 2\n")),
        start=1,
    ):
        section = samples.payload(Role.STARTER) | {"file_path": path, "content": text}
        made.accept(Role.STARTER, number, section)
    text = mistakes_request(made, {samples.FILE: samples.SOLUTION}).prompt.text
    assert text.count("def cups(") == 1
    assert "A = 1" in text
    assert "B = 2" in text


def test_both_calls_name_the_tags_that_there_are():
    for role in (Role.MISTAKES, Role.MISTAKE_TAGS):
        assert '["rounds-down","off-by-one"]' in samples.request(role).prompt.text


def test_they_are_waited_for_less_than_what_an_exercise_needs():
    assert samples.request(Role.MISTAKES).limit_s == LIMIT_S
    assert samples.conversation(limit_s=5).beside(Role.MISTAKES, "", ()).limit_s == 5


def test_a_backend_without_prompts_gets_the_packet_alone():
    request = samples.conversation(prompts=False).beside(Role.MISTAKES, "", ("\nmore",))
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
