"""Bad input in the learner's files: said clearly, nothing lost, the server goes on."""

from pathlib import Path

import pytest
from editor import PROFILES, editor, line_of
from faults_kit import WHILE_TRUE, begin
from lsprotocol import types as lsp
from placeholders import with_body

pytestmark = pytest.mark.first(3)


@pytest.mark.first(1)
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
    settings = {"limits": {"testSeconds": 0.3}}
    async with editor(tmp_path / "home", settings=settings) as ed:
        ready, _, uri = await begin(ed)
        stub = ready["units"][1]["stub"]
        ed.save(uri, with_body(ed.texts[uri], stub, body))
        shown = await ed.until(lambda: ed.diagnostics(uri, code), f"no {code}")
        assert says in shown[0].message
        report = await ed.command("tutor.check")
        others = [t for t in report["tests"] if t["unit"] != "ex-2"]
        assert others
        assert all(t["outcome"] != "not_run" for t in others)
        assert (await ed.command("tutor.status"))["session"]["attempts"] == 0


@pytest.mark.long("starts a server for a case beside those that stand for it here")
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
    states = {u["id"]: u["state"] for u in (await ed.command("tutor.status"))["units"]}
    assert states["ex-1"] == "failing"  # the error stands inside its stub
    assert {states[unit["id"]] for unit in ready["units"][1:]} == {"todo"}
    report = await ed.command("tutor.check")
    assert report["outcome"] == "build_error"
    assert report["buildErrors"][0]["line"] == line_of(ed.texts[uri], "return ((") + 1
    ed.save(uri, wrong)
    await ed.until(lambda: not ed.diagnostics(uri, "build-error"), "the error stays")
    await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "the failure is gone")


@pytest.mark.long("starts a server for a case beside those that stand for it here")
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


@pytest.mark.long("starts a server for a case beside those that stand for it here")
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


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_deleted_test_is_an_error_until_it_is_restored(ed):
    ready, _, _ = await begin(ed)
    test = next(Path(ready["workspace"], "tests").glob("*.py"))
    test.unlink()
    check = await ed.command("tutor.check")
    assert check["outcome"] != "passed"
    assert f"the deletion of tests/{test.name}" in check["note"]
    attempt = await ed.command("tutor.attempt")
    assert (attempt["attempt"], attempt["report"]["outcome"]) == (1, "failed")
    assert "tutor.restore" in attempt["note"]
    await ed.command("tutor.restore")
    assert (await ed.command("tutor.check"))["outcome"] == "failed"


@pytest.mark.long("test_bare_client.py counts columns too")
@pytest.mark.first(1)
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


@pytest.mark.long("starts a server for a case beside those that stand for it here")
async def test_next_does_not_skip_an_attempt_that_could_not_be_counted(ed):
    ready, _, uri = await begin(ed)
    ed.save(uri, with_body(ed.texts[uri], ready["units"][0]["stub"], "return )"))
    error = await ed.refused("tutor.next")
    assert error["kind"] == "REFUSED"
    assert "not counted" in error["message"]
    assert ready["units"][0]["file"] in error["message"]
    assert (await ed.command("tutor.status"))["session"]["endedAt"] is None
