"""Bad input and bad luck: said clearly, nothing lost, the server goes on, nothing left running."""

import asyncio
import json
import os
import signal
import sqlite3
from pathlib import Path

import pytest
from editor import PROFILES, editor, line_of
from lsprotocol import types as lsp

WHILE_TRUE = "while True: pass"


async def begin(ed, language="python"):
    """A started exercise: payload, path and URI of its first stub's file."""
    ready = await ed.start(language=language)
    path = Path(ready["workspace"], ready["units"][0]["file"])
    return ready, path, ed.open(path, language)


def with_body(text: str, stub: str, body: str) -> str:
    return text.replace(f'raise NotImplementedError("{stub}")', body)


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        (WHILE_TRUE, "test-timeout", "did not finish"),
        ("raise ValueError('bad')", "test-failed", "ValueError"),
        ("import os; os._exit(0)", "test-errored", ""),
        ("raise SystemExit(0)", "test-failed", "SystemExit"),
        ("import os; os.kill(os.getpid(), 9)", "test-errored", ""),
        ("print('PASSED ' * 1000); return 'x'", "test-failed", "expected"),
    ],
)
async def test_what_a_stub_does_ends_only_its_own_tests(tmp_path, body, code, says):
    settings = {"limits": {"testSeconds": 0.5}}
    async with editor(tmp_path / "home", settings=settings) as ed:
        ready, _, uri = await begin(ed)
        stub = ready["units"][0]["stub"]
        ed.save(uri, with_body(ed.texts[uri], stub, body))
        shown = await ed.until(lambda: ed.diagnostics(uri, code), f"no {code}")
        assert says in shown[0].message
        report = await ed.command("tutor.check")
        others = [t for t in report["tests"] if t["unit"] != "ex-1"]
        assert others
        assert all(t["outcome"] != "not_run" for t in others)
        assert (await ed.command("tutor.status"))["session"]["attempts"] == 0


async def test_flood_of_output_is_cut_and_the_server_goes_on(ed):
    ready, _, uri = await begin(ed)
    stub = ready["units"][0]["stub"]
    body = "[print('x' * 1_000_000) for _ in range(100)]; return 'no'"
    ed.save(uri, with_body(ed.texts[uri], stub, body))
    await ed.until(lambda: ed.diagnostics(uri, "test-failed", "test-errored"), "no result")
    report = await ed.command("tutor.check")
    assert all(len(test["output"]) <= 70_000 for test in report["tests"])


async def test_text_that_does_not_parse_is_not_run_and_results_stay(ed):
    ready, _, uri = await begin(ed)
    stub = ready["units"][0]["stub"]
    wrong = with_body(ed.texts[uri], stub, "return -1")
    ed.save(uri, wrong)
    await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure")
    ed.save(uri, wrong.replace("return -1", "return (("))
    shown = await ed.until(lambda: ed.diagnostics(uri, "build-error"), "no parse error")
    assert len(shown) == 1
    states = {u["id"]: u["state"] for u in ed.notified["tutor/unitsChanged"][-1]["units"]}
    assert states["ex-1"] == "failing"  # the error stands inside its stub
    assert {states[unit["id"]] for unit in ready["units"][1:]} == {"todo"}
    report = await ed.command("tutor.check")
    assert report["outcome"] == "build_error"
    assert report["buildErrors"][0]["line"] == line_of(ed.texts[uri], "return ((") + 1
    ed.save(uri, wrong)
    await ed.until(lambda: not ed.diagnostics(uri, "build-error"), "the error stays")
    await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "the failure is gone")


async def test_emptied_file_is_said_and_can_be_reset(ed):
    ready, _, uri = await begin(ed)
    given = ed.texts[uri]
    ed.save(uri, "")
    report = await ed.command("tutor.check")
    assert report["outcome"] == "build_error"
    assert (await ed.command("tutor.reset"))["files"] == [ready["units"][0]["file"]]
    ed.save(uri)
    assert ed.texts[uri] == given
    assert (await ed.command("tutor.check"))["outcome"] == "failed"


