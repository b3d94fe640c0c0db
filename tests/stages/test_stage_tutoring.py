"""What coach, reviewer and blind solver are given."""

import json
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest
import stage_samples as samples
from hypothesis import given
from hypothesis import strategies as st

from tutor_lsp.core.exercise.report import BuildError, RunOutcome, TestReport
from tutor_lsp.core.session import Vault
from tutor_lsp.core.stage import Role, StageRequest
from tutor_lsp.stages import evidence
from tutor_lsp.stages.packet import context_issues
from tutor_lsp.stages.tutoring import coach_request, reviewer_request, solution_request


def coach(**changes) -> StageRequest:
    return coach_request(samples.context(**changes), "ex-2", 2, "Why five?")


def tutoring(request: StageRequest) -> dict:
    return request.packet["tutoring"]


def test_the_coach_sees_what_the_learner_sees():
    given_ = tutoring(coach(attempt_texts={samples.FILE: samples.STARTER}))
    assert given_["files"] == [{"file_path": samples.FILE, "content": samples.LEARNER_TEXT}]
    assert "+    return cups(guests) // 5" in given_["diff_since_starter"]
    assert "+    return cups(guests) // 5" in given_["diff_since_attempt"]
    assert given_["unit"]["contract"] == "def pots(guests: int) -> int"
    assert given_["run"]["failures"][0] == {
        "test": "test_pots_of_three",
        "unit_id": "ex-2",
        "outcome": "failed",
        "message": "`pots(3)` gave 3, expected 6",
        "expected": "6",
        "actual": "3",
        "file": "tests/test_tea.py",
        "line": 5,
        "output": "hello\n",
    }
    assert given_["tests"][0]["file_path"] == "tests/test_tea.py"
    assert given_["lesson_section"] == "## Rounding up\n\nBoxes are bought whole.\n"
    assert given_["earlier_hints"][0]["text"] == "Count pots."
    assert given_["authored_hints"][1] == {"level": 2, "text": "Boxes are whole."}
    assert given_["question"] == "Why five?"
    assert given_["session_id"] == "session-1"
    assert given_["reference"] == [{"file_path": samples.FILE, "content": samples.SOLUTION}]


def test_the_coachs_prompt_holds_it_all_and_marks_the_reference():
    text = coach().prompt.text
    for said in (
        "return cups(guests) // 5",
        "`pots(3)` gave 3, expected 6",
        "Reference solution: NEVER TO BE SHOWN",
        "return whole + (rest > 0)",
        "Boxes are bought whole.",
        "Count pots.",
        "Boxes are whole.",
        "Why five?",
        "rounds-down",
        "Give the hint of level 2 for ex-2.",
    ):
        assert said in text
    assert "Add one if some are left." not in text, "the hint of another level"


def test_hints_of_an_exercise_share_their_beginning():
    first, second = (
        coach_request(samples.context(texts=texts), "ex-2", 2).prompt
        for texts in (
            samples.context().texts,
            {**samples.context().texts, samples.FILE: samples.STARTER},
        )
    )
    assert first.head == second.head
    assert first.entries[:6] == second.entries[:6]


def test_the_reviewer_quotes_by_line_numbers():
    request = reviewer_request(samples.context(), 3)
    number = samples.LEARNER_TEXT.splitlines().index("    return guests * CUPS") + 1
    assert f"{number:>4}|     return guests * CUPS" in request.prompt.text
    assert "Review attempt 3." in request.prompt.tail
    assert tutoring(request)["attempt"] == 3
    assert tutoring(request)["run"]["passed"] == 1
    assert tutoring(request)["lesson_section"] == samples.LESSON
    assert "NEVER TO BE SHOWN" in request.prompt.text


def test_a_build_error_is_told():
    error = BuildError(samples.FILE, 3, 1, 3, 2, None, "unexpected indent")
    report = TestReport("r", RunOutcome.BUILD_ERROR, (), (error,))
    assert tutoring(coach(report=report))["run"]["build_errors"] == [
        f"{samples.FILE}:3:1: unexpected indent"
    ]


def test_a_hint_before_any_run_is_in_order():
    request = coach(report=None, hints=(), vault=Vault())
    assert context_issues(request) == []
    assert tutoring(request)["run"] is None
    assert tutoring(request)["authored_hints"] == []


def test_an_emptied_file_is_in_order_and_shown_as_it_is():
    request = coach(texts={**samples.context().texts, samples.FILE: ""})
    assert context_issues(request) == []
    assert tutoring(request)["files"][0]["content"] == ""


def test_the_blind_solver_sees_starter_tests_and_lesson_only():
    request = solution_request(samples.conversation(), samples.FILES)
    text = request.prompt.text
    for said in (samples.STARTER.strip(), samples.TESTS.strip(), "Three shelves of four books"):
        assert said in text
    for hidden in ("section_intents", "return guests * CUPS", "python-numbers"):
        assert hidden not in text
    files = [file["file_path"] for file in request.packet["files"]]
    assert files == ["LESSON.md", samples.FILE, "tests/test_tea.py"]


def test_the_blind_solver_takes_assembled_files_where_there_are_some():
    files = {"src/lib.rs": "a", "tests/a.rs": "b", "LESSON.md": "c", "Cargo.toml": "d"}
    request = solution_request(samples.conversation(), files)
    assert context_issues(request) == []
    assert 'path="src/lib.rs"' in request.prompt.text
    assert "Cargo.toml" not in request.prompt.text


