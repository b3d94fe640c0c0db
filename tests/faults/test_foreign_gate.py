"""What was not made here runs nothing before one yes that names what would run."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from foreign_kit import learner_here, planted, refusal_of, watched

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.exercise.trust import LEAVE, TRUST
from tutor_lsp.tutor.learner.record.transfer.export import export
from tutor_lsp.tutor.learner.record.transfer.import_record import import_record
from tutor_lsp.tutor.services.frontend import Abilities

pytestmark = pytest.mark.first(3)

NODE = "python-functions"


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """An exercise folder of somebody else."""
    home = tmp_path_factory.mktemp("theirs")

    async def make():
        async with learner_here(home) as them:
            return (await them.start(node=NODE))["workspace"]

    return asyncio.run(make())


def a_copy(theirs, tmp_path, canary):
    """A copy of it, with code that touches the canary when it is run."""
    copy = tmp_path / "cloned"
    shutil.copytree(theirs, copy)
    planted(copy, canary)
    return copy


UNASKED = {
    "open it": [("status", {})],
    "go to a stub": [("open", {"target": "stub"})],
    "check": [("check", {})],
    "attempt": [("attempt", {})],
    "hint": [("hint", {})],
    "ask": [("ask", {"question": "why?"})],
    "the next exercise": [("next", {})],
    "review": [("review", {})],
    "check after a hint": [("hint", {}), ("check", {})],
    "reset and check": [("reset", {}), ("check", {})],
    "restore and attempt": [("restore", {}), ("attempt", {})],
    "the page": [("report", {})],
    "the end": [("end", {})],
}


@pytest.mark.parametrize("case", UNASKED)
async def test_nothing_of_a_copied_folder_runs_unasked(theirs, tmp_path, case):
    canary = tmp_path / "canary"
    copy = a_copy(theirs, tmp_path, canary)
    async with learner_here(tmp_path / "home") as me, asyncio.timeout(30):
        with watched(copy, tmp_path / "home") as ran:
            for command, arguments in UNASKED[case]:
                await refusal_of(me.do(command, uri=(copy / "LESSON.md").as_uri(), **arguments))
        assert not ran
    assert not canary.exists()


async def test_the_refusal_names_what_would_run_and_how_to_agree(theirs, tmp_path):
    canary = tmp_path / "canary"
    copy = a_copy(theirs, tmp_path, canary)
    async with learner_here(tmp_path / "home") as me:
        with pytest.raises(TutorError) as caught:
            await me.do("check", uri=copy.as_uri())
        for part in (str(copy), "tests/test_movie.py", "src/exercise/movie.py", "tests/conftest.py",
                     '{"trust": true}', "tutor-lsp check --trust"):  # fmt: skip
            assert part in caught.value.message
        assert caught.value.data()["details"]["workspace"] == str(copy)
        assert (await me.do("check", uri=copy.as_uri(), trust=True))["tests"]
        with watched(copy) as ran:
            await me.do("check", uri=copy.as_uri())  # one yes is enough
        assert ran


async def test_who_can_be_asked_is_asked_once_and_a_no_runs_nothing(theirs, tmp_path):
    canary = tmp_path / "canary"
    copy = a_copy(theirs, tmp_path, canary)
    async with learner_here(tmp_path / "home") as me:
        me.desk.abilities = Abilities(shows_results=True, chooses=True)
        with watched(copy) as ran:
            for answer in (None, LEAVE):
                me.desk.answers = [answer]
                with pytest.raises(TutorError, match="Nothing was run"):
                    await me.do("check", uri=copy.as_uri())
        assert not ran
        assert not canary.exists()
        me.desk.answers = [TRUST]
        both = (me.do("check", uri=copy.as_uri()) for _ in range(2))
        assert all(report["tests"] for report in await asyncio.gather(*both))
        assert len(me.desk.questions) == 3
        assert "tests/test_movie.py" in me.desk.questions[-1][0]


async def test_a_record_that_says_that_it_is_trusted_is_not(tmp_path):
    canary = tmp_path / "canary"
    file = tmp_path / "record.json"
    async with learner_here(tmp_path / "theirs") as them:
        ready = await them.start(node=NODE)
        planted(Path(ready["workspace"]), canary)
        await export(them.app.services, file)
    whole = json.loads(file.read_text())
    assert whole["sessions"][0]["trusted"] is True
    async with learner_here(tmp_path / "home") as me:
        await import_record(me.app.services, file)
        with watched(tmp_path / "home") as ran:
            for command in ("check", "attempt", "hint"):
                refused = await refusal_of(me.do(command))
                assert refused is None or refused.kind == "UNTRUSTED"
        assert not ran
        assert not canary.exists()
        assert (await me.do("check", trust=True))["tests"]


MACHINE = {
    "a yes to a model": ("consent", {"backend": "codex"}),
    "a yes to an exercise": ("exercise-trusted", {}),
    "a yes to a library": ("library-trusted", {"hash": "0" * 64}),
    "a damaged record": ("store-restored", {}),
    "a lost record": ("record-lost", {"what": "cleared"}),
    "a record that came back": ("record-brought-back", {}),
    "a loss that was dismissed": ("record-loss-dismissed", {"without": {"sessions": ["s"]}}),
}


@pytest.mark.first(1)
@pytest.mark.parametrize("case", MACHINE)
async def test_a_record_cannot_bring_what_belongs_to_a_machine(tmp_path, case):
    kind, data = MACHINE[case]
    file = tmp_path / "record.json"
    async with learner_here(tmp_path / "theirs") as them:
        await them.start(node=NODE)
        await them.app.services.record(kind, data)
        await export(them.app.services, file)
    async with learner_here(tmp_path / "home") as me:
        await import_record(me.app.services, file)
        assert not await me.app.services.db(lambda tx: tx.events(kind=kind))
