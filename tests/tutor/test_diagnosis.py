"""From the code of a known mistake to what its learner is told, and to nobody else."""

import asyncio
import html
import json
from dataclasses import replace
from pathlib import Path

import pytest
from diagnosis_kit import UNIT, begun_in, taken_up

from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import BuildError, RawReport, RunOutcome, TestReport
from tutor_lsp.stages.tutoring import coach_request, reviewer_request
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.context import tutoring_context
from tutor_lsp.tutor.hinting.diagnosis.diagnose import diagnose, diagnose_all
from tutor_lsp.tutor.learner.record.transfer.export import export

FROST, BUILDS_NOT = "You leave the frost out.", "You build no text at all."
KNOWN = {
    "python": (
        ("Never warns", f"{FROST}\nTag: {{tag}}", '''\
def note(celsius: int) -> str:
    degrees = to_fahrenheit(celsius)
    text = f"{celsius} C is {degrees} F"
    return text
'''),
        ("Half a text", f"{BUILDS_NOT}\nError: SyntaxError", '''\
def note(celsius: int) -> str:
    for each in (celsius)
        return f"{each}"
'''),
    ),
    "rust": (
        ("Never warns", f"{FROST}\nTag: {{tag}}", '''\
pub fn note(celsius: i32) -> String {
    let degrees = to_fahrenheit(celsius);
    let text = format!("{celsius} C is {degrees} F");
    return text;
}
'''),
        ("Half a text", f"{BUILDS_NOT}\nError: E0425", '''\
pub fn note(celsius: i32) -> String {
    format!("{celsius} C is {} F", fahrenheit)
}
'''),
    ),
    "c": (
        ("Never warns", f"{FROST}\nTag: {{tag}}", '''\
int note(char *text, size_t room, int celsius)
{
    int length = snprintf(text, room, "%d C is %d F", celsius, to_fahrenheit(celsius));
    if ((size_t)length >= room)
        return ERR_TOO_SMALL;
    return length;
}
'''),
        ("Half a text", f"{BUILDS_NOT}\nError: undeclared", '''\
int note(char *text, size_t room, int celsius)
{
    return snprintf(text, room, "%d C", celsius) + more;
}
'''),
    ),
}  # fmt: skip
AGAIN = {
    "python": '''\
def note(celsius):
    """Says it."""
    warm = to_fahrenheit( celsius )  # in Fahrenheit

    said = f'{celsius} C is {warm} F'
    return (said)
''',
    "rust": """\
pub fn note(celsius: i32) -> String {
    // in Fahrenheit
    let warm = to_fahrenheit(celsius);
    let said = format!("{celsius} C is {warm} F");
    said
}
""",
    "c": """\
int note(char *text, size_t room, int celsius)
{
    int n = snprintf(text, room, "%d C is %d F", celsius, to_fahrenheit(celsius));
    if (room <= (size_t)n) { return ERR_TOO_SMALL; }
    return (n);
}
""",
}
UNBUILT = {
    "python": """\
def note(celsius: int) -> str:
    for one in (celsius)
        pass
    return ""
""",
    "rust": """\
pub fn note(celsius: i32) -> String {
    println!("so far");
    format!("{celsius} C is {} F", fahrenheit)
}
""",
    "c": """\
int note(char *text, size_t room, int celsius)
{
    room -= 0;
    return snprintf(text, room, "%d C", celsius) + more;
}
""",
}
OTHERWISE = {
    "python": """\
def note(celsius: int) -> str:
    warm = to_fahrenheit(celsius)
    told = str(celsius) + " C is "
    return told + str(warm) + " F"
""",
    "rust": """\
pub fn note(celsius: i32) -> String {
    let warm = to_fahrenheit(celsius).to_string();
    celsius.to_string() + " C is " + &warm + " F"
}
""",
    "c": """\
int note(char *text, size_t room, int celsius)
{
    int said = snprintf(text, room, "%i C is %i F", celsius, to_fahrenheit(celsius));
    return (size_t)said >= room ? ERR_TOO_SMALL : said;
}
""",
}
UNKNOWN = {
    "python": 'def note(celsius: int) -> str:\n    return str(celsius)\n',
    "rust": 'pub fn note(celsius: i32) -> String {\n    celsius.to_string()\n}\n',
    "c": (
        'int note(char *text, size_t room, int celsius)\n{\n'
        '    return snprintf(text, room, "%d", celsius);\n}\n'
    ),
}  # fmt: skip
LANGUAGES = pytest.mark.parametrize("language", [
    "python",
    pytest.param("rust", marks=[pytest.mark.cargo, pytest.mark.long("proves in Rust")]),
    pytest.param("c", marks=pytest.mark.long("proves in C")),
])  # fmt: skip
PYTHON = pytest.mark.parametrize("language", ["python"])
_BEGUN = {}


