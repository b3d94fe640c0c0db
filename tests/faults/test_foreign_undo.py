"""An undo brings back what was in this folder: never what another record says was in it."""

import json
from pathlib import Path

import pytest
from foreign_kit import learner_here, refusal_of

from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record

AT = "2099-01-01T00:00:00.000+00:00"
STUB = "src/exercise/movie.py"


def taken(**data):
    return {"files": {}, "base64": {}, **data}


EVENTS = {
    "a file that tools load": ("restore", taken(files={"tests/conftest.py": "evil"})),
    "a build script": ("restore", taken(files={"build.rs": "evil"})),
    "other tests": ("restore", taken(files={"tests/test_movie.py": "evil"})),
    "a file outside": ("restore", taken(files={"tests/../../x.py": "evil"})),
    "another stub": ("reset", taken(files={STUB: "evil"})),
    "a stub in bytes": ("reset", taken(files={STUB: "evil"}, base64={STUB: "ZXZpbA=="})),
    "no cases": ("reset", taken(cases=[])),
    "cases of another shape": ("reset", taken(cases={"a": 1}, undo="yes")),
    "a unit that is none": ("reset", taken(files={STUB: "evil"}, unit="nope")),
    "an attempt": ("attempt", {"files": {STUB: "evil"}}),
}


@pytest.fixture
async def mine(tmp_path):
    """A learner with an exercise in which nothing was put back, and what takes an event in."""
    async with learner_here(tmp_path / "home") as me:
        ready = await me.start(node="python-functions")
        path = tmp_path / "record.json"

        async def bring(kind, data):
            await export(me.app.services, path, force=True)
            whole = json.loads(path.read_text())
            [session] = whole["sessions"]
            whole["events"].append({"at": AT, "kind": kind, "data": data, "session": session["id"]})
            path.write_text(json.dumps(whole))
            return await import_record(me.app.services, path)

        yield me, Path(ready["workspace"]), bring


def texts(root):
    """The texts of a folder that a run may load."""
    return {
        path: path.read_text("utf-8")
        for path in root.rglob("*")
        if path.is_file() and path.suffix in (".py", ".rs", ".toml")
    }


@pytest.mark.first(3)
@pytest.mark.parametrize("case", EVENTS)
async def test_nothing_of_another_record_is_put_into_a_folder(mine, case):
    me, root, bring = mine
    before = texts(root)
    await bring(*EVENTS[case])
    (root / STUB).unlink()
    await me.do("reset")
    refused = await refusal_of(me.do("reset", undo=True))
    assert refused is None or refused.kind == "REFUSED"
    assert texts(root) == before
    assert not (root.parent / "x.py").exists()


async def test_taking_it_in_again_changes_nothing(mine, tmp_path):
    me, _, bring = mine
    assert (await bring(*EVENTS["another stub"]))["events"] == 1
    assert (await import_record(me.app.services, tmp_path / "record.json"))["events"] == 0


async def test_what_was_put_back_here_is_still_undone(mine):
    me, root, bring = mine
    own = (root / STUB).read_text() + "# mine\n"
    (root / STUB).write_text(own)
    await me.do("reset")
    await bring(*EVENTS["another stub"])
    await me.do("reset", undo=True)
    assert (root / STUB).read_text() == own
