"""Test files, compiled before code of the exercise is loaded; comparisons are looked at."""

# os.path as in the paths of pytest; an older Python than ours may run this
# ruff: noqa: UP035, PTH112, PTH118, PTH123, PTH208
from __future__ import annotations

import ast
import os
import sys
from functools import partial
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Callable, Collection

if TYPE_CHECKING:
    from _tutor_values import Comparing  # type: ignore[import-not-found]

ASK, CHECK = "@tutor_compares", "@tutor_compared"
Rewrite = Callable[[ast.Module, bytes, str], None]


class Checked(ast.NodeTransformer):
    """Puts a call of `ASK` before every assertion that compares with `==` or `in`, and one of
    `CHECK` after it."""

    def visit_Assert(self, node: ast.Assert) -> Any:
        """One assertion; those of an `and` one after the other, as Python takes them."""
        test = node.test
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            found: list[ast.stmt] = []
            for value in test.values:
                single = ast.copy_location(ast.Assert(value, node.msg), node)
                found += self._checked(single)
            return found
        return self._checked(node)

    def _checked(self, node: ast.Assert) -> list[ast.stmt]:
        test = node.test
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            return [node]
        operator = {ast.Eq: "==", ast.In: "in"}.get(type(test.ops[0]))
        if operator is None:
            return [node]
        names = ["@tutor_left", "@tutor_right"]
        sides = [test.left, test.comparators[0]]
        before: list[ast.stmt] = [
            ast.Assign([ast.Name(name, ast.Store())], side)
            for name, side in zip(names, sides)  # noqa: B905
        ]
        left, right = (ast.Name(name, ast.Load()) for name in names)
        for new, old in zip((left, right), sides):  # noqa: B905
            ast.copy_location(new, old)
        compared = ast.copy_location(ast.Compare(left, test.ops, [right]), test)
        asserted = ast.copy_location(ast.Assert(compared, node.msg), node)
        before.append(called(ASK, operator, names))
        after: list[ast.stmt] = [
            called(CHECK, operator, names),
            ast.Assign([ast.Name(name, ast.Store()) for name in names], ast.Constant(None)),
        ]
        made = [*before, asserted, *after]
        for statement in (*before, *after):
            ast.copy_location(statement, node)  # what is in it has its place from it
        return made


def called(function: str, operator: str, names: list[str]) -> ast.stmt:
    """A call of `ASK` or `CHECK` about two variables."""
    given = [ast.Constant(operator), *(ast.Name(name, ast.Load()) for name in names)]
    return ast.Expr(ast.Call(ast.Name(function, ast.Load()), given, []))


def stored_globally(tree: ast.AST) -> set[str]:
    """Names that functions of a module give new values to."""
    return {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}


def imported(tree: ast.AST) -> set[str]:
    """Top-level names of the modules that it imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


class TestFile:
    """A loader of one test file, with what the module was like when it had been loaded."""

    __test__ = False

    def __init__(self, path: str, rewrite: Rewrite, comparing: Comparing) -> None:
        with open(path, "rb") as file:
            source = file.read()
        tree = ast.parse(source, path)
        self.imports = imported(tree)
        self._changing = stored_globally(tree) | {"__warningregistry__"}
        tree = ast.fix_missing_locations(Checked().visit(tree))
        rewrite(tree, source, path)
        self._code = compile(tree, path, "exec", dont_inherit=True)
        self._ask, self._check = comparing.ask, comparing.check
        self._codes: dict[int, str] = {}
        self._walk(self._code)
        self._space: dict[str, Any] = {}
        self._names: list[str] = []
        self._values: list[Any] = []

    def _walk(self, code: CodeType) -> None:
        self._codes[id(code)] = code.co_name
        for each in code.co_consts:
            if isinstance(each, CodeType):
                self._walk(each)

    def create_module(self, spec: ModuleSpec) -> None:
        """The usual one."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code that was compiled before."""
        space = vars(module)
        for name, look in ((ASK, self._ask), (CHECK, self._check)):
            space[name] = partial(look, given=space)
        exec(self._code, space)  # noqa: S102
        self._space = space
        self._names = [name for name in space if name not in self._changing]
        self._values = [space[name] for name in self._names]

    def changed(self) -> str | None:
        """The first name that no longer has the value it had after loading."""
        for name, value in zip(self._names, self._values):  # noqa: B905
            if self._space.get(name) is not value:
                return name
        return None

    def holds(self, function: Any, name: str) -> bool:
        """Whether a test function of that name is one that this file defines."""
        while function is not None:
            function = getattr(function, "__func__", function)
            code = function.__code__ if isinstance(function, FunctionType) else None
            if code is not None and self._codes.get(id(code)) == name:
                return True
            function = getattr(function, "__wrapped__", None)
        return False


def test_files(
    folder: str, rewrite: Rewrite, comparing: Comparing, without: Collection[str]
) -> dict[str, TestFile]:
    """The test files of a folder by module name, but for those of names that the run does
    without: they may not even parse."""
    found = {}
    there = os.listdir(folder) if os.path.isdir(folder) else ()
    for name in sorted(set(there) - set(without)):
        stem, kind = os.path.splitext(name)  # noqa: PTH122
        if kind == ".py" and (stem.startswith("test_") or stem.endswith("_test")):
            found[stem] = TestFile(os.path.join(folder, name), rewrite, comparing)
    return found


test_files.__test__ = False  # type: ignore[attr-defined]


class FreshCode:
    """An import hook: it gives test files as they were compiled, and keeps old bytecode of the
    exercise out of use.

    A .pyc is trusted by whole seconds and size, so a quick edit of the same length would run the
    text before it. Other modules keep their bytecode.
    """

    def __init__(self, workspace: str, tests: dict[str, Any]) -> None:
        self._tests = tests
        self._folder = os.path.join(workspace, "tests")
        self.own: set[str] = set()
        for folder in ("src", "tests"):
            path = os.path.join(workspace, folder)
            if os.path.isdir(path):
                self.own.update(name.partition(".")[0] for name in os.listdir(path))

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """Called before each import; chooses where its bytecode is looked for."""
        own = name.partition(".")[0] in self.own
        sys.pycache_prefix = os.path.join(os.devnull, "none") if own else None
        stem = name.rpartition(".")[2]
        loader = self._tests.get(stem) if name in (stem, "tests." + stem) else None
        path = os.path.join(self._folder, stem + ".py")
        return loader and spec_from_file_location(name, path, loader=loader)