async def test_removed_comment_keeps_the_unit_and_is_put_back_by_reset(ed):
    ready, _, uri = await begin(ed)
    unit = ready["units"][0]
    given = ed.texts[uri]
    head = given.index('"""', given.index(f"def {unit['stub']}("))
    end = given.index('"""', head + 3) + 3
    ed.save(uri, with_body(given[:head] + given[end:], unit["stub"], "return -1"))
    shown = await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure")
    assert shown[0].range.start.line == line_of(ed.texts[uri], f"def {unit['stub']}(")
    assert (await ed.command("tutor.reset", {"unit": "ex-1"}))["files"] == [unit["file"]]
    assert ed.texts[uri] == given


async def test_deleted_test_is_an_error_until_it_is_restored(ed):
    ready, _, _ = await begin(ed)
    test = next(Path(ready["workspace"], "tests").glob("*.py"))
    test.unlink()
    assert (await ed.command("tutor.check"))["outcome"] != "passed"
    attempt = await ed.command("tutor.attempt")
    assert attempt["attempt"] is None
    assert "tutor.restore" in attempt["report"]["reason"]
    await ed.command("tutor.restore")
    assert (await ed.command("tutor.check"))["outcome"] == "failed"


@pytest.mark.parametrize("profile", PROFILES)
async def test_non_ascii_and_crlf_keep_columns_right(tmp_path, profile):
    home = tmp_path / "hömé with spaces 🦀"
    async with editor(home, profile=profile) as ed:
        ready, _, uri = await begin(ed)
        stub = ready["units"][0]["stub"]
        text = with_body(ed.texts[uri], stub, "return '🦀'").replace("\n", "\r\n")
        ed.save(uri, text)
        shown = await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure")
        line = line_of(text, f"def {stub}(")
        assert shown[0].range == lsp.Range(lsp.Position(line, 4), lsp.Position(line, 4 + len(stub)))
        assert "🦀" in shown[0].message


async def test_corrupt_store_is_set_aside_and_said(tmp_path):
    home = tmp_path / "home"
    async with editor(home) as ed:
        await begin(ed)
    for name in ("tutor.db-wal", "tutor.db-shm"):
        (home / name).unlink(missing_ok=True)
    (home / "tutor.db").write_bytes(b"this is no database" * 1000)
    async with editor(home) as ed:
        error = await ed.refused("tutor.sessions")
        assert error["kind"] == "STORE"
        assert "damaged" in error["message"]
        assert await ed.command("tutor.sessions") == []
    assert list(home.glob("tutor.db.damaged-*"))


