"""Copied into a hidden copy of an exercise: tries wrong versions of its functions, each in a
process of its own."""

from __future__ import annotations

import builtins
import copy
import importlib
import io
import json
import os
import re
import signal
import sys
import time
import types
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
TIMES, FLOOR_S, VERSION_S, CASE_S, WALL_S = 10, 0.03, 0.5, 0.03, 20
"""How much longer than the reference a version may take, at least how long, how long without one,
and how long an input may take; seconds of processor time. The last is for versions that wait."""
BUDGET_S = 0.4
"""How long the reference may take for all inputs of a unit, in seconds of its process' time."""
SHOWN = 300
KILLED, PASSES = "k", "s"
OUTSIDE, NOTHING = "outside", "no result: it crashes or does not end"
PLAIN = (list, dict, set)
"""What a test may share with others and change."""


def test_tutor_mutants() -> None:
    """Try everything, and print what was found."""
    told = json.loads((HERE / "tutor_mutants.json").read_text("utf-8"))
    sys.stdout.write(_in_child(lambda write: _all(told, write), 0.0).decode("utf-8", "replace"))


def _all(told: list[dict[str, Any]], write: Callable[[str], None]) -> None:
    """A session of pytest that runs nothing by itself."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    sys.stdout = sys.stderr = io.StringIO()

    class Plugin:
        @staticmethod
        def pytest_runtestloop(session: Any) -> bool:
            for each in told:
                _Unit(each, session.items, write).look()
            return True

    quiet = [option for name in ("cacheprovider", "terminal") for option in ("-p", f"no:{name}")]
    arguments = ["-s", "--assert=plain", f"--rootdir={HERE.parent}", *quiet]
    ignored = [f"--ignore={__file__}"]
    pytest.main([*arguments, *ignored, str(HERE)], plugins=[Plugin()])


def _in_child(work: Callable[[Callable[[str], None]], None], limit_s: float) -> bytes:
    """What another process writes before it ends; `limit_s` of processor time, 0 for no limit."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        code = 1
        try:
            if limit_s:
                signal.signal(signal.SIGPROF, signal.SIG_DFL)
                signal.setitimer(signal.ITIMER_PROF, limit_s)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(WALL_S)

            def write(text: str) -> None:
                data = text.encode("utf-8", "replace")
                while data:
                    data = data[os.write(sink, data) :]

            work(write)
            code = 0
        finally:
            os._exit(code)
    os.close(sink)
    with os.fdopen(source, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return found


class _Unit:
    def __init__(
        self, told: dict[str, Any], items: list[Any], write: Callable[[str], None]
    ) -> None:
        self.told = told
        self.write = write
        self.items = [each for each in items if _name(each) in told["tests"]]
        self.module = importlib.import_module(told["module"])
        self.functions = list(_functions(self.module, told["stub"]))

    def look(self) -> None:
        took = "" if self.told["fails"] else _in_child(self._timed, 0.0).decode()
        if not took and not self.told["fails"]:  # then nothing that fails says anything
            return
        limit = max(TIMES * float(took), FLOOR_S) if took else VERSION_S
        versions = [code for _, code in self.told["versions"]]
        marks = self._marks(versions, limit)
        numbers = [number for number, _ in self.told["versions"]]
        passed = [numbers[at] for at, mark in enumerate(marks) if mark == PASSES]
        self.write(f"tutor-mutants {self.told['unit']} {marks}\n")
        if passed and self.told["cases"]:
            self._compare(passed)

    def _marks(self, versions: list[str], limit: float) -> str:
        """A mark for each version: several follow each other in one process as long as they leave
        the exercise as it was."""
        marks = ""
        while not self.told["anew"] and len(marks) < len(versions):
            left = versions[len(marks) :]
            row = partial(self._row, left, limit)
            given = _in_child(row, limit).decode()
            done = given.endswith(".")
            if "!" in given or (not done and len(given) == len(left)):
                return "".join(self._alone(version, limit) for version in versions)
            marks += given.strip(".")
            if not done:
                marks += KILLED
        return marks or "".join(self._alone(version, limit) for version in versions)

    def _row(self, versions: list[str], limit: float, write: Callable[[str], None]) -> None:
        own = {function: function.__code__ for function in self.functions}
        for version in versions:
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.alarm(WALL_S)
            write(PASSES if self._pass(version) else KILLED)
        for function, code in own.items():
            function.__code__ = code
        write("." if self._pass(None) else "!")

    def _alone(self, version: str, limit: float) -> str:
        given = _in_child(lambda write: write("." if self._pass(version) else ""), limit)
        return PASSES if given else KILLED

    def _timed(self, write: Callable[[str], None]) -> None:
        if not self._pass(None):
            return
        before = time.process_time()
        if self._pass(None):
            write(str(time.process_time() - before))

    def _pass(self, version: str | None) -> bool:
        if version is not None:
            self._become(version)
        return all(_passes(item) for item in self.items)

    def _become(self, code: str) -> None:
        if self.told["anew"]:
            self._load(code)
            return
        made = _code_of(code, self.told["stub"])
        for function in self.functions:
            function.__code__ = made

    def _load(self, text: str) -> None:
        """Load the file with this text, then the tests, which may have used it when they loaded."""
        _run(text, self.module)
        for module in {item.module.__name__: item.module for item in self.items}.values():
            _run(Path(module.__file__).read_text("utf-8"), module)
        for item in self.items:
            if item.cls is None:
                item.obj = getattr(item.module, _name(item))

    def _compare(self, passed: list[int]) -> None:
        versions = dict(self.told["versions"])
        first = self._records(None, set())
        skipped = {case for case, said in first.items() if OUTSIDE in said}
        again = self._records(None, skipped)
        wavers = {case for case, said in first.items() if again.get(case) != said}
        skipped |= wavers | (set(range(len(self.told["cases"]))) - set(first))
        for number in passed:
            self._apart(number, versions[number], first, skipped)

    def _apart(
        self, number: int, code: str, first: dict[int, list[str]], skipped: set[int]
    ) -> None:
        """Run a version until one of its records differs."""
        done = set(skipped)
        count = 0
        while len(done) < len(self.told["cases"]):
            given = self._records(code, done, first)
            for case, said in given.items():
                done.add(case)
                if OUTSIDE in said:
                    continue
                count += 1
                for mine, theirs in zip([*first[case], "0 "], [*said, "0 "], strict=False):
                    if mine != theirs:
                        record, _, wanted = mine.partition(" ")
                        other, _, got = theirs.partition(" ")
                        record = record if record != "0" else other
                        self.write(
                            f"tutor-apart {number} {case} {record}\t{wanted[:SHOWN]}\t"
                            f"{got[:SHOWN]}\n"
                        )
                        return
            left = [case for case in range(len(self.told["cases"])) if case not in done]
            if left:  # it did not come back from this one
                at = left[0]
                wanted = first[at][0] if first[at] else "0 "
                record, _, said_ = wanted.partition(" ")
                self.write(f"tutor-apart {number} {at} {record}\t{said_[:SHOWN]}\t{NOTHING}\n")
                return
        self.write(f"tutor-alike {number} {count}\n")

    def _records(
        self, code: str | None, without: set[int], like: dict[int, list[str]] | None = None
    ) -> dict[int, list[str]]:
        """The records of each input until the process ends."""
        cases = [at for at in range(len(self.told["cases"])) if at not in without]

        def work(write: Callable[[str], None]) -> None:
            guard: Any = sys.modules.get("exercise.tutor_guard")
            if guard is not None:
                guard.seen = guard.Seen("?")
            if code is not None:
                self._become(code)
            watch = _Watch(self.told, self.items)
            for at in cases:
                if code is None and time.process_time() > BUDGET_S:
                    return
                signal.setitimer(signal.ITIMER_PROF, CASE_S)
                said = watch.records(self.told["cases"][at])
                write(json.dumps([at, said]) + "\n")
                if like is not None and OUTSIDE not in said and like[at] != said:
                    return

        found: dict[int, list[str]] = {}
        for line in _in_child(work, CASE_S).decode("utf-8", "replace").splitlines():
            try:
                at, said = json.loads(line)
            except ValueError:
                continue
            found[at] = said
        return found


class _Watch:
    """Runs watched tests in this process."""

    def __init__(self, told: dict[str, Any], items: list[Any]) -> None:
        self.picked: dict[int, int] = {}
        self.said: list[str] = []
        self.tests: list[tuple[list[Any], Callable[..., object]]] = []
        self.kept: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for name, code in told["watched"]:
            mine = [item for item in items if _name(item) == name]
            names = dict(mine[0].obj.__globals__) if mine else {}
            ours: dict[str, Any] = {
                "tutor_pick": self._pick,
                "tutor_record": self._record,
                "tutor_raising": self._raising,
            }
            names |= ours
            exec(compile(code, "watched", "exec", dont_inherit=True), names)  # noqa: S102
            self.tests.append((mine, names[name]))
            plain = {name: value for name, value in names.items() if type(value) in PLAIN}
            self.kept.append((names, {n: v for n, v in plain.items() if not n.startswith("__")}))

    def records(self, case: list[Any]) -> list[str]:
        self.picked = dict(case[1:])
        self.said = []
        items, function = self.tests[case[0]]
        names, kept = self.kept[case[0]]
        names.update(copy.deepcopy(kept))
        for item in items:
            try:
                if item.fixturenames:
                    _with_fixtures(item, function)
                else:
                    function()
            except BaseException as error:  # noqa: BLE001 - whatever it ends with
                named = type(error).__name__
                self.said.append(OUTSIDE if named == "Outside" else f"0 {named}")
        return self.said

    def _pick(self, number: int, *texts: Any) -> Any:
        return texts[self.picked.get(number, 0)]

    def _record(self, number: int, value: Any) -> None:
        self.said.append(f"{number} {_shown(value)}")

    def _raising(self, number: int) -> _Raising:
        return _Raising(self, number)


class _Raising:
    """Records what is raised, and goes on."""

    def __init__(self, watch: _Watch, number: int) -> None:
        self.watch = watch
        self.number = number
        self.value: Any = None
        self.type: Any = None

    def __enter__(self) -> _Raising:  # noqa: PYI034 - older Pythons know no Self
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> bool:
        if kind is not None and kind.__name__ == "Outside":
            return False
        self.value, self.type = error, kind
        self.watch.said.append(f"{self.number} {kind.__name__ if kind is not None else 'no error'}")
        return True


def _run(text: str, module: Any) -> None:
    exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))  # noqa: S102


