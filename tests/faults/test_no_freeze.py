"""While an answer is dealt with, everything else goes on: the longest wait of a hover."""

import asyncio
import json
import re
import time
from contextlib import asynccontextmanager

import pytest
import stage_samples as samples
from answer_shapes import shapes
from editor import editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tutor_lsp.core.stage import Role

pytestmark = pytest.mark.long
FREEZE_MS = 2000.0
"""A wait that nothing but a held interpreter explains, however busy the machine is otherwise."""
CALM, NOISE = 3, 4.0
"""Ordinary answers that are measured first, and how many times their longest wait is put down to
the machine."""
MEGABYTE = {
    "one word": "a" * 1_000_000,
    "many words": "word " * 200_000,
    "nested Markdown": "".join(" " * (at % 400) + "- > **a [b `c\n" for at in range(4700)),
}
SHAPES = ("'a'", "'<code>'", "'fn f(){'", "'/* your '", "nested lists")


def sized(size):
    return {name: text for name, text in shapes(size) if name in SHAPES}


def hint(**changes):
    payload = {
        "schema_version": "hint_pack_v1", "role": "coach", "unit_id": "ex-1", "level": 1,
        "fix": None, "text": "Look at it.", "code": None, "tags": [],
    } | changes  # fmt: skip
    return {"stage": "coach", "payload": payload}


def review(**changes):
    payload = {
        "schema_version": "review_report_v1", "role": "reviewer", "verdict": "FAIL", "score": 20,
        "summary": "A beginning.", "findings": [], "tags": [],
    } | changes  # fmt: skip
    return {"stage": "reviewer", "payload": payload}


class Waits:
    """How long hovers wait, sent every 10 ms."""

    def __init__(self, ed, uri, line):
        self._ed, self._uri, self._line = ed, uri, line

    async def hover(self) -> float:
        place = lsp.Position(self._line, 6)
        began = time.perf_counter()
        await self._ed.client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(self._uri), place)
        )
        return (time.perf_counter() - began) * 1000

    async def during(self, work) -> float:
        """The longest wait until `work` is done, in ms."""
        task = asyncio.ensure_future(work)
        found = []
        while not task.done():
            found.append(await self.hover())
            await asyncio.sleep(0.01)
        await asyncio.gather(task, return_exceptions=True)
        return max(found)


async def asked(ed, command, **arguments):
    try:
        await ed.command(command, arguments)
    except JsonRpcException:
        return


CASES = {
    "tutor.hint": [
        *({"text": text} for text in MEGABYTE.values()),
        {"code": MEGABYTE["one word"]},
        {"fix": [{"file_path": "FILE", "content": MEGABYTE["many words"]}]},
        *({"text": text} for text in sized(2000).values()),
        *({"code": text} for text in sized(1500).values()),
        *({"fix": [{"file_path": "FILE", "content": text}]} for text in sized(60_000).values()),
    ],
    "tutor.attempt": [
        *({"summary": text} for text in MEGABYTE.values()),
        *({"summary": text} for text in sized(4000).values()),
        *({"improvement": text, "question": text} for text in sized(2000).values()),
    ],
}


@asynccontextmanager
async def busy_editor(tmp_path, script_lines):
    """An editor with an exercise open, and a model that answers these lines, in their order."""
    tmp_path.mkdir(exist_ok=True)
    script = tmp_path / "script.jsonl"
    script.write_text("".join(script_lines))
    environment = {"TUTOR_LSP_SCRIPT": str(script), "TUTOR_LSP_BACKEND": "scripted"}
    async with editor(tmp_path / "home", environment=environment) as ed:
        ready = await ed.start(language="python", node="python-loops", backend="library")
        unit = ready["units"][0]
        uri = ed.open(tmp_path / "home" / ready["workspace"] / unit["file"])
        yield ed, unit, uri, Waits(ed, uri, unit["line"] - 1)


def judge(name, calm, worst):
    """Nobody waits as for a server that is held; the waits themselves are printed."""
    waits = [sorted(map(round, each)) for each in (calm, worst)]
    print(f"{name}: calm {waits[0]}, then {waits[1]} ms")
    assert max(worst) <= max(FREEZE_MS, NOISE * max(calm))


@pytest.mark.parametrize("command", CASES)
async def test_coach_and_reviewer_hold_nobody_up(tmp_path, command):
    line = hint if command == "tutor.hint" else review
    cases = [None] * CALM + CASES[command]
    shown = [json.dumps(line(**(case or {}))) + "\n" for case in cases]
    text = "".join(shown).replace('"FILE"', '"src/exercise/tour.py"')
    async with busy_editor(tmp_path, [text]) as (ed, unit, uri, waits):
        before = ed.texts[uri]
        mark = f'raise NotImplementedError("{unit["stub"]}")'
        found = []
        for number in range(len(cases)):
            ed.save(uri, before.replace(mark, f"return {number}"))
            arguments = {"unit": "ex-1"} if line is hint else {}
            found.append(await waits.during(asked(ed, command, **arguments)))
        judge(command, found[:CALM], found[CALM:])


def wrapped(texts):
    """The texts without lines that are refused for their length."""
    return {name: "\n".join(re.findall(".{1,2500}", text)) for name, text in texts.items()}


SETUP = {
    f"{role.value}, {name}": (role, text)
    for role in (Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON)
    for name, text in {**MEGABYTE, **wrapped(sized(30_000))}.items()
}


@pytest.mark.parametrize(("role", "text"), SETUP.values(), ids=SETUP)
async def test_set_ups_hold_nobody_up(tmp_path, role, text):
    async with busy_editor(tmp_path / "ordinary", lines(None, "")) as (ed, _, _, waits):
        calm = [await waits.during(made(ed))]
    async with busy_editor(tmp_path / "hostile", lines(role, text)) as (ed, _, _, waits):
        worst = [await waits.during(made(ed))]
        ended = ed.notified["tutor/sessionFailed"]
        reached = ended[-1]["stage"] if ended else "ready"
        order = ["scaffold", "starter-expand", "test-expand", "lesson-expand"]
        assert reached not in order[: order.index(role.value)], ended
        judge(f"set-up to {reached}", calm, worst)


def lines(hostile, text):
    """A script in which one stage of a set-up is full of a text."""
    for role in (Role.SCAFFOLD, Role.STARTER, Role.TEST, Role.LESSON, Role.SOLUTION):
        payload = samples.payload(role)
        if "is_complete" in payload:
            payload["is_complete"] = True
        if role is hostile:
            payload["exercise_description" if role is Role.SCAFFOLD else "content"] = text
        line = {"stage": role.value, "payload": payload, "adopt": role is Role.SCAFFOLD}
        yield 3 * (json.dumps(line) + "\n")


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
