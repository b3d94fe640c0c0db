"""Imports between packages point one way (docs/architecture.md)."""

import ast

import pytest
from sources import ROOT, TOGETHER, nodes

pytestmark = TOGETHER

ALLOWED = {
    "core": set(),
    "files": {"core"},
    "process": {"core"},
    "contracts": {"core"},
    "store": {"core", "wire"},
    "library": {"core", "files", "languages", "wire", "lazy_imports"},
    "languages": {"core", "process", "lazy_imports"},
    "stages": {"core", "contracts", "process", "languages", "library", "wire", "lazy_imports"},
    "authoring": {
        "core", "contracts", "files", "process", "stages", "languages", "library",
        "wire",
    },
    "tutor": {
        "core", "contracts", "files", "process", "stages", "languages", "library", "authoring",
        "store", "wire", "lazy_imports",
    },
    "lsp": {"core", "files", "tutor", "wire"},
    "cli": {"core", "process", "tutor", "lsp", "lazy_imports"},
}  # fmt: skip
ONLY = {"pygls": {"lsp", "cli"}, "lsprotocol": {"lsp"}, "tree_sitter": {"languages"}}

ROOMS = (
    "interface", "voice", "ide", "services", "exercise.folder", "exercise", "learner.record",
    "learner", "hinting", "reviewing", "running", "starting", "application", "commands",
)  # fmt: skip
"""Rooms of tutor/ from the ground up: each imports only what stands before it."""


def imports(path):
    stub = path.with_suffix(".pyi")
    for node in [*nodes(path), *(nodes(stub) if stub.exists() else ())]:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.lineno, node.module


@pytest.mark.parametrize("package", sorted(ALLOWED))
def test_package_imports_only_what_lies_below_it(package):
    wrong = []
    for path in sorted((ROOT / package).rglob("*.py")):
        if package == "library" and path.parent != ROOT / package:
            continue
        for line, name in imports(path):
            parts = name.split(".")
            target = parts[1] if parts[0] == "tutor_lsp" and len(parts) > 1 else None
            if target and target not in ALLOWED[package] | {package}:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
            if package not in ONLY.get(parts[0], {package}):
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert not wrong


def test_core_needs_only_the_standard_library():
    import sys

    wrong = [
        f"{path.name}:{line} imports {name}"
        for path in (ROOT / "core").rglob("*.py")
        for line, name in imports(path)
        if name.split(".")[0] not in {*sys.stdlib_module_names, "tutor_lsp"}
    ]
    assert not wrong


def room_of(parts):
    """The room of a module of tutor/, given by the names that lead to it."""
    return next((r for r in (".".join(parts[:2]), parts[0]) if r in ROOMS), None)


def test_rooms_import_only_what_lies_below_them():
    wrong = []
    for path in sorted((ROOT / "tutor").rglob("*.py")):
        room = room_of(path.relative_to(ROOT / "tutor").parts)
        below = ROOMS[: ROOMS.index(room) + 1] if room is not None else ()
        for line, name in imports(path):
            parts = name.split(".")
            if parts[:2] == ["tutor_lsp", "tutor"] and room_of(parts[2:]) not in below:
                wrong.append(f"{path.relative_to(ROOT)}:{line} imports {name}")
    assert not wrong


def test_every_folder_of_the_tutor_is_a_room():
    floor = {path.parent.name for path in (ROOT / "tutor").glob("*/__init__.py")}
    assert floor == {room.partition(".")[0] for room in ROOMS}
    assert [path.name for path in (ROOT / "tutor").glob("*.py")] == ["__init__.py"]


def test_no_use_case_is_handed_the_whole_application():
    """Whoever takes it could use all of it; the table of commands alone picks its parts."""
    takers = {
        path.relative_to(ROOT / "tutor").as_posix()
        for path in (ROOT / "tutor").rglob("*.py")
        for _, name in imports(path)
        if name.startswith("tutor_lsp.tutor.application")
    }
    assert {taker for taker in takers if not taker.startswith("application/")} == {
        "commands/dispatch.py"
    }
