"""Rule by rule: what one payload may not hold, and that good ones break nothing."""

import copy
from dataclasses import replace

import pytest
import stage_samples as make

from tutor_lsp.contracts.validate import validate
from tutor_lsp.core.stage import Role
from tutor_lsp.stages.policy import violations
from tutor_lsp.stages.reveal import reveals, solution_lines


def changed(role: Role, path: tuple, value) -> dict:
    payload = make.payload(role)
    target = payload
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return payload


def rules(role: Role, payload: dict, **changes) -> list[str]:
    request = replace(make.request(role, **changes), several=False)
    return sorted({v.rule for v in violations(request, payload)})


@pytest.mark.parametrize("role", list(Role))
def test_good_payloads_break_no_rule(role):
    assert rules(role, make.payload(role)) == []


PATHS = [
    ("/etc/passwd", ["path-absolute"]),
    ("C:/temp/a.py", ["path-absolute", "path-characters"]),
    ("file:///a.py", ["path-absolute", "path-characters"]),
    ("~/a.py", ["path-absolute", "path-characters"]),
    ("../a.py", ["path-parent"]),
    ("src/../../a.py", ["path-parent"]),
    ("src\\..\\a.py", ["path-characters", "path-parent"]),
    ("src/" + "a" * 61 + ".py", ["path-too-long"]),
    ("src/" + "a/" * 6 + "b.py", ["path-too-long"]),
    ("src/" + "a" * 50 + "/" + "b" * 50 + "/" + "c" * 50, ["path-too-long"]),
    ("src/.git/config", ["path-reserved"]),
    (".tutor/exercise.json", ["path-reserved"]),
    ("src/Cargo.toml", ["path-reserved"]),
    ("conftest.py", ["path-reserved"]),
    ("src/nul.py", ["path-reserved"]),
    ("src/a b.py", ["path-characters"]),
    ("src//a.py", ["path-characters"]),
    ("src/./a.py", ["path-characters"]),
    ("src/", ["path-characters"]),
    ("src/a.py\n", ["path-characters"]),
    ("src/é.py", ["path-characters"]),
    ("src/a.py.", ["path-characters"]),
]


@pytest.mark.parametrize(("path", "expected"), PATHS, ids=[path[:30] for path, _ in PATHS])
def test_paths(path, expected):
    assert rules(Role.STARTER, changed(Role.STARTER, ("file_path",), path)) == expected


@pytest.mark.parametrize(
    ("role", "where"),
    [
        (Role.SCAFFOLD, ("units", 0, "file_path")),
        (Role.TEST, ("file_path",)),
        (Role.SOLUTION, ("files", 0, "file_path")),
        (Role.COACH, ("fix", 0, "file_path")),
        (Role.REVIEWER, ("findings", 0, "file")),
    ],
)
def test_no_role_leads_out_of_the_exercise(role, where):
    assert "path-parent" in rules(role, changed(role, where, "../../.bashrc"))
    assert "path-absolute" in rules(role, changed(role, where, "/root/.bashrc"))


def test_sections_stay_in_their_folder():
    assert rules(Role.STARTER, changed(Role.STARTER, ("file_path",), "tests/a.py")) == [
        "path-outside"
    ]
    assert rules(Role.TEST, changed(Role.TEST, ("file_path",), "src/a.py")) == ["path-outside"]
    for role, path in ((Role.STARTER, "exercise/tea.py"), (Role.TEST, "test_tea.py")):
        assert rules(role, changed(role, ("file_path",), path)) == []


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("file_path", "../a.py", "path-parent"),
        ("content", "\n", "section-empty"),
        ("content", "x" * 3001, "size-line"),
        ("content", "a\x1b[31mred", "text-control"),
    ],
)
def test_each_of_several_sections_keeps_the_rules(key, value, rule):
    request = make.request(Role.TEST)
    payload = validate(request.contract, make.payload(Role.TEST))
    assert violations(request, payload) == []
    payload["sections"].append(payload["sections"][0] | {key: value})
    (violation,) = violations(request, payload)
    assert (violation.rule, violation.path) == (rule, f"$.sections[1].{key}")


