"""Known mistakes of generated exercises: what a model writes, what is kept of it, and that nothing
of it costs an exercise."""

import asyncio
from dataclasses import replace
from functools import partial

import authoring_kit as kit
import pytest

from tutor_lsp.authoring.content import content_hash
from tutor_lsp.authoring.mistakes import asking
from tutor_lsp.authoring.mistakes.asking import Found
from tutor_lsp.authoring.mistakes.beside import Beside
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.setup import set_up
from tutor_lsp.core.stage import Role
from tutor_lsp.stages.subject import NodeBrief

NODE = NodeBrief(
    "python-strings", "Strings", "Clean and cut text.", tags=("as-it-came", "one-for-all")
)
AS_IT_CAME = "def shout(text: str) -> str:\n    return text\n"
TITLE = "def shout(text: str) -> str:\n    return text.title()\n"
RIGHT = 'def shout(text: str) -> str:\n    return "".join(each.upper() for each in text)\n'
BROKEN = "def shout(text: str) -> str\n    return text\n"
OTHER = "def other() -> None:\n    pass\n"
ONE = 'def frame(text: str) -> str:\n    return EDGE + "\\n" + shout(text)\n'
EARLIER = """\
def shout(text: str) -> str:
    return text


def frame(text: str) -> str:
    return EDGE * width(text) + "\\n" + shout(text)
"""


def mistake(name, code=AS_IT_CAME, tag="as-it-came", **changes):
    fields = {"name": name, "says": "You give it back as it came.", "tag": tag, "code": code}
    return fields | {"error": None, "hint": None} | changes


GOOD = {
    "ex-1": [
        mistake("Nothing is done", hint="Which method makes capitals?"),
        mistake("Each word", TITLE, says="You let only the first letter of a word be a capital."),
    ],
    "ex-2": [mistake("One sign", ONE, "one-for-all", says="Your line is one `EDGE` wide.")],
}
TAGS = ["as-it-came", "as-it-came", "one-for-all"]


def answers(units=GOOD, tags=TAGS):
    """The lines of a script for both calls; either may be what stands there instead."""
    written = [{"unit_id": unit, "mistakes": known} for unit, known in units.items()]
    numbered = [{"number": n, "tag": tag} for n, tag in enumerate(tags, start=1)]
    made = {"schema_version": "mistakes_v1", "role": "mistakes", "units": written}
    again = {"schema_version": "mistake_tags_v1", "role": "mistake-tags", "tags": numbered}
    return [{"stage": "mistakes", "payload": made}, {"stage": "mistake-tags", "payload": again}]


class Made:
    """A set-up of the kit's exercise with these lines behind it, and its event."""

    def __init__(self, lines, **changes):
        self.events = []
        given = kit.deps([*kit.script(), *lines], journal=changes.pop("journal", None))
        self.given = replace(given, note=self._note, **changes)

    async def _note(self, kind, data):
        self.events.append((kind, data))

    async def proven(self, node=NODE):
        self.made = await set_up(kit.request(node=node), self.given, kit.Told())
        return self.made

    @property
    def kept(self):
        known = self.made.vault.mistakes
        return {unit: [each.name for each in mistakes] for unit, mistakes in known.items()}

    @property
    def data(self):
        ((kind, data),) = self.events
        assert kind == "mistakes"
        return data

    @property
    def dropped(self):
        return {each["mistake"]: each["why"] for each in self.data["dropped"]}

    @property
    def asked(self):
        return [f"{each.role.value} {each.iteration}" for each in self.requests]

    @property
    def requests(self):
        roles = (Role.MISTAKES, Role.MISTAKE_TAGS)
        return [each for each in self.given.backend.requests if each.role in roles]


