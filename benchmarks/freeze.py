"""The longest that a hover waits while a model's hostile answer is dealt with.

python -m benchmarks freeze

The yardstick is the same work on ordinary answers, taken just before. The answers are those of
`tests/faults/test_no_freeze.py`, which looks that none is left out.
"""

import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.wire import TUTOR, Wire

TESTS = Path(__file__).parents[1] / "tests"
CALM = 3
"""Ordinary answers that are measured first."""
PAUSE_S = 0.01
"""Time between two hovers, in seconds."""
TOPIC = {"language": "python", "topic": "tea for guests", "fresh": True, "backend": "scripted"}


class Busy:
    """A server with an exercise open, and a model that gives these answers, in their order."""

    def __init__(self, home: Path, script: str) -> None:
        home.mkdir(parents=True)
        path = home / "script.jsonl"
        path.write_text(script, encoding="utf-8")
        self.wire = Wire(TUTOR, home, TUTOR_LSP_SCRIPT=str(path), TUTOR_LSP_BACKEND="scripted")
        self.wire.initialize()
        start = {"language": "python", "node": "python-loops", "backend": "library"}
        self.wire.command("tutor.start", start)
        ready = self.wire.wait(lambda m: m.get("method") == "tutor/sessionReady")["params"]
        self.unit = ready["units"][0]
        self.file = Path(ready["workspace"]) / self.unit["file"]
        self.text = self.file.read_text(encoding="utf-8")
        item = {"uri": self.file.as_uri(), "languageId": "python", "version": 1, "text": self.text}
        self.wire.send("textDocument/didOpen", {"textDocument": item})
        self._version = 1

    def save(self, body: str) -> None:
        """Put a body into the stub, on the disk as well."""
        text = self.text.replace(f'raise NotImplementedError("{self.unit["stub"]}")', body)
        self.file.write_text(text, encoding="utf-8")
        self._version += 1
        place = {"uri": self.file.as_uri()}
        document = {**place, "version": self._version}
        change = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.wire.send("textDocument/didChange", change)
        self.wire.send("textDocument/didSave", {"textDocument": place})

    def longest(self, command: str, argument: dict[str, Any], ended: Any) -> float:
        """The longest wait of a hover in ms, until a message came for which `ended` holds."""
        here = {
            "textDocument": {"uri": self.file.as_uri()},
            "position": {"line": self.unit["line"] - 1, "character": 6},
        }
        seen = len(self.wire.inbox)
        given = {"command": command, "arguments": [argument]}
        number = self.wire.send("workspace/executeCommand", given, request=True)
        waits: list[float] = []
        while not any(ended(each, number) for each in self.wire.inbox[seen:]):
            began = time.perf_counter()
            self.wire.request("textDocument/hover", here)
            waits.append((time.perf_counter() - began) * 1000)
            time.sleep(PAUSE_S)
        return max(waits)


def _answered(message: dict[str, Any], number: int) -> bool:
    return message.get("id") == number and "method" not in message


def _ended(message: dict[str, Any], number: int) -> bool:
    """Whether a set-up ended, or was refused at once."""
    if message.get("method") in ("tutor/sessionReady", "tutor/sessionFailed"):
        return True
    return _answered(message, number) and "error" in message


def _told(what: str, calm: list[float], hostile: list[float]) -> None:
    usual, worst = max(calm), max(hostile)
    print(f"longest wait of a hover, {what}: {worst:.0f} ms with {len(hostile)} hostile answers, "
          f"{usual:.0f} ms with ordinary ones, ratio {worst / usual:.2f}")  # fmt: skip


def freeze(home: Path) -> None:
    """Hints, reviews and set-ups."""
    for place in ("faults", "stages"):
        sys.path.insert(0, str(TESTS / place))
    from freeze_kit import COMMANDS, SETUP, cases, lines, script, text_of

    for command in COMMANDS:
        every = [None] * CALM + cases(command)
        busy = Busy(home / command, script(command, every, "src/exercise/tour.py"))
        argument = {"unit": "ex-1"} if command == "tutor.hint" else {}
        found = []
        for number in range(len(every)):
            busy.save(f"return {number}")
            found.append(busy.longest(command, argument, _answered))
        busy.wire.close()
        _told(command, found[:CALM], found[CALM:])
    waits: dict[bool, list[float]] = {True: [], False: []}
    hostile = [(role, text_of(name)) for role, name in SETUP.values()]
    for at, (role, text) in enumerate([(None, "")] * CALM + hostile):
        busy = Busy(home / str(at), "".join(lines(role, text)))
        waits[role is None].append(busy.longest("tutor.start", TOPIC, _ended))
        busy.wire.close()
    _told("set-ups", waits[True], waits[False])
