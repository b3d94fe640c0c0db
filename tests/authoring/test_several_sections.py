"""Answers that hold several sections: the same exercise in fewer calls."""

from dataclasses import replace

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.stage import Role

pytestmark = pytest.mark.first(3)


async def made(given):
    return await set_up(kit.request(), given, kit.Told())


def several(kind, *sections, last=True, focus=None):
    """A call with these sections in one answer."""
    keys = ("section_id", "type", "file_path", "content")
    own = [{key: each[key] for key in keys if key in each} for each in sections]
    contract = f"{kind}_section_v2"
    ends = {"is_complete": last, "next_focus": focus}
    return kit._payload(f"{kind}-expand", contract, sections=own, **ends)


def in_few_calls():
    """The same exercise with all sections of a loop in one answer."""
    given = {f"{line['stage']} {line['iteration']}": line["payload"] for line in kit.script()}
    loops = {
        kind: [payload for name, payload in given.items() if name.startswith(f"{kind}-expand")]
        for kind in ("starter", "test", "lesson")
    }
    lines = [{"stage": "scaffold", "payload": given["scaffold 1"]}]
    for kind, payloads in loops.items():
        lines.append({"stage": f"{kind}-expand", "payload": several(kind, *payloads)})
    return [*lines, {"stage": "solution", "payload": given["solution 1"]}]


async def test_several_sections_in_an_answer_make_the_same_exercise():
    journal = kit.MemoryJournal()
    given = kit.deps(in_few_calls(), journal=journal)
    proven = await made(given)
    assert proven.files == (await made(kit.deps(kit.script()))).files
    calls = ["scaffold 1", "starter-expand 1", "test-expand 1", "lesson-expand 1", "solution 1"]
    assert sorted(kit.asked(given)) == sorted(calls)
    last = next(each for each in given.backend.requests if each.role is Role.LESSON).packet
    assert [len(last[part]) for part in ("starter", "tests", "lesson")] == [2, 2, 0]
    again = kit.deps([], journal=journal)
    assert (await made(again)).files == proven.files
    assert kit.asked(again) == []


@pytest.mark.long("makes an exercise; test_repair.py repairs sections one by one")
async def test_what_several_sections_lack_is_repaired_one_by_one():
    lines = in_few_calls()
    vacuous = kit.SECOND_TESTS.replace('assert frame("a") == "=\\nA"', 'frame("a")')
    lines[2]["payload"]["sections"][1]["content"] = vacuous
    good = kit.section("test", 2, kit.SECOND_TESTS, last=True, path="test_signs.py")
    given = kit.deps([*lines, {"stage": "test-expand", "payload": good}])
    proven = await made(given)
    assert proven.exercise.proof.repairs == 1
    tests = [each for each in given.backend.requests if each.role is Role.TEST]
    asked = [(each.iteration, each.contract) for each in tests]
    assert asked == [(1, "test_section_v2"), (2, "test_section_v1")]


async def test_sections_over_the_cap_are_dropped_with_an_event():
    noted = []

    async def note(kind, data):
        noted.append((kind, data))

    lines = in_few_calls()
    lesson = lines[3]["payload"]["sections"]
    lesson[2:2] = [lesson[1] | {"content": f"Sign {number} is `frame`."} for number in range(20)]
    proven = await made(replace(kit.deps(lines), note=note))
    assert "Sign 9 is" in proven.files["LESSON.md"]
    assert "Sign 10 is" not in proven.files["LESSON.md"]
    (data,) = [data for kind, data in noted if kind == "sections-dropped"]
    assert (data["role"], data["iteration"], data["sections"]) == ("lesson-expand", 1, 11)