@pytest.mark.first(2)
async def test_what_a_model_knows_of_mistakes_is_kept_with_the_exercise():
    made = Made(answers())
    proven = await made.proven()
    assert made.asked == ["mistakes 1", "mistake-tags 1"]
    assert made.kept == {"ex-1": ["Nothing is done", "Each word"], "ex-2": ["One sign"]}
    first = proven.vault.mistakes["ex-1"][0]
    assert (first.tag, first.code) == ("as-it-came", AS_IT_CAME)
    assert (first.says, first.hint) == (
        "You give it back as it came.",
        "Which method makes capitals?",
    )
    assert proven.exercise.proof.ok
    assert proven.exercise.proof.mistakes == {"ex-1": 2, "ex-2": 1}
    assert (made.data["kept"], made.data["dropped"], made.data["without"]) == (made.kept, [], "")
    # neither is in the learner's folder, both are in what tells exercises apart
    assert not any("as it came" in text for text in proven.files.values())
    names = ("LESSON.md", "src/exercise/signs.py", "tests/test_signs.py")
    authored = {name: proven.files[name] for name in names}
    vault = proven.vault
    same = content_hash("python", authored, vault.solution, {}, vault.mistakes)
    assert proven.exercise.content_hash == same


async def test_tags_are_asked_for_without_what_was_said_of_the_code():
    made = Made(answers())
    await made.proven()
    written, again = made.requests
    said = again.prompt.text
    assert again.prompt.entries[:-1] == written.prompt.entries
    assert "as it came" not in said
    assert "Nothing is done" not in said
    assert "test_shout_is_in_capitals: failed" in said
    codes = [each["code"] for each in again.packet["mistakes"]["tried"]]
    assert codes == [AS_IT_CAME, TITLE, ONE]


async def test_those_that_are_tagged_otherwise_are_dropped():
    made = Made(answers(tags=["one-for-all", "as-it-came", None]))
    await made.proven()
    assert made.kept == {"ex-1": ["Each word"]}
    assert made.dropped.keys() == {"Nothing is done", "One sign"}
    assert "one-for-all" in made.dropped["Nothing is done"]


async def test_those_without_a_second_tag_are_dropped():
    made = Made(answers(tags=TAGS[:1]))
    await made.proven()
    assert made.kept == {"ex-1": ["Nothing is done"]}


DROPPED = {
    "passes": ("ex-1", mistake("x", RIGHT), "passes all tests of ex-1"),
    "does not build": ("ex-1", mistake("x", BROKEN), "does not build"),
    "builds": ("ex-1", mistake("x", TITLE, error="E0382"), "builds, though it names E0382"),
    "is another": (
        "ex-1",
        mistake("x", "def other() -> None:\n    pass\n"),
        "does not define `shout`",
    ),
    "breaks an earlier one": ("ex-2", mistake("x", EARLIER), "a test of an earlier unit"),
    "no unit": ("ex-9", mistake("x"), "no such unit"),
    "same name": ("ex-1", mistake("Nothing is done", TITLE), "given twice"),
    "tells a name": ("ex-1", mistake("x", says="You forgot `upper`."), "tells the solution"),
    "tells a call": ("ex-1", mistake("x", says="You never call upper()."), "tells the solution"),
    "tells a line": (
        "ex-2",
        mistake("x", ONE, says='Try `return EDGE * width(text) + "\\n" + shout(text)`.'),
        "tells the solution",
    ),
    "tells it in its title": ("ex-1", mistake("No upper()"), "tells the solution"),
}


@pytest.mark.first(1)
@pytest.mark.parametrize(("unit", "bad", "why"), DROPPED.values(), ids=DROPPED)
async def test_those_that_do_not_hold_are_dropped(unit, bad, why):
    units = {"ex-1": GOOD["ex-1"][:1], "ex-2": []}
    units[unit] = [*units.get(unit, ()), bad]
    made = Made(answers(units, ["as-it-came"]))
    await made.proven()
    assert made.kept == {"ex-1": ["Nothing is done"]}
    assert why in made.dropped[bad["name"]]
    tried = made.requests[-1].packet["mistakes"]["tried"]
    assert [each["code"] for each in tried] == [AS_IT_CAME]


async def test_a_hint_that_tells_the_solution_goes_and_the_mistake_stays():
    known = mistake("Nothing is done", hint="Look at `upper`.")
    made = Made(answers({"ex-1": [known]}, ["as-it-came"]))
    proven = await made.proven()
    assert proven.vault.mistakes["ex-1"][0].hint == ""


@pytest.mark.long("makes an exercise; the others here keep and drop mistakes")
async def test_of_many_the_first_eight_are_kept():
    many = [mistake(f"number {n}") for n in range(10)]
    made = Made(answers({"ex-1": many}, ["as-it-came"] * 8))
    await made.proven()
    assert made.kept == {"ex-1": [f"number {n}" for n in range(8)]}
    assert made.dropped.keys() == {"number 8", "number 9"}


