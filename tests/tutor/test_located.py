"""From code that makes no known mistake to the place where it is wrong, or to a shorter call."""

import asyncio
from pathlib import Path
from unittest.mock import ANY

import pytest
from tutor_kit import DEADLINE_S, Tutor

from tutor_lsp.authoring.locating import trying
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.process.priority import niceness
from tutor_lsp.tutor.hinting.coach.checks import leak
from tutor_lsp.tutor.hinting.diagnosis import located, signature

LOCATED = {
    "python": (
        ("python-loops", "legs_on_one_charge"),
        """\
def legs_on_one_charge(kms: list[int], battery: int) -> int:
    legs = 0
    for length in kms:
        if battery < length:
            break
        battery -= length
        legs += 2
    return legs
""",
        "legs += 2",
        "the number there",
    ),
    "rust": (
        ("rust-functions", "share"),
        """\
pub fn share(total: u32, people: u32) -> u32 {
    let left = total % people;
    let extra = if left == 1 { 0 } else { 1 };
    total / people + extra
}
""",
        "left == 1",
        "the number there",
    ),
    "c": (
        ("c-arrays", "points_in_all"),
        """\
unsigned points_in_all(const unsigned scores[], size_t count)
{
    unsigned all = count;
    for (size_t at = 0; at < count; at++)
        all += scores[at];
    return all;
}
""",
        "all = count",
        "the mistake is there",
    ),
}
IN_FILES = {
    "python": (
        ("python-decorators", "or_else"),
        """\
from functools import wraps


def or_else(instead):
    def decorate(asked):
        @wraps(asked)
        def wrapper(*args, **kwargs):
            try:
                return asked(*args, **kwargs)
            except TimeoutError:
                return instead

        return wrapper

    return decorate
""",
        "except TimeoutError:",
    ),
    "rust": (
        ("rust-generics", "HighScore"),
        """\
pub struct HighScore<T> {
    top: Option<T>,
}

impl<T> HighScore<T> {
    pub fn unset() -> HighScore<T> {
        HighScore { top: None }
    }

    pub fn best(&self) -> Option<&T> {
        self.top.as_ref()
    }

    pub fn enter(&mut self, result: T) -> bool
    where
        T: PartialOrd,
    {
        let better = match &self.top {
            Some(top) => result > *top,
            None => true,
        };
        if !better {
            self.top = Some(result);
        }
        better
    }
}
""",
        "if !better {",
    ),
    "c": (
        ("c-testing", "next_departure"),
        """\
#include <stddef.h>

static inline int next_departure(const int *times, size_t count, int now)
{
    for (size_t at = 0; at < count; at++) {
        if (times[at] <= now)
            return times[at];
    }
    return -1;
}
""",
        "times[at] <= now",
    ),
}
LANGUAGES = pytest.mark.parametrize(
    "language", ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"]
)


class Learner(Tutor):
    """Of a bundled exercise, in which one function is written and nothing else."""

    async def begin(self, node, stub):
        ready = await self.start(language=node.partition("-")[0], node=node, trust=True)
        self.root = Path(ready["workspace"])
        self.opened = self.app.exercises.open_at(self.root)
        self.unit = next(each for each in self.opened.exercise.units if each.stub == stub)
        self.file = self.root / self.unit.file

    def write(self, code):
        text = self.file.read_text()
        site = site_of(self.opened.toolchain, text, self.unit.stub)
        text = text[: site.start] + code.rstrip("\n") + text[site.end :]
        self.file.write_text(text)
        return text

    async def hint(self):
        """The next hint, once all that a failing run begins has ended."""
        await self.do("check")
        async with asyncio.timeout(3 * DEADLINE_S):
            while tasks := self.app.services.tasks.tasks:
                await asyncio.gather(*tasks)
        return await self.do("hint", unit=self.unit.id)


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """The machine may have much else to do."""
    monkeypatch.setattr(located, "LIMIT_S", 60.0)


@pytest.mark.sample("python")
@LANGUAGES
async def test_the_place_is_told_and_never_what_would_mend_it(language, tmp_path):
    (node, stub), code, quote, what = LOCATED[language]
    learner = Learner(tmp_path / "home")
    try:
        await learner.begin(node, stub)
        text = learner.write(code)
        line = next(at for at, row in enumerate(text.split("\n"), 1) if quote in row)
        hint = await learner.hint()
        says = f"Look at line {line}, `{quote}`: {what}."
        assert hint["mistake"] == {"tag": "", "says": says, "sure": False}
        assert hint["text"].startswith(f"{says} `{learner.unit.tests[0]}")
        assert (hint["tried"], hint["code"]) == (True, None)
        texts = learner.opened.texts()
        trials, opened = learner.app.exercises.shadow_copies, learner.opened
        assert await leak(trials, opened, learner.unit, 1, says, None, texts) is None
        second = await learner.do("hint", unit=learner.unit.id)
        assert (second["level"], says in second["text"]) == (2, False)
        events = await learner.app.services.db(lambda tx: tx.events(kind="misconception"))
        assert events == []  # a place is no misconception
        assert [path.name for path in trials.of(opened).glob("changes")] == []
    finally:
        await learner.app.close()