CASES = [
    (Role.LESSON, ("schema_version",), "lesson_section_v2", "version-mismatch"),
    (Role.LESSON, ("role",), "test-expand", "role-mismatch"),
    (Role.LESSON, ("content",), "a\x1b[31mred", "text-control"),
    (Role.LESSON, ("content",), "left \u202e right", "text-control"),
    (Role.LESSON, ("content",), " \n\t", "section-empty"),
    (Role.LESSON, ("content",), "x" * 3001, "size-line"),
    (Role.STARTER, ("content",), "x" + "\n" * 400, "size-blanks"),
    (Role.SOLUTION, ("files", 0, "content"), "x" * 3001, "size-line"),
    (Role.SCAFFOLD, ("node_id",), "python-other", "id-mismatch"),
    (Role.SCAFFOLD, ("depth_target",), "D3", "id-mismatch"),
    (Role.SCAFFOLD, ("scaffold_id",), "../evil", "id-form"),
    (Role.SCAFFOLD, ("units", 0, "unit_id"), "unit-1", "id-form"),
    (Role.SCAFFOLD, ("units", 0, "stub"), "cups()", "id-form"),
    (Role.SCAFFOLD, ("units", 0, "test_names"), ["rm -rf"], "id-form"),
    (Role.SCAFFOLD, ("units", 1, "unit_id"), "ex-1", "id-duplicate"),
    (Role.SCAFFOLD, ("units", 1, "stub"), "cups", "id-duplicate"),
    (Role.SCAFFOLD, ("units", 1, "test_names"), ["test_cups_of_three"], "id-duplicate"),
    (Role.SCAFFOLD, ("units", 1, "kind"), "repair", "kind-not-generated"),
    (Role.SOLUTION, ("files", 0, "file_path"), "src/exercise/more.py", "solution-stray"),
    (Role.SOLUTION, ("files", 0, "file_path"), "tests/test_tea.py", "path-outside"),
    (Role.SOLUTION, ("files", 0, "content"), "x" * 128_001, "size-files"),
    (Role.SOLUTION, ("accepts",), [{"unit_id": "../x", "content": "x"}], "id-form"),
    (Role.SOLUTION, ("accepts",), [{"unit_id": "ex-1", "content": "x" * 128_001}], "size-files"),
    (Role.MISTAKES, ("units", 0, "unit_id"), "../x", "id-form"),
    (Role.MISTAKES, ("units", 0, "mistakes", 0, "tag"), "made-up", "mistake-unknown-tag"),
    (Role.MISTAKES, ("units", 0, "mistakes", 0, "says"), " ", "text-empty"),
    (Role.MISTAKES, ("units", 0, "mistakes", 0, "code"), "\n", "text-empty"),
    (Role.MISTAKES, ("units", 0, "mistakes", 0, "code"), "x" * 3001, "size-line"),
    (Role.MISTAKE_TAGS, ("tags", 0, "tag"), "made-up", "mistake-unknown-tag"),
    (Role.MISTAKE_TAGS, ("tags", 0, "number"), 2, "id-mismatch"),
    (Role.COACH, ("unit_id",), "ex-1", "id-mismatch"),
    (Role.COACH, ("level",), 3, "hint-level-mismatch"),
    (Role.COACH, ("text",), "word " * 91, "hint-too-long"),
    (Role.COACH, ("code",), "a = 1\n" * 9, "hint-too-long"),
    (Role.COACH, ("tags",), ["made-up"], "hint-unknown-tag"),
    (Role.COACH, ("fix", 0, "file_path"), "src/exercise/more.py", "fix-stray"),
    (Role.REVIEWER, ("verdict",), "PASS", "verdict-against-run"),
    (Role.REVIEWER, ("score",), 90, "verdict-score-inconsistent"),
    (Role.REVIEWER, ("tags",), ["made-up"], "review-unknown-tag"),
    (Role.REVIEWER, ("summary",), "word " * 401, "review-too-long"),
    (
        Role.REVIEWER,
        ("improvement_at",),
        {"file": "../a.py", "line": 1, "end_line": 1, "quote": "x"},
        "path-parent",
    ),
]


@pytest.mark.parametrize(
    ("role", "path", "value", "rule"), CASES, ids=[f"{c[0].value}-{c[3]}-{c[1][-1]}" for c in CASES]
)
def test_rules(role, path, value, rule):
    assert rule in rules(role, changed(role, path, value))


