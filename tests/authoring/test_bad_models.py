"""Whole set-ups with a model that never ends, says nothing, says the same again, or does harm."""

import os
from dataclasses import replace

import authoring_kit as kit
import pytest
from processes import gone

from tutor_lsp.authoring.loop import CAPS
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.core.stage import BackendAnswer, Role
from tutor_lsp.languages.python.toolchain import PythonToolchain
from tutor_lsp.process.contain import probe_containment

pytestmark = pytest.mark.first(3)

LOOPS = {"starter": Role.STARTER, "test": Role.TEST, "lesson": Role.LESSON}


class Stubborn:
    """Answers with the script, but for one loop, in which `say` makes every section."""

    name, is_model, needs_prompt = "scripted", True, True

    def __init__(self, loop, say):
        self._loop, self._say = LOOPS[loop], say
        self._script = {
            (line["stage"], line["iteration"]): line["payload"] for line in kit.script()
        }
        self.asked = []

    async def answer(self, request):
        self.asked.append((request.role, request.iteration))
        payload = self._script.get((request.role.value, request.iteration))
        if request.role is self._loop:
            payload = self._say(request.iteration)
        return BackendAnswer(kit.json_text(payload))

    def calls(self, role):
        return sum(asked == role for asked, _ in self.asked)


def again(loop, *, last=False):
    """The first section of a loop, over and over."""
    path = {"starter": "signs.py", "test": "test_signs.py", "lesson": None}[loop]
    text = {"starter": kit.FIRST_HALF, "test": kit.FIRST_TESTS, "lesson": kit.LESSON_SECTIONS[0]}
    return lambda number: kit.section(loop, number, text[loop], last=last, path=path)


def more(loop):
    """A new section every time, and never the last one."""
    texts = {
        "starter": lambda n: kit.FIRST_HALF if n == 1 else kit.SECOND_HALF if n == 2 else extra(n),
        "test": lambda n: kit.FIRST_TESTS if n == 1 else kit.SECOND_TESTS if n == 2 else extra(n),
        "lesson": lambda n: (
            kit.LESSON_SECTIONS[n - 1]
            if n < 3
            else f"## Part {n}\n\n```python\nprint({n})\n```\n\nOn `frame`.\n\n"
            "[frame](src/exercise/signs.py)\n"
        ),
    }
    path = {"starter": "signs.py", "test": "test_signs.py", "lesson": None}[loop]

    def extra(number):
        return f"def given_{number}() -> int:\n    return {number}\n"

    return lambda number: kit.section(loop, number, texts[loop](number), last=False, path=path)


async def made(backend, **changes):
    given = replace(kit.deps([]), backend=backend, **changes)
    return await set_up(kit.request(), given, kit.Told())


@pytest.mark.long("makes and proves an exercise; test_expand_loop.py ends loops at their caps here")
@pytest.mark.parametrize("loop", LOOPS)
async def test_a_loop_that_never_says_it_is_complete_ends_at_its_cap(loop):
    backend = Stubborn(loop, more(loop))
    proven = await made(backend)
    assert proven.exercise.proof.ok
    assert backend.calls(LOOPS[loop]) == CAPS["D1"][LOOPS[loop]]


@pytest.mark.long("makes and proves an exercise; test_expand_loop.py ends loops here")
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("last", [False, True])
async def test_the_same_section_over_and_over_ends_with_what_is_wrong(loop, last):
    backend = Stubborn(loop, again(loop, last=last))
    with pytest.raises(TutorError) as caught:
        await made(backend)
    assert caught.value.kind == "PROOF_FAILED"
    assert caught.value.details["findings"]
    calls = backend.calls(LOOPS[loop])
    assert calls <= (1 if last else CAPS["D1"][LOOPS[loop]]) + 3  # the loop, and repairs


@pytest.mark.parametrize("content", ["", " \n\n"])
@pytest.mark.parametrize("loop", LOOPS)
async def test_complete_at_once_with_nothing_is_refused(loop, content):
    path = None if loop == "lesson" else "test_signs.py" if loop == "test" else "signs.py"
    backend = Stubborn(
        loop, lambda number: kit.section(loop, number, content, last=True, path=path)
    )
    with pytest.raises(TutorError) as caught:
        await made(backend)
    assert caught.value.kind in ("POLICY_VIOLATION", "SCHEMA_VALIDATION_FAILED", "PROOF_FAILED")
    assert backend.calls(LOOPS[loop]) <= 4
    assert "Start" in caught.value.message


HARM = {
    "forks": """import os, time
    while True:
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
        time.sleep(0.01)""",
    "network": """import urllib.request
    urllib.request.urlopen("http://127.0.0.1:9/", timeout=1)""",
    "outside": """from pathlib import Path
    Path("OUTSIDE").write_text("x")""",
    "disk": """with open("large", "wb") as file:
        while True:
            file.write(bytes(1 << 20))""",
}


@pytest.mark.long("proves an exercise, whose runs test_foreign_contained.py shows to be kept in")
@pytest.mark.parametrize("harm", HARM)
async def test_tests_that_do_harm_are_held_in_and_refused(harm, tmp_path, monkeypatch):
    found = await probe_containment()
    if not found.isolated:
        pytest.skip(f"not contained here: {found.why}")
    monkeypatch.setenv("LC_TUTOR_TEST", mark := f"harm-{os.getpid()}-{harm}")
    outside = tmp_path / "outside"
    code = HARM[harm].replace("OUTSIDE", str(outside))
    wrong = kit.SECOND_TESTS.replace(
        '    assert frame("a") == "=\\nA"', f'    assert frame("a") == "=\\nA"\n    {code}'
    )
    assert code in wrong
    lines = kit.script(test_2=kit.section("test", 2, wrong, last=True, path="test_signs.py"))
    solved = next(line for line in lines if line["stage"] == "solution")
    later = [{**solved, "iteration": number} for number in (2, 3)]
    given = kit.deps([*lines, *later], toolchain=PythonToolchain())
    with pytest.raises(TutorError) as caught:
        await set_up(kit.request(), replace(given, limits=RunLimits(60, 2)), kit.Told())
    assert caught.value.stage in ("proof", "test-expand"), caught.value
    assert not outside.exists()
    await gone(mark)
