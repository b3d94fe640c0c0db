"""Export and import of the whole record: nothing is lost, nothing is overwritten."""

import asyncio
import json
import threading
from pathlib import Path

import pytest
from learner_kit import learner

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import NodeRecord, OwnTopic
from tutor_lsp.tutor.learner.record.transfer import import_record as take_in_module
from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record

NODE = "python-functions"


async def worked(me):
    """A home with a passed exercise, one that goes on, an own topic and a claim."""
    await me.pass_exercise(node=NODE)
    await me.do("end")
    session = await me.start(node="python-strings")
    root = Path(session["workspace"])
    (root / "notes.txt").write_text("mine", "utf-8")
    for folder in (root, root / "src"):
        (folder / "raw.bin").write_bytes(b"\xff\x00")
    await me.do("hint")
    await me.do("claim", node="python-lists", known=True)
    for language in ("python", "rust"):
        own = NodeRecord(
            "topic-chess", language, own=OwnTopic(f"Chess in {language}", "Chess", "D2")
        )
        await me.app.services.db(lambda tx, own=own: tx.put_node(own))
    return root


def plain(path):
    """What an export holds, without what differs by nature."""
    whole = json.loads(path.read_text())
    del whole["exportedAt"]
    whole["events"] = [event for event in whole["events"] if event["kind"] != "record-imported"]
    for session in whole["sessions"]:
        del session["trusted"]
    for files in whole["files"].values():
        for stray in ("notes.txt", "raw.bin"):
            files.pop(stray, None)
    return whole


async def everything(me):
    def read(tx):
        return tx.sessions(), tx.all_nodes(), tx.events(), tx.active()

    files = {path: path.read_bytes() for path in me.app.services.home.rglob("*") if path.is_file()}
    # The day's backup is made beside the work.
    return await me.app.services.db(read), {
        k: v for k, v in files.items() if "tutor.db" not in k.name and k.parent.name != "backups"
    }


async def test_a_record_moves_to_another_machine_whole(me, tmp_path):
    root = await worked(me)
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    counted = await export(me.app.services, first)
    assert (counted["sessions"], counted["folders"], counted["leftOut"]) == (2, 2, [])
    assert first.stat().st_mode & 0o077 == 0

    async with learner(tmp_path / "elsewhere") as other:
        taken = await import_record(other.app.services, first)
        assert (taken["sessions"], taken["folders"]) == (2, 2)
        mine = f"{root.name}/"
        assert taken["leftOut"] == [f"{mine}notes.txt", f"{mine}raw.bin"]
        await export(other.app.services, second)
        assert plain(second) == plain(first)
        moved = tmp_path / "elsewhere" / "imported" / root.name
        assert (moved / "src" / "raw.bin").read_bytes() == b"\xff\x00"
        assert not (moved / "notes.txt").exists()

        status = await other.do("status")
        assert status["session"]["workspace"] == str(moved)
        assert status["session"]["hintLevelUsed"] == 1
        session = {"sessionId": status["session"]["id"], "workspace": str(moved)}
        await other.solve(session)
        with pytest.raises(TutorError, match="came from elsewhere"):
            await other.do("attempt")
        assert (await other.do("attempt", trust=True))["mastery"]["after"] == 1

        before = await everything(other)
        again = await import_record(other.app.services, second)
        assert not any(value for key, value in again.items() if key != "textsKept")
        assert again["textsKept"] > 0  # solved meanwhile: the older texts are kept
        texts = await other.app.services.db(lambda tx: tx.events(kind="imported-texts"))
        await import_record(other.app.services, second)
        after = await everything(other)
        assert after[1] == before[1]
        assert after[0][2] == before[0][2] + texts
        assert len(texts) == 1


KINDS = ("sessions", "topics", "folders", "events")


async def test_what_is_counted_is_what_is_new_elsewhere(me, tmp_path):
    await me.start(node=NODE)
    await me.do("attempt")  # nothing passes: the topic's record says nothing yet
    await me.do("claim", node="python-lists", known=True)
    await me.app.services.record("consent", {"backend": "codex"})
    counted = await export(me.app.services, tmp_path / "record.json")
    assert counted["topics"] == 1
    async with learner(tmp_path / "elsewhere") as other:
        taken = await import_record(other.app.services, tmp_path / "record.json")
    assert [taken[kind] for kind in KINDS] == [counted[kind] for kind in KINDS]


