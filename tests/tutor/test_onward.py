"""`tutor.next`, and going on with an exercise that is there: nothing skipped, nothing copied."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tutor_kit import solve, solve_first_unit, stub_file, tutor, write_wrong

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.starting.resume import begun_before


async def attempts(t, session):
    return (await t.do("status", session=session))["session"]["attempts"]


async def test_next_on_an_untouched_exercise_counts_nothing_and_copies_nothing(t):
    ready = await t.start(language="python")
    for _ in range(3):
        begun = await t.do("next")
        assert "not passed yet" in begun["ended"]
        again = await t.ready(begun)
        # whatever comes after it builds on it, so it is this one again
        assert begun["node"] == again["node"] == ready["node"]
        assert again["workspace"] == ready["workspace"]
        assert again["sessionId"] == ready["sessionId"]
    assert t.folders() == [Path(ready["workspace"]).name]
    assert await attempts(t, ready["sessionId"]) == 0
    assert any("not passed yet" in text and "tutor.start" in text for text in t.desk.said)
    assert (await t.do("status"))["session"]["endedAt"] is None


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_next_after_the_end_of_a_session_starts_what_was_recommended(t):
    with pytest.raises(TutorError, match="Start one first"):
        await t.do("next")
    first = await t.start(language="python")
    solve(first)
    await t.do("attempt")
    ended = await t.do("end")
    begun = await t.do("next")
    assert "had already ended" in begun["ended"]
    assert begun["node"] == ended["recommendations"][0]["node"]
    assert (await t.ready(begun))["workspace"] != first["workspace"]


async def test_next_attempts_what_was_written_once_and_keeps_it(t):
    ready = await t.start(language="python")
    text = write_wrong(ready)
    for _ in range(2):
        again = await t.ready(await t.do("next"))
        assert again["workspace"] == ready["workspace"]
    assert await attempts(t, ready["sessionId"]) == 1
    assert stub_file(ready).read_text() == text


async def test_next_after_a_pass_goes_on_and_comes_back_to_what_was_begun(t):
    first = await t.start(language="python")
    solve(first)
    attempt = await t.do("attempt")
    assert attempt["review"]["verdict"] == "PASS"
    stub_file(first).write_text(stub_file(first).read_text() + "# polished\n")
    begun = await t.do("next")
    second = await t.ready(begun)
    assert begun["node"] == attempt["next"][0]["node"] != first["node"]
    assert await attempts(t, first["sessionId"]) == 1  # passed already: not attempted again
    text = write_wrong(second)
    third = await t.start(node=first["node"])
    assert third["workspace"] != first["workspace"]  # an explicit start makes a folder of its own
    await t.do("end")
    again = await t.start(language="python")
    assert (again["sessionId"], again["workspace"]) == (second["sessionId"], second["workspace"])
    assert stub_file(second).read_text() == text
    assert f"You have “{second['title']}” in progress (not run yet" in " ".join(t.desk.said)


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_what_was_begun_before_a_challenge_was_passed_is_history(t):
    first = await t.start(language="python")
    write_wrong(first)
    second = await t.start(node=first["node"], challenge=True)
    assert await begun_before(t.app.services, "python", first["node"]) is not None
    solve(second)
    assert (await t.do("attempt"))["review"]["verdict"] == "PASS"
    assert await begun_before(t.app.services, "python", first["node"]) is None


async def test_an_own_topic_of_another_language_is_another_topic(t):
    first = await t.start(language="python")
    session = await t.app.exercises.find_session(first["sessionId"])
    await t.app.services.db(lambda tx: tx.put_session(replace(session, node="topic-chess")))
    assert await begun_before(t.app.services, "rust", "topic-chess") is None
    found = await begun_before(t.app.services, "python", "topic-chess")
    assert found.id == first["sessionId"]


async def test_a_start_goes_on_with_what_is_in_progress_and_says_so(t):
    first = await t.start(language="python")
    text = solve_first_unit(first)
    await t.do("check")
    for argument in ({"language": "python"}, {}):
        t.desk.said.clear()
        again = await t.start(**argument)
        assert again["workspace"] == first["workspace"]
        passing = f"(1 of {len(first['units'])})"
        said = f"You have “{first['title']}” in progress {passing}: continuing it."
        assert t.desk.said[0] == said
    assert stub_file(first).read_text() == text
    assert len(t.folders()) == 1


async def test_an_exercise_that_was_never_shown_is_gone_on_with(tmp_path):
    async with tutor(tmp_path / "home") as t:
        first = await t.start(language="python")
    async with tutor(tmp_path / "home") as t:
        assert (await t.start(language="python"))["workspace"] == first["workspace"]


async def test_a_new_copy_never_writes_into_a_folder(t):
    first = await t.start(language="python")
    text = write_wrong(first)
    node = first["node"]
    await t.start(node=node, fresh=True, backend="library")
    assert len(t.folders()) == 2
    write_wrong(await t.start(language="python", backend="library"))
    assert len(t.folders()) == 2
    t.desk.said.clear()
    await t.start(node=node)
    assert len(t.folders()) == 3
    assert "stays as you left it" in " ".join(t.desk.said)
    assert stub_file(first).read_text() == text


@pytest.mark.first(1)
@pytest.mark.parametrize("language", ["python", "rust", "c"])
async def test_an_untouched_exercise_of_the_topic_is_opened_again(t, language):
    first = await t.start(language=language)
    node = first["node"]
    again = await t.start(node=node)
    assert again["sessionId"] == first["sessionId"]
    assert any("not written anything in" in said for said in t.desk.said)
    other = await t.start(node=node, depth=first["depth"], backend="library")
    assert other["sessionId"] == first["sessionId"]


TOUCHES = {
    "a stub": lambda t, ready: write_wrong(ready),
    "a file of one's own": lambda t, ready: stub_file(ready).with_name("mine.py").touch(),
    "a given file gone": lambda t, ready: next(
        (Path(ready["workspace"]) / "tests").iterdir()
    ).unlink(),
}


@pytest.mark.first(1)
@pytest.mark.parametrize("what", TOUCHES)
async def test_an_exercise_in_which_something_was_done_gets_a_copy(t, what):
    first = await t.start(language="python")
    TOUCHES[what](t, first)
    again = await t.start(node=first["node"])
    assert again["workspace"] != first["workspace"]
    third = await t.start(node=first["node"])
    assert third["workspace"] == again["workspace"]


@pytest.mark.first(1)
async def test_an_attempt_is_work_too(t):
    first = await t.start(language="python")
    await t.do("attempt")
    assert (await t.start(node=first["node"]))["workspace"] != first["workspace"]


async def test_a_start_without_a_language_takes_that_of_the_file_in_use(t):
    await t.start(language="c")
    for names, language in [(["a.py"], "python"), (["notes.txt", "b.rs", "a.py"], "rust")]:
        t.desk.documents = [t.home / name for name in names]
        assert (await t.do("start"))["language"] == language
    uri = (t.home / "main.py").as_uri()
    assert (await t.do("start", uri=uri))["language"] == "python"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_sessions_of_one_title_can_be_told_apart(t):
    first = await t.start(language="python")
    solve_first_unit(first)
    await t.do("check")
    second = await t.start(node=first["node"], fresh=True, backend="library")
    listed = {session["id"]: session for session in await t.do("sessions")}
    one, two = listed[first["sessionId"]], listed[second["sessionId"]]
    assert (one["unitsPassing"], two["unitsPassing"]) == (1, 0)
    assert one["units"] == two["units"] == len(first["units"])
    assert two["folder"] == Path(second["workspace"]).name == f"{one['folder']}-2"


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_folder_that_a_damaged_record_has_lost_is_opened_again(tmp_path):
    home = tmp_path / "home"
    async with tutor(home) as t:
        ready = await t.start(language="python")
        text = write_wrong(ready)
    for name in ("tutor.db-wal", "tutor.db-shm"):
        (home / name).unlink(missing_ok=True)
    for argument in ({"language": "python"}, {"node": ready["node"]}):
        (home / "tutor.db").write_bytes(b"this is no database" * 1000)
        async with tutor(home) as t:
            again = await t.start(**argument)
            assert again["workspace"] == ready["workspace"]
            assert t.folders() == [Path(ready["workspace"]).name]
            assert stub_file(again).read_text() == text
            assert any("record of your exercises was lost" in said for said in t.desk.said)
            assert (await t.do("check"))["outcome"] == "failed", "it was made here"


async def test_resume_finds_a_lost_folder_and_a_young_one_is_left_to_its_maker(tmp_path):
    home = tmp_path / "home"
    async with tutor(home) as t:
        ready = await t.start(language="python")
    for name in ("tutor.db", "tutor.db-wal", "tutor.db-shm"):
        (home / name).unlink(missing_ok=True)
    async with tutor(home) as t:
        assert (await t.refused("resume")).kind == "NO_SESSION"
        marker = Path(ready["workspace"], ".tutor", "exercise.json")
        os.utime(marker, (0, 0))
        assert (await t.do("resume"))["workspace"] == ready["workspace"]


async def test_where_no_exercise_is_open_the_last_one_is_named(t):
    ready = await t.start(language="python")
    await t.do("end")
    refused = await t.refused("check")
    assert refused.kind == "NO_SESSION"
    for part in (ready["title"], f'tutor.resume with {{"session": "{ready["sessionId"][:8]}"}}'):
        assert part in refused.message
    assert (await t.do("resume", session=ready["sessionId"][:8]))["title"] == ready["title"]
    await t.do("end")
    shutil.rmtree(ready["workspace"])
    refused = await t.refused("check")
    for part in (
        ready["title"],
        ready["workspace"],
        f'tutor.start with {{"node": "{ready["node"]}"}}',
    ):
        assert part in refused.message


async def test_a_removed_folder_is_named_with_the_remedy(t):
    ready = await t.start(language="python")
    file = stub_file(ready).as_uri()
    shutil.rmtree(ready["workspace"])
    t.desk.document = None
    remedy = f'tutor.start with {{"node": "{ready["node"]}"}}'
    for argument in ({}, {"uri": file}):
        refused = await t.refused("check", **argument)
        assert refused.kind == "NO_WORKSPACE"
        assert ready["title"] in refused.message
        assert remedy in refused.message
    assert (await t.start(node=ready["node"]))["sessionId"] != ready["sessionId"]


async def test_tools_of_the_doctor_have_names_of_their_own(t):
    names = [tool["name"] for tool in (await t.do("doctor"))["tools"]]
    assert "python" in names
    assert len(names) == len(set(names))


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_question_that_nobody_can_answer_is_not_called_a_hint(t):
    ready = await t.start(language="python")
    write_wrong(ready)
    await t.do("check")
    told = await t.do("ask", question="Why?")
    assert told["title"] == f"Your question · ex-1 {told['stub']}"
    assert (told["answered"], told["reason"]) == (False, "NO_MODEL")
    assert (await t.do("status"))["backend"]["answersQuestions"] is False
    assert "Your question needs a model" in told["say"]["oneLine"]
    assert "title" not in await t.do("hint")


async def test_without_a_model_no_question_is_asked_for(t):
    ready = await t.start(language="python")
    write_wrong(ready)
    prompts = []

    async def ask_text(prompt):
        prompts.append(prompt)
        return "Why?"

    t.desk.ask_text = ask_text
    told = await t.do("ask")
    assert (told["answered"], told["reason"], prompts) == (False, "NO_MODEL", [])
    assert "Still stuck" not in told["say"]["markdown"]
    assert told["actions"] == []
