"""Reading what the bridge says: pure, fed from the pipe or from recorded messages."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutor_lsp.core.exercise.report import BuildError, Location, RawTest, TestOutcome
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common.output import json_object, readable
from tutor_lsp.languages.common.tampering import Tampering
from tutor_lsp.process.run import Capped

MARK = b"\x1e"
_WHERE = re.compile(r"(?<=[')]) \((?:/.*|unknown location)\)$")
"""Where Python looked for a name to import, in a copy of the exercise, perhaps."""


@dataclass(slots=True)
class Listed:
    """A collected test; `id` is pytest's, several may share one `name` (parameters)."""

    id: str
    name: str
    file: str
    line: int

    @property
    def place(self) -> Location:
        """Where it is defined."""
        return Location(self.file, self.line)


@dataclass(slots=True)
class Record:
    """All that one run has said so far, over the processes that it took."""

    listed: dict[str, Listed] = field(default_factory=dict)
    ended: dict[str, RawTest] = field(default_factory=dict)
    running: str | None = None
    build_errors: list[BuildError] = field(default_factory=list)
    load_reason: str | None = None
    skip_reason: str | None = None
    greeted: bool = False
    finished: bool = False
    no_pytest: bool = False
    pytest_version: str | None = None
    tampering: list[Tampering] = field(default_factory=list)
    bypassed: bool = False
    aside: dict[str, BuildError] = field(default_factory=dict)
    """Why a test file that the run can do without was not loaded."""

    def begin(self) -> None:
        """Another process starts."""
        self.greeted = self.finished = False
        self.running = None

    def take(self, event: Mapping[str, Any]) -> None:
        """Take the next message of the bridge."""
        kind = event["kind"]
        if kind == "hello":
            self.greeted = True
        elif kind == "list":
            self.listed = {test["id"]: Listed(**test) for test in event["tests"]}
        elif kind == "start":
            self.running = event["id"]
        elif kind == "end":
            self.running = None
            self.ended[event["id"]] = self._test(event)
            self.bypassed |= bool(event.get("bypassed"))
        elif kind == "syntax_errors":
            self.build_errors += [BuildError(**error) for error in event["errors"]]
        elif kind == "aside_error":
            error = BuildError(**event["error"])
            error = replace(error, message=_WHERE.sub("", error.message))
            self.aside.setdefault(event["test_file"], error)
        elif kind == "load_error":
            self._load_error(event)
        elif kind == "skipped":
            self.skip_reason = _skipped(event)
        elif kind == "no_pytest":
            self.no_pytest, self.pytest_version = True, event.get("version")
        elif kind == "tamper":
            self.tampering.append(Tampering(event["file"], event["line"], event["what"]))
        elif kind == "done":
            self.finished = True

    def join(self, other: "Record") -> None:
        """Take over what another run has said of tests of the same exercise."""
        self.ended |= other.ended
        self.tampering += other.tampering
        self.bypassed |= other.bypassed

    def refusal(self) -> str | None:
        """Why what passed does not count."""
        passed = (test.outcome is TestOutcome.PASSED for test in self.ended.values())
        counts = self.bypassed or any(passed)
        return self.tampering[0].sentence() if self.tampering and counts else None

    def _test(self, event: Mapping[str, Any]) -> RawTest:
        listed = self.listed[event["id"]]
        outcome = TestOutcome(event["outcome"])
        place = None if outcome is TestOutcome.PASSED else listed.place
        return RawTest(
            name=listed.name,
            outcome=outcome,
            location=_place(event.get("location")) or place,
            raised_at=_place(event.get("raised_at")),
            left=event.get("left"),
            right=event.get("right"),
            error=event.get("error"),
            not_implemented=bool(event.get("not_implemented")),
            given=tuple((event.get("given") or {}).items()),
            duration_ms=float(event["duration_ms"]),
        )

    def _load_error(self, event: Mapping[str, Any]) -> None:
        file, line, message = event["file"], event["line"], _WHERE.sub("", event["message"])
        module = event.get("module") or ""
        if module.startswith("exercise") and "cannot import name" in message:
            # the learner's file is where the name is missing, not the test that asks for it
            name = message.split("'")[1]
            self.load_reason = marked(
                f"{file} needs `{name}` from {module}, where it is not defined."
            )
            path = f"src/{module.replace('.', '/')}"
            file = f"{path}/__init__.py" if module == "exercise" else f"{path}.py"
            line, message = 1, marked(f"`{name}` is not defined here, but the tests need it.")
        else:
            where = f"{file}, line {line}: " if file else ""
            self.load_reason = f"{where}{message}"
        column, code = event["column"] if line == event["line"] else 1, event["code"]
        self.build_errors.append(
            BuildError(file or "tests", line, column, line, column + 1, code, message)
        )


