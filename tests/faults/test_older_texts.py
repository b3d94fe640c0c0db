"""Whatever is answered or shown is about the text as it is, or says that it is from before."""

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from placeholders import with_body
from tutor_kit import solve, solve_first_unit, stub_file, tutor, until, write_wrong

from benchmarks.wire import TUTOR, Wire
from tutor_lsp.tutor.services.frontend import Abilities

pytestmark = pytest.mark.first(3)

FIRST, SECOND = "71111", "72222"
BEFORE = "before your last change"


@pytest.fixture
async def t(tmp_path):
    async with tutor(tmp_path / "home") as found:
        yield found


async def checked(t, value=FIRST):
    """A started exercise whose first unit gives `value`, checked."""
    ready = await t.start(language="python")
    write_wrong(ready, value)
    await t.do("check")
    return ready


def now_gives(ready, before, after=SECOND):
    path = stub_file(ready)
    path.write_text(path.read_text().replace(f"return {before}", f"return {after}"))


@pytest.mark.first(1)
@pytest.mark.parametrize("command", ["hint", "ask", "status"])
async def test_a_terminal_runs_what_was_saved_before_it_answers(t, command):
    ready = await checked(t)
    now_gives(ready, FIRST)
    t.desk.abilities = Abilities(terminal=True)
    said = str(await t.do(command, **({"question": "Why?"} if command == "ask" else {})))
    assert FIRST not in said
    (unit, *_) = (await t.do("status"))["units"]
    assert unit["state"] == "failing"
    assert SECOND in str(t.app.exercises.opened_of(stub_file(ready)).session.last_results)


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_unit_that_passed_and_was_broken_is_not_said_to_pass(t):
    ready = await t.start(language="python")
    solve_first_unit(ready)
    await t.do("check")
    now_gives(ready, "hours * 60 + minutes")
    assert SECOND in (await t.do("hint", unit="ex-1"))["text"]


async def test_where_nothing_can_be_run_a_hint_says_that_it_is_from_before(t):
    ready = await checked(t)
    now_gives(ready, FIRST)
    opened = t.app.exercises.opened_of(stub_file(ready))
    await t.app.exercises.change_session(opened, lambda session: replace(session, trusted=False))
    told = (await t.do("hint"))["text"]
    assert FIRST in told
    assert BEFORE in told


@asynccontextmanager
async def attempt_that_hangs(t, ready):
    """An attempt whose tests are running, and run for long."""
    path = stub_file(ready)
    opened = t.app.exercises.opened_of(path)
    attempt = asyncio.create_task(t.do("attempt"))
    await until(lambda: opened is not None and t.app.runs.of(opened).attempting, "no attempt began")
    yield
    assert not attempt.done(), "it was waited for"
    await t.do("cancel")
    await asyncio.gather(attempt, return_exceptions=True)


HANGS = "__import__('time').sleep(60)"


@pytest.mark.first(1)
@pytest.mark.parametrize("unit", [None, "ex-1"])
async def test_a_hint_does_not_wait_for_an_attempt_that_hangs(t, unit):
    ready = await checked(t)
    now_gives(ready, FIRST, HANGS)
    async with attempt_that_hangs(t, ready):
        told = (await t.do("hint", unit=unit))["text"]
        assert "before the attempt that is running" in told
        assert FIRST in told


async def test_a_first_hint_does_not_wait_for_a_first_attempt_that_hangs(t):
    ready = await t.start(language="python")
    write_wrong(ready, HANGS)
    async with attempt_that_hangs(t, ready):
        told = await t.do("hint")
        assert (told["unit"], told["level"]) == ("ex-1", 1)