def _passes(item: Any) -> bool:
    try:
        _with_fixtures(item, item.obj)
    except BaseException:  # noqa: BLE001 - whatever it ends with
        return False
    return True


def _with_fixtures(item: Any, function: Callable[..., object]) -> None:
    before = item.obj
    item.obj = function
    try:
        item.ihook.pytest_runtest_setup(item=item)
        item.ihook.pytest_runtest_call(item=item)
    finally:
        item.obj = before
        item.ihook.pytest_runtest_teardown(item=item, nextitem=None)
        item._initrequest()  # noqa: SLF001 - what lets a test of pytest run again


def _name(item: Any) -> str:
    return str(getattr(item, "originalname", None) or item.name)


def _functions(module: Any, name: str) -> Iterator[Any]:
    """The functions of that name in a module and its classes, behind whatever is around them."""
    inside = [*vars(module).values()]
    for each in list(inside):
        if isinstance(each, type) and each.__module__ == module.__name__:
            inside += vars(each).values()
    seen = set()
    for each in inside:
        inner = getattr(each, "__func__", getattr(each, "fget", each))
        while inner is not None:
            if id(inner) not in seen and _is_that(inner, module, name):
                seen.add(id(inner))
                yield inner
            inner = getattr(inner, "__wrapped__", None)


