"""A record that cannot be written: what only reads goes on."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import record_kit
from record_kit import (
    ask,
    mounted,
    moved,
    namespaces_work,
    no_file_may_grow,
    program,
    programs,
    readable_only,
    settle,
    without_privileges,
)
from tutor_kit import tutor

from tutor_lsp.core.errors import TutorError
from tutor_lsp.store.database import open_store

pytestmark = pytest.mark.first(3)

home = record_kit.home

READING = (
    ("status",), ("sessions",), ("curriculum", "--language", "python"), ("review",), ("doctor",),
    ("cost",), ("open", "stub"),
)  # fmt: skip


def read_only_by_permission(home):
    readable_only(home)
    return {"before": without_privileges}


WAYS = {
    "read-only by permission": (read_only_by_permission, "cannot be written"),
    "no room at all": (lambda _home: {"before": no_file_may_grow}, "no space left"),
    "mounted read-only": (
        lambda home: {"wrapper": mounted("read-only", home)},
        "Read-only file",
        "namespace",
    ),
    "a full disk": (lambda home: {"wrapper": mounted("full", home)}, "no space left", "namespace"),
}


@pytest.fixture
def reached(tmp_path_factory, used):
    """A home below a folder that everybody may enter."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        copy = Path(folder) / "home"
        shutil.copytree(used, copy)
        moved(copy, used)
        settle(copy)
        yield copy
        for path in copy.rglob("*"):
            path.chmod(0o755)


@pytest.mark.sample("read-only by permission-closed")
@pytest.mark.parametrize("log", [False, True], ids=["closed", "killed"])
@pytest.mark.parametrize("way", WAYS)
def test_reading_goes_on_where_nothing_can_be_written(reached, used, way, log):
    if "namespace" in WAYS[way][2:] and not namespaces_work():
        pytest.skip("user namespaces are not allowed here")
    if log:
        left_by_a_kill(reached)
    prepare, why, *_ = WAYS[way]
    given = prepare(reached)
    if log and way == "no room at all":
        # What stands in the log alone can be read only where a copy finds room, if in memory.
        code, _, err = program(reached, "status", **given)
        assert (code, why in err) == (1, True)
        return
    verbs = [(*verb, "--json") for verb in READING]
    *read, claimed = programs(reached, [*verbs, ("claim", "python-lists")], **given)
    for verb, (code, out, err) in zip(READING, read, strict=True):
        assert code == 0, (verb, err)
        # The doctor has it in its rows; said beside them it would be there twice.
        assert (why in err) == (verb != ("doctor",))
        found = json.loads(out)
        if verb == ("sessions",):
            assert len(found) == (2 if log else 1)
        if verb == ("doctor",):
            (row,) = [tool for tool in found["tools"] if tool["name"] == "record"]
            assert not row["works"]
            assert why in row["remedy"]
            assert why not in " ".join(found["problems"])
    code, _, err = claimed
    assert code == 1
    assert err.count(why) == 1, "it is said once"


UNREADABLE = {
    "the file": lambda home: (home / "tutor.db").chmod(0),
    "the folder": lambda home: home.chmod(0),
}


@pytest.mark.long("starts programs for a case beside those that stand for it here")
@pytest.mark.first(1)
@pytest.mark.parametrize("what", UNREADABLE)
def test_a_record_that_may_not_be_read_is_called_that(reached, what):
    UNREADABLE[what](reached)
    for verb in (("status",), ("sessions",), ("claim", "python-lists")):
        code, _, err = program(reached, *verb, before=without_privileges)
        assert (code, "cannot be read" in err, "cannot be written" in err) == (1, True, False)
    reached.chmod(0o755)


def left_by_a_kill(home):
    """A session that stands in the log alone, as a server that was killed leaves it."""
    settle(home)
    keep = home.parent / "keep"
    with closing(sqlite3.connect(home / "tutor.db", isolation_level=None)) as connection:
        connection.execute(
            "INSERT INTO sessions SELECT id || 'x', exercise_id, node, language, depth, workspace, "
            "created_at, updated_at, ended_at, passed, body FROM sessions"
        )
        keep.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{home}/tutor.db{end}", keep)
    for end in ("", "-wal"):
        shutil.copy(keep / f"tutor.db{end}", home)
    shutil.rmtree(keep)


def test_it_is_written_again_as_soon_as_it_can_be(home):
    path, limit = home / "tutor.db", 0o500
    if os.geteuid() == 0:
        # Root may write anywhere: a lock that is a folder stops it as well.
        (home / "tutor.db.lock").unlink()
        (home / "tutor.db.lock").mkdir()
    home.chmod(limit)
    with closing(open_store(path)) as store:
        assert store.refusal is not None
        assert len(store.work(lambda tx: tx.sessions())) == 1
        with pytest.raises(TutorError, match="cannot be written"):
            store.work(lambda tx: tx.set_active("x"))
        home.chmod(0o700)
        if (home / "tutor.db.lock").is_dir():
            (home / "tutor.db.lock").rmdir()
        store.work(lambda tx: tx.sessions() and tx.set_active("x"))
        assert store.refusal is None
    assert ask(home, "SELECT value FROM state WHERE name = 'active-session'") == [("x",)]


async def test_a_start_is_refused_before_anything_is_made_for_it(home):
    (home / "tutor.db.lock").unlink()
    (home / "tutor.db.lock").mkdir()
    async with tutor(home) as t:
        for arguments in ({"node": "python-functions"}, {"language": "python"}):
            refused = await t.refused("start", **arguments)
            assert (refused.kind, "cannot be written" in refused.message) == ("STORE", True)
        assert t.app.services.jobs.all() == []