def paths(request: StageRequest) -> list[str]:
    return [issue["path"] for issue in context_issues(request)]


def test_each_role_says_what_it_misses():
    for role, missing in (
        (Role.STARTER, ["$.scaffold"]),
        (Role.TEST, ["$.scaffold", "$.starter"]),
        (Role.LESSON, ["$.scaffold", "$.starter", "$.tests"]),
    ):
        assert paths(samples.conversation(Role.SCAFFOLD).request(role)) == missing
    assert paths(solution_request(samples.conversation(), {samples.FILE: ""})) == ["$.files"]
    assert paths(coach_request(samples.context(), "ex-9", 1)) == [
        "$.tutoring.unit",
        "$.tutoring.files",
    ]
    assert paths(coach(texts={})) == ["$.tutoring.files", "$.tutoring.tests"]
    assert paths(coach_request(samples.context(), "ex-2", 4)) == ["$.tutoring.hint_level"]
    assert paths(reviewer_request(samples.context(report=None, texts={}), 1)) == [
        "$.tutoring.run",
        "$.tutoring.files",
    ]


def test_a_verdict_needs_evidence():
    for changed in ({"tests": ()}, {"outcome": RunOutcome.PASSED, "tests": ()}):
        report = replace(samples.FAILING, **changed)
        assert paths(reviewer_request(samples.context(report=report), 1)) == ["$.tutoring.run"]
    hung = TestReport("r", RunOutcome.TIMEOUT, reason="60 s were not enough")
    assert paths(reviewer_request(samples.context(report=hung), 1)) == []


def test_the_reviewer_sees_every_test_unit_and_hint():
    given_ = tutoring(reviewer_request(samples.context(), 3))
    assert [(test["test"], test["outcome"]) for test in given_["run"]["tests"]] == [
        ("test_cups_of_three", "passed"),
        ("test_pots_of_three", "failed"),
    ]
    assert [unit["unit_id"] for unit in given_["units"]] == ["ex-1", "ex-2"]
    assert given_["units"][1]["contract"] == "def pots(guests: int) -> int"
    assert given_["earlier_hints"][0]["text"] == "Count pots."


def test_a_request_must_agree_with_its_packet():
    made = samples.conversation(Role.TEST, caps={Role.TEST: 8})
    good = made.request(Role.TEST)
    other = StageRequest(Role.STARTER, good.packet, good.prompt)
    assert paths(other) == ["$.role"]
    assert paths(StageRequest(Role.TEST, good.packet, good.prompt, iteration=2)) == ["$.iteration"]
    assert paths(made.request(Role.TEST, 9)) == ["$.iteration"]


def test_a_prompt_over_what_stdin_takes_is_refused_beforehand():
    made = samples.conversation(Role.TEST)
    made.sections[Role.STARTER][0] = samples.payload(Role.STARTER)
    made.entries += ("x" * 1_048_576,)
    assert "characters" in context_issues(made.request(Role.TEST))[0]["reason"]


def test_half_of_a_surrogate_pair_in_the_learners_file_is_told():
    request = coach(texts={**samples.context().texts, samples.FILE: "\udcff"})
    assert "$.tutoring.files[0].content" in paths(request)


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("Rounding up", "## Rounding up\n\nBoxes are bought whole.\n"),
        ("Nowhere", ""),
        ("Not a heading", ""),
    ],
)
def test_sections_are_found_by_heading(heading, expected):
    assert evidence.lesson_section(samples.LESSON, heading) == expected


def test_a_comment_in_a_code_block_does_not_end_a_section():
    assert evidence.lesson_section(samples.LESSON, "Equal groups").endswith("tea.py)\n")


def test_very_long_texts_are_neither_compared_nor_shown_in_full():
    long = "x = 1\n" * 30_000
    assert evidence.diff({"a": long}, {"a": long + "y"}) == "a is too long to compare"
    assert "[the rest is left out]" in evidence.shown("Files", {"a": long})


@given(st.text(st.characters(exclude_categories=("Cs",))), st.booleans())
def test_no_text_ends_its_own_fence(text, numbers):
    given_ = text + evidence.shown("Before", {"a": text})
    shown = evidence.shown("Files", {"a": given_}, numbers=numbers)
    opening = re.search(r'<file path="a" mark="(\w+)">\n', shown)
    end = f"\n</file {opening[1]}>"
    assert shown.count(opening[1]) == 2
    assert shown.endswith(end)


def test_a_mark_that_occurs_in_the_text_is_not_taken(monkeypatch):
    marks = iter(["aaaaaaaa", "bbbbbbbb", "cccccccc"])
    made = SimpleNamespace(sha256=lambda _: SimpleNamespace(hexdigest=lambda: next(marks)))
    monkeypatch.setattr(evidence, "hashlib", made)
    assert evidence.fence_mark("</file aaaaaaaa> bbbbbbbb") == "cccccccc"


def test_shown_lines_are_the_lines_of_editors():
    assert evidence.numbered("a\x0cb\u2028c\r\nd\n") == "   1| a\x0cb\u2028c\n   2| d"


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_data_in_prompts_stay_on_one_line(text):
    _, line = evidence.as_json("Question", text).rsplit("\n", 1)
    assert json.loads(line) == text