async def test_an_import_that_writes_is_not_left_half_done(me, tmp_path, monkeypatch):
    await me.start(node=NODE)
    file = tmp_path / "record.json"
    await export(me.app.services, file)
    writes, goes_on = threading.Event(), threading.Event()
    place_all = take_in_module._place_all

    def slow(*args):
        writes.set()
        goes_on.wait(30)
        place_all(*args)

    monkeypatch.setattr(take_in_module, "_place_all", slow)
    async with learner(tmp_path / "elsewhere") as other:
        task = asyncio.create_task(import_record(other.app.services, file))
        assert await asyncio.to_thread(writes.wait, 30)
        task.cancel()
        goes_on.set()
        assert (await task)["folders"] == 1
        assert [session["missing"] for session in await other.do("sessions")] == [False]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_importing_what_is_here_changes_nothing(me, tmp_path):
    await worked(me)
    file = tmp_path / "record.json"
    await export(me.app.services, file)
    before = await everything(me)
    result = await import_record(me.app.services, file)
    assert not any(result.values())
    assert await everything(me) == before


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_what_an_editor_put_into_the_folder_is_no_text_of_the_learner(me, tmp_path):
    root = await worked(me)
    settings = root / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    file = tmp_path / "record.json"
    await export(me.app.services, file)
    settings.unlink()
    assert not any((await import_record(me.app.services, file)).values())
    async with learner(tmp_path / "elsewhere") as other:
        assert f"{root.name}/.vscode/" in (await import_record(other.app.services, file))["leftOut"]
        taken = tmp_path / "elsewhere" / "imported" / root.name
        assert not (taken / ".vscode").exists()


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_folder_that_is_there_is_never_written_into(me, tmp_path):
    root = await worked(me)
    file = tmp_path / "record.json"
    await export(me.app.services, file)
    taken = tmp_path / "elsewhere" / "imported" / root.name
    taken.mkdir(parents=True)
    (taken / "mine.txt").write_text("here first")
    async with learner(tmp_path / "elsewhere") as other:
        await import_record(other.app.services, file)
        assert [path.name for path in taken.iterdir()] == ["mine.txt"]
        sessions = await other.do("sessions")
        assert f"{taken}-2" in [session["workspace"] for session in sessions]


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_two_homes_merge_without_loss(me, tmp_path):
    await me.pass_exercise(node=NODE)
    async with learner(tmp_path / "elsewhere") as other:
        await other.pass_exercise(node="python-strings")
        file = tmp_path / "record.json"
        await export(other.app.services, file)
    await import_record(me.app.services, file)
    records = await me.app.services.db(lambda tx: tx.nodes("python"))
    assert {name: record.mastery for name, record in records.items()} == {
        NODE: 1,
        "python-strings": 1,
    }
    assert all(record.card for record in records.values())
    assert len(await me.do("sessions")) == 2


BROKEN = {
    "cut off": lambda text: text[: len(text) // 2],
    "another file": lambda text: '{"name": "package"}',
    "a list": lambda text: "[1, 2]",
    "nothing": lambda text: "",
}


@pytest.mark.first(2)
@pytest.mark.parametrize("how", BROKEN)
async def test_a_broken_file_is_refused_and_nothing_changes(me, tmp_path, how):
    await me.start(node=NODE)
    file = tmp_path / "record.json"
    await export(me.app.services, file)
    file.write_text(BROKEN[how](file.read_text()))
    await refused(me, file)


async def refused(me, file):
    before = await everything(me)
    with pytest.raises(TutorError) as caught:
        await import_record(me.app.services, file)
    assert caught.value.kind == "IMPORT"
    assert "Nothing was changed" in caught.value.message
    assert await everything(me) == before
    return caught.value.message


def _set(*path_and_value):
    *path, key, value = path_and_value

    def change(whole):
        for step in path:
            whole = whole[step] if not callable(step) else step(whole)
        whole[key] = value

    return change


def _only(whole):
    return next(iter(whole.values()))


WRONG_PARTS = {
    "newer": _set("version", 2),
    "version": _set("version", "1"),
    "no sessions": lambda whole: whole.pop("sessions"),
    "a session without id": lambda whole: whole["sessions"][0].pop("id"),
    "depth": _set("sessions", 0, "depth", "D9"),
    "language": _set("sessions", 0, "language", "../etc"),
    "a folder outside": lambda whole: whole["folders"].update(
        dict.fromkeys(whole["folders"], "../../x")
    ),
    "a file outside": _set("files", _only, "../../evil", "x"),
    "an absolute file": _set("files", _only, "/tmp/evil", "x"),
    "no base64": _set("files", _only, "a.bin", {"base64": "@@"}),
    "attempts": _set("sessions", 0, "attemptCount", -1),
    "mastery": _set("nodes", 0, "mastery", 7),
    "card": _set("nodes", 0, "card", "stability", -1.0),
    "time": _set("events", 0, "at", "yesterday"),
    "the same session twice": lambda whole: whole["sessions"].append(whole["sessions"][0]),
}


async def test_a_record_with_a_wrong_part_is_refused_as_a_whole(me, tmp_path):
    await me.pass_exercise(node=NODE)
    file = tmp_path / "record.json"
    await export(me.app.services, file)
    text = file.read_text()
    for name, change in WRONG_PARTS.items():
        whole = json.loads(text)
        change(whole)
        file.write_text(json.dumps(whole))
        said = await refused(me, file)
        assert ("newer tutor" in said) is (name == "newer"), (name, said)


async def test_a_file_that_is_there_is_not_replaced_unless_asked(me, tmp_path):
    file = tmp_path / "record.json"
    file.write_text("older")
    with pytest.raises(TutorError, match="already exists"):
        await export(me.app.services, file)
    assert file.read_text() == "older"
    await export(me.app.services, file, force=True)
    assert json.loads(file.read_text())["version"] == 1
    link = tmp_path / "link.json"
    link.symlink_to(file)
    for special in (tmp_path, link):  # a device such as /dev/null would be gone as well
        with pytest.raises(TutorError, match="not a file that can be replaced"):
            await export(me.app.services, special, force=True)
    assert link.is_symlink()
    with pytest.raises(TutorError, match="cannot be written"):
        await export(me.app.services, tmp_path / "no" / "such" / "folder.json")
    with pytest.raises(TutorError, match="does not exist"):
        await import_record(me.app.services, tmp_path / "nothing.json")
