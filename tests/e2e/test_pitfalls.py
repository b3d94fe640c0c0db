"""One test per trap of the protocol library and of the protocol itself."""

import asyncio
import os
import subprocess
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest
from editor import editor, line_of, plain
from faults_kit import SLEEP
from lsprotocol import types as lsp
from placeholders import with_body
from pygls.exceptions import JsonRpcException
from pytest_lsp import client_capabilities
from solutions import solve_unit

from tutor_lsp.library.loader import BUNDLED, Library


def with_encodings(*names: str) -> lsp.ClientCapabilities:
    caps = client_capabilities("neovim@v0.11")
    caps.general = lsp.GeneralClientCapabilities(
        position_encodings=[lsp.PositionEncodingKind(name) for name in names]
    )
    return caps


async def start_and_open(ed):
    ready = await ed.start(language="python")
    path = Path(ready["workspace"], ready["units"][0]["file"])
    return ready, path, ed.open(path)


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_client_that_shows_results_itself_gets_no_messages(tmp_path):
    async with editor(tmp_path / "home", options={"ui": "client"}) as ed:
        await start_and_open(ed)
        await ed.command("tutor.hint")
        await ed.command("tutor.status")
        assert ed.client.messages == []


REQUESTS = [
    ("textDocument/hover", None),
    ("textDocument/hover", {"position": {"line": "x"}}),
    ("workspace/executeCommand", None),
    ("workspace/executeCommand", {"command": 7}),
    ("workspace/executeCommand", {"command": "tutor.start", "arguments": [{"jsonrpc": "2.0"}]}),
    ("initialize", {"capabilities": {}}),
    ("no/suchMethod", {}),
]


async def test_what_is_advertised_and_every_request_is_answered(ed):
    caps = ed.capabilities
    commands = caps.execute_command_provider.commands
    assert all(name.startswith("tutor.") for name in commands)
    assert len(set(commands)) == len(commands) >= 18
    assert caps.text_document_sync.save
    assert caps.diagnostic_provider is None

    for method, params in REQUESTS:
        ed.client.protocol._request_futures["odd"] = answer = Future()
        message = {"jsonrpc": "2.0", "id": "odd", "method": method}
        ed.client.protocol._send_data(message if params is None else {**message, "params": params})
        with pytest.raises(JsonRpcException):
            await asyncio.wait_for(asyncio.wrap_future(answer), 10)
        assert (await ed.command("tutor.status"))["version"], method


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_form_feed_and_line_separators_do_not_shift_lines(ed):
    ready, _, uri = await start_and_open(ed)
    stub = ready["units"][1]["stub"]
    text = '"""A.\f\u2028\x85"""\n' + ed.texts[uri]
    ed.change(uri, text)
    line = text.split("\n").index(next(x for x in text.split("\n") if f"def {stub}(" in x))
    await ed.until(
        lambda: any(d.range.start.line == line for d in ed.diagnostics(uri)), "line is shifted"
    )


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_documents_and_positions_that_are_not_there_break_nothing(ed, tmp_path):
    for uri in ("untitled:Untitled-1", (tmp_path / "gone.py").as_uri(), "file:///", "odd"):
        assert await ed.hover(uri, 10**6, 10**6) is None
        assert await ed.lenses(uri) == []
        assert await ed.actions(uri, 3) == []
    _, _, uri = await start_and_open(ed)
    assert await ed.hover(uri, 10**6, 10**6) is None
    assert await ed.actions(uri, 10**6) is not None


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_every_report_of_progress_carries_a_percentage(ed):
    await ed.start(language="python")
    (reports,) = ed.client.progress_reports.values()
    values = [plain(report) for report in reports]
    assert isinstance(values[0], lsp.WorkDoneProgressBegin)
    percentages = [v.percentage for v in values if isinstance(v, lsp.WorkDoneProgressReport)]
    assert percentages == sorted(percentages)
    assert None not in percentages
    assert values[-1].message == "completed"


async def test_hover_is_answered_while_a_run_goes_on(ed):
    ready, path, uri = await start_and_open(ed)
    stub = ready["units"][0]["stub"]
    text = with_body(ed.texts[uri], stub, SLEEP)
    path.write_text(text)
    ed.change(uri, text)
    running = asyncio.ensure_future(ed.refused("tutor.check"))
    line = line_of(text, f"def {stub}(")
    for _ in range(20):
        assert await asyncio.wait_for(ed.hover(uri, line, 5), 1)
        assert not running.done()
    await ed.command("tutor.cancel")
    assert (await running)["kind"] == "CANCELLED"


