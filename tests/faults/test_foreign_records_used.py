"""More records of somebody else, and what commands do with what was taken in of them."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from foreign_kit import learner_here, planted, refusal_of, watched, within
from test_foreign_records import NODE, file, only, put, unit, written

from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record

pytestmark = pytest.mark.first(3)

MiB = 1 << 20
WITHIN_S = 5.0
AT = "2026-01-01T00:00:00.000+00:00"


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """The text of the record of somebody who passed an exercise, and its canary."""
    place = tmp_path_factory.mktemp("theirs")

    async def make():
        async with learner_here(place / "home") as them:
            ready = await them.start(node=NODE)
            await them.do("hint")
            await them.solve(ready)
            await them.do("attempt")
            planted(Path(ready["workspace"]), place / "canary")
            await export(them.app.services, place / "record.json")

    asyncio.run(make())
    return (place / "record.json").read_text("utf-8"), place / "canary"


def session(key, value):
    return put("sessions", 0, key, value)


def node(**values):
    return lambda whole: whole["nodes"].append(
        {"node": "x", "language": "python", "updatedAt": AT, **values}
    )


def card(**values):
    plain = {"stability": 1.0, "difficulty": 5.0, "due": AT, "lastReview": AT, "reviews": 1}
    return lambda whole: whole["nodes"][0].update(card={**plain, **values})


def review(**values):
    finding = {"file": "src/exercise/movie.py", "line": 1, "endLine": 1, "quote": "x",
               "claim": "c", "evidence": "e", **values}  # fmt: skip
    return lambda whole: whole["sessions"][0]["attempts"][0]["review"].update(findings=[finding])


def report(**values):
    return lambda whole: whole["sessions"][0]["lastReport"].update(values)


def lesson(text):
    def change(whole):
        only(whole["files"])["LESSON.md"] = text
        only(whole["exercises"])["vault"]["originals"]["LESSON.md"] = text

    return change


def code(text):
    def change(whole):
        only(whole["files"])["src/exercise/movie.py"] = text

    return change


RECORDS = {
    "trusted is a word": session("trusted", "yes"),
    "the workspace is another one's": session("workspace", "/etc"),
    "the lesson is another file": session("lesson", "/etc/passwd"),
    "an escape in the title": session("title", "\x1b[2J\x1b]0;x\x07evil"),
    "a title of 10 MB": session("title", "x" * 10 * MiB),
    "a title that is a page": session("title", "<script>alert(1)</script>"),
    "another language than the exercise": session("language", "rust"),
    "an unknown language": session("language", "cobol"),
    "a node that is none": session("node", "../../x"),
    "an exercise id that leads out": put("exercises", "*", "exercise", "id", "../../x"),
    "a review of itself": lambda whole: whole["sessions"][0].update(
        reviewOf=whole["sessions"][0]["id"]
    ),
    "no name of a stub": unit("stub", ""),
    "a stub of another name": unit("stub", "__import__"),
    "a stub that is a pattern": unit("stub", "(a+)+$"),
    "tests that are options": unit("tests", ["-p", "--co", "; touch x"]),
    "a line beyond the file": unit("line", 10**12),
    "a unit that needs itself": put("exercises", "*", "exercise", "proof", "needs",
                                    {"ex-1": ["ex-1"], "ex-2": ["ex-1", "ex-2"]}),
    "a test of 100,000 names": unit("tests", [f"test_{n}" for n in range(100_000)]),
    "a finding outside": review(file="../../../../etc/passwd"),
    "a finding that is absolute": review(file="/etc/passwd"),
    "a finding beyond the file": review(line=10**9, endLine=10**9),
    "an error outside": report(buildErrors=[
        {"file": "/etc/passwd", "line": 1, "column": 1, "endLine": 1, "endColumn": 1,
         "code": None, "message": "x"}
    ], outcome="build_error"),
    "a result of no outcome": report(outcome="excellent"),
    "tests for results": report(tests=[1, 2, 3]),
    "a lesson of nested quotes": lesson("> " * (MiB // 4) + "x\n"),
    "a lesson of brackets": lesson("[" * (MiB // 2) + "\n"),
    "a lesson of headings": lesson("# x\n" * (MiB // 4)),
    "a lesson of stars": lesson("*a_ " * (MiB // 4) + "\n"),
    "a lesson of one word": lesson("x" * (3 * MiB) + "\n"),
    "code of parentheses": code("(" * MiB),
    "code of nested lists": code("x = " + "[" * 50_000 + "]" * 50_000),
    "code of nested functions": code(
        "".join("    " * n + f"def f{n}():\n" for n in range(700)) + "    " * 700 + "pass\n"
    ),
    "code of one line": code("x = " + "1 + " * (MiB // 2) + "1\n"),
    "code that is not text": lambda whole: only(whole["files"]).update(
        {"src/exercise/movie.py": {"base64": "/////w=="}}
    ),
    "code with zeros": code("\0" * 1000),
    "no code at all": lambda whole: only(whole["files"]).pop("src/exercise/movie.py"),
    "a marker of its own": file(".tutor/exercise.json", "[" * 100_000),
    "a file of a list": put("files", "*", "src/x.py", ["a"]),
    "a file of an object": put("files", "*", "src/x.py", {"base64": 7}),
    "a file called src": file("src"),
    "names in two forms": lambda whole: only(whole["files"]).update(
        {"src/\u00e9.py": "", "src/e\u0301.py": ""}
    ),
    "a time before all times": card(due="0001-01-01T00:00:00+14:00"),
    "a time after all times": card(due="9999-12-31T23:59:59-14:00"),
    "a card beyond all bounds": card(stability=1e308),
    "a card reviewed after it is due": card(lastReview="9999-01-01T00:00:00+00:00"),
    "a topic in 10 MB of words": node(own={"text": "x" * 10 * MiB, "title": "x", "depth": "D1"}),
    "a topic called by a path": node(
        node="../../x", own={"text": "a", "title": "b", "depth": "D1"}
    ),
    "tags that are pages": node(node=NODE, tags={"<b>": {"count": 3, "lastAt": AT}}),
    "a history of 100,000 steps": node(node=NODE, history=[
        {"at": AT, "session": "s", "before": 0, "after": 1, "reason": "x"}
    ] * 100_000),
    "100,000 events": lambda whole: whole["events"].extend(
        {"at": AT, "kind": "x", "data": {}, "session": None} for _ in range(100_000)
    ),
    "an event of another shape": lambda whole: whole["events"].append(
        {"at": AT, "kind": "review", "data": {"review": 7}, "session": None}
    ),
    "a claim of another shape": lambda whole: whole["events"].append(
        {"at": AT, "kind": "claim", "data": {}, "session": whole["sessions"][0]["id"]}
    ),
    "an attempt of another shape": lambda whole: whole["events"].append(
        {"at": AT, "kind": "attempt", "data": {"files": 3}, "session": whole["sessions"][0]["id"]}
    ),
    "an active one that is not there": put("active", "nobody"),
    "a mark of byte order": lambda whole: b"\xef\xbb\xbf" + json.dumps(whole).encode(),
    "utf-16": lambda whole: json.dumps(whole).encode("utf-16"),
    "a word": lambda whole: '"tutor-lsp-record"',
    "a name twice, deep inside": lambda whole: json.dumps(whole).replace(
        '"title":', '"title": "a", "title":', 1
    ),
}  # fmt: skip
COMMANDS = ("status", "sessions", "check", "hint", "attempt", "review", "curriculum", "report",
            "open", "reset", "restore", "compare", "reveal", "next", "end")  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("case", RECORDS)
async def test_a_strange_record_hangs_nothing_and_runs_nothing(theirs, tmp_path, case):
    text, canary = theirs
    path = tmp_path / "record.json"
    written(path, text, RECORDS[case])
    home = tmp_path / "home"
    async with learner_here(home) as me, asyncio.timeout(120):
        with watched(home) as ran:
            with within(WITHIN_S):
                refused = await refusal_of(import_record(me.app.services, path))
            if refused is not None:
                assert refused.kind == "IMPORT"
                assert len(refused.message) < 600
                assert not (home / "imported").exists()
                return
            for command in COMMANDS:
                with within(WITHIN_S):
                    said = await refusal_of(me.do(command))
                assert said is None or len(said.message) < 2000, command
        assert not ran
    assert not canary.exists()
    assert not [each for each in tmp_path.iterdir() if each.name not in ("home", "record.json")]


async def test_a_record_cannot_take_over_an_exercise_that_is_here(tmp_path):
    async with learner_here(tmp_path / "home") as me:
        mine = await me.start(node=NODE)
        await export(me.app.services, tmp_path / "record.json")
        whole = json.loads((tmp_path / "record.json").read_text())
        whole["sessions"][0] |= {"language": "c", "exerciseId": "x", "trusted": True,
                                 "updatedAt": "2099-01-01T00:00:00+00:00"}  # fmt: skip
        only(whole["exercises"])["vault"]["originals"]["tests/test_movie.py"] = "evil"
        only(whole["files"])["tests/conftest.py"] = "evil"
        (tmp_path / "record.json").write_text(json.dumps(whole))
        await refusal_of(import_record(me.app.services, tmp_path / "record.json"))
        [session] = await me.app.services.db(lambda tx: tx.sessions())
        kept = await me.app.services.db(lambda tx: tx.exercise(session.id))
        assert session.language == "python"
        assert "evil" not in str(kept)
        assert not Path(mine["workspace"], "tests", "conftest.py").exists()
        assert (await me.do("check"))["tests"]


async def test_a_folder_put_in_the_place_of_a_trusted_one_is_asked_about(tmp_path):
    async with learner_here(tmp_path / "theirs") as them:
        other = await them.start(node="python-strings")
    async with learner_here(tmp_path / "home") as me:
        mine = await me.start(node=NODE)
    shutil.rmtree(mine["workspace"])
    shutil.copytree(other["workspace"], mine["workspace"])
    planted(Path(mine["workspace"]), tmp_path / "canary")
    async with learner_here(tmp_path / "home") as me:
        with watched(mine["workspace"]) as ran:
            refused = await refusal_of(me.do("check"))
        assert refused is not None
        assert not ran


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_a_title_says_nothing_to_a_terminal(theirs, tmp_path):
    text, _ = theirs
    whole = json.loads(text)
    whole["sessions"][0]["title"] = only(whole["exercises"])["exercise"]["title"] = (
        "\x1b[2J\u202eevil"
    )
    (tmp_path / "record.json").write_text(json.dumps(whole))
    async with learner_here(tmp_path / "home") as me:
        await import_record(me.app.services, tmp_path / "record.json")
        assert (await me.do("sessions"))[0]["title"] == "\ufffd[2J\ufffdevil"
        refused = await refusal_of(me.do("check"))
        assert refused.message.isprintable()