WRONG_TAG = {"ex-1": [mistake("x", tag="made-up")]}
FAILING = {
    "refused": [{"stage": "mistakes", "error": "I would rather not"}],
    "no document": [{"stage": "mistakes", "text": "Happy to help!"}],
    "another document": [{"stage": "mistakes", "payload": {"x": 1}}],
    "a tag of its own": answers(WRONG_TAG),
    "nothing": answers({}),
    "late": [answers()[0] | {"delay_s": 60}],
    "no tags": answers()[:1],
    "tags refused": [answers()[0], {"stage": "mistake-tags", "error": "no"}],
    "tags of its own": answers(tags=["as-it-came", "made-up"]),
    "tags of other code": answers(tags=[*TAGS, "as-it-came"]),
}


@pytest.mark.first(1)
@pytest.mark.parametrize("lines", FAILING.values(), ids=FAILING)
async def test_an_exercise_does_without(lines):
    made = Made(lines, limit_s=0.5)
    proven = await made.proven()
    assert proven.exercise.proof.ok
    assert (made.kept, proven.exercise.proof.mistakes) == ({}, {})
    assert made.asked[0] == "mistakes 1"
    assert len(made.asked) <= 2
    assert bool(made.data["without"]) == (lines is not FAILING["nothing"])


async def test_a_run_that_breaks_costs_the_mistakes_alone(monkeypatch):
    async def broken(*_):
        raise RecursionError("too deep")

    monkeypatch.setattr(asking, "run_mistakes", broken)
    made = Made(answers())
    await made.proven()
    assert (made.kept, made.data["without"]) == ({}, "RecursionError: too deep")


async def test_a_prompt_that_is_too_long_is_not_sent(monkeypatch):
    monkeypatch.setattr(asking, "PROMPT_BYTES", 3000)
    made = Made(answers())
    await made.proven()
    assert (made.asked, made.kept) == ([], {})
    assert "at most 3000" in made.data["without"]


async def test_a_record_without_them_is_replayed_as_it_was():
    made = Made([])
    proven = await made.proven()
    assert (made.asked, made.events, proven.vault.mistakes) == ([], [], {})


async def test_a_topic_without_tags_has_none():
    made = Made(answers())
    await made.proven(kit.NODE)
    assert (made.asked, made.kept) == ([], {})


async def test_they_are_asked_for_while_the_lesson_is_written():
    made = Made(answers())
    await made.proven()
    asked = kit.asked(made.given)
    assert asked.index("mistakes 1") < asked.index("lesson-expand 2")


class Counted:
    """Stands for `Asking`: remembers for which tests it was asked."""

    def __init__(self, asked, candidate):
        self.asked, self.tests = asked, candidate.authored["tests/test_a.py"]

    async def found(self):
        self.asked.append(self.tests)
        await asyncio.sleep(0.01)
        return Found({}, (), self.tests)


@pytest.mark.parametrize(("later", "asked"), [("1", ["1"]), ("2", ["2"])])
async def test_they_are_run_again_where_tests_have_changed(later, asked):
    ran = []
    first, last = (
        Candidate("python", {"tests/test_a.py": text}, {}, {"src/a.py": ""}, ())
        for text in ("1", later)
    )
    beside = Beside(partial(Counted, ran))
    await beside.begin(first)
    assert (await beside.found(last)).without == later
    assert ran == asked
    await beside.begin(first)
    await beside.end()  # nothing is left running
    assert len(asyncio.all_tasks()) == 1


@pytest.mark.long("makes an exercise; test_set_up.py goes on with one")
async def test_they_are_not_asked_for_again_when_a_set_up_goes_on():
    journal = kit.MemoryJournal()
    first = Made(answers(), journal=journal)
    await first.proven()
    assert {"mistakes 1", "mistake-tags 1"} < set(journal.stages())
    again = Made([{"stage": "mistakes", "error": "offline"}], journal=journal)
    proven = await again.proven()
    assert again.given.backend.requests == []
    assert (again.kept, proven.resumed) == (first.kept, len(kit.script()) + 2)