@pytest.fixture
def begun(tmp_path_factory, language):
    if language not in _BEGUN:
        (name, above, code), *rest = KNOWN[language]
        folder = tmp_path_factory.mktemp(language)
        _BEGUN[language] = begun_in(folder, language, (name, above, code), *rest)
    return _BEGUN[language]


@pytest.fixture
async def learner(begun, tmp_path):
    async with taken_up(begun, tmp_path / "home") as made:
        made.solve()
        yield made


@LANGUAGES
async def test_a_known_mistake_leads_the_first_hint_and_counts_once(learner, begun, language):
    tag = begun[3]
    learner.write(AGAIN[language])
    await learner.do("check")
    assert FROST not in json.dumps(learner.desk.notified)
    hint = await learner.do("hint", unit=UNIT)
    assert hint["text"].startswith(f"{FROST} ")
    assert "test_note" in hint["text"]
    assert hint["mistake"] == {"tag": tag, "says": FROST, "sure": True}
    assert (hint["source"], hint["tried"], hint["code"]) == ("author", True, None)
    assert FROST in hint["say"]["markdown"]
    second = await learner.do("hint", unit=UNIT)
    assert (second["level"], FROST in second["text"], second["tried"]) == (2, False, False)
    seen, counts = await learner.sightings()
    assert [(name, source) for name, source, _ in seen] == [(tag, "diagnosis")]
    assert seen[0][2] in AGAIN[language]
    assert seen[0][2].strip(" {}")
    assert counts == {tag: 1}


@LANGUAGES
async def test_code_that_does_not_build_is_known_by_its_statement(learner, language):
    learner.write(UNBUILT[language])
    await learner.do("check")
    hint = await learner.do("hint", unit=UNIT)
    assert hint["text"].startswith(f"{BUILDS_NOT} ")
    assert "does not build" in hint["text"]
    assert hint["mistake"]["says"] == BUILDS_NOT


@pytest.mark.long("builds several programs; test_signature_runs.py knows such code, too")
@LANGUAGES
async def test_other_code_that_comes_to_the_same_is_the_same_mistake(learner, language):
    learner.write(OTHERWISE[language])
    for _ in range(2):  # what tells mistakes apart is found beside all else, once
        await learner.do("check")
        async with asyncio.timeout(90):
            while tasks := learner.app.services.tasks.tasks:
                await asyncio.gather(*tasks)
    hint = await learner.do("hint", unit=UNIT)
    assert hint["mistake"] is not None, hint["text"]
    assert hint["text"].startswith(f"{FROST} ")


@LANGUAGES
async def test_what_is_not_known_is_not_named(learner, language):
    learner.write(UNKNOWN[language])
    await learner.do("check")
    hint = await learner.do("hint", unit=UNIT)
    assert (hint["mistake"], hint["tried"], hint["source"]) == (None, False, "author")
    assert hint["text"].startswith("`test_note")
    assert await learner.sightings() == ([], {})


@PYTHON
async def test_what_a_linter_warns_of_is_told_by_a_hint_and_not_on_a_save(learner):
    learner.write('def note(celsius: int) -> str:\n    warm = 2\n    return "0"\n')
    await learner.do("check")
    async with asyncio.timeout(30):
        while tasks := learner.app.services.tasks.tasks:
            await asyncio.gather(*tasks)
    warning = "There is a warning about line "
    assert warning not in json.dumps([learner.desk.notified, learner.desk.said])
    text = (await learner.do("hint", unit=UNIT))["text"]
    assert f"{warning}{learner.file.read_text().split(chr(10)).index('    warm = 2') + 1} (" in text
    assert "A variable gets a value that nothing reads." in text


@PYTHON
async def test_an_attempt_says_it_in_one_sentence_and_counts_once(learner, begun):
    tag = begun[3]
    learner.write(AGAIN["python"])
    result = await learner.do("attempt")
    assert result["review"]["summary"].endswith(f" `note`: {FROST}")
    await learner.do("hint", unit=UNIT)
    learner.write(KNOWN["python"][0][2])
    await learner.do("attempt")
    seen, counts = await learner.sightings()
    assert len(seen) == 1
    assert counts == {tag: 1}
    page = (await learner.do("report"))["path"]
    assert seen[0][2] in html.unescape(Path(page).read_text())


@PYTHON
async def test_an_attempt_is_reviewed_though_its_diagnosis_failed(learner, monkeypatch):
    async def broken(*_, **__):
        raise RuntimeError("of the diagnosis")

    monkeypatch.setattr("tutor_lsp.tutor.reviewing.review.diagnose_all", broken)
    learner.write(AGAIN["python"])
    result = await learner.do("attempt")
    assert result["reviewError"] is None
    assert FROST not in result["review"]["summary"]
    assert "of the diagnosis" not in json.dumps(result)


