"""The house at a glance: small rooms, short files, and languages named in their own place alone."""

import ast
from collections import Counter
from pathlib import Path

import tutor_lsp
from tutor_lsp.languages.registry import languages

ROOT = Path(tutor_lsp.__file__).parent
MODULES = [
    path
    for path in sorted(ROOT.rglob("*.py"))
    if path.relative_to(ROOT).parts[0] != "library" or path.parent == ROOT / "library"
]
MOST_MODULES, MOST_LINES = 20, 400
LANGUAGES_OWN = {"languages", "library", "demo"}
"""Where a language may be named: its own folder, its exercises, and what is shown of it."""
MERELY_EQUAL = {
    "authoring/proof/references.py": {"c"},  # a name that a test may use
    "stages/plain_markdown.py": {"c", "python", "rust"},  # words behind ```
    "tutor/hinting/coach/disguise.py": {"python", "rust"},  # goes with the hunt for encodings
}
"""Texts that equal a language's id without choosing by it."""


def named(path):
    """The ids of languages that a module has as texts."""
    constants = (
        node.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return set(constants) & languages().keys()


def test_no_room_is_crowded():
    rooms = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    assert {str(r.relative_to(ROOT)): n for r, n in rooms.items() if n > MOST_MODULES} == {}


def test_no_file_is_long():
    lines = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in MODULES}
    assert {file: count for file, count in lines.items() if count > MOST_LINES} == {}


def test_no_language_is_named_outside_its_place():
    found = {
        file: names
        for path in MODULES
        if not LANGUAGES_OWN & set(path.relative_to(ROOT).parts) and (names := named(path))
        for file in [path.relative_to(ROOT).as_posix()]
    }
    assert found == MERELY_EQUAL


def test_each_language_imports_nothing_of_another():
    wrong = [
        str(path.relative_to(ROOT))
        for language in languages()
        for path in (ROOT / "languages" / language).rglob("*.py")
        for other in languages().keys() - {language}
        if f"tutor_lsp.languages.{other}." in path.read_text("utf-8")
    ]
    assert wrong == []
