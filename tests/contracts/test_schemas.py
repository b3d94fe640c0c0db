"""The committed schemas are those of the models, and stay in the strict subset."""

import copy
import os
import subprocess
import sys
from pathlib import Path

import pytest
from schema_lint import MAX_DEPTH, lint

from tutor_lsp.contracts.export import main, rendered, stale, strict_schema
from tutor_lsp.contracts.locate import load_schema, schema_directory, schema_path
from tutor_lsp.contracts.models import MODELS

ROOT = Path(__file__).parents[2]


def test_committed_schemas_are_those_of_the_models():
    assert stale(ROOT / "schemas") == [], "run python -m tutor_lsp.contracts.export"


@pytest.mark.parametrize("name", MODELS)
def test_schemas_are_strict(name):
    assert lint(load_schema(name)) == []


def test_rendered_text_is_stable():
    name = next(iter(MODELS))
    assert rendered(name) == rendered(name)
    assert rendered(name).endswith("}\n")
    assert schema_path(name).read_text("utf-8") == rendered(name)


def test_check_says_what_is_stale_and_export_mends_it(tmp_path, capsys):
    assert main(["--directory", str(tmp_path)]) == 0
    assert stale(tmp_path) == []
    (tmp_path / "scaffold_v1.json").write_text("{}", "utf-8")
    (tmp_path / "gone_v1.json").write_text("{}", "utf-8")
    (tmp_path / "solution_v1.json").unlink()
    assert main(["--check", "--directory", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert [name in said for name in ("gone_v1", "scaffold_v1", "solution_v1", "hint_pack")] == [
        True,
        True,
        True,
        False,
    ]
    assert main(["--directory", str(tmp_path)]) == 0
    assert stale(tmp_path) == []
    assert not (tmp_path / "gone_v1.json").exists()


def test_the_module_runs_as_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "tutor_lsp.contracts.export", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_schemas_are_found_in_an_installed_package(tmp_path, monkeypatch):
    package = tmp_path / "tutor_lsp"
    (package / "contracts").mkdir(parents=True)
    (package / "schemas").mkdir()
    monkeypatch.setattr("tutor_lsp.contracts.locate.__file__", str(package / "contracts/x.py"))
    assert schema_directory() == package / "schemas"


def broken(change) -> list[str]:
    schema = copy.deepcopy(strict_schema("scaffold_v1"))
    change(schema)
    return lint(schema)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: s.pop("additionalProperties"), "#: additionalProperties must be false"),
        (lambda s: s["required"].remove("units"), "#: units is not required"),
        (lambda s: s["required"].append("nothing"), "#: nothing is required but not a property"),
        (lambda s: s["properties"]["role"].update(default="x"), "default is not supported"),
        (lambda s: s["properties"]["node_id"].update(minLength=1), "minLength is not supported"),
        (lambda s: s["properties"]["node_id"].update(const="x"), "const is not supported"),
        (lambda s: s["properties"]["node_id"].update(type=["string", "null"]), "type must be one"),
        (lambda s: s["properties"]["node_id"].clear(), "it has no type"),
        (lambda s: s["properties"]["lesson_plan"].update(description="x"), "beside $ref"),
        (lambda s: s["$defs"].pop("LessonPlan"), "#/$defs/LessonPlan does not exist"),
        (
            lambda s: s["$defs"]["LessonPlan"]["properties"]["section_intents"].pop("items"),
            "an array needs items",
        ),
        (lambda s: s.update(type="array", items={"type": "string"}), "the root must be an object"),
    ],
)
def test_the_lint_finds_each_breach(change, said):
    assert any(said in line for line in broken(change)), broken(change)


def test_the_lint_finds_what_is_nested_too_deeply():
    schema = {"type": "string"}
    for _ in range(MAX_DEPTH + 1):
        schema = {
            "type": "object",
            "properties": {"a": schema},
            "required": ["a"],
            "additionalProperties": False,
        }
    assert lint(schema) == [f"#: nested {MAX_DEPTH + 1} deep, at most {MAX_DEPTH}"]


def test_the_lint_finds_a_schema_that_holds_itself():
    schema = copy.deepcopy(strict_schema("solution_v1"))
    schema["$defs"]["TextFile"]["properties"]["content"] = {"$ref": "#/$defs/TextFile"}
    assert any("nested" in line for line in lint(schema))


def test_the_lint_counts_properties():
    names = [f"p{number}" for number in range(5001)]
    schema = {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
        "additionalProperties": False,
    }
    assert lint(schema) == ["#: 5001 properties, at most 5000"]
