"""What is looked for beside all else: once, for the newest text, and waited for a while."""

import asyncio
import subprocess
import sys
from types import SimpleNamespace

from open_kit import open_exercise

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.process.priority import behind_all_else, niceness
from tutor_lsp.tutor.hinting.diagnosis import diagnose, signature
from tutor_lsp.tutor.hinting.diagnosis.beside import Question, found_beside
from tutor_lsp.tutor.services.tasks import Tasks


class Search:
    """A search that ends when it is told to, and remembers how often it began and was given up."""

    def __init__(self, found="it"):
        self.found = found
        self.may_end = asyncio.Event()
        self.begun = self.given_up = 0

    async def __call__(self):
        self.begun += 1
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def asking():
    services, opened = SimpleNamespace(tasks=Tasks(str)), SimpleNamespace(beside={})

    async def ask(search, text="text", patience_s=None, unit="ex-1"):
        question = Question("what", unit, text)
        return await found_beside(services, opened, question, search, patience_s)

    return services.tasks, ask


async def test_it_is_searched_once_and_known_from_then_on():
    _, ask = asking()
    search = Search()
    assert await ask(search, patience_s=0) is None
    assert await ask(search, patience_s=0.01) is None
    search.may_end.set()
    assert [await ask(search), await ask(search, patience_s=0)] == ["it", "it"]
    assert search.begun == 1


async def test_an_earlier_text_is_given_up_and_another_unit_is_not():
    _, ask = asking()
    older, newer, other = Search(), Search("new"), Search("other")
    await ask(older, "older", 0.01)
    await ask(other, "older", 0.01, unit="ex-2")
    newer.may_end.set()
    assert await ask(newer, "newer") == "new"
    other.may_end.set()
    assert await ask(other, "older", unit="ex-2") == "other"
    assert (older.given_up, other.given_up) == (1, 0)


async def test_what_was_not_found_is_searched_again():
    _, ask = asking()
    for found in (None, TutorError("HOME", "full")):
        search = Search(found)
        search.may_end.set()
        assert [await ask(search), await ask(search)] == [None, None]
        assert search.begun == 2


async def test_what_was_begun_behind_all_else_no_longer_gives_way_once_somebody_waits():
    _, ask = asking()
    programs, may_go_on = asyncio.Queue(), asyncio.Semaphore(0)

    async def search():
        for _ in range(3):
            programs.put_nowait("behind" if niceness() is not None else "usual")
            await may_go_on.acquire()
        return "it"

    with behind_all_else():
        await ask(search, patience_s=0)
        of_its_own = asyncio.create_task(ask(search))
    await ask(search, patience_s=0)
    assert await programs.get() == "behind"
    may_go_on.release()
    assert await programs.get() == "behind"
    hint = asyncio.create_task(ask(search))
    await asyncio.sleep(0)
    may_go_on.release()
    assert await programs.get() == "usual"
    may_go_on.release()
    assert [await hint, await of_its_own] == ["it", "it"]


async def test_nothing_goes_on_when_all_is_closed():
    tasks, ask = asking()
    search = Search()
    await ask(search, patience_s=0.01)
    await tasks.drain()
    assert (search.given_up, tasks.tasks) == (1, set())


async def test_all_units_are_waited_for_at_once(monkeypatch):
    units = [SimpleNamespace(id=f"ex-{number}") for number in range(3)]
    opened = SimpleNamespace(exercise=SimpleNamespace(units=units))
    all_wait = asyncio.Barrier(len(units))

    async def one(services, trials, opened, unit, texts, report, *, patience_s):
        await all_wait.wait()
        return SimpleNamespace(unit=unit.id) if unit.id != "ex-1" else None

    monkeypatch.setattr(diagnose, "diagnose", one)
    async with asyncio.timeout(20):
        found = await diagnose.diagnose_all(None, None, opened, {}, None)
    assert list(found) == ["ex-0", "ex-2"]


def test_what_runs_code_on_inputs_does_not_load_with_hints():
    said = "print([name for name in sys.modules if name.endswith('diagnosis.signature')])"
    code = f"import sys, tutor_lsp.tutor.hinting.hint; {said}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


async def test_signatures_of_which_there_are_none_are_made_once(tmp_path, monkeypatch):
    opened = open_exercise(tmp_path / "work" / "one", "python", "python-loops-bike-tour")
    services = SimpleNamespace(tasks=Tasks(str), home=tmp_path / "home")
    made = []

    async def none(*_):
        made.append(1)
        return {}

    monkeypatch.setattr(signature, "signatures_for", none)
    mistakes = {"ex-1": (Mistake("One", "…", "def f(): pass\n"),)}
    for _ in range(2):
        assert await signature.SignatureRuns(services, None).known(opened, mistakes) == {}
        await asyncio.gather(*services.tasks.tasks)
    assert len(made) == 1


async def test_what_lasts_is_waited_for_but_not_longer_than_allowed():
    tasks, search = Tasks(str), Search()

    async def begins_another():
        tasks.spawn(search(), "what it begins", lasts=True)

    tasks.spawn(Search()(), "for this process alone")
    await tasks.settle(30)
    assert not tasks.has_lasting
    tasks.spawn(begins_another(), "begins another", lasts=True)
    await tasks.settle(0.01)
    assert (search.begun, search.given_up, tasks.has_lasting) == (1, 0, True)
    search.may_end.set()
    await tasks.settle(30)
    assert not tasks.has_lasting
    await tasks.drain()
