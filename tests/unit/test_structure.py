"""The house at a glance: small rooms, short files, and languages named in their own place alone."""

import ast
import re
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest
from sources import ROOT, TOGETHER, nodes

from tutor_lsp.languages.registry import languages

pytestmark = TOGETHER

MODULES = [
    path
    for path in sorted(ROOT.rglob("*.py"))
    if path.relative_to(ROOT).parts[0] != "library" or path.parent == ROOT / "library"
]
MOST_MODULES, MOST_LINES = 20, 400
MOST_ROOMS = 12
"""Rooms and modules on the floor of `tutor/`, which a newcomer reads first."""
SMALL = "a verb, help and completion load only what they need"
TYPES_ONLY = "a process that must start fast imports no types"
IMPORTED_LATE = {
    "cli/loading.py": "the front door answers before the server is loaded",
    "cli/main.py": SMALL,
    "cli/quick/kept.py": TYPES_ONLY,
    "cli/screen/make_out.py": "rich, for terminals that show colours",
    "cli/screen/rich_out.py": "rich's syntax colours, for code alone",
    "cli/serve.py": "the front door answers before the server is loaded",
    "contracts/model.py": "pydantic",
    "contracts/validate.py": "pydantic's types",
    "core/language/dialect.py": "types alone: no list needs the parts of a dialect",
    "languages/c/__init__.py": "a language's tools and proof rules load when one is used",
    "languages/common/treesitter.py": "tree-sitter",
    "languages/entry_points.py": "importlib.metadata, where packages lie in no folders",
    "languages/python/__init__.py": "a language's tools and proof rules load when one is used",
    "languages/python/bridge/_tutor_tests.py": TYPES_ONLY,
    "languages/python/bridge/run_tests.py": "pytest, after the learner's process is set up",
    "languages/rust/__init__.py": "a language's tools and proof rules load when one is used",
    "library/markdown.py": "markdown-it",
    "process/box.py": "tarfile, when a run was packed",
    "process/supervisor/contents.py": TYPES_ONLY + ", nor tarfile where nothing is packed",
    "process/supervisor/guard.py": TYPES_ONLY,
    "process/supervisor/landlock.py": TYPES_ONLY,
    "process/supervisor/main.py": TYPES_ONLY,
    "process/supervisor/view.py": TYPES_ONLY,
    "tutor/hinting/diagnosis/diagnose.py": "what runs a learner's code on inputs, once it failed",
    "tutor/learner/mastery.py": "fsrs, when a topic is passed",
    "tutor/running/execute.py": "reviews, and all that they need, load with the first attempt",
}
"""Modules with imports that are not at their top, and why."""
LOADED_BY_NAME = {
    "cli/quick/modules.py": "the standard library's, put off until something of it is used",
    "languages/common/treesitter.py": "a language's grammar is a package with its name",
    "languages/python/bridge/_tutor_plugin.py": "the learner's modules, in the run's own process",
    "languages/python/look/marking.py": "a text that becomes part of a test in a copy",
    "languages/python/proof/domain.py": "a text that becomes part of an exercise's copy",
    "languages/python/proof/harness/guard.py": "the exercise's modules, in a run of the proof",
    "languages/python/proof/harness/mutants.py": "the exercise's modules, in a run of the proof",
    "lazy_imports.py": "the one way to load modules of ours late, which type checkers see through",
    "lsp/lazy_types.py": "lsprotocol, whose classes are made on first use",
    "stages/backends/openai_http.py": "an optional package",
}
"""Modules that load others by a name made at run time, and why."""
LANGUAGES_OWN = {"languages", "library", "demo"}
"""Where a language may be named: its own folder, its exercises, and what is shown of it."""

TOLD_APART = {
    "__main__.py": "the command line of the tutor itself",
    "authoring/library_check.py": "the command line of the tutor itself",
    "authoring/own/new_exercise.py": "an example of a folder's name",
    "authoring/signatures/library.py": "the command line of the tutor itself",
    "cli/extra.py": "examples of what is typed",
    "cli/lazy_methods.py": "the Python that runs the tutor",
    "cli/params.py": "examples of what is typed",
    "cli/verbs.py": "examples of what is typed",
    "contracts/export.py": "the command line of the tutor itself",
    "core/exercise/files.py": "what is left out of every exercise, whatever made it",
    "core/language/language.py": "examples of what a language says",
    "core/ports.py": "an example of an id",
    "core/settings.py": "an example of a value",
    "launch.py": "the Python that runs the tutor",
    "process/containment/hidden.py": "where programs keep secrets, whatever is learned",
    "process/libraries.py": "the Python that runs the tutor",
    "process/supervisor/__init__.py": "the Python that runs the tutor",
    "tutor/commands/doctor.py": "the Python that runs the tutor",
    "tutor/interface/learner.py": "the Python that runs the tutor",
    "tutor/services/installed.py": "the Python that runs the tutor",
    "tutor/voice/record.py": "the Python that runs the tutor",
}
"""Modules whose texts name a language without knowing anything about it, and why they do."""
PECULIAR = re.compile(
    r"\b(?:AssertionError|NotImplementedError|Traceback|cargo|clang|cls|def|elif|fn|gcc|impl|isinstance"
    r"|mut|nullptr|println|pytest|rustc|should_panic|strcmp|strstr|usize)\b|#inc",
    re.IGNORECASE,
)
"""Words of one language or its tools."""
CODE = re.compile(r"(?<![^|])(?:True|False|None|NULL|def)(?![^|])")
"""Words of one language that mean something else as well: only as a text or alternative of one."""


