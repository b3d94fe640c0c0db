"""Records of older payloads, made fit for today's contracts, and what stays wrong with them."""

import json
import re

import pytest
from authoring_kit import deps, request, scaffold, script, section

from tutor_lsp.authoring.payload_records import (
    import_payloads,
    is_record,
    read_lines,
    replayed,
)
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.contracts.validate import validate
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.stage import CONTRACTS, SEVERAL, Role
from tutor_lsp.stages.backends.scripted import create
from tutor_lsp.tutor.services.replay import replay_arguments, replay_lines

OLD_SCAFFOLD = {
    "scaffold_id": "OLD-1",
    "node_id": "OLD",
    "depth_target": "D1",
    "lesson_plan": {"section_intents": ["why signs"]},
    "starter_plan": ["signs.py"],
    "planner_mood": "sunny",
}


def recorded(*lines) -> list[dict]:
    """Lines of a record: role, iteration, payload each."""
    return [
        {"stage": role, "iteration": number, "accepted": True, "payload": payload}
        for role, number, payload in lines
    ]


def without(payload: dict, *names: str) -> dict:
    return {key: value for key, value in payload.items() if key not in names}


OLD = recorded(
    ("scaffold", 1, OLD_SCAFFOLD),
    ("starter-expand", 1, {"section_id": "signs.py", "content": "x = 1\n", "is_complete": False}),
    ("starter-expand", 2, {"file_path": "src/more.py", "content": "y = 1\n"}),
    ("test-expand", 1, {"file_path": "test_signs.py", "content": "def test(): pass\n"}),
    ("lesson-expand", 1, {"content": "Signs.\n", "is_complete": False}),
)


def test_what_an_older_record_lacks_is_filled_in():
    found = import_payloads(OLD)
    assert found.broken == {}
    assert {role: len(payloads) for role, payloads in found.payloads.items()} == {
        Role.SCAFFOLD: 1, Role.STARTER: 2, Role.TEST: 1, Role.LESSON: 1,
    }  # fmt: skip
    for role, payloads in found.payloads.items():
        for payload in payloads:
            assert validate(CONTRACTS[role], payload) == payload
    (plan,) = found.payloads[Role.SCAFFOLD]
    assert plan["units"] is None
    assert plan["exercise_description"] == "why signs"
    assert plan["starter_plan"] == {"file_intents": ["signs.py"]}
    assert plan["test_plan"] == {"case_intents": ["test_signs.py"]}
    first, second = found.payloads[Role.STARTER]
    assert (first["file_path"], first["type"], first["is_complete"]) == ("signs.py", "file", False)
    assert (second["section_id"], second["is_complete"]) == ("src/more.py", True)
    assert found.payloads[Role.LESSON][0]["is_complete"] is True
    assert found.faults == ()
    assert "planner_mood" not in plan
    assert found.language == "python"
    assert found.stages.scaffold == plan


def test_what_cannot_be_filled_is_told_at_its_place():
    found = import_payloads(
        recorded(
            ("starter-expand", 1, {"section_id": "one", "content": "x"}),
            ("test-expand", 1, {"file_path": "t.py", "content": 3, "is_complete": True}),
            ("poet", 1, {}),
            ("lesson-expand", 1, "prose"),
        )
    )
    assert {(fault.role, fault.path, fault.message) for fault in found.faults} == {
        ("starter-expand", "$.file_path", "is missing"),
        ("test-expand", "$.content", "must be a string, not a number"),
        ("?", "$", "line 3 has stage 'poet'; it is left out"),
        ("lesson-expand", "$", "line 4 has no payload; it is left out"),
        ("scaffold", "$", "the record has no scaffold payload"),
        ("lesson-expand", "$", "the record has no lesson-expand payload"),
    }
    assert found.payloads == {}
    assert set(found.broken) == {(Role.STARTER, 1), (Role.TEST, 1)}
    assert found.stages is None
    assert found.language is None


@pytest.mark.parametrize(
    ("file", "name"), [("src/shop.cpp", "C++"), ("shop.mjs", "JavaScript"), ("a.go", "Go")]
)
def test_a_language_that_the_tutor_does_not_have_is_named(file, name, tmp_path):
    lines = recorded(
        ("starter-expand", 1, {"file_path": "src/shop.h", "content": "x"}),
        ("starter-expand", 2, {"file_path": file, "content": "x"}),
    )
    assert import_payloads(lines).foreign == (file, name)
    path = tmp_path / "record.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(TutorError, match=re.escape(f"{file} is {name}, which is not a language")):
        replay_arguments(path)


def test_a_payload_of_another_version_is_broken_not_mended():
    old = scaffold() | {"schema_version": "scaffold_v0"}
    found = import_payloads(recorded(("scaffold", 1, old)))
    assert list(found.broken) == [(Role.SCAFFOLD, 1)]
    assert any(fault.path == "$.schema_version" for fault in found.faults)


def test_payloads_of_today_pass_unchanged_and_without_a_word():
    lines = [{**line, "accepted": True} for line in script()]
    found = import_payloads(lines)
    assert found.faults == ()
    given = [line["payload"] for line in lines if line["stage"] == "lesson-expand"]
    assert list(found.payloads[Role.LESSON]) == given


def test_known_mistakes_are_played_too():
    mistakes = {"schema_version": "mistakes_v1", "role": "mistakes", "units": []}
    tags = {"schema_version": "mistake_tags_v1", "role": "mistake-tags", "tags": []}
    behind = [{"stage": each["role"], "payload": each} for each in (mistakes, tags)]
    lines = [{**line, "accepted": True} for line in [*script(), *behind]]
    imported = import_payloads(lines)
    assert imported.faults == ()
    assert replayed(imported)[-2:] == behind


