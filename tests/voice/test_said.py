"""What is said of every result: as a whole, and that nothing is lost of it.

After a change of words write `said.txt` anew: `python tests/voice/test_said.py`.
"""

import dataclasses
from pathlib import Path

import pytest
from said_samples import READY, SAMPLES, UNITS

from tutor_lsp.tutor.commands.dispatch import USE_CASES
from tutor_lsp.tutor.voice.command_form import CommandForm
from tutor_lsp.tutor.voice.say import WORDS, message, spoken
from tutor_lsp.tutor.voice.voice import Voice

GOLDEN = Path(__file__).with_name("said.txt")
TOLD = {
    "message", "note", "reason", "why", "remedy", "summary", "ended", "review_error", "problems",
    "tried_out",
    "text", "code", "solution", "diff", "title", "claim", "evidence", "improvement", "question",
    "stub", "workspace", "lesson", "file", "files", "home", "version", "path", "backup", "aside",
    "first_principle", "words", "executable", "output",
}  # fmt: skip
"""Fields whose texts people are told."""
ELSEWHERE = {
    "not yet",  # of a test of a stub that nobody has started: that it is not written yet
    "/home/me/movie/LESSON.md",  # beside the folder of a session
    "Strings",  # what comes next, before an exercise is passed
    "builds on what you know",
}
BY_SAMPLE = {
    "compare": {"src/movie.py"},  # the unit says where it is
    "status": {"plan"},  # what a job did before it failed
    "curriculum": {"First steps", "texts and their parts", "Clean names"},  # rows of tutor.choices
    "claim": {"Clean names"},
}
"""What is said in another way, or where it is needed."""
LISTS = {"tutor.sessions", "tutor.choices"}


def said():
    parts = []
    for name, (command, result) in SAMPLES.items():
        parts += [f"=== {name}", f"--- message\n{message(Voice(), command, result)}"]
        if result is not None:
            say = spoken(Voice(), command, result)["say"]
            parts.append(f"--- {say['title']}\n--- {say['oneLine']}\n{say['markdown']}")
    return "\n".join(parts) + "\n"


def test_what_is_said_is_as_it_was_agreed():
    assert said() == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize(
    ("kind", "challenge", "begin"),
    [
        ("body", False, "Read the lesson, write the first function and save."),
        ("declare", False, "Read the lesson, write the first function and save."),
        ("predict", False, "Read the lesson, then begin with stub_b."),
        ("repair", True, "This is a challenge: there is no lesson. Begin with stub_b."),
        ("test", True, "This is a challenge: there is no lesson. Begin with stub_b."),
    ],
)
def test_only_who_is_to_write_a_function_is_told_to(kind, challenge, begin):
    units = [dataclasses.replace(unit, kind=kind) for unit in UNITS]
    ready = dataclasses.replace(READY, units=tuple(units), challenge=challenge)
    assert f"\n\n{begin} " in spoken(Voice(), "tutor.resume", ready)["say"]["markdown"]


def test_every_command_has_a_sample_and_words():
    assert {command for command, _ in SAMPLES.values()} == USE_CASES.keys() - LISTS
    assert {name for name in WORDS if "." in name} == USE_CASES.keys() - LISTS


def told(value, name=""):
    """The texts of a result that people are told."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from told(getattr(value, field.name), field.name)
    elif isinstance(value, tuple):
        for each in value:
            yield from told(each, name)
    elif isinstance(value, str) and value and name in TOLD:
        yield value


@pytest.mark.parametrize("name", [name for name, (_, result) in SAMPLES.items() if result])
def test_nothing_that_a_result_tells_is_lost(name):
    command, result = SAMPLES[name]
    markdown = spoken(Voice(), command, result)["say"]["markdown"]
    lost = {text for text in told(result) if text not in markdown}
    assert lost <= ELSEWHERE | BY_SAMPLE.get(name, set())


@pytest.mark.parametrize("name", [name for name, (_, result) in SAMPLES.items() if result])
def test_a_line_is_one_line_and_the_whole_begins_with_the_title(name):
    command, result = SAMPLES[name]
    say = spoken(Voice(), command, result)["say"]
    assert 0 < len(say["oneLine"]) <= 200
    assert "\n" not in say["oneLine"] + say["title"]
    assert say["markdown"].startswith(f"# {say['title']}\n\n")
    assert "FAIL" not in say["markdown"] + say["oneLine"]


FORMS = {
    None: ("tutor.check", 'tutor.reset with {"unit": "ex-2"}'),
    "tutor-lsp %s": ("tutor-lsp check", "tutor-lsp reset --unit ex-2"),
    ":TutorLsp %s": (":TutorLsp check", ":TutorLsp reset ex-2"),
    "M-x tutor-lsp-%s": ("M-x tutor-lsp-check", "M-x tutor-lsp-reset (ex-2)"),
    "Tutor: %s": ("Tutor: Run the tests", "Tutor: Put stubs back (ex-2)"),
}
TITLES = {"tutor.check": "Run the tests", "tutor.reset": "Put stubs back"}


@pytest.mark.parametrize("form", FORMS)
def test_commands_are_named_as_they_are_typed(form):
    check, reset = FORMS[form]
    named = CommandForm(form, TITLES).named
    text = 'Save and check (tutor.check), or tutor.reset with {"unit": "ex-2"}.'
    assert named(text) == f"Save and check ({check}), or {reset}."
    code = "see\n\n```python\ntutor.check\n```\n"
    assert named(f"{code}\ntutor.check") == f"{code}\n{check}"
    for kept in (
        "tutor.backend",
        "tutor.nothing",
        "~/tutor.check",
        "x.tutor.check",
        "tutor.checks",
    ):
        assert named(kept) == kept


def test_what_the_learner_wrote_is_not_renamed():
    voice = Voice(CommandForm(":TutorLsp %s", TITLES))
    data = {"message": "tutor.check", "code": "tutor.check", "output": "tutor.check"}
    assert voice.named(data) == {**data, "message": ":TutorLsp check"}


if __name__ == "__main__":
    GOLDEN.write_text(said(), "utf-8")