async def test_locked_store_is_said_and_works_again_afterwards(ed):
    await begin(ed)
    blocker = sqlite3.connect(ed.home / "tutor.db", isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    error = await ed.refused("tutor.claim", {"node": "python-strings", "known": True})
    assert error["kind"] == "STORE"
    blocker.execute("ROLLBACK")
    blocker.close()
    assert (await ed.command("tutor.claim", {"node": "python-strings", "known": True}))["claimed"]


async def test_missing_cargo_is_said_with_the_remedy(tmp_path):
    empty = tmp_path / "bin"
    empty.mkdir()
    path = os.pathsep.join([str(empty), "/usr/bin", "/bin"])
    environment = {"PATH": path, "CARGO_HOME": str(empty), "HOME": str(tmp_path)}
    async with editor(tmp_path / "home", environment=environment) as ed:
        await ed.start(language="rust")
        error = await ed.refused("tutor.check")
        assert error["kind"] == "TOOLCHAIN_MISSING"
        assert "rustup" in error["message"] or "cargo" in error["message"]
        doctor = await ed.command("tutor.doctor")
        assert any(t["name"] == "cargo" and not t["works"] and t["remedy"] for t in doctor["tools"])


async def test_check_is_cancelled_by_request_and_by_command(ed):
    ready, path, uri = await begin(ed)
    path.write_text(with_body(path.read_text(), ready["units"][0]["stub"], WHILE_TRUE))
    ed.change(uri, path.read_text())
    for cancel in ("request", "command"):
        asked = asyncio.ensure_future(ed.refused("tutor.check"))
        await ed.until(lambda: _children(ed), "no test process")
        if cancel == "command":
            assert await ed.command("tutor.cancel") == {"cancelled": True}
        else:
            number = next(iter(ed.client.protocol._request_futures))
            ed.client.cancel_request(lsp.CancelParams(number))
        error = await asyncio.wait_for(asked, 10)
        assert error["code"] in {-32800, -32001}, error
        await ed.until(lambda: not _children(ed), "the test process lives on")


def _children(ed) -> list[str]:
    """Processes below the server that run tests."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        mine = str(ed.home).encode()
        if mine in command + environment and b"tutor_lsp\0--stdio" not in command and command:
            found.append(command.decode(errors="replace"))
    return found


def script(tmp_path, *lines) -> dict[str, str]:
    path = tmp_path / "script.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return {"TUTOR_LSP_SCRIPT": str(path)}


@pytest.mark.parametrize("how", ["progress", "command"])
async def test_set_up_is_cancelled_and_leaves_nothing(tmp_path, how):
    slow = script(tmp_path, {"stage": "scaffold", "text": "{}", "delay_s": 60})
    async with editor(tmp_path / "home", environment=slow) as ed:
        active = await ed.start(language="python")
        begun = await ed.command("tutor.start", {"topic": "bees", "backend": "scripted"})
        tokens = await ed.until(
            lambda: [
                token
                for token, reports in ed.client.progress_reports.items()
                if reports and not isinstance(reports[-1], lsp.WorkDoneProgressEnd)
            ],
            "no progress",
        )
        if how == "progress":
            ed.client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(tokens[-1]))
        else:
            assert await ed.command("tutor.cancel", {"jobId": begun["jobId"]}) == {
                "cancelled": True
            }
        failed = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed[-1]["jobId"] == begun["jobId"]
        assert failed[-1]["reason"] == "CANCELLED"
        status = await ed.command("tutor.status")
        assert status["session"]["id"] == active["sessionId"]
        assert len(await ed.command("tutor.sessions")) == 1
        assert len(list((tmp_path / "home" / "python").iterdir())) == 1


async def test_rejected_stage_is_named_and_leaves_nothing(tmp_path):
    prose = script(tmp_path, {"stage": "scaffold", "text": "Here is your exercise!"})
    async with editor(tmp_path / "home", environment=prose) as ed:
        await ed.command("tutor.start", {"topic": "bees", "backend": "scripted",
                                         "language": "python"})  # fmt: skip
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed["stage"] == "scaffold"
        assert failed["reason"] == "SCHEMA_VALIDATION_FAILED"
        job = (await ed.command("tutor.status"))["jobs"][-1]
        assert job["state"] == "failed"
        assert job["error"]["kind"] == "SCHEMA_VALIDATION_FAILED"
        assert await ed.command("tutor.sessions") == []


async def test_logged_out_codex_is_said_with_the_remedy(tmp_path):
    codex = tmp_path / "codex"
    codex.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo codex-cli 0.169.0 && exit 0\ncat >/dev/null\n'
        'echo \'{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized"}}\'\n'
        "exit 1\n"
    )
    codex.chmod(0o755)
    settings = {"codex": {"command": str(codex)}}
    async with editor(tmp_path / "home", settings=settings) as ed:
        await ed.command("tutor.start", {"topic": "bees", "backend": "codex", "language": "python"})
        (failed,) = await ed.until(lambda: ed.notified["tutor/sessionFailed"], "no end")
        assert failed["reason"] == "EXECUTION_FAILED"
        assert "codex login" in failed["message"]


async def test_two_servers_on_one_exercise_lose_nothing(tmp_path):
    home = tmp_path / "home"
    async with editor(home) as one, editor(home) as two:
        ready, path, uri = await begin(one)
        two.open(path)
        results = await asyncio.gather(
            one.command("tutor.attempt"), two.command("tutor.attempt"), one.command("tutor.check")
        )
        numbers = sorted(result["attempt"] for result in results[:2])
        assert numbers == [1, 2]
        for ed in (one, two):
            assert (await ed.command("tutor.status"))["session"]["attempts"] == 2
        stub = ready["units"][0]["stub"]
        one.save(uri, with_body(one.texts[uri], stub, "return -1"))
        await one.until(lambda: one.diagnostics(uri, "test-failed"), "no failure")


async def test_another_server_adopts_the_session_and_shows_its_results(tmp_path):
    home = tmp_path / "home"
    async with editor(home) as ed:
        ready, path, uri = await begin(ed)
        ed.save(uri, with_body(ed.texts[uri], ready["units"][0]["stub"], "return -1"))
        await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure")
        await ed.command("tutor.hint")
    async with editor(home) as ed:
        odd = path.as_uri().replace("python", "p%79thon", 1)
        uri = ed.open(path, uri=odd)
        shown = await ed.until(lambda: ed.diagnostics(odd, "test-failed"), "results not shown")
        assert len(shown) == 1
        status = await ed.command("tutor.status")
        assert status["session"]["id"] == ready["sessionId"]
        assert status["units"][0]["hintLevel"] == 1


async def test_copied_exercise_is_adopted_by_a_new_home(tmp_path):
    async with editor(tmp_path / "home") as ed:
        _, path, _ = await begin(ed)
    async with editor(tmp_path / "other") as ed:
        uri = ed.open(path)
        await ed.until(lambda: ed.diagnostics(uri, "todo"), "not adopted")
        assert (await ed.command("tutor.check"))["outcome"] == "failed"
        assert (await ed.command("tutor.hint"))["level"] == 1


async def test_reopened_file_gets_its_diagnostics_again(ed):
    _, path, uri = await begin(ed)
    await ed.until(lambda: ed.diagnostics(uri, "todo"), "no todo")
    ed.close(uri)
    ed.client.diagnostics.pop(uri)
    ed.open(path)
    await ed.until(lambda: ed.diagnostics(uri, "todo"), "not published again")


async def test_closed_document_is_no_buffer_any_more(ed):
    _, path, uri = await begin(ed)
    ed.change(uri, ed.texts[uri] + "# typed\n")
    ed.close(uri)
    path.write_text(path.read_text() + "# edited elsewhere\n")
    assert (await ed.command("tutor.check"))["outcome"] == "failed"


async def test_saved_and_closed_at_once_is_still_checked(ed):
    ready, path, uri = await begin(ed)
    ed.save(uri, with_body(ed.texts[uri], ready["units"][0]["stub"], "return -1"))
    ed.close(uri)
    await ed.until(lambda: ed.diagnostics(path.as_uri(), "test-failed"), "no check")


async def test_save_while_the_server_is_still_loading_is_checked(tmp_path):
    home = tmp_path / "home"
    async with editor(home) as ed:
        ready, path, uri = await begin(ed)
        text = with_body(ed.texts[uri], ready["units"][0]["stub"], "return -1")
    async with editor(home) as ed:
        uri = ed.open(path)
        ed.save(uri, text)
        await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no check")


async def test_path_through_a_link_is_the_same_exercise(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    async with editor(tmp_path / "linked") as ed:
        ready, path, uri = await begin(ed)
        await ed.command("tutor.hint")
        real = Path(os.path.realpath(path))
        other = ed.open(real)
        await ed.until(lambda: ed.diagnostics(other, "todo") or ed.diagnostics(uri), "no todo")
        assert len(await ed.command("tutor.sessions")) == 1
        assert (await ed.command("tutor.status", {"uri": other}))["units"][0]["hintLevel"] == 1
        assert (await ed.command("tutor.check", {"uri": other}))["outcome"] == "failed"
        assert ready["sessionId"] == (await ed.command("tutor.status"))["session"]["id"]


@pytest.mark.parametrize("form", ["crlf", "bom"])
async def test_file_whose_form_the_editor_hides_is_not_unsaved(ed, form):
    _, path, uri = await begin(ed)
    text = path.read_text()
    raw = text.replace("\n", "\r\n") if form == "crlf" else "\ufeff" + text
    path.write_bytes(raw.encode())
    ed.change(uri, text)
    assert (await ed.command("tutor.check"))["outcome"] == "failed"


async def test_pipe_and_link_loop_in_the_folder_do_not_stop_the_server(ed):
    ready, _, _ = await begin(ed)
    root = Path(ready["workspace"])
    (root / "LESSON.md").unlink()
    os.mkfifo(root / "LESSON.md")
    (root / "pyrightconfig.json").unlink()
    (root / "pyrightconfig.json").symlink_to("pyrightconfig.json")
    assert (await asyncio.wait_for(ed.command("tutor.check"), 10))["outcome"] == "failed"
    assert (await ed.command("tutor.status"))["session"]["title"]


async def test_reset_does_not_write_through_a_link_out_of_the_exercise(ed, tmp_path):
    ready, path, uri = await begin(ed)
    outside = tmp_path / "outside"
    path.parent.rename(outside)
    path.parent.symlink_to(outside)
    (outside / path.name).write_text("my own text\n")
    ed.close(uri)
    assert (await ed.refused("tutor.reset", {"session": ready["sessionId"]}))["kind"] == "BAD_PATH"
    assert (outside / path.name).read_text() == "my own text\n"


async def test_hints_asked_at_once_are_one_after_the_other(ed):
    await begin(ed)
    shown = await asyncio.gather(*(ed.command("tutor.hint") for _ in range(3)))
    assert sorted(hint["level"] for hint in shown) == [1, 2, 3]


async def test_unwritable_coach_file_loses_no_hint_and_no_review(ed):
    ready, _, _ = await begin(ed)
    Path(ready["workspace"], ".tutor", "coach.md").mkdir()
    assert (await ed.command("tutor.hint"))["level"] == 1
    result = await ed.command("tutor.attempt")
    assert result["review"] is not None
    assert any("coach.md" in message.message for message in ed.client.messages)


async def test_next_does_not_skip_an_attempt_that_could_not_be_counted(ed):
    ready, _, uri = await begin(ed)
    ed.save(uri, with_body(ed.texts[uri], ready["units"][0]["stub"], "return -1"))
    test = next(Path(ready["workspace"], "tests").glob("*.py"))
    test.write_text(test.read_text() + "\n# edited\n")
    error = await ed.refused("tutor.next")
    assert error["kind"] == "REFUSED"
    assert "tutor.restore" in error["message"]
    assert (await ed.command("tutor.status"))["session"]["endedAt"] is None


async def test_folder_from_elsewhere_does_not_run_on_save_until_it_is_trusted(tmp_path):
    async with editor(tmp_path / "home") as ed:
        ready, path, _ = await begin(ed)
    async with editor(tmp_path / "other") as ed:
        uri = ed.open(path)
        await ed.until(lambda: ed.diagnostics(uri, "todo"), "not adopted")
        ed.save(uri, with_body(ed.texts[uri], ready["units"][0]["stub"], "return -1"))
        await ed.until(
            lambda: any("trust" in message.message for message in ed.client.messages), "not said"
        )
        assert not ed.diagnostics(uri, "test-failed")
        await ed.command("tutor.check")
        await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no result")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_no_test_process_outlives_the_server(tmp_path, number):
    async with editor(tmp_path / "home") as ed:
        ready, path, uri = await begin(ed)
        path.write_text(with_body(path.read_text(), ready["units"][0]["stub"], WHILE_TRUE))
        ed.change(uri, path.read_text())
        asked = asyncio.ensure_future(ed.command("tutor.check"))
        await ed.until(lambda: _children(ed), "no test process")
        ed.client._server.send_signal(number)
        await ed.client._server.wait()
        await ed.until(lambda: not _children(ed), "a test process lives on")
        asked.cancel()
        ed.client.capabilities = None


async def test_shutdown_with_a_command_in_flight_answers_it_and_ends(tmp_path):
    async with editor(tmp_path / "home") as ed:
        ready, path, uri = await begin(ed)
        path.write_text(with_body(path.read_text(), ready["units"][0]["stub"], WHILE_TRUE))
        ed.change(uri, path.read_text())
        asked = asyncio.ensure_future(ed.refused("tutor.check"))
        await ed.until(lambda: _children(ed), "no test process")
        await ed.client.shutdown_async(None)
        error = await asyncio.wait_for(asked, 10)
        assert error["code"] in {-32800, -32001}
        ed.client.exit(None)
        assert await asyncio.wait_for(ed.client._server.wait(), 10) == 0
        ed.client.capabilities = None