def test_iterations_give_the_order_and_the_last_of_two_counts():
    texts = {2: "two", 1: "one"}
    lines = recorded(
        *[("lesson-expand", n, section("lesson", n, t, last=n == 2)) for n, t in texts.items()],
        ("lesson-expand", 1, section("lesson", 1, "one again", last=False)),
    )
    lines.append({**lines[0], "accepted": False})
    found = import_payloads(lines)
    assert [payload["content"] for payload in found.payloads[Role.LESSON]] == ["one again", "two"]


def test_broken_payloads_are_played_at_their_place():
    lines = recorded(
        ("lesson-expand", 1, section("lesson", 1, "one", last=False)),
        ("lesson-expand", 2, {"content": 7}),
        ("lesson-expand", 3, section("lesson", 3, "three", last=True)),
    )
    played = replayed(import_payloads(lines))
    assert [line["iteration"] for line in played] == [1, 2, 3]
    assert [line["payload"]["content"] for line in played] == ["one", 7, "three"]


def jsonl(path, lines):
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n", "utf-8")
    return path


async def test_a_record_is_played_for_whoever_asks(tmp_path):
    """Ids of another curriculum give way; a whole set-up goes through."""
    lines = [{**line, "accepted": True} for line in script()]
    lines[0]["payload"] = without(lines[0]["payload"], "schema_version", "role") | {
        "node_id": "X9",
        "depth_target": "D3",
    }
    path = jsonl(tmp_path / "record.jsonl", lines)
    context = BackendContext({"scripted.file": str(path)}, {"scripted.lines": replay_lines})
    given = deps([])
    object.__setattr__(given, "backend", create(context))
    proven = await set_up(request(), given, type("Silent", (), {"report": lambda *_: None})())
    assert (proven.exercise.node, proven.exercise.depth) == ("python-strings", "D1")
    assert proven.exercise.id == "python-strings-signs"


def test_a_script_is_played_as_it_is(tmp_path):
    broken = [{"stage": "scaffold", "payload": {"units": 3}}, {"stage": "coach", "text": "hm"}]
    path = jsonl(tmp_path / "script.jsonl", broken)
    assert not is_record(broken)
    assert replay_lines(path) == broken


def test_a_record_says_how_to_start_it(tmp_path):
    path = jsonl(tmp_path / "record.jsonl", OLD)
    assert replay_arguments(path) == {
        "backend": "scripted",
        "fresh": True,
        "language": "python",
        "depth": "D1",
        "topic": "OLD-1",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [("{", "line 1: it isn't valid JSON"), ('{}\n\n["a"]', "line 3: it isn't a JSON object")],
)
def test_a_file_that_is_no_record_is_refused(text, said, tmp_path):
    path = tmp_path / "record.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(TutorError) as caught:
        read_lines(path)
    assert caught.value.kind == "BAD_SCRIPT"
    assert said in caught.value.message


def test_a_script_with_a_wrong_line_is_refused_by_the_backend(tmp_path):
    path = jsonl(tmp_path / "script.jsonl", [{"stage": "coach"}])
    context = BackendContext({"scripted.file": str(path)}, {"scripted.lines": replay_lines})
    with pytest.raises(TutorError, match="must have one of payload"):
        create(context)


def test_line_separators_within_a_text_end_no_line(tmp_path):
    path = tmp_path / "record.jsonl"
    path.write_text(json.dumps({"stage": "a\u2028b"}, ensure_ascii=False), "utf-8")
    assert read_lines(path) == [{"stage": "a\u2028b"}]


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(TutorError, match="cannot be used"):
        read_lines(tmp_path / "none.jsonl")


def several(role, *contents, **changes):
    """A call with several sections, as newer records have it."""
    sections = [{"section_id": f"s{n}", "type": "file", "file_path": f"m{n}.py", "content": text}
                for n, text in enumerate(contents)]  # fmt: skip
    head = {"schema_version": SEVERAL[role], "role": role.value, "sections": sections}
    return head | {"is_complete": True, "next_focus": None} | changes


def test_calls_of_several_sections_are_taken_section_by_section():
    starter = several(Role.STARTER, "a = 1\n", "b = 1\n", is_complete=False, next_focus="c")
    lines = recorded(("starter-expand", 1, starter))
    found = import_payloads([OLD[0], *lines, *OLD[2:]])
    assert found.faults == ()
    sections = found.payloads[Role.STARTER]
    assert [each["content"] for each in sections] == ["a = 1\n", "b = 1\n", "y = 1\n"]
    assert [each["is_complete"] for each in sections] == [False, False, True]
    assert [each["next_focus"] for each in sections] == [None, "c", None]
    numbers = [line["iteration"] for line in replayed(found) if line["stage"] == "starter-expand"]
    assert numbers == [1, 2, 3]


@pytest.mark.parametrize("sections", [None, 3, [], ["x"], [{"content": 1}]])
def test_several_sections_that_are_not_in_order_are_told(sections):
    wrong = several(Role.STARTER) | {"sections": sections}
    del wrong["is_complete"]
    found = import_payloads([OLD[0], *recorded(("starter-expand", 1, wrong)), *OLD[3:]])
    assert Role.STARTER not in found.payloads
    assert {fault.role for fault in found.faults} == {"starter-expand"}
