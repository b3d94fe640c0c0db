"""A library of one's own: its proof runs after one yes for each version of an exercise."""

import asyncio
import json
import shutil
import subprocess
import sys
import time

import pytest
from foreign_kit import learner_here, planted, refusal_of, watched

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.library.loader import BUNDLED
from tutor_lsp.tutor.exercise.trust import LEAVE, TRUST
from tutor_lsp.tutor.services.frontend import Abilities

pytestmark = pytest.mark.first(3)

NODE, NAME = "python-functions", "python-functions-movie-night"


@pytest.fixture
def own(tmp_path):
    """A library with one exercise that is no bundled one, of three units."""
    folder = tmp_path / "library" / "python" / f"{NODE}-weather"
    new_exercise(folder, "python", {NODE: "D1"})
    shutil.rmtree(folder / "accepts")  # domains are tried in programs of their own
    return folder


def here(tmp_path, own, **more):
    return learner_here(tmp_path / "home", libraries=[str(own.parents[1])], **more)


async def test_it_is_asked_about_once_and_again_when_it_changed(tmp_path, own):
    async with here(tmp_path, own) as me:
        with watched(own) as ran:
            refused = await refusal_of(me.start(node=NODE))
        assert refused.kind == "UNTRUSTED"
        named = (
            str(own),
            "tests/test_weather.py",
            f"tutor-lsp start --node {NODE} --trust",
            '{"trust": true}',
            "--trust",
        )
        assert [part for part in named if part not in refused.message] == []
        assert not ran
        assert not (tmp_path / "home" / "exercises").exists()

        with watched(own) as ran:
            first = await me.start(node=NODE, trust=True)
        assert ran  # it was proven
        assert (await me.do("check", session=first["sessionId"]))["tests"]
        await me.start(node=NODE, fresh=True)  # the same content again
    (own / "solution" / "src" / "exercise" / "weather.py").write_text("import os\n", "utf-8")
    async with here(tmp_path, own) as me:
        with watched(own) as ran:
            refused = await refusal_of(me.start(node=NODE, fresh=True, depth="D1"))
        assert refused.kind == "UNTRUSTED"
        assert f"tutor-lsp start --node {NODE} --depth D1 --fresh --trust" in refused.message
        assert not ran


@pytest.mark.long("proves an exercise")
@pytest.mark.sample("way2")
@pytest.mark.parametrize(
    "way",
    [
        {"node": NODE},
        {"language": "python"},
        {"topic": "Functions and return values", "language": "python"},
    ],
)
async def test_every_way_to_it_asks_who_can_be_asked(tmp_path, own, way):
    async with here(tmp_path, own) as me:
        me.desk.abilities = Abilities(shows_results=True, chooses=True)
        me.desk.answers = [LEAVE]
        with watched(own) as ran:
            refused = await refusal_of(me.start(**way))
        assert refused.kind == "UNTRUSTED"
        assert not ran
        assert me.desk.questions[-1][1] == (TRUST, LEAVE)
        me.desk.answers = [TRUST]
        await me.start(**way)


@pytest.mark.long("proves an exercise")
async def test_the_next_exercise_asks_as_well(tmp_path, own):
    async with here(tmp_path, own) as me:
        await me.pass_exercise(node="python-numbers")
        with watched(own) as ran:
            refused = await refusal_of(me.do("next"))
        assert refused.kind == "UNTRUSTED"
        assert not ran
        await me.ready(await me.do("next", trust=True))


async def test_a_copy_of_what_comes_with_the_tutor_needs_no_yes(tmp_path):
    folder = tmp_path / "library" / "python" / NAME
    shutil.copytree(BUNDLED / "python" / NAME, folder)
    async with here(tmp_path, folder) as me:
        with watched(folder) as ran:
            await me.start(node=NODE)
        assert not ran  # its proof ships


def typed(*words, home, **more):
    """The tutor in a shell without a terminal: exit code, output, error output, seconds."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "tutor_lsp", *words, "--home", str(home)],
        capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL, **more,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr, time.monotonic() - began


@pytest.mark.long("starts programs for a case beside those that stand for it here")
async def test_in_a_shell_the_refusal_names_the_flag(tmp_path):
    async with learner_here(tmp_path / "theirs") as them:
        ready = await them.start(node=NODE)
    folder = tmp_path / "cloned"
    shutil.copytree(ready["workspace"], folder)
    planted(folder, tmp_path / "canary")
    home = tmp_path / "home"
    where = ("--path", str(folder))
    code, _, said, _ = await asyncio.to_thread(typed, "check", *where, home=home)
    assert code == 1
    assert "tutor-lsp check --trust" in said
    assert "tests/test_movie.py" in said
    assert not (tmp_path / "canary").exists()
    code, out, said, _ = await asyncio.to_thread(
        typed, "check", "--trust", "--json", *where, home=home
    )
    assert code == 3
    assert json.loads(out)["outcome"] == "failed"


RECORDINGS = {
    "holes": (lambda path: path.open("wb").truncate(20 << 30), "is larger than"),
    "a deep line": (lambda path: path.write_text("[" * 200_000), "nested too deep"),
    "many lines": (lambda path: path.write_text("{}\n" * 20_000), "more than 10000 lines"),
    "no text": (lambda path: path.write_bytes(b"\xff\xfe\n"), "cannot be used"),
}


@pytest.mark.sample("verb1-a deep line")
@pytest.mark.parametrize("case", RECORDINGS)
@pytest.mark.parametrize("verb", [("check-exercise",), ("start", "--replay")])
def test_a_hostile_recording_is_refused(tmp_path, case, verb):
    make, part = RECORDINGS[case]
    path = tmp_path / "record.jsonl"
    make(path)
    code, _, said, _ = typed(*verb, str(path), home=tmp_path / "home")
    assert code == 1
    assert part in said
