"""Languages whose tools are missing on this machine: offered last, and said once."""

import asyncio
import contextlib
from dataclasses import replace

import pytest
from tutor_kit import stub_file, tutor

from tutor_lsp.core.mend import Mend, mends_of
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.application.read_settings import read_settings
from tutor_lsp.tutor.commands import doctor
from tutor_lsp.tutor.services import tool_search

REMEDY = "Install Rust from https://rustup.rs."
RUSTUP = Mend("page", url="https://rustup.rs")


@pytest.fixture
def missing(monkeypatch):
    """Takes the tools of a language away."""

    def take(t, language):
        async def probe():
            return [
                ToolStatus(name, found=False, works=False, remedy=REMEDY, mends=(RUSTUP,))
                for name in ("cargo", "rustc")
            ]

        monkeypatch.setattr(t.app.services.toolchains[language], "probe", probe)

    return take


async def test_languages_that_are_ready_come_first(t, missing):
    usual = t.app.services.taught
    missing(t, usual[0])
    found = await t.do("curriculum")
    assert found["languages"] == [*usual[1:], usual[0]]
    assert list(found["recommended"]) == found["languages"]
    assert found["tracks"][-1]["language"] == found["nodes"][-1]["language"] == usual[0]
    assert (await t.do("curriculum", language=usual[0]))["languages"] == usual[:1]
    await t.app.services.tools.working(usual)  # looks that are under way end with what was there
    for language in usual:
        missing(t, language)
    assert (await t.do("curriculum"))["languages"] == usual


async def test_one_message_says_what_is_missing(t, missing):
    missing(t, "python")
    await t.start(language="python")
    told = [text for text in t.desk.said if "cannot run yet" in text]
    assert told == [f"The tests of this exercise cannot run yet: cargo, rustc. {REMEDY}"]
    await t.do("resume")
    assert [text for text in t.desk.said if "cannot run yet" in text] == told


async def test_a_resumed_exercise_that_cannot_run_says_so(t, missing):
    await t.start(language="python")
    async with tutor(t.home) as other:
        missing(other, "python")
        await other.do("resume")
        assert [text for text in other.desk.said if "cannot run yet" in text]


async def test_an_exercise_that_is_opened_shows_that_it_cannot_run(t, missing):
    ready = await t.start(language="python")
    async with tutor(t.home) as other:
        missing(other, "python")
        opened = await other.app.exercises.adopt(stub_file(ready))
        assert opened.view().refusal is None
        assert not other.desk.said
        await other.app.services.tools.working(["python"])
        assert other.desk.shown[-1].refusal == (
            f"The tests of this exercise cannot run yet: cargo, rustc. {REMEDY}"
        )
        # A run counts more than what was found before it.
        await other.do("check")
        assert opened.view().refusal is None
        assert await other.app.services.tools.working(["python"]) == ["python"]


@pytest.mark.parametrize("again", [False, True], ids=["a new exercise", "one that was begun"])
async def test_no_job_is_told_as_running_once_its_exercise_is_told_as_ready(t, monkeypatch, again):
    """An editor reads the jobs when it is told that an exercise is ready, and not again."""
    if again:
        await t.start(language="python")
    views, notify = [], t.desk.notify

    def told(method, payload):
        notify(method, payload)
        if method == "tutor/sessionReady":
            views.append(t.app.services.jobs.all()[-1].view())

    async def hangs():
        await asyncio.Event().wait()

    monkeypatch.setattr(t.desk, "notify", told)
    for language in t.app.services.taught:
        monkeypatch.setattr(t.app.services.toolchains[language], "probe", hangs)
    ready = await t.start(language="python")
    (view,) = views
    assert (view.state, view.percent) == ("done", 100)
    assert (view.job_id, view.session_id) == (ready["jobId"], ready["sessionId"])


async def test_a_list_does_not_wait_for_tools_that_do_not_answer(t, missing, monkeypatch):
    usual = t.app.services.taught
    ended = asyncio.Event()

    async def hangs():
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(t.app.services.toolchains[usual[1]], "probe", hangs)
    missing(t, usual[0])
    async with asyncio.timeout(10):
        # What is known counts, also while the rest is not.
        assert (await t.do("curriculum"))["languages"] == [*usual[1:], usual[0]]
        await t.app.close()
    assert ended.is_set()


