"""While an answer is dealt with, everything else goes on: what is asked meanwhile is answered.

How long it waits is measured by `python -m benchmarks freeze`.
"""

import asyncio
from contextlib import asynccontextmanager

import pytest
from editor import editor
from freeze_kit import COMMANDS, SETUP, cases, lines, script, text_of
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

SEVERAL = 10
"""Fewer than are answered during the shortest work, which starts a process or reads a long text."""
ORDER = ("scaffold", "starter-expand", "test-expand", "lesson-expand")
HOSTILE = (
    "scaffold, one word", "scaffold, many words", "starter-expand, one word",
    "starter-expand, 'fn f(){'", "test-expand, many words", "test-expand, '/* your '",
    "lesson-expand, nested Markdown", "lesson-expand, nested lists", "lesson-expand, '<code>'",
)  # fmt: skip
"""For each role what takes its readers longest; `python -m benchmarks freeze` plays all of them."""


async def hovered_during(hover, work, clock=None):
    """How many hovers, sent one after the other, are answered while `work` goes on, and which part
    of its time the longest of them took, by this clock (default: the loop's).

    The first one is sent after the work was asked for, and does not count as answered: once it is,
    the server has read what it is to do, since it reads in order.
    """
    clock = clock or asyncio.get_running_loop().time
    task = asyncio.ensure_future(work)
    await asyncio.sleep(0)  # the work is asked for now
    begun = clock()
    await hover()
    answered, longest = 0, clock() - begun
    while not task.done():
        sent = clock()
        await hover()
        answered += not task.done()
        longest = max(longest, clock() - sent)
    await task
    return answered, longest / (clock() - begun)


def hovers(ed, uri, line):
    place = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, 6))
    return lambda: ed.client.text_document_hover_async(place)


class Serial:
    """A server that does one thing after the other; a command takes it longer than a hover.

    Its clock counts its steps, because a busy machine may take the process off the processor for
    longer than all of them take.
    """

    def __init__(self, *, reads_on):
        self._busy = asyncio.Lock()
        self._reads_on = reads_on
        self._steps = 0

    def clock(self):
        return self._steps

    async def step(self):
        self._steps += 1
        await asyncio.sleep(0)

    async def hover(self):
        async with self._busy:
            await self.step()

    async def command(self):
        if self._reads_on:  # it takes the command up, and answers what comes right after it
            for _ in range(5):
                await self.step()
        async with self._busy:
            for _ in range(1000):
                await self.step()


class Free(Serial):
    """One that answers at once, whatever goes on."""

    async def hover(self):
        await self.step()


@pytest.mark.parametrize("reads_on", [False, True])
async def test_a_server_that_does_one_thing_after_the_other_is_noticed(reads_on):
    serial, free = Serial(reads_on=reads_on), Free(reads_on=reads_on)
    answered, longest = await hovered_during(serial.hover, serial.command(), serial.clock)
    assert answered < SEVERAL
    assert longest > 1 / 2
    answered, longest = await hovered_during(free.hover, free.command(), free.clock)
    assert answered >= SEVERAL
    assert longest < 1 / 2


async def asked(ed, command, **arguments):
    try:
        await ed.command(command, arguments)
    except JsonRpcException:
        return


@asynccontextmanager
async def busy_editor(tmp_path, script_lines):
    """An editor with an exercise open, and a model that answers these lines, in their order."""
    path = tmp_path / "script.jsonl"
    path.write_text("".join(script_lines))
    environment = {"TUTOR_LSP_SCRIPT": str(path), "TUTOR_LSP_BACKEND": "scripted"}
    async with editor(tmp_path / "home", environment=environment) as ed:
        ready = await ed.start(language="python", node="python-loops", backend="library")
        unit = ready["units"][0]
        uri = ed.open(tmp_path / "home" / ready["workspace"] / unit["file"])
        yield ed, unit, uri, unit["line"] - 1


@pytest.mark.long("plays many answers and set-ups")
@pytest.mark.parametrize("command", COMMANDS)
async def test_coach_and_reviewer_hold_nobody_up(tmp_path, command):
    answers = cases(command)
    text = script(command, answers, "src/exercise/tour.py")
    async with busy_editor(tmp_path, [text]) as (ed, unit, uri, line):
        before = ed.texts[uri]
        mark = f'raise NotImplementedError("{unit["stub"]}")'
        for number in range(len(answers)):
            ed.save(uri, before.replace(mark, f"return {number}"))
            arguments = {"unit": "ex-1"} if command == "tutor.hint" else {}
            work = asked(ed, command, **arguments)
            assert (await hovered_during(hovers(ed, uri, line), work))[0] >= SEVERAL


@pytest.mark.long("plays many answers and set-ups")
@pytest.mark.parametrize(("role", "name"), [SETUP[case] for case in HOSTILE], ids=HOSTILE)
async def test_set_ups_hold_nobody_up(tmp_path, role, name):
    async with busy_editor(tmp_path, lines(role, text_of(name))) as (ed, _, uri, line):
        answered, longest = await hovered_during(hovers(ed, uri, line), made(ed))
        # A set-up whose scaffold is refused is over before several could be answered.
        assert longest < 1 / 2 if role.value == ORDER[0] else answered >= SEVERAL
        ended = ed.notified["tutor/sessionFailed"]
        reached = ended[-1]["stage"] if ended else "ready"
        assert reached not in ORDER[: ORDER.index(role.value)], ended


async def made(ed):
    """A set-up until it is ready or failed."""
    arguments = {"language": "python", "topic": "tea for guests", "fresh": True}
    ended = len(ed.notified["tutor/sessionFailed"]) + len(ed.notified["tutor/sessionReady"])
    try:
        await ed.command("tutor.start", {**arguments, "backend": "scripted"})
    except JsonRpcException:
        return
    await ed.until(
        lambda: (
            len(ed.notified["tutor/sessionFailed"]) + len(ed.notified["tutor/sessionReady"]) > ended
        ),
        "the set-up does not end",
        seconds=300,
    )
