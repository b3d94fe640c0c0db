"""The pytest plugin of a run: lists, announces and reports tests on the private pipe."""

# os.path as in the paths of pytest; an older Python than ours may run this
# ruff: noqa: PTH100, PTH118, UP035
from __future__ import annotations

import ast
import builtins
import gc
import importlib
import inspect
import linecache
import os
import sys
import time
from collections.abc import Generator, Iterator
from types import CodeType, TracebackType
from typing import Any, Callable

import pytest
from _pytest.assertion import rewrite as assertion_rewrite
from _pytest.assertion import util as assertion_util
from _tutor_guard import (  # type: ignore[import-not-found]  # found beside this script
    UNSTABLE,
    Fingerprint,
    assignments,
    findings,
    of_runner,
    read_sources,
)
from _tutor_tests import (  # type: ignore[import-not-found]  # found beside this script
    FreshCode,
    test_files,
)
from _tutor_texts import (  # type: ignore[import-not-found]  # found beside this script
    TEXT_LIMIT,
    Stopped,
    bounded_repr,
    clip_pair,
    describe,
    given,
)
from _tutor_unittest import (  # type: ignore[import-not-found]  # found beside this script
    asserted,
    followed,
    name_of,
    names_of,
)
from _tutor_values import Comparing  # type: ignore[import-not-found]  # found beside this script
from _tutor_watch import (  # type: ignore[import-not-found]  # found beside this script
    Watch,
    shorten_signals,
)

NOT_CALLED = "the test function did not come to its end"


def column_of(code: CodeType, instruction: int) -> int:
    """Code point column of the expression that was being evaluated; 1 where that is not known."""
    positions = getattr(code, "co_positions", None)
    if positions is None:
        return 1
    for index, (line, _, start, _) in enumerate(positions()):
        if index == instruction // 2:
            if line is None or start is None:
                return 1
            before = linecache.getline(code.co_filename, line).encode()[:start]
            return len(before.decode(errors="replace")) + 1
    return 1


class Places:
    """Which frames of a traceback belong to the exercise."""

    def __init__(self, workspace: str) -> None:
        self._root = workspace
        self._src = os.path.join(workspace, "src") + os.sep
        self.tests = os.path.join(workspace, "tests") + os.sep

    def relative(self, path: str) -> str:
        """Path relative to the workspace, with `/`."""
        return os.path.relpath(path, self._root).replace(os.sep, "/")

    def error(self, file: str, line: int, column: int, code: str, message: str) -> dict[str, Any]:
        """Why a test file could not be loaded, with the place where that is."""
        return {
            "file": file,
            "line": line,
            "column": column,
            "end_line": line,
            "end_column": column + 1,
            "code": code,
            "message": message,
        }

    def frames(self, trace: TracebackType | None) -> Iterator[tuple[bool, list[Any]]]:
        """Whether it is source (else a test), and [file, line, column]; outermost first."""
        while trace is not None:
            code = trace.tb_frame.f_code
            name = os.path.abspath(code.co_filename)
            source = name.startswith(self._src)
            if source or name.startswith(self.tests):
                column = column_of(code, trace.tb_lasti)
                yield source, [self.relative(name), trace.tb_lineno, column]
            trace = trace.tb_next

    def raised_in_source(self, trace: TracebackType | None) -> bool:
        """Whether the innermost frame of all lies in the source of the exercise."""
        if trace is None:
            return False
        while trace.tb_next is not None:
            trace = trace.tb_next
        return os.path.abspath(trace.tb_frame.f_code.co_filename).startswith(self._src)


def _no_account(*_: object, **__: object) -> str:
    """What pytest has to say about a failure."""
    return ""


def _unknown() -> None:
    """Nothing is known to have changed."""