@pytest.mark.long("runs tests several times; others here stand for it")
@PYTHON
async def test_nothing_of_mistakes_leaves_the_vault(learner, tmp_path):
    learner.write(UNKNOWN["python"])
    answers = [await learner.do(name) for name in ("check", "hint", "attempt", "status")]
    told = json.dumps([answers, learner.desk.notified, learner.desk.said])
    folder = "".join(
        path.read_text(errors="replace") for path in learner.root.rglob("*") if path.is_file()
    )
    await learner.app.services.record("mistakes", {"kept": {UNIT: ["Of a model"]}})
    await export(learner.app.services, tmp_path / "record.json")
    assert "Of a model" not in (tmp_path / "record.json").read_text()
    for text in (told, folder, (tmp_path / "record.json").read_text()):
        assert FROST not in text
        assert "degrees = to_fahrenheit" not in text


@PYTHON
async def test_what_is_told_keeps_the_rules_of_hints_and_is_one_thing(learner):
    learner.write(AGAIN["python"])
    await learner.do("check")
    opened = learner.opened
    known = opened.vault.mistakes[UNIT]
    frost = 'frost = ", frost" if is_frosty(celsius) else ""'
    told = f'{frost} and then return f"{{celsius}} C is {{to_fahrenheit(celsius)}} F{{frost}}"'
    other = replace(known[0], name="Another", tag="another")
    for mistakes in ((replace(known[0], says=told),), (known[0], other)):
        opened.mistakes = {UNIT: mistakes}
        hint = await learner.do("hint", unit=UNIT)
        assert hint["mistake"] is None
        assert "if is_frosty" not in hint["text"]
    assert await learner.sightings() == ([], {})


@PYTHON
async def test_a_hint_of_the_mistake_s_own_is_the_second(learner):
    learner.write(AGAIN["python"])
    await learner.do("check")
    known = learner.opened.vault.mistakes[UNIT][0]
    hint = "What is it that `is_frosty` is for?\n\n```python\nend = '!' if late else ''\n```\n"
    learner.opened.mistakes = {UNIT: (replace(known, hint=hint),)}
    first, second = [await learner.do("hint", unit=UNIT) for _ in range(2)]
    assert first["text"].startswith(FROST)
    assert "What is it that `is_frosty` is for?" in second["text"]
    assert second["code"] == "end = '!' if late else ''"


@PYTHON
async def test_a_record_from_before_takes_them_from_its_library(learner):
    learner.write(AGAIN["python"])
    await learner.do("check")
    opened = learner.opened
    opened.vault, opened.mistakes = replace(opened.vault, mistakes={}), None
    assert (await learner.do("hint", unit=UNIT))["mistake"]["says"] == FROST


@PYTHON
async def test_coach_and_reviewer_are_told(learner):
    learner.write(AGAIN["python"])
    await learner.do("check")
    opened, services = learner.opened, learner.app.services
    report, trials = opened.standing_report(), learner.app.exercises.shadow_copies
    found = await diagnose_all(services, trials, opened, opened.texts(), report)
    context = await tutoring_context(services, opened, report=report)
    context = replace(context, diagnoses=found)
    for request in (coach_request(context, UNIT, 1), reviewer_request(context, 1)):
        (told,) = request.packet["tutoring"]["diagnoses"]
        assert (told["unit_id"], told["says"], told["hint"]) == (UNIT, FROST, None)
        assert FROST in "".join(request.prompt.entries)
    other = coach_request(context, "ex-1", 1)
    assert other.packet["tutoring"]["diagnoses"] is None
    assert FROST not in "".join(other.prompt.entries)


@PYTHON
async def test_mistakes_are_built_only_where_code_is_trusted_and_again_after_a_late_build(
    learner, monkeypatch
):
    opened, services = learner.opened, learner.app.services
    learner.write("def note(celsius: int) -> str:\n    return 2 * more\n")
    file, text = opened.unit(UNIT).file, learner.file.read_text()
    line = text[: text.index("2 * more")].count("\n") + 1
    error = BuildError(file, line, 1, line, 2, "NameError", "no more")
    report = TestReport("r", RunOutcome.BUILD_ERROR, build_errors=(error,))
    code = "def note(celsius: int) -> str:\n    return more\n"
    known = Mistake("More", BUILDS_NOT, code, error="NameError")
    opened.mistakes = {UNIT: (known,)}
    built = []

    async def execute(*_):
        built.append(code)
        return RawReport(RunOutcome.TIMEOUT)

    monkeypatch.setattr(ShadowCopies, "execute", execute)
    given = (services, learner.app.exercises.shadow_copies, opened, opened.unit(UNIT))
    for trusted, times in ((False, 0), (True, 1), (True, 2)):
        opened.session = replace(opened.session, trusted=trusted)
        texts = opened.texts() | {file: text}
        assert await diagnose(*given, texts, report, patience_s=None) is None
        assert len(built) == times
