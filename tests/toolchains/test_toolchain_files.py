"""Build files, crate roots, package markers, and where a section's file goes."""

import json
import tomllib

import pytest
from toolchain_kit import TOOLS

from tutor_lsp.core.stage import Role


@pytest.mark.parametrize(
    ("language", "role", "given", "wanted"),
    [
        ("rust", Role.STARTER, "lib.rs", "src/lib.rs"),
        ("rust", Role.STARTER, "src/lib.rs", "src/lib.rs"),
        ("rust", Role.STARTER, "./src/a/b.rs", "src/a/b.rs"),
        ("rust", Role.TEST, "words.rs", "tests/words.rs"),
        ("rust", Role.TEST, "tests/words.rs", "tests/words.rs"),
        ("rust", Role.LESSON, "LESSON.md", "LESSON.md"),
        ("python", Role.STARTER, "words.py", "src/exercise/words.py"),
        ("python", Role.STARTER, "src/words.py", "src/exercise/words.py"),
        ("python", Role.STARTER, "exercise/words.py", "src/exercise/words.py"),
        ("python", Role.STARTER, "src/exercise/words.py", "src/exercise/words.py"),
        ("python", Role.TEST, "test_words.py", "tests/test_words.py"),
        ("python", Role.STARTER, "/etc/passwd", "/etc/passwd"),
        ("rust", Role.STARTER, "../lib.rs", "../lib.rs"),
        ("rust", Role.STARTER, "src/../../lib.rs", "src/../../lib.rs"),
        ("rust", Role.STARTER, "C:/lib.rs", "C:/lib.rs"),
        ("rust", Role.TEST, "~/words.rs", "~/words.rs"),
        ("rust", Role.TEST, "tests\\words.rs", "tests\\words.rs"),
    ],
)
def test_a_prefix_is_added_once_and_nothing_is_mended_that_policy_must_see(
    language, role, given, wanted
):
    assert TOOLS[language].normalise_path(role, given) == wanted


@pytest.mark.parametrize("language", ["rust", "python"])
def test_complete_adds_nothing_the_second_time(language):
    files = {"src/lib.rs": "pub fn a() {}\n"} if language == "rust" else {"src/exercise/a.py": ""}
    once = TOOLS[language].complete(files)
    assert TOOLS[language].complete(once) == once
    assert {name: once[name] for name in files} == files


def test_a_rust_exercise_gets_a_crate_of_its_own():
    files = TOOLS["rust"].complete({"src/lib.rs": "pub fn a() {}"})
    manifest = tomllib.loads(files["Cargo.toml"])
    assert manifest["package"]["name"] == "exercise"
    assert manifest["package"]["edition"] == "2024"
    assert manifest["workspace"] == {}
    assert "dependencies" not in manifest
    assert files[".gitignore"] == "target/\n"
    assert files["src/lib.rs"] == "pub fn a() {}"


def test_module_lines_follow_the_header_of_the_crate():
    files = TOOLS["rust"].complete(
        {
            "src/lib.rs": "//! Words.\n\nuse std::fmt;\npub mod shapes;\n",
            "src/shapes.rs": "",
            "src/words.rs": "",
        }
    )
    assert files["src/lib.rs"] == (
        "//! Words.\n\npub mod words;\n\nuse std::fmt;\npub mod shapes;\n"
    )


def test_a_missing_crate_root_is_made_with_nested_modules():
    files = TOOLS["rust"].complete(
        {"src/words.rs": "pub fn a() {}\n", "src/shapes/round.rs": "", "tests/a.rs": ""}
    )
    assert files["src/lib.rs"] == "pub mod shapes;\npub mod words;\n"
    assert files["src/shapes/mod.rs"] == "pub mod round;\n"
    assert files["src/words.rs"] == "pub fn a() {}\n"


def test_a_declared_module_is_not_declared_again():
    root = "mod words;\npub use words::count;\n"
    files = TOOLS["rust"].complete({"src/lib.rs": root, "src/words.rs": ""})
    assert files["src/lib.rs"] == root


def test_a_python_exercise_gets_packages_and_settings():
    files = TOOLS["python"].complete({"src/exercise/shapes/round.py": "x = 1\n"})
    assert files["src/exercise/__init__.py"] == ""
    assert files["src/exercise/shapes/__init__.py"] == ""
    pytest_settings = tomllib.loads(files["pyproject.toml"])["tool"]["pytest"]["ini_options"]
    assert pytest_settings == {"pythonpath": ["src"], "testpaths": ["tests"]}
    assert json.loads(files["pyrightconfig.json"])["extraPaths"] == ["src"]


def test_own_names_are_the_exercise_and_helpers_of_the_tests():
    files = {"src/exercise/a.py": "", "tests/test_a.py": "", "tests/helpers.py": ""}
    assert TOOLS["python"].own_names(files) == {"exercise", "helpers"}
    assert TOOLS["rust"].own_names({"src/lib.rs": "", "tests/common/mod.rs": ""}) == {
        "common",
        "exercise",
    }