async def test_a_pass_from_before_an_attempt_that_hangs_is_not_a_pass(t):
    ready = await t.start(language="python")
    solve_first_unit(ready)
    await t.do("check")
    now_gives(ready, "hours * 60 + minutes", HANGS)
    async with attempt_that_hangs(t, ready):
        refused = await t.refused("hint", unit="ex-1")
        assert "passed before the attempt that is running" in refused.message


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_where_nothing_can_be_run_a_pass_of_before_is_not_a_pass(t):
    ready = await t.start(language="python")
    solve(ready)
    await t.do("check")
    now_gives(ready, "hours * 60 + minutes")
    opened = t.app.exercises.opened_of(stub_file(ready))
    await t.app.exercises.change_session(opened, lambda session: replace(session, trusted=False))
    assert BEFORE in (await t.refused("hint", unit="ex-1")).message


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_hint_on_an_unsaved_text_says_that_its_results_are_from_before(t):
    ready = await checked(t)
    path = stub_file(ready)
    t.desk.buffers[path] = path.read_text().replace(FIRST, SECOND)
    assert BEFORE in (await t.do("hint"))["text"]
    t.desk.buffers.clear()


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_older_run_is_sent_to_a_model_with_a_mark(t):
    from tutor_lsp.stages.tutoring import coach_request
    from tutor_lsp.tutor.hinting.context import tutoring_context

    ready = await checked(t)
    opened = t.app.exercises.opened_of(stub_file(ready))
    report = opened.standing_report()
    for older in (False, True):
        context = await tutoring_context(t.app.services, opened, report=report, older=older)
        request = coach_request(context, "ex-1", 1)
        said = " ".join([*request.prompt.entries, str(request.packet["tutoring"]["run"])])
        assert ("older text" in said) is older
        assert ("before the learner's last change" in said) is older


class Saved:
    """A server with an exercise of which one version was saved; the next one opens it again."""

    def __init__(self, home):
        self.home = home
        self.wire = self._server()
        self.wire.command("tutor.start", {"language": "python", "node": "python-functions"})
        ready = self.wire.wait(lambda m: m.get("method") == "tutor/sessionReady")["params"]
        self.path = Path(ready["workspace"], ready["units"][0]["file"])
        self.open()

    def _server(self):
        wire = Wire(TUTOR, self.home)
        wire.initialize()
        return wire

    def open(self):
        uri, text = self.path.as_uri(), self.path.read_text()
        item = {"uri": uri, "languageId": "python", "version": 1, "text": text}
        self.wire.send("textDocument/didOpen", {"textDocument": item})
        self.shown()

    def save(self):
        text = with_body(self.path.read_text(), "to_minutes", "return 71111")
        changes = {"contentChanges": [{"text": text}]}
        document = {"uri": self.path.as_uri(), "version": 2}
        self.wire.send("textDocument/didChange", {"textDocument": document, **changes})
        self.path.write_text(text)
        self.wire.send("textDocument/didSave", {"textDocument": {"uri": self.path.as_uri()}})

    def again(self):
        self.wire.process.kill()
        self.wire.process.wait()
        self.wire.process.stdin.close()
        self.wire.process.stdout.close()
        self.wire = self._server()
        self.open()

    def shown(self, code=None):
        """The next diagnostics, or the next with that code."""

        def matches(message):
            if message.get("method") != "textDocument/publishDiagnostics":
                return False
            found = message["params"]["diagnostics"]
            return code is None or any(item["code"] == code for item in found)

        return self.wire.wait(matches)["params"]["diagnostics"]

    def lens(self):
        document = {"textDocument": {"uri": self.path.as_uri()}}
        return self.wire.request("textDocument/codeLens", document)[0]["command"]["title"]


@pytest.mark.long("starts a server for a case beside those that stand for it here")
@pytest.mark.sample("0.06")
@pytest.mark.parametrize("alive_s", [0.0, 0.06, 0.2])
def test_a_save_that_a_dead_server_did_not_run_is_run_by_the_next(tmp_path, alive_s):
    saved = Saved(tmp_path / "home")
    saved.save()
    end = time.monotonic() + alive_s
    while time.monotonic() < end:
        time.sleep(max(end - time.monotonic(), 0))
    saved.again()
    assert any("71111" in item["message"] for item in saved.shown("test-failed"))
    assert saved.lens() == "ex-1 ✗ not yet · 0 of 3"
    saved.wire.close()


@pytest.mark.long("starts a server for a case beside those that stand for it here")
def test_where_saving_does_not_run_a_text_is_said_to_be_not_run(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("runOnSave = false\n")
    saved = Saved(tmp_path / "home")
    saved.save()
    saved.again()
    assert saved.lens() == "ex-1 … not run yet"
    saved.wire.close()
