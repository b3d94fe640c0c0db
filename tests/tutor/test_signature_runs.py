"""A learner's code on the inputs that tell known mistakes apart, in three languages."""

import asyncio
from pathlib import Path

import pytest
from taken_as_proven import taken_as_proven
from tutor_kit import DEADLINE_S, Tutor

from tutor_lsp.authoring.own.new_exercise import new_exercise
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.tutor.application.compose import compose
from tutor_lsp.tutor.hinting.diagnosis import signature
from tutor_lsp.tutor.hinting.diagnosis.diagnose import diagnose
from tutor_lsp.tutor.hinting.diagnosis.signature import SignatureRuns

NODES = {"python": "python-functions", "rust": "rust-ownership", "c": "c-functions"}
UNIT = "ex-3"
MISTAKE = {
    "python": """\
def note(celsius: int) -> str:
    return f"{celsius} C is {to_fahrenheit(celsius)} F"
""",
    "rust": """\
pub fn note(celsius: i32) -> String {
    format!("{celsius} C is {} F", to_fahrenheit(celsius))
}
""",
    "c": """\
int note(char *text, size_t room, int celsius)
{
    int length = snprintf(text, room, "%d C is %d F", celsius, to_fahrenheit(celsius));
    return (size_t)length >= room ? ERR_TOO_SMALL : length;
}
""",
}
SAME = {
    "python": """\
def note(celsius: int) -> str:

    warm = to_fahrenheit( celsius )   # in the other unit
    told = str(celsius) + " C is "
    return told + str(warm) + " F"
""",
    "rust": """\
pub fn note(celsius: i32) -> String
{
    let warm = to_fahrenheit(celsius); // in the other unit
    return celsius.to_string() + " C is " + &warm.to_string() + " F";
}
""",
    "c": """\
int note(char *text, size_t room, int celsius)
{
    const int warm = to_fahrenheit(celsius); /* in the other unit */
    const int said = snprintf(text, room, "%i C is %i F", celsius, warm);
    if ((size_t)said >= room)
        return ERR_TOO_SMALL;
    return said;
}
""",
}
UNKNOWN = {
    "python": """\
def note(celsius: int) -> str:
    if celsius > 15:
        raise LookupError
    return "cold"
""",
    "rust": """\
pub fn note(celsius: i32) -> String {
    if celsius > 15 {
        panic!("too warm");
    }
    "cold".to_string()
}
""",
    "c": """\
int note(char *text, size_t room, int celsius)
{
    if (celsius > 15) {
        volatile int *nowhere = 0;
        return *nowhere;
    }
    return snprintf(text, room, "cold");
}
""",
}
ENDLESS = {
    "python": """\
def note(celsius: int) -> str:
    while celsius > 15:
        pass
    return "cold"
""",
    "rust": """\
pub fn note(celsius: i32) -> String {
    while celsius > 15 {
        std::hint::spin_loop();
    }
    "cold".to_string()
}
""",
    "c": """\
int note(char *text, size_t room, int celsius)
{
    volatile int same = celsius;
    while (same > 15)
        ;
    return snprintf(text, room, "cold");
}
""",
}
RECURSES = {
    "python": """\
def note(celsius: int) -> str:
    return note(celsius + 1) if celsius > 15 else "cold"
""",
    "rust": """\
pub fn note(celsius: i32) -> String {
    let told = if celsius > 15 { note(celsius ^ 1) } else { "cold".to_string() };
    told + ""
}
""",
}


class Learner(Tutor):
    def __init__(self, home, library):
        super().__init__(home)
        given = {"home": str(home), "backend": "auto", "libraries": [str(library)]}
        self.app = compose(self.desk, given)

    async def opens(self, root):
        self.root = root
        await self.app.exercises.adopt(root)
        self.opened = self.app.exercises.open_at(root)

    def texts(self, code, solved=False):
        """The texts of the learner, who has this definition and solved nothing else."""
        texts = {**self.opened.exercise.starter, **(self.opened.vault.solution if solved else {})}
        unit = self.opened.exercise.unit(UNIT)
        site = site_of(self.opened.toolchain, texts[unit.file], unit.stub)
        text = texts[unit.file]
        return {**texts, unit.file: text[: site.start] + code.rstrip("\n") + text[site.end :]}