def _is_that(each: Any, module: Any, name: str) -> bool:
    file = f"{module.__name__.rpartition('.')[2]}.py"
    return (
        isinstance(each, types.FunctionType)
        and each.__code__.co_name == name
        and (each.__code__.co_filename.endswith((file, "__init__.py")))
    )


def _code_of(text: str, name: str) -> types.CodeType:
    """The code object of the function that a text defines."""
    waiting = [compile(text, "version", "exec", dont_inherit=True)]
    while waiting:
        code = waiting.pop(0)
        for each in code.co_consts:
            if isinstance(each, types.CodeType):
                if each.co_name == name:
                    return each
                waiting.append(each)
    raise ValueError(name)


def _shown(value: Any, deep: int = 0) -> str:
    """A value as text, fractions to as many digits as tests mean, without addresses."""
    kind = type(value)
    if kind is float:
        return f"{value:.12g}" if abs(value) < 1e15 and value == value else builtins.repr(value)
    if kind in (list, tuple) and deep < 4 and len(value) < 200:
        inside = ", ".join(_shown(each, deep + 1) for each in value)
        return f"[{inside}]" if kind is list else f"({inside}{',' * (len(value) == 1)})"
    if kind is dict and deep < 4 and len(value) < 200:
        pairs = [f"{_shown(k, deep + 1)}: {_shown(v, deep + 1)}" for k, v in value.items()]
        return "{" + ", ".join(sorted(pairs)) + "}"
    if kind in (set, frozenset):
        return f"{kind.__name__} {sorted(map(repr, value))}"
    try:
        text = builtins.repr(value)
    except Exception as error:  # noqa: BLE001 - of the learner's own
        return type(error).__name__
    return " ".join(re.sub(r" at 0x[0-9a-fA-F]+", "", text).split())