def _skipped(event: Mapping[str, Any]) -> str:
    why = str(event["why"]).removeprefix("Skipped: ")
    because = f" (“{why}”)" if why and why != "Skipped" else ""
    return marked(
        f"No test was run: {event['file']}, line {event['line']}, skips all of them{because}. Take "
        "that out and check again."
    )


def _place(value: list[Any] | None) -> Location | None:
    return None if value is None else Location(str(value[0]), int(value[1]), int(value[2]))


def event_reader(word: str, take: Callable[[Mapping[str, Any]], None]) -> Callable[[bytes], None]:
    """A line callback that hands on the messages behind `word`, and nothing else."""
    prefix = word.encode()

    def on_line(line: bytes) -> None:
        event = json_object(line[len(prefix) :]) if line.startswith(prefix) else {}
        if event:
            take(event)

    return on_line


class Segments:
    """Cuts the output of a run at the bridge's markers: what was printed during which test."""

    def __init__(self, word: str, limit: int) -> None:
        self._prefix = MARK + word.encode()
        self._limit = limit
        self._pending = b""
        self._outside = Capped(limit)
        self._current = self._outside
        self._tests: dict[str, Capped] = {}

    def feed(self, data: bytes) -> None:
        """Take the next bytes of the output."""
        data = self._pending + data
        self._pending = b""
        while True:
            at = data.find(self._prefix)
            if at < 0:
                break
            end = data.find(MARK, at + len(self._prefix))
            if end < 0:
                self._current.feed(data[:at])
                self._pending = data[at:]
                return
            self._current.feed(data[:at])
            self._switch(data[at + len(self._prefix) : end].decode(errors="replace"))
            data = data[end + 1 :]
        at = data.rfind(MARK)
        if at >= 0 and self._prefix.startswith(data[at : at + len(self._prefix)]):
            self._pending, data = data[at:], data[:at]
        self._current.feed(data)

    def _switch(self, label: str) -> None:
        if label.startswith("+"):
            self._current = self._tests[label[1:]] = Capped(self._limit)
        else:
            self._current = self._outside

    def of_test(self, test: str) -> str:
        """What was printed during the test, with a note if some was left out."""
        kept = self._tests.get(test)
        return "" if kept is None else readable(kept)

    def outside(self) -> str:
        """What was printed outside of all tests."""
        return readable(self._outside)


def merged(record: Record) -> tuple[RawTest, ...]:
    """One test per function, in file order: cases of one function count as failed if one is."""
    cases: dict[tuple[str, str], list[RawTest]] = {}
    for test in sorted(record.listed.values(), key=lambda item: (item.file, item.line)):
        ended = record.ended.get(test.id)
        case = ended or RawTest(test.name, TestOutcome.NOT_RUN, location=test.place)
        cases.setdefault((test.file, test.name), []).append(replace(case, file=test.file))
    return tuple(_worst(group) for group in cases.values())


def _worst(cases: list[RawTest]) -> RawTest:
    fine = (TestOutcome.PASSED, TestOutcome.NOT_RUN)
    for case in cases:
        if case.outcome not in fine:
            return case
    return next((case for case in cases if case.outcome is TestOutcome.NOT_RUN), cases[0])
