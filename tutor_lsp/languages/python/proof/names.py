"""Names in Python text that nothing defines, found without running it.

Pure, but for `unknown_modules`, which looks for what is installed.
"""

import ast
import builtins
import symtable
import sys
import warnings
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.python.source import syntax_error
from tutor_lsp.languages.python.trees import parse

_KNOWN = frozenset(dir(builtins)) | {
    "__file__", "__name__", "__doc__", "__package__", "__spec__", "__loader__", "__path__",
    "__builtins__", "__annotations__", "__class__", "__module__", "__qualname__", "__debug__",
}  # fmt: skip


def read(file: str, text: str) -> tuple[list[BuildError], list[BuildError]]:
    """Errors and warnings of compiling one file."""
    error = syntax_error(file, text)
    if error is not None:
        return [error], []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compile(text, file, "exec", dont_inherit=True)
    found = [
        BuildError(file, w.lineno, 1, w.lineno, 2, w.category.__name__, str(w.message))
        for w in caught
    ]
    return [], found


def tree_of(text: str) -> ast.Module:
    """The syntax tree; what Python warns of is for `read` to tell. Raises SyntaxError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return parse(text)


def unresolved(file: str, text: str) -> list[BuildError]:
    """Names that are read and that neither the file nor Python defines, once each.

    A file that imports `*` is not judged. `text` must compile.
    """
    tree = tree_of(text)
    if any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in ast.walk(tree)):
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = symtable.symtable(text, file, "exec")
    defined = {s.get_name() for s in table.get_symbols() if _binds(s)}
    inner = list(_below(table))
    defined |= {
        s.get_name()
        for each in inner
        for s in each.get_symbols()
        if s.is_declared_global() and s.is_assigned()
    }
    missing: set[str] = set()
    for each in [table, *inner]:
        for symbol in each.get_symbols():
            name = symbol.get_name()
            free = symbol.is_global() or each is table
            if symbol.is_referenced() and free and name not in defined and name not in _KNOWN:
                missing.add(name)
    places = _places(tree, text)
    errors = []
    for name in sorted(missing, key=lambda name: places.get(name, (1, 1))):
        line, column = places.get(name, (1, 1))
        said = f"the name `{name}` is not defined anywhere"
        errors.append(BuildError(file, line, column, line, column + len(name), "NameError", said))
    return errors


def _binds(symbol: symtable.Symbol) -> bool:
    return symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()


def _below(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _below(child)


def _places(tree: ast.AST, text: str) -> dict[str, tuple[int, int]]:
    """Line and column, in characters from 1, at which each name is first read."""
    lines = text.split("\n")
    places: dict[str, tuple[int, int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            before = lines[node.lineno - 1].encode()[: node.col_offset].decode()
            here = (node.lineno, len(before) + 1)
            places[node.id] = min(places.get(node.id, here), here)
    return places


def _read_all(files: Files) -> tuple[dict[str, ast.Module], dict[str, ast.Module]]:
    """The syntax trees of all files by path, and those of the sources by module."""
    trees = {path: tree_of(text) for path, text in files.items() if path.endswith(".py")}
    return trees, {module_of(path): tree for path, tree in trees.items() if path.startswith("src/")}


def bad_imports(files: Files) -> list[BuildError]:
    """Imports from the exercise of modules or names that it does not have.

    Every file must compile.
    """
    trees, modules = _read_all(files)
    packages = {".".join(name.split(".")[:end]) for name in modules for end in range(1, 9)}
    errors: list[BuildError] = []
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom):
                continue
            source = _absolute(path, node)
            if source.split(".")[0] not in {name.split(".")[0] for name in modules}:
                continue
            if source not in modules:
                if source not in packages:
                    errors.append(_at(path, node, f"the exercise has no module `{source}`"))
                continue
            known = _top_names(modules[source])
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                there = known is None or alias.name in known or inner in {*modules, *packages}
                if alias.name != "*" and not there:
                    said = f"`{source}` does not define `{alias.name}`"
                    errors.append(_at(path, node, said))
    return errors


def unknown_modules(files: Files) -> list[BuildError]:
    """Imports at the margin of modules that nobody has: neither the exercise, nor Python, nor what
    is installed beside this server.

    Every file must compile.
    """
    trees, modules = _read_all(files)
    own = {name.split(".")[0] for name in modules}
    errors: list[BuildError] = []
    for path, tree in trees.items():
        for node in tree.body:
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            roots = {name.split(".")[0] for name in names} - own - sys.stdlib_module_names
            errors += [
                _at(path, node, f"there is no module `{root}`")
                for root in sorted(roots)
                if root and not _is_installed(root)
            ]
    return errors


def _is_installed(root: str) -> bool:
    try:
        return find_spec(root) is not None
    except ValueError:  # such as `__main__`, which is there and was not imported
        return True


def bad_attributes(files: Files) -> list[BuildError]:
    """Uses of a module of the exercise, by its name, for what it does not define.

    Every file must compile.
    """
    trees, modules = _read_all(files)
    errors: list[BuildError] = []
    for path, tree in trees.items():
        named = dict(_modules_named(path, tree, modules))
        for node in ast.walk(tree):
            source = named.get(ast.unparse(node.value)) if isinstance(node, ast.Attribute) else None
            if source is None or not isinstance(node, ast.Attribute):
                continue
            known = _top_names(modules[source])
            inner = f"{source}.{node.attr}"
            submodule = any(name == inner or name.startswith(f"{inner}.") for name in modules)
            if known is not None and node.attr not in known | _KNOWN and not submodule:
                errors.append(_at(path, node, f"`{source}` does not define `{node.attr}`"))
    return errors


def _modules_named(
    path: str, tree: ast.AST, modules: Mapping[str, ast.Module]
) -> Iterator[tuple[str, str]]:
    """How a file calls modules of the exercise."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in modules:
                    yield alias.asname or alias.name, alias.name
        elif isinstance(node, ast.ImportFrom):
            source = _absolute(path, node)
            for alias in node.names:
                if f"{source}.{alias.name}" in modules:
                    yield alias.asname or alias.name, f"{source}.{alias.name}"


def _at(path: str, node: ast.stmt | ast.expr, message: str) -> BuildError:
    line, column = node.lineno, node.col_offset + 1
    return BuildError(path, line, column, line, column + 1, "ImportError", message)


def module_of(path: str) -> str:
    """How the module of a file below `src/` is imported."""
    parts = PurePosixPath(path).with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1:] == ("__init__",) else parts)


def _absolute(path: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = list(PurePosixPath(path).parts[1:-1])
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, *(node.module or "").split(".")]).strip(".")


def _top_names(tree: ast.AST) -> set[str] | None:
    """What a module defines; None where it imports `*` or makes names as it goes."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            if node.name == "__getattr__":
                return None
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            if node.names[0].name == "*":
                return None
            names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return names