WRITTEN = f"""\
## Never warns

You leave out the frost.

Tag: missing-branch

```python
{MISTAKE["python"]}```
"""
"""The known mistakes of the unit, as an author writes them."""


async def begun(folder, language, mistakes=None):
    library = folder / "library"
    library.mkdir()
    own = library / f"{NODES[language]}-weather"
    new_exercise(own, language, {NODES[language]: "D1"})
    if mistakes is not None:
        own.joinpath("mistakes").mkdir()
        own.joinpath("mistakes", f"{UNIT}.md").write_text(mistakes)
    learner = Learner(folder / "home", library)
    with taken_as_proven():
        ready = await learner.start(language=language, node=NODES[language], trust=True)
    await learner.opens(Path(ready["workspace"]))
    return learner


@pytest.mark.first(1)
@pytest.mark.parametrize("language", ["python", pytest.param("rust", marks=pytest.mark.cargo), "c"])
def test_code_is_known_by_what_it_comes_to(language, tmp_path):
    asyncio.run(_known(language, tmp_path))


async def _known(language, folder):
    learner = await begun(folder, language)
    try:
        runs = SignatureRuns(learner.app.services, learner.app.exercises.shadow_copies)
        opened, unit = learner.opened, learner.opened.exercise.unit(UNIT)
        mistakes = {UNIT: (Mistake("Never warns", "…", MISTAKE[language], "missing-branch"),)}
        assert await runs.known(opened, mistakes) == {}
        async with asyncio.timeout(3 * DEADLINE_S):  # they are made beside all else
            await asyncio.gather(*learner.app.services.tasks.tasks)
        found = await runs.known(opened, mistakes)
        known = found[UNIT]
        assert known.mistakes["Never warns"].tag == "missing-branch"

        async def signature(code):
            return await runs.signature_of(opened, unit, learner.texts(code), known)

        right = opened.vault.solution[unit.file]
        site = site_of(opened.toolchain, right, unit.stub)
        assert await signature(right[site.start : site.end]) == known.reference
        same = await signature(SAME[language])
        assert same == await signature(SAME[language]) == known.signature_of("Never warns")
        assert known.matches(same) == {"missing-branch"}

        other = await signature(UNKNOWN[language])
        assert known.matches(other) == set()
        assert "?" not in other
        assert any(each.startswith("!") for each in other)
        assert any("cold" in each for each in other)
        told = known.differences(other)[0]
        assert told.got != told.expected
        assert told.input.call in {each.call for each in known.inputs}
        assert await signature("no code") is None
        endless = await signature(ENDLESS[language])
        assert "~" in endless
        assert any("cold" in each for each in endless)
        assert known.matches(endless) == set()

        if language in RECURSES:  # elsewhere it ends by the limit of time, as above
            recurses = await signature(RECURSES[language])
            assert "?" not in recurses
            assert any(each.startswith("!") for each in recurses)

        again = SignatureRuns(learner.app.services, learner.app.exercises.shadow_copies)
        assert await again.known(opened, mistakes) == found  # kept in the home
        kept = [path for path in learner.root.rglob("*") if path.is_file()]
        assert not any("tutor_probe" in path.read_text("utf-8", "replace") for path in kept)
    finally:
        await learner.app.close()


@pytest.mark.long("runs tests several times; others here stand for it")
@pytest.mark.first(1)
async def test_a_later_process_knows_what_a_start_found_out(tmp_path, monkeypatch):
    learner = await begun(tmp_path, "python", WRITTEN)
    try:
        assert learner.app.services.tasks.has_lasting
        await learner.app.services.tasks.settle(3 * DEADLINE_S)
    finally:
        await learner.app.close()

    async def making(*_):
        raise AssertionError("they are there already")

    monkeypatch.setattr(signature, "signatures_for", making)
    later = Learner(tmp_path / "home", tmp_path / "library")
    try:
        await later.opens(learner.root)
        texts = later.texts(SAME["python"], solved=True)
        for file in later.opened.stub_files():
            later.root.joinpath(file).write_text(texts[file])
        await later.do("check", uri=later.root.as_uri())
        told = await diagnose(
            later.app.services,
            later.app.exercises.shadow_copies,
            later.opened,
            later.opened.exercise.unit(UNIT),
            texts,
            later.opened.session.last_report,
            patience_s=DEADLINE_S,
        )
        assert (told.tag, told.sure) == ("missing-branch", True)
    finally:
        await later.app.close()