def test_all_violations_are_told_with_their_places():
    payload = changed(Role.SCAFFOLD, ("node_id",), "other")
    payload["scaffold_id"] = "a b"
    payload["units"][1]["file_path"] = "/tmp/a.py"
    found = violations(make.request(Role.SCAFFOLD), payload)
    assert [(v.rule, v.path) for v in found] == [
        ("id-mismatch", "$.node_id"),
        ("id-form", "$.scaffold_id"),
        ("path-absolute", "$.units[1].file_path"),
    ]
    assert all(v.reason for v in found)


def test_a_file_may_be_given_once_with_or_without_its_folder():
    payload = make.payload(Role.SOLUTION)
    payload["files"].append({**payload["files"][0], "file_path": "exercise/tea.py"})
    assert rules(Role.SOLUTION, payload) == ["path-duplicate"]


def test_a_verdict_fits_run_and_score():
    green = {"report": make.GREEN}
    passed = make.payload(Role.REVIEWER) | {"verdict": "PASS", "score": 70}
    assert rules(Role.REVIEWER, passed, **green) == []
    assert rules(Role.REVIEWER, passed | {"score": 69}, **green) == ["verdict-score-inconsistent"]
    not_yet = passed | {"verdict": "FAIL", "score": 89}
    assert rules(Role.REVIEWER, not_yet, **green) == []
    assert rules(Role.REVIEWER, not_yet | {"score": 90}, **green) == ["verdict-score-inconsistent"]


def hint(
    level: int, text: str, code: str | None = None, unit: str = "ex-2", *, model: bool = True
) -> list[str]:
    payload = make.payload(Role.COACH)
    payload |= {"level": level, "text": text, "code": code, "unit_id": unit, "fix": None}
    request = make.coach_request(make.context(), unit, level)
    return [violation.rule for violation in violations(request, payload, model=model)]


WHOLE = "whole = cups(guests)//5\nrest = cups(guests) % 5\nreturn whole + (rest>0)"


@pytest.mark.parametrize(
    ("level", "text", "code", "unit", "expected"),
    [
        (1, "Look at the rest.", None, "ex-2", []),
        (1, "Look at the rest.", "rest > 0", "ex-2", ["hint-code-at-level-1"]),
        (1, "word " * 41, None, "ex-2", ["hint-too-long"]),
        (3, "Write this:", WHOLE, "ex-2", ["hint-reveals-solution"]),
        (3, WHOLE, None, "ex-2", ["hint-reveals-solution"]),
        (3, "Write `rest = cups(guests) % 5` first.", None, "ex-2", []),
        (2, "Write:", "return guests*CUPS;", "ex-1", ["hint-reveals-solution"]),
        (1, "Write `return guests * CUPS`.", None, "ex-1", ["hint-reveals-solution"]),
        (3, "Write `return guests * CUPS`.", None, "ex-1", []),
        (2, "Shelves hold books.", "return shelves * BOOKS", "ex-1", []),
    ],
)
def test_what_a_hint_may_say(level, text, code, unit, expected):
    reveals = "hint-reveals-solution" in expected
    assert hint(level, text, code, unit, model=not reveals) == expected
    assert not reveals or hint(level, text, code, unit) == [], "the coach leaves it out"


def test_rust_stubs_are_guarded_too():
    starter = 'pub fn twice(a: i32) -> i32 {\n    let _ = a;\n    todo!("twice")\n}\n'
    reference = "pub fn twice(a: i32) -> i32 {\n    let b = a;\n    // add\n    a + b + 0\n}\n"
    lines = solution_lines("rust", starter, reference, "twice")
    assert lines == ["letb=a", "a+b+0"]
    assert reveals({"text": "let b = a;", "code": "a + b + 0"}, 3, lines)
    assert not reveals({"text": "let b = a;", "code": None}, 3, lines)
    assert solution_lines("rust", starter, reference, "thrice") == []


def test_rules_leave_the_payload_alone():
    payload = make.payload(Role.COACH)
    before = copy.deepcopy(payload)
    violations(make.request(Role.COACH), payload)
    assert payload == before