@pytest.mark.parametrize("way", [SystemExit, KeyboardInterrupt, "deaf"])
async def test_a_language_of_others_holds_nobody_up(t, monkeypatch, way):
    name = t.app.services.taught[0]
    ended = asyncio.Event()

    async def probe():
        if way != "deaf":
            raise way
        while not ended.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await ended.wait()

    monkeypatch.setattr(tool_search, "is_ours", lambda _: False)
    monkeypatch.setattr(tool_search, "LOOK_S", 0.1)
    monkeypatch.setattr(t.app.services.toolchains[name], "probe", probe)
    try:
        async with asyncio.timeout(10):
            await t.app.services.tools.look_for_missing(name)
            await t.app.close()
    finally:
        ended.set()


async def test_those_who_ask_at_the_same_time_share_one_look(t, monkeypatch):
    name = t.app.services.taught[0]
    looks = 0
    found, go_on = (), asyncio.Event()

    async def probe():
        nonlocal looks
        looks += 1
        await go_on.wait()
        return found

    monkeypatch.setattr(t.app.services.toolchains[name], "probe", probe)
    t.app.services.tools.begin([name])
    first = asyncio.ensure_future(t.app.services.tools.working([name]))
    second = asyncio.ensure_future(t.app.services.tools.working([name]))
    assert await t.app.services.tools.broken([name], 0) == frozenset()
    first.cancel()  # who gives up does not end it for the others
    go_on.set()
    async with asyncio.timeout(10):
        assert await second == [name]
    t.app.services.tools.begin([name])
    assert looks == 1


async def test_other_settings_keep_what_was_found(t):
    tools = t.app.services.tools
    t.app.client_settings({"home": str(t.home), "runOnSave": False})
    assert t.app.services.tools is tools
    t.app.client_settings({"home": str(t.home), "python": {"interpreter": "/nowhere/python"}})
    assert t.app.services.tools is not tools


async def test_the_doctor_offers_each_way_once_and_only_for_what_is_needed(t, missing):
    async def offered():
        return [each["mend"]["url"] for each in (await t.do("doctor"))["remedies"]]

    missing(t, "rust")
    assert RUSTUP.url not in await offered()
    t.app.services.settings = replace(t.app.services.settings, language="rust")
    assert (await offered()).count(RUSTUP.url) == 1


@pytest.mark.parametrize(
    ("form", "kinds"),
    [({"template": "Tutor: %s", "titles": {"check": "Check"}}, ["setting"]),
     (":TutorLsp %s", []), (None, [])],
)  # fmt: skip
def test_a_setting_of_an_editor_is_opened_only_where_it_has_a_page_of_them(form, kinds):
    _, problems = read_settings({"debounceMs": -1, "commandForm": form})
    (problem,) = [each for each in problems if each.startswith("editor settings: ")]
    assert [each.kind for each in mends_of(problem)] == kinds


@pytest.mark.parametrize("broken", ["toolchain", "look"])
async def test_a_language_of_others_that_raises_is_a_row_of_the_doctor(t, monkeypatch, broken):
    language = t.app.services.taught[-1]

    def refuse(*_):
        raise AttributeError("no such tool")

    if broken == "toolchain":
        monkeypatch.setattr(type(languages()[language]), "toolchain", refuse)
    else:
        monkeypatch.setattr(type(t.app.services.toolchains[language]), "look", refuse)
    rows = {tool["name"]: tool for tool in (await t.do("doctor"))["tools"]}
    assert rows[language]["remedy"] == (
        "The package tutor-lsp cannot be used (AttributeError: no such tool): repair or remove it."
    )
    assert not rows[language]["works"]
    assert rows["python of tutor-lsp"]["works"]


async def test_a_language_of_others_that_hangs_does_not_hold_the_doctor(t, monkeypatch):
    language = t.app.services.taught[-1]

    async def look(_):
        await asyncio.sleep(60)

    monkeypatch.setattr(doctor, "LOOK_S", 0.5)
    monkeypatch.setattr(type(t.app.services.toolchains[language]), "look", look)
    rows = {tool["name"]: tool for tool in (await t.do("doctor"))["tools"]}
    assert "(no answer within 0.5 s)" in rows[language]["remedy"]