async def test_the_edited_stub_is_marked_while_other_tests_still_run(ed):
    ready, path, uri = await start_and_open(ed)
    first, second = (unit["stub"] for unit in ready["units"][:2])
    path.write_text(with_body(ed.texts[uri], second, SLEEP))
    ed.change(uri, path.read_text())
    ed.change(uri, with_body(ed.texts[uri], first, "return 70001"))
    path.write_text(ed.texts[uri])
    running = asyncio.ensure_future(ed.refused("tutor.check"))

    def marked():
        return any("70001" in item.message for item in ed.diagnostics(uri))

    await ed.until(marked, "no mark came")
    assert not running.done()
    await ed.command("tutor.cancel")
    assert (await running)["kind"] == "CANCELLED"


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_question_that_is_never_answered_holds_nothing(tmp_path):
    async with editor(tmp_path / "home", profile="visual-studio-code@v1.65") as ed:
        never = asyncio.Event()

        async def ask(params):
            ed.questions.append(params)
            await never.wait()

        ed.override(lsp.WINDOW_SHOW_MESSAGE_REQUEST, ask)

        asked = asyncio.ensure_future(ed.refused("tutor.start"))
        await ed.until(lambda: ed.questions, "no question")
        assert (await ed.start(language="python"))["node"]
        assert not asked.done()
        never.set()
        assert (await asked)["kind"] == "CANCELLED"


async def test_first_run_list_and_its_dismissal(tmp_path):
    async with editor(tmp_path / "home", profile="visual-studio-code@v1.65") as ed:
        error = await ed.refused("tutor.start")
        assert error["kind"] == "CANCELLED"
        (question,) = ed.questions
        titles = [action.title for action in question.actions]
        assert 2 <= len(titles) <= 5
        ed.answer = lambda params: params.actions[0].title
        begun = await ed.command("tutor.start")
        await ed.until(lambda: ed.notified["tutor/sessionReady"], "not ready")
        assert begun["node"] in {"rust-functions", "python-functions"}
        ed.answer = lambda params: next(
            a.title for a in params.actions if a.title.startswith("Continue")
        )
        again = await ed.command("tutor.start")
        assert again["node"] == begun["node"]
        ready = await ed.until(lambda: ed.notified["tutor/sessionReady"][1:], "not open again")
        assert ready[0]["jobId"] == again["jobId"]
        assert ready[0]["sessionId"] == ed.notified["tutor/sessionReady"][0]["sessionId"]


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_client_refusing_progress_still_gets_its_exercise(tmp_path):
    async with editor(tmp_path / "home") as ed:

        def refuse(_params):
            raise RuntimeError("no progress here")

        ed.override(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE, refuse)

        assert (await ed.start(language="python"))["proof"]["ok"]
        assert not ed.client.progress_reports


async def test_diagnostics_carry_the_version_and_an_empty_list_clears(tmp_path):
    async with editor(tmp_path / "home", profile="visual-studio-code@v1.65") as ed:
        ready, _, uri = await start_and_open(ed)
        # Only what changed is published: there must be something to clear.
        await ed.until(lambda: ed.diagnostics(uri), "nothing is shown")
        published = []

        def publish(params):
            published.append(params)

        ed.override(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, publish)
        exercise = Library([BUNDLED])
        bundled = exercise.load(exercise.by_id(ready["exerciseId"]))
        for unit in ready["units"]:
            ed.change(uri, solve_unit(bundled, ed.texts[uri], unit))
        ed.save(uri)
        # The file is on disk before the server has read the edits: an older version may come first.
        await ed.until(
            lambda: [p for p in published if p.version == ed.versions[uri] and not p.diagnostics],
            "not cleared",
        )


@pytest.mark.long("test_cli_server.py prints into the protocol too")
def test_prints_never_reach_the_protocol_stream(tmp_path):
    """Whatever imports print, stdout carries protocol messages only."""
    code = (
        "import os, sys; import tutor_lsp.lsp.server as s; make = s.create_server\n"
        "def noisy(*a):\n    print('noise'); os.write(1, b'raw noise'); return make(*a)\n"
        "s.create_server = noisy\n"
        "from tutor_lsp.cli.main import main; sys.exit(main(['--stdio']))\n"
    )
    env = {**os.environ, "TUTOR_LSP_HOME": str(tmp_path)}
    # Parameters that do not fit are refused by the server, which has to be loaded for it.
    body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'
    done = subprocess.run(
        [sys.executable, "-c", code], input=b"Content-Length: %d\r\n\r\n%s" % (len(body), body),
        capture_output=True, timeout=60, env=env, check=False,
    )  # fmt: skip
    assert done.stdout.startswith(b"Content-Length")
    assert b"noise" not in done.stdout
    assert b"noise" in done.stderr


async def test_server_ends_when_its_client_dies(tmp_path):
    """The process named in `initialize` is watched, for clients that leave the pipe open."""
    parent = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)  # noqa: ASYNC220
    async with editor(tmp_path / "home", process_id=parent.pid) as ed:
        await ed.command("tutor.status")
        parent.kill()
        parent.wait()
        await asyncio.wait_for(ed.client._server.wait(), 10)
        ed.client.capabilities = None