@LANGUAGES
async def test_the_place_is_told_in_a_file_of_its_own_among_what_the_learner_declared(
    language, tmp_path
):
    (node, stub), code, quote = IN_FILES[language]
    learner = Learner(tmp_path / "home")
    try:
        await learner.begin(node, stub)
        learner.file.write_text(code)
        line = next(at for at, row in enumerate(code.split("\n"), 1) if quote in row)
        mistake = (await learner.hint())["mistake"]
        assert mistake["sure"] is False
        assert mistake["says"].startswith(f"Look at line {line}, `{quote}`: ")
    finally:
        await learner.app.close()


async def learner_of(home, language, code):
    learner = Learner(home)
    await learner.begin(*LOCATED[language][0])
    learner.write(code)
    return learner


async def test_what_a_hint_would_wait_for_begins_with_the_failing_run_and_gives_way(
    tmp_path, monkeypatch
):
    looks = []

    async def looked(*given, _do=located.place_in):
        looks.append(niceness())
        return await _do(*given)

    def never(*_):
        raise AssertionError("the change that makes it the reference needs no inputs")

    monkeypatch.setattr(signature, "place_in", looked)
    monkeypatch.setattr(trying, "_alike", never)
    code = LOCATED["python"][1].replace("battery < length", "length > battery")
    learner = await learner_of(tmp_path / "home", "python", code)
    try:
        hint = await learner.hint()
        assert hint["mistake"]["sure"] is False
        assert len(looks) == 1
        assert None not in looks
    finally:
        await learner.app.close()


async def test_code_that_is_wrong_in_another_place_than_a_mistake_is_not_taken_for_it(tmp_path):
    code = LOCATED["python"][1].replace("legs += 2", "legs = 1")  # as if it returned after one leg
    learner = await learner_of(tmp_path / "home", "python", code)
    try:
        hint = await learner.hint()
        assert hint["mistake"] == {"tag": "", "says": ANY, "sure": False}
        assert "`legs = 1`" in hint["mistake"]["says"]
        learner.write(code.replace("legs = 1", "legs += 1\n        break"))
        assert (await learner.hint())["mistake"]["tag"] == "returns-inside-loop"
    finally:
        await learner.app.close()


async def test_what_takes_too_long_is_no_diagnosis(tmp_path, monkeypatch):
    monkeypatch.setattr(located, "LIMIT_S", 0.0)
    learner = await learner_of(tmp_path / "home", "python", LOCATED["python"][1])
    try:
        hint = await learner.hint()
        assert (hint["mistake"], hint["tried"]) == (None, False)
        assert "Look at line" not in hint["text"]
    finally:
        await learner.app.close()


async def test_where_nothing_is_known_a_shorter_call_is_shown_once(tmp_path):
    code = """\
def legs_on_one_charge(kms: list[int], battery: int) -> int:
    return battery // max(kms) if kms else 7
"""
    learner = await learner_of(tmp_path / "home", "python", code)
    try:
        hint = await learner.hint()
        assert hint["mistake"] is None
        says = "A shorter call shows it, too: `legs_on_one_charge([], "
        assert says in hint["text"]
        assert "gave 7, expected 0." in hint["text"]
        assert says not in (await learner.do("hint", unit=learner.unit.id))["text"]
    finally:
        await learner.app.close()


@pytest.mark.long("runs tests several times; others here stand for it")
async def test_an_attempt_does_not_name_a_place_and_a_newer_text_is_looked_at_anew(tmp_path):
    _, code, quote, _ = LOCATED["python"]
    learner = await learner_of(tmp_path / "home", "python", code)
    try:
        result = await learner.do("attempt")
        assert "Look at line" not in str(result["review"])
        assert quote in (await learner.hint())["mistake"]["says"]
        learner.write(code.replace("legs += 2", "legs += 1").replace("< length", "< -length"))
        hint = await learner.hint()
        assert quote not in str(hint["mistake"])
    finally:
        await learner.app.close()
