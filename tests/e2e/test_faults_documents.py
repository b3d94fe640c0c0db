"""Documents and folders that come, go, or are known under another name."""

import os
from pathlib import Path

import pytest
from editor import editor
from faults_kit import begin
from placeholders import with_body

pytestmark = pytest.mark.first(3)


@pytest.mark.long("test_changed_elsewhere.py does so without a server")
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


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_copied_exercise_is_adopted_by_a_new_home(tmp_path):
    async with editor(tmp_path / "home") as ed:
        _, path, _ = await begin(ed)
    async with editor(tmp_path / "other") as ed:
        uri = ed.open(path)
        await ed.until(lambda: ed.diagnostics(uri, "todo"), "not adopted")
        assert (await ed.command("tutor.check", {"trust": True}))["outcome"] == "failed"
        assert (await ed.command("tutor.hint"))["level"] == 1


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_reopened_file_gets_its_diagnostics_again(ed):
    _, path, uri = await begin(ed)
    await ed.until(lambda: ed.diagnostics(uri, "todo"), "no todo")
    ed.close(uri)
    ed.client.diagnostics.pop(uri)
    ed.open(path)
    await ed.until(lambda: ed.diagnostics(uri, "todo"), "not published again")


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_closed_document_is_no_buffer_any_more(ed):
    _, path, uri = await begin(ed)
    ed.change(uri, ed.texts[uri] + "# typed\n")
    ed.close(uri)
    path.write_text(path.read_text() + "# edited elsewhere\n")
    assert (await ed.command("tutor.check"))["outcome"] == "failed"


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_a_change_that_comes_late_is_left_out(ed):
    ready, path, uri = await begin(ed)
    first, last = (
        with_body(ed.texts[uri], ready["units"][0]["stub"], body) for body in ("retu", "return -1")
    )
    path.write_text(last)
    for version, text in ((3, last), (2, first)):
        ed.versions[uri] = version - 1
        ed.change(uri, text)
    assert (await ed.command("tutor.check"))["outcome"] == "failed", "what is seen is what is saved"
    await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure")


@pytest.mark.long("starts a server for a case beside those that stand for it here")
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


@pytest.mark.long("starts a server for a case beside those that stand for it here")
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


@pytest.mark.long("starts a server for a case beside those that stand for it here")
@pytest.mark.first(1)
@pytest.mark.parametrize("form", ["crlf", "bom"])
async def test_file_whose_form_the_editor_hides_is_not_unsaved(ed, form):
    _, path, uri = await begin(ed)
    text = path.read_text()
    raw = text.replace("\n", "\r\n") if form == "crlf" else "\ufeff" + text
    path.write_bytes(raw.encode())
    ed.change(uri, text)
    assert (await ed.command("tutor.check"))["outcome"] == "failed"


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
        await ed.command("tutor.check", {"trust": True})
        await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no result")