def names_of_languages():
    """What finds a language's name in a text; one of a single letter only after a preposition."""
    words = {word for each in languages().values() for word in (each.id, each.name)}
    long = "|".join(re.escape(word) for word in words if len(word) > 1)
    short = "".join(word for word in words if len(word) == 1)
    return re.compile(rf"\b(?i:{long})\b|\b(?:for|from|in|of|to) [{short}]\b|\Ac\Z")


def named(path):
    """What a module's texts and docstrings say of one language."""
    tree = list(nodes(path))
    docs = {node.value for node in tree if isinstance(node, ast.Expr)}
    texts = [n for n in tree if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    forms = (names_of_languages(), PECULIAR)
    found = {m[0] for node in texts for form in forms for m in form.finditer(node.value)}
    code = (node.value for node in texts if node not in docs)
    return found | {m[0] for text in code for m in CODE.finditer(text)}


def test_no_room_is_crowded():
    rooms = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    assert {str(r.relative_to(ROOT)): n for r, n in rooms.items() if n > MOST_MODULES} == {}


def test_the_floor_of_the_tutor_is_small():
    floor = {path.relative_to(ROOT / "tutor").parts[0] for path in (ROOT / "tutor").rglob("*.py")}
    assert len(floor - {"__init__.py"}) <= MOST_ROOMS


def test_no_file_is_long():
    lines = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in MODULES}
    assert {file: count for file, count in lines.items() if count > MOST_LINES} == {}


def test_no_two_modules_of_the_tests_have_one_name():
    """They lie in no packages, so of two with one name a run of all would import only the first."""
    tests = Path(__file__).parents[1]
    ours = (path.name for path in [*tests.glob("*.py"), *tests.glob("*/*.py")])
    assert [name for name, n in Counter(ours).items() if n > 1 and name != "conftest.py"] == []


def test_no_language_is_named_outside_its_place():
    found = {
        file: names
        for path in MODULES
        if not LANGUAGES_OWN & set(path.relative_to(ROOT).parts) and (names := named(path))
        for file in [path.relative_to(ROOT).as_posix()]
    }
    assert {file: names for file, names in found.items() if file not in TOLD_APART} == {}
    assert TOLD_APART.keys() - found.keys() == set()


def test_each_language_imports_nothing_of_another():
    wrong = [
        str(path.relative_to(ROOT))
        for language in languages()
        for path in (ROOT / "languages" / language).rglob("*.py")
        for other in languages().keys() - {language}
        if f"tutor_lsp.languages.{other}." in path.read_text("utf-8")
    ]
    assert wrong == []


def test_few_modules_are_loaded_by_their_names():
    """What such a load gives is of no type, so nothing would check how it is used."""
    found = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        if re.search(r"\b(?:import_module|__import__)\b", path.read_text("utf-8"))
    }
    assert found == LOADED_BY_NAME.keys()


def stub_of(path):
    """The stub of a namespace whose names are imported late, None for any other module."""
    stub = path.with_suffix(".pyi")
    return stub if stub.exists() else None


NAMESPACES = [path for path in MODULES if stub_of(path) is not None]


def test_there_are_namespaces():
    assert len(NAMESPACES) >= 7


@pytest.mark.parametrize("path", NAMESPACES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_namespace_gives_what_its_stub_says(path):
    """A stub has nothing but the imports that its module does late, from modules of ours."""
    lines = ast.parse(stub_of(path).read_text("utf-8")).body
    assert {type(line) for line in lines} == {ast.ImportFrom}
    namespace = import_module(module_name(path))
    names = {}
    for line in lines:
        assert line.level == 0
        assert line.module.startswith("tutor_lsp.")
        for alias in line.names:
            assert alias.asname == alias.name, "only such a name is seen from outside"
            source = import_module(line.module)
            names[alias.name] = getattr(namespace, alias.name)
            assert names[alias.name] is getattr(source, alias.name)
    assert dir(namespace) == sorted(names)
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        _ = namespace.no_such_name


def module_name(path):
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def imported(path, modules):
    """The modules of ours that a module imports anywhere in it, late or for types alone or not."""
    stub = stub_of(path)
    for node in [*nodes(path), *(nodes(stub) if stub is not None else ())]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                if full in modules or node.module in modules:
                    yield full if full in modules else node.module


def circles():
    """Sets of modules each of which reaches all others by its imports."""
    modules = {module_name(path): path for path in MODULES}
    graph = {name: {*imported(path, modules)} - {name} for name, path in modules.items()}

    def reached(start):
        found, left = set(), [start]
        while left:
            new = graph[left.pop()] - found
            found |= new
            left += new
        return found

    reach = {name: reached(name) for name in graph}
    rings = {
        frozenset(other for other in reach[name] if name in reach[other])
        for name in graph
        if name in reach[name]
    }
    return sorted(sorted(ring) for ring in rings)


def test_no_imports_run_in_a_circle():
    assert circles() == []


def test_few_imports_are_indented():
    """Only what is heavy and seldom needed is imported late, by modules that are listed."""
    late = {
        path.relative_to(ROOT).as_posix()
        for path in MODULES
        for node in nodes(path)
        if isinstance(node, ast.Import | ast.ImportFrom) and node.col_offset
    }
    assert late == IMPORTED_LATE.keys()
