"""What a coach and a reviewer are told: little, each text once, and marked where it is old."""

from dataclasses import replace

import pytest
from open_kit import LIBRARY, open_exercise, with_body

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport, TestResult
from tutor_lsp.core.session import Hint
from tutor_lsp.stages.tutoring import TutoringContext, coach_request, reviewer_request

MOST = 12_000
"""Bytes of a coach's prompt beside the learner's own files."""
WINDOW, WORTH = 3, 60
"""As many lines in a row, with so many characters, are a text."""
SAID = "Follow the first test through your code, and say aloud what every name holds there. " * 5
EXERCISES = [
    pytest.param(entry.folder, language, id=entry.folder)
    for language in ("python", "rust", "c")
    for entry in LIBRARY.entries(language)
]


def failing(opened, unit):
    """A run in which every test of the unit fails, with a word on it and long output."""
    tests = tuple(
        TestResult(
            name=name,
            unit=unit.id,
            stub=unit.stub,
            outcome=TestOutcome.FAILED,
            message=f"`{unit.stub}(…)` gave {number}, expected {number + 1}",
            expected=str(number + 1),
            actual=str(number),
            file="tests/x",
            line=number,
            output="".join(f"{number}: what row {row} of the code printed\n" for row in range(60)),
        )
        for number, name in enumerate(unit.tests)
    )
    return TestReport("r", RunOutcome.FAILED, tests, text_hash="0123456789abcdef" * 2)


def context_of(opened, unit, texts=None):
    texts = opened.texts() if texts is None else texts
    hints = [
        Hint(unit.id, unit.tests[0], level, f"{level}: {SAID}", f"say({level})", False, "t", "h")
        for level in (1, 2, 3)
    ]
    return TutoringContext(
        exercise=opened.exercise,
        vault=opened.vault,
        texts=texts,
        report=failing(opened, unit),
        hints=hints[:2],
        attempt_texts=opened.exercise.starter,
        contracts={
            each.id: f"{site.comment or ''}\n{site.signature}".strip()
            for each in opened.exercise.units
            if (site := opened.starter_site(each)) is not None
        },
        differs=[{"call": f"{unit.stub}(…)", "gives": "1", "expected": "2"}] * 3,
        reader=opened.toolchain,
    )


def twice(text):
    """The first text that stands there twice, or None."""
    plain = text.replace("\\n", "\n").replace('\\"', '"')
    rows = [row.split("| ", 1)[-1].strip() for row in plain.split("\n")]
    rows = [row for row in rows if row]
    seen = set()
    for at in range(len(rows) - WINDOW + 1):
        window = "\n".join(rows[at : at + WINDOW])
        if len(window) >= WORTH and window in seen:
            return window
        seen.add(window)
    return None


def written_twice(opened, found):
    """Whether its author has written it twice: in files of theirs, or in the solution or a hint as
    in the lesson."""

    def count(texts):
        plain = ("\n".join(filter(None, map(str.strip, text.split("\n")))) for text in texts)
        return [text.count(found) for text in plain]

    hints = (text for written in opened.vault.hints.values() for text in written)
    given = count([*opened.vault.originals.values(), *hints])
    return sum(given) > 1 or (sum(given) == 1 and any(count(opened.vault.solution.values()))
                              and not sum(count(opened.exercise.starter.values())))  # fmt: skip


@pytest.mark.first(3)
@pytest.mark.parametrize(("folder", "language"), EXERCISES)
def test_a_coach_is_told_little_and_nothing_twice(tmp_path, folder, language):
    opened = open_exercise(tmp_path / "work", language, folder)
    for unit in opened.exercise.units:
        context = context_of(opened, unit)
        if unit.aside is None and unit.kind is UnitKind.BODY:
            mine = with_body(opened, unit.id, "first = 1\nsecond = 2\nthird = first + second")
            context = replace(context, texts={**context.texts, unit.file: mine})
        own = sum(len(text.encode()) for text in context.stub_files().values())
        for level in (1, 2, 3):
            said = coach_request(context, unit.id, level, "Why does it give one more?").prompt.text
            assert len(said.encode()) - own <= MOST, unit.id
            found = twice(said)
            assert found is None or written_twice(opened, found), unit.id
    found = twice(reviewer_request(context, 1).prompt.text)
    assert found is None or written_twice(opened, found)


@pytest.mark.parametrize("folder", ["structs-ring-buffer", "pointers-robot-orders"])
def test_a_conversation_takes_the_room_that_is_left(tmp_path, folder):
    name = f"c-{folder}"
    opened = open_exercise(tmp_path / "work", "c", name)
    for unit in opened.exercise.units:
        context = context_of(opened, unit)
        talk = [
            replace(context.hints[0], text=f"{each}. {SAID}" * 3, question=f"{each}: why? " * 40)
            for each in ("one", "two", "three")
        ]
        context = replace(context, hints=(*context.hints, *talk), answer_language="German")
        own = sum(len(text.encode()) for text in context.stub_files().values())
        said = coach_request(context, unit.id, 3, "Why does it give one more?").prompt.text
        assert len(said.encode()) - own <= MOST, unit.id
        assert "three: why?" in said or len(said.encode()) - own > MOST - 1000, unit.id


def test_a_text_that_is_there_twice_is_found():
    assert twice("a line of thirty characters or so\n" * 3) is None
    assert twice("a line of thirty characters or so\n" * 4) is not None


def test_what_the_learner_deleted_of_a_contract_is_told(tmp_path):
    opened = open_exercise(tmp_path / "work", "python", "python-numbers-market-till")
    unit = opened.exercise.units[0]
    context = context_of(opened, unit)
    comment = context.contracts[unit.id].split("\n")[0]
    assert coach_request(context, unit.id, 1).prompt.text.count(comment) == 1
    gone = context.texts[unit.file].replace(comment, "")
    context = replace(context, texts={**context.texts, unit.file: gone})
    assert coach_request(context, unit.id, 1).prompt.text.count(comment) == 1


def test_the_run_is_told_with_the_hash_of_its_files_and_whether_it_is_old(tmp_path):
    opened = open_exercise(tmp_path / "work", "python", "python-numbers-market-till")
    unit = opened.exercise.units[0]
    context = context_of(opened, unit)
    said = coach_request(context, unit.id, 1).prompt.text
    assert "of the files with the hash 0123456789ab" in said
    assert "of an older text" not in said
    assert "of an older text" in coach_request(replace(context, older=True), unit.id, 1).prompt.text


def test_of_tests_and_reference_a_coach_has_those_of_the_unit(tmp_path):
    opened = open_exercise(tmp_path / "work", "c", "c-functions-kitchen-timer")
    first, other = opened.exercise.units[:2]
    said = coach_request(context_of(opened, first), first.id, 1).prompt
    tests = next(each for each in said.entries if each.startswith("\n\n# Tests"))
    assert f"void {first.tests[0]}(" in tests
    assert f"void {other.tests[0]}(" not in tests
    assert "NEVER TO BE SHOWN" in said.text