class Bridge:
    """The plugin; `send` speaks on the private pipe, `mark` into stdout."""

    def __init__(
        self, config: dict[str, Any], send: Callable[..., None], mark: Callable[[str], None]
    ) -> None:
        self._names = None if config["names"] is None else set(config["names"])
        self._only = None if config["only"] is None else set(config["only"])
        self._aside = {test_file for _, test_file in config["aside"]}
        self._without: set[str] = set(config["without"])
        self._alone, self._plain = config["alone"], config["plain"]
        self._stopped = False
        self._workspace: str = config["workspace"]
        self._places = Places(self._workspace)
        self._send = send
        self._mark = mark
        self._compared: tuple[str, str] | None = None
        self._ends: dict[str, Any] = {}
        self._listed = False
        self._came_back = ""
        self._tests: dict[str, Any] = {}
        self._runner: Callable[[], Any] = _unknown
        self._library: Callable[[], Any] = _unknown

    def pytest_load_initial_conftests(self) -> None:
        """All of pytest is imported now; from here on no bytecode is written."""
        sys.dont_write_bytecode = True
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        sys.path.insert(0, os.path.join(self._workspace, "src"))

    def pytest_collection(self, session: Any) -> None:
        """All but the exercise is loaded: later states are compared with this one."""
        runner = Fingerprint(of_runner(), [Bridge, FreshCode])
        self._runner = runner.changed

        def rewrite(tree: ast.Module, source: bytes, path: str) -> None:
            if not self._plain:  # it takes longer than everything else before the first test
                assertion_rewrite.rewrite_asserts(tree, source, path, session.config)

        folder = os.path.join(self._workspace, "tests")
        without = {file.rpartition("/")[2] for file in self._without}
        self._tests = test_files(folder, rewrite, Comparing(runner.classes), without)
        fresh = FreshCode(self._workspace, self._tests)
        # the rewriting hook of pytest is in place now: ours goes before it
        sys.meta_path.insert(0, fresh)
        used = sorted({name for each in self._tests.values() for name in each.imports})
        standard: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())
        names = [name for name in used if name in standard and name not in fresh.own | UNSTABLE]
        self._library = Fingerprint([builtins, *map(importlib.import_module, names)], ()).changed
        source = os.path.join(self._workspace, "src")
        for path, tree in read_sources(source):
            for line, what in findings(tree, self._tests):
                self._tamper(path, line, what)
        gc.freeze()
        gc.enable()
        shorten_signals()
        Watch(source + os.sep, self._tamper).begin()

    def pytest_ignore_collect(self, collection_path: Any) -> bool | None:
        """Whether this run does without a file; None leaves that to others."""
        if not (self._without or self._alone) or not collection_path.is_file():
            return None
        file = self._places.relative(str(collection_path))
        return True if file in self._without or self._alone not in (None, file) else None

    def _tamper(self, path: str, line: int, what: str) -> None:
        """Code of the exercise reaches into the run."""
        file = self._places.relative(path) if path else "src"
        self._send("tamper", file=file, line=line or None, what=what)

    def _unchanged(self, *changed: Callable[[], Any]) -> None:
        """Report what has changed since before the exercise was loaded."""
        for each in changed:
            found = each()
            if found is not None:
                owner, name = found
                source = os.path.join(self._workspace, "src")
                path, line = next(assignments(source, name), ("", 0))
                self._tamper(path, line, f"changes what runs the tests (`{owner}.{name}`)")

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: Any) -> object:
        """Call the test function; only what came back from here has passed."""
        function = pyfuncitem.obj
        if inspect.iscoroutinefunction(function):
            return None
        tests = self._tests.get(str(pyfuncitem.module.__name__).rpartition(".")[2])
        if tests is not None and not tests.holds(function, name_of(pyfuncitem)):
            self._tamper("", 0, f"puts another function in the place of {name_of(pyfuncitem)}")
        names = pyfuncitem._fixtureinfo.argnames  # noqa: SLF001 - as pytest's own does
        function(**{name: pyfuncitem.funcargs[name] for name in names})
        self._unchanged(self._runner)
        self._came_back = pyfuncitem.nodeid
        return True

    def pytest_exception_interact(self, node: Any, call: Any) -> None:
        """A file could not be loaded."""
        if isinstance(node, pytest.Collector):
            error = call.excinfo.value
            self.report_load_error(error.__cause__ or error, node)

    def pytest_collectreport(self, report: Any) -> None:
        """A file says that nothing in it is to be run."""
        if report.skipped:
            path, line, why = report.longrepr
            file = self._places.relative(str(path))
            if report.nodeid in self._aside:
                error = self._places.error(file, line, 1, "Skipped", str(why)[:TEXT_LIMIT])
                self._send("aside_error", test_file=report.nodeid, error=error)
                return
            self._send("skipped", file=file, line=line, why=str(why)[:TEXT_LIMIT])

    def pytest_internalerror(self, excinfo: Any) -> None:
        """The exercise called exit while it was loaded."""
        if not self._listed:
            self.report_load_error(excinfo.value)

    pytest_keyboard_interrupt = pytest_internalerror  # by KeyboardInterrupt or pytest.exit

    def report_load_error(self, error: BaseException, node: Any = None) -> None:
        """Say where loading the exercise went wrong; `node` is the test file for which it was."""
        frames = list(self._places.frames(error.__traceback__))
        file, line, column = frames[-1][1] if frames else ("", 1, 1)
        test_file = "" if node is None else self._places.relative(str(node.path))
        if test_file in self._aside:
            code, said = type(error).__name__, describe(error)
            found = self._places.error(file or test_file, line, column, code, said)
            self._send("aside_error", test_file=test_file, error=found)
            return
        self._stopped = True
        self._send(
            "load_error",
            file=file,
            line=line,
            column=column,
            code=type(error).__name__,
            message=describe(error),
            module=getattr(error, "name", None) if isinstance(error, ImportError) else None,
        )

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Send the list of all tests, then keep those requested."""
        self._listed = True
        self._unchanged(self._runner, self._library)
        names = names_of(items)
        self._send(
            "list",
            tests=[
                {
                    "id": item.nodeid,
                    "name": names[item.nodeid],
                    "file": self._places.relative(str(item.path)),
                    "line": (item.location[1] or 0) + 1,
                }
                for item in items
            ],
        )
        items[:] = [
            item
            for item in items
            if (self._names is None or {name_of(item), names[item.nodeid]} & self._names)
            and (self._only is None or item.nodeid in self._only)
            and not self._stopped
        ]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Generator[None, object, object]:
        """Around one test."""
        self._ends = {"outcome": "passed"}
        self._came_back = ""
        # nobody sees pytest's own account of a failure, which takes longer than most tests
        item.repr_failure = item._repr_failure_py = _no_account  # noqa: SLF001
        started = time.perf_counter()
        self._send("start", id=item.nodeid)
        self._mark("+" + item.nodeid)
        try:
            return (yield)
        finally:
            self._mark("-")
            self._settle(item)
            duration = (time.perf_counter() - started) * 1000
            self._send("end", id=item.nodeid, duration_ms=duration, **self._ends)

    def _settle(self, item: Any) -> None:
        """The test and all that belongs to it is over."""
        self._unchanged(self._runner, self._library)
        for name, tests in self._tests.items():
            changed = tests.changed()
            if changed is not None:
                self._tamper("", 0, f"changes `{changed}` in tests/{name}.py")
        if self._ends["outcome"] == "passed" and self._came_back != item.nodeid:
            self._ends = {"outcome": "errored", "error": NOT_CALLED, "bypassed": True}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None, object, object]:
        """No phase of a test may end the run."""
        self._compared = None
        if hasattr(assertion_util, "_reprcompare"):
            # pytest would spend seconds on the diff of two long texts, which nobody sees
            assertion_util._reprcompare = self.pytest_assertrepr_compare  # noqa: SLF001
        try:
            return (yield)
        except KeyboardInterrupt as error:
            raise Stopped(error, "KeyboardInterrupt") from error
        except pytest.exit.Exception as error:
            raise Stopped(error, "pytest.exit") from error

    pytest_runtest_teardown = pytest_runtest_setup

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Generator[None, object, object]:
        """The same; unittest calls a method of its classes by itself, not through pytest."""
        case = getattr(sys.modules.get("unittest.case"), "TestCase", None)
        if case is not None and isinstance(getattr(item, "instance", None), case):
            instance, noted = item.instance, self._noted(item, item.obj)
            setattr(instance, item.name, noted)  # what is looked up for a coroutine
            item.obj = noted
        return (yield from self.pytest_runtest_setup())

    def _noted(self, item: Any, method: Callable[[], Any]) -> Callable[[], Any]:
        """A method of a unittest class; only what came back from here has passed."""
        tests = self._tests.get(str(item.module.__name__).rpartition(".")[2])
        if tests is not None and not tests.holds(method, name_of(item)):
            self._tamper("", 0, f"puts another function in the place of {name_of(item)}")

        def ended() -> None:
            self._unchanged(self._runner)
            self._came_back = item.nodeid

        noted: Callable[[], Any] = followed(method, ended)
        return noted

    def pytest_assertrepr_compare(self, op: str, left: object, right: object) -> None:
        """A comparison in an assertion was false."""
        self._compared = clip_pair(bounded_repr(left), bounded_repr(right))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, call: Any) -> Generator[None, Any, Any]:
        """One phase ended."""
        report = yield
        if report.skipped:
            self._ends = {"outcome": "not_run", "error": describe(call.excinfo.value)}
        elif report.failed and self._ends["outcome"] == "passed":
            self._ends = self._failure(call.excinfo, call.when)
        return report

    def _failure(self, info: Any, when: str) -> dict[str, Any]:
        error = info.value
        trace = error.trace if isinstance(error, Stopped) else info.tb
        frames = list(self._places.frames(trace))
        tests = [place for source, place in frames if not source]
        sources = [place for source, place in frames if source]
        ends: dict[str, Any] = {
            "outcome": "failed" if when == "call" else "errored",
            "location": tests[-1] if tests else None,
            "raised_at": sources[-1] if sources else None,
            "given": given(trace, self._places.tests),
            "not_implemented": isinstance(error, NotImplementedError)
            and self._places.raised_in_source(trace),
        }
        seen = asserted(trace) if isinstance(error, AssertionError) and not sources else None
        if seen is not None:
            values = [bounded_repr(value) for value in seen[0]]
            note = seen[1][:TEXT_LIMIT]
            if len(values) == 2:
                ends["left"], ends["right"] = clip_pair(*values)
                ends["error"] = note or None
            else:  # as an assertion of pytest says it
                ends["error"] = f"AssertionError: {note}\nassert {values[0]}"
        elif isinstance(error, AssertionError) and not sources and self._compared:
            ends["left"], ends["right"] = self._compared
            note, found, _ = str(error).rpartition("\nassert ")
            ends["error"] = note[:TEXT_LIMIT] if found and note else None
        else:
            ends["error"] = describe(error)
        return ends
