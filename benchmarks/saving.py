"""From a save to what the learner reads, beside the bare tool after the same edit.

The server's debounce is not counted: it waits for another save, not for work.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.requests import did_open, opened
from benchmarks.table import Figure
from tutor_lsp.core.settings import Settings

TIMES, WARM = 11, 2
DEBOUNCE_MS = Settings().debounce_ms
QUIET = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "RUST_BACKTRACE": "0"}
"""The bare commands at their best: no plugins of ours, no backtraces."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A language's placeholder and what is written over it, its bare commands, and the bars.

    `mark` and `report` are the most that a save may take of `tests`, `broken` of `builds`.
    """

    todo: str
    wrong: str
    bare: str
    tests: tuple[str, ...]
    mark: float
    report: float
    no_build: str = ""
    builds: tuple[str, ...] = ()
    broken: float | None = None


KINDS = {
    "python": Kind(
        'raise NotImplementedError("{}")', "return {}",
        "python -m pytest -q", (sys.executable, "-m", "pytest", "-q"), 0.35, 0.40,
    ),
    "rust": Kind(
        'todo!("{}")', "{}",
        "cargo test", ("cargo", "test", "--no-fail-fast", "--offline"), 0.65, 0.75,
        "[0; {}]", ("cargo", "check", "--tests", "--offline"), 0.6,
    ),
    "c": Kind('NOT_IMPLEMENTED("{}");', "return {};", "make test", ("make", "test"), 1.1, 1.4),
}  # fmt: skip


class Edited:
    """An open exercise and a copy of it for the bare tool; both are edited alike."""

    def __init__(self, home: Path, language: str, copies: Path) -> None:
        self._kind = KINDS[language]
        self._wire, ready = opened(home, language, reports=True)
        unit = ready["units"][0]
        self._path = Path(ready["workspace"]) / unit["file"]
        self._uri = did_open(self._wire, self._path, language)
        self._text = self._path.read_text(encoding="utf-8")
        self._todo = self._kind.todo.format(unit["stub"])
        if self._todo not in self._text:
            raise SystemExit(f"{self._path} does not hold {self._todo}")
        self.bare = copies / language
        ignored = shutil.ignore_patterns("target", "build", ".tutor")
        shutil.copytree(ready["workspace"], self.bare, ignore=ignored)
        self._copy = self.bare / unit["file"]
        self._version = 1

    def save(self, body: str, *said: Callable[[dict[str, Any]], bool]) -> list[float]:
        """Put a body in the place of the placeholder here and there; ms until each was said."""
        text = self._text.replace(self._todo, body)
        self._version += 1
        version = {"uri": self._uri, "version": self._version}
        changed = {"textDocument": version, "contentChanges": [{"text": text}]}
        self._wire.send("textDocument/didChange", changed)
        self._path.write_text(text, encoding="utf-8")
        self._copy.write_text(text, encoding="utf-8")
        began = time.perf_counter()
        self._wire.send("textDocument/didSave", {"textDocument": {"uri": self._uri}})
        times: dict[int, float] = {}

        def heard(message: dict[str, Any]) -> bool:
            for number, each in enumerate(said):
                if number not in times and each(message):
                    times[number] = (time.perf_counter() - began) * 1000 - DEBOUNCE_MS
            return len(times) == len(said)

        self._wire.wait(heard)
        return [times[number] for number in range(len(said))]

    def plain(self, command: tuple[str, ...]) -> float:
        """Milliseconds of the bare command on its copy."""
        began = time.perf_counter()
        subprocess.run(command, cwd=self.bare, capture_output=True, check=False, env=QUIET)
        return (time.perf_counter() - began) * 1000

    def close(self) -> None:
        """End the server."""
        self._wire.close()


def save(home: Path) -> list[Figure]:
    """Each language whose tools are here: mark, whole report and build error."""
    figures: list[Figure] = []
    for language, kind in KINDS.items():
        if shutil.which(kind.tests[0]) is None:
            print(f"save, {language}: skipped, {kind.tests[0]} is missing")
            continue
        with tempfile.TemporaryDirectory() as copies:
            edited = Edited(home, language, Path(copies))
            figures += _results(edited, language, kind)
            if kind.builds:
                figures += _build_errors(edited, language, kind)
            edited.close()
    return figures


def _results(edited: Edited, language: str, kind: Kind) -> list[Figure]:
    marks, reports, plain = [], [], []
    for number in range(TIMES + WARM):
        value = str(70_001 + number)
        took = edited.save(kind.wrong.format(value), _says(value), _ran)
        other = edited.plain(kind.tests)
        if number >= WARM:
            marks.append(took[0])
            reports.append(took[1])
            plain.append(other)
    return [
        Figure(f"save to the mark, {language}", kind.bare, marks, plain, kind.mark),
        Figure(f"save to the report, {language}", kind.bare, reports, plain, kind.report),
    ]


def _build_errors(edited: Edited, language: str, kind: Kind) -> list[Figure]:
    shown, plain = [], []
    for number in range(TIMES + WARM):
        value = str(80_001 + number)
        took = edited.save(kind.no_build.format(value), _says(value))
        other = edited.plain(kind.builds)
        if number >= WARM:
            shown += took
            plain.append(other)
    bare = " ".join(kind.builds[:3])
    return [Figure(f"save to the build error, {language}", bare, shown, plain, kind.broken)]


def _says(value: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a message publishes a diagnostic that names the value."""

    def says(message: dict[str, Any]) -> bool:
        if message.get("method") != "textDocument/publishDiagnostics":
            return False
        return any(value in item["message"] for item in message["params"]["diagnostics"])

    return says


def _ran(message: dict[str, Any]) -> bool:
    return message.get("method") == "tutor/testsRan"
