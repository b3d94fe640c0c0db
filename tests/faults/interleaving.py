"""Random interleavings of what learners, programs and accidents do, judged by an oracle.

A server plays an exercise of four functions. After each round of events the harness waits
`SETTLE_S` and then reads what is shown: every result in it must be the one that the saved text
gives, or say that it is from before. Every answer to a command must be about a text that was saved
when the command was asked, or later. What a text gives is found out by calling the tests directly.
"""

import contextlib
import itertools
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from placeholders import with_body

from benchmarks.wire import TUTOR, Wire

SETTLE_S = 0.5
STUBS = ("to_minutes", "ends_at", "catches_bus", "plan")
RIGHT = {
    "to_minutes": "return hours * 60 + minutes",
    "ends_at": "return to_minutes(hour, minute) + length",
    "catches_bus": "return end + walk <= bus",
    "plan": (
        "end = ends_at(hour, minute, length)\n    note = bus_note(catches_bus(end, WALK, LAST_BUS))"
        '\n    return f"{title} ends at {clock(end)}: {note}"'
    ),
}
NUMBER = re.compile(r"\b7\d{5}\b")
_OF = re.compile(r"(\d+) of (\d+)")
_LINE = re.compile(r"([✓✗]) `(\w+)`")
ENDED = ("passed", "failed", "build_error", "timeout")


class Text:
    """One version of the stub file and what it gives."""

    def __init__(self, starter: str, tests: str, bodies: dict[str, str]) -> None:
        self.bodies = bodies
        self.source = starter
        for stub, body in bodies.items():
            self.source = with_body(self.source, stub, body)
        self.written = {stub for stub in bodies if bodies[stub]}
        self.numbers: set[int] = set()
        self.passed, self.builds = self._outcomes(tests)

    def passes(self, stub: str) -> bool:
        mine = [good for name, good in self.passed.items() if stub_of(name) == stub]
        return self.builds and bool(mine) and all(mine)

    def count(self, stub: str) -> str:
        mine = [good for name, good in self.passed.items() if stub_of(name) == stub]
        return f"{sum(mine)} of {len(mine)}"

    def _outcomes(self, tests: str) -> tuple[dict[str, bool], bool]:
        """Which tests pass, and whether the text can be built; notes every number it gives."""
        space: dict[str, Any] = {}
        source = re.sub(r"time\.sleep\([^)]*\)", "None", self.source)
        try:
            exec(compile(source, "movie", "exec"), space)  # noqa: S102 - a text made here
        except SyntaxError:
            names = re.findall(r"def (test_\w+)", tests)
            return dict.fromkeys(names, False), False
        for stub in STUBS:
            space[stub] = self._noting(space[stub])
        rest = tests.partition("import")[2].partition("\n")[2]
        exec(rest, space)  # noqa: S102 - tests of the library
        found = {}
        for name, test in list(space.items()):
            if name.startswith("test_"):
                try:
                    test()
                    found[name] = True
                except (AssertionError, NotImplementedError, TypeError, ValueError):
                    found[name] = False
        return found, True

    def _noting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*given: Any) -> Any:
            value = function(*given)
            self.numbers |= {int(n) for n in NUMBER.findall(repr(value))}
            return value

        return noted


def stub_of(test: str) -> str:
    return next(stub for stub in STUBS if test.startswith(f"test_{stub}"))


class Play:
    """One home with one exercise, played by seed; `complaints` are what was shown wrongly."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.dice = home, random.Random(seed)
        self.numbers = itertools.count(700000 + self.dice.randrange(90000))
        self.complaints: list[str] = []
        self.rounds = self.marks = self.replies = 0
        self.asked: dict[int, tuple[str, int]] = {}
        self.shown: dict[str, list[dict[str, Any]]] = {}
        self.units: list[dict[str, Any]] = []
        self.wire = self._server()
        self.wire.command("tutor.start", {"language": "python", "node": "python-functions"})
        ready = self.wire.wait(lambda m: m.get("method") == "tutor/sessionReady")["params"]
        self.path = Path(ready["workspace"], ready["units"][0]["file"])
        self.ids = {unit["id"]: unit["stub"] for unit in ready["units"]}
        self.starter = self.path.read_text()
        self.tests = next(Path(ready["workspace"], "tests").glob("test_*.py")).read_text()
        self.saved = [Text(self.starter, self.tests, {})]
        self._open()

    def _server(self) -> Wire:
        wire = Wire(TUTOR, self.home)
        wire.initialize()
        return wire

    def _open(self) -> None:
        self.version = 1
        self.buffer = self.path.read_text()
        self.uri = self.path.as_uri()
        item = {"uri": self.uri, "languageId": "python", "version": 1, "text": self.buffer}
        self.wire.send("textDocument/didOpen", {"textDocument": item})

    # What may happen, one method each.

    def _new_text(self) -> Text:
        bodies = dict(self.saved[-1].bodies)
        for stub in self.dice.sample(STUBS, self.dice.choice((1, 1, 2))):
            number = next(self.numbers)
            bodies[stub] = self.dice.choice(
                (
                    *(RIGHT[stub], RIGHT[stub], f"return {number}", f"return {number}"),
                    *(f"import time; time.sleep(0.1); return {number}", f"return ({number}", ""),
                )
            )
        if self.dice.random() < 0.7:
            bodies = {s: b for s, b in bodies.items() if not _broken(b)}
        return Text(self.starter, self.tests, {s: b for s, b in bodies.items() if b})

    def _write(self, text: Text) -> None:
        self.path.write_text(text.source)
        self.saved.append(text)

    def _type(self, source: str) -> None:
        self.version += 1
        self.buffer = source
        self.wire.send(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"text": source}],
            },
        )

    def edit(self) -> None:
        self._type(self._new_text().source)

    def save(self) -> None:
        text = self._new_text()
        self._type(text.source)
        self._write(text)
        self.wire.send("textDocument/didSave", {"textDocument": {"uri": self.uri}})

    def outside(self) -> None:
        self._write(self._new_text())
        if self.dice.random() < 0.6:
            self._type(self.saved[-1].source)

    def back(self) -> None:
        """An older text comes back, as by undo in another program."""
        self._write(self.dice.choice(self.saved))
        if self.dice.random() < 0.6:
            self._type(self.saved[-1].source)

    def _ask(self, command: str, argument: Any = None) -> None:
        arguments = [] if argument is None else [argument]
        params = {"command": command, "arguments": arguments}
        number = self.wire.send("workspace/executeCommand", params, request=True)
        self.asked[number] = (command, len(self.saved) - 1)

    def check(self) -> None:
        self._ask("tutor.check")

    def attempt(self) -> None:
        self._ask("tutor.attempt")

    def status(self) -> None:
        self._ask("tutor.status")

    def hint(self) -> None:
        self._ask("tutor.hint", {"unit": self.dice.choice(list(self.ids))})

    def cancel(self) -> None:
        self._ask("tutor.cancel", {})

    def withdraw(self) -> None:
        """Give up one request as editors do."""
        if self.asked:
            number = self.dice.choice(list(self.asked))
            self.wire.send("$/cancelRequest", {"id": number})

    def restart(self) -> None:
        if self.dice.random() < 0.5:
            self.wire.process.kill()
            self.wire.process.wait()
            self.wire.process.stdin.close()
            self.wire.process.stdout.close()
        else:
            self.wire.close()
        self._read()
        self.asked.clear()
        self.shown, self.units = {}, []
        self.wire = self._server()
        self._open()

    def pause(self) -> None:
        self._listen(self.dice.choice((0.02, 0.1, 0.3, 0.6)))

    EVENTS = (
        ("save", 7), ("outside", 3), ("back", 1), ("check", 2), ("attempt", 2), ("cancel", 3),
        ("withdraw", 1), ("restart", 1), ("status", 2), ("hint", 2), ("edit", 2), ("pause", 5),
    )  # fmt: skip

    def round(self) -> list[str]:
        """Some events, the quiet after them, and what is shown then; the events' names."""
        names, weights = zip(*self.EVENTS, strict=True)
        events = self.dice.choices(names, weights, k=self.dice.randint(2, 8))
        for event in events:
            getattr(self, event)()
            self._listen(self.dice.choice((0.0, 0.005, 0.05)))
        self._listen(SETTLE_S)
        before = len(self.complaints)
        self._judge()
        self.rounds += 1
        if len(self.complaints) > before:
            told = "; ".join(self.complaints[before:])
            self.complaints[before:] = [f"round {self.rounds} {events}: {told}"]
        return events

    def close(self) -> None:
        """End the server; what it had still to answer is judged too."""
        self._ask("tutor.cancel", {})
        self._listen(1.0)
        self.wire.close()
        self._read()

    # What was shown, and what is wrong with it.

    def _listen(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            left = max(end - time.monotonic(), 0)
            with contextlib.suppress(RuntimeError):
                self.wire.wait(lambda _: True, left or 0.001)
            self._read()
            if time.monotonic() >= end:
                return

    def _read(self) -> None:
        """Take in what came."""
        for message in self.wire.inbox:
            method, params = message.get("method"), message.get("params")
            if method == "textDocument/publishDiagnostics" and params["uri"] == self.uri:
                self.shown[self.uri] = params["diagnostics"]
            elif method == "tutor/unitsChanged":
                self.units = params["units"]
            elif method is None and message.get("id") in self.asked:
                self._answered(*self.asked.pop(message["id"]), message.get("result"))
        self.wire.inbox.clear()

    def _judge(self) -> None:
        now = self.saved[-1]
        document = {"textDocument": {"uri": self.uri}}
        lenses = self.wire.request("textDocument/codeLens", document)
        hovers = []
        for stub in STUBS:
            line = next(
                (n for n, text in enumerate(self.buffer.splitlines()) if f"def {stub}(" in text), 0
            )
            place = {**document, "position": {"line": line, "character": 6}}
            found = self.wire.request("textDocument/hover", place)
            hovers.append((stub, found["contents"] if found else None))
        self._read()
        for item in self.shown.get(self.uri, []):
            related = [each["message"] for each in item.get("relatedInformation", [])]
            self._told("diagnostic", " ".join([item["message"], *related]), [now], item["code"])
        for lens in lenses or []:
            title = lens["command"]["title"]
            if title.startswith("ex-"):
                self._told("lens", title, [now], self.ids[title.split()[0]])
        for stub, found in hovers:
            text = found["value"] if isinstance(found, dict) else str(found or "")
            self._told("hover", text, [now], stub)
        for unit in self.units:
            self._state("unitsChanged", unit, [now])

    def _told(self, where: str, text: str, texts: list[Text], about: str) -> None:
        """Complain of a text that shows a result which none of these texts gives."""
        self.marks += 1
        if "before" in text:
            return
        numbers = {int(n) for n in NUMBER.findall(text)}
        if not any(numbers <= each.numbers for each in texts):
            self.complaints.append(f"{where}: {text!r} is of another text")
        elif about == "build-error" and all(each.builds for each in texts):
            self.complaints.append(f"{where}: {text!r}, but the text builds")
        elif about in STUBS:
            for why in _wrong(text, about, texts):
                self.complaints.append(f"{where} of {about}: {text!r}: {why}")

    def _state(self, where: str, unit: dict[str, Any], texts: list[Text]) -> None:
        stub, state = unit["stub"], unit["state"]
        if state == "passing" and not any(each.passes(stub) for each in texts):
            self.complaints.append(f"{where}: {stub} is called passing")
        if state == "failing" and all(each.passes(stub) for each in texts):
            self.complaints.append(f"{where}: {stub} is called failing")

    def _answered(self, command: str, since: int, result: Any) -> None:
        """Judge a reply by the texts that were saved from when it was asked on."""
        texts = self.saved[since:]
        if result is None:
            return
        self.replies += 1
        if command == "tutor.hint":
            self._told("reply hint", result["text"], texts, "")
        elif command == "tutor.status":
            for unit in result["units"] or []:
                self._state("reply status", unit, texts)
        elif command in ("tutor.check", "tutor.attempt"):
            report = result["report"] if command == "tutor.attempt" else result
            self._report(command, report, texts)

    def _report(self, command: str, report: dict[str, Any], texts: list[Text]) -> None:
        if report["outcome"] not in ENDED:
            return
        said = " ".join(test["message"] or "" for test in report["tests"])
        self._told(f"reply {command}", said, texts, "")
        if report["outcome"] == "build_error":
            if all(each.builds for each in texts):
                self.complaints.append(f"{command}: build error of a text that builds")
        elif not any(
            all(each.passed[t["name"]] == (t["outcome"] == "passed") for t in report["tests"])
            for each in texts
        ):
            self.complaints.append(f"{command}: results of another text")


def _broken(body: str) -> bool:
    return body.count("(") != body.count(")")


def _wrong(text: str, stub: str, texts: list[Text]) -> Iterator[str]:
    """What a lens or hover says of a unit that none of the texts gives."""
    if "✓ passes" in text and not any(each.passes(stub) for each in texts):
        yield "it does not pass"
    if "✗ not yet" in text:
        if all(each.passes(stub) for each in texts):
            yield "it passes"
        shown = _OF.search(text.splitlines()[0])
        if shown and all(shown[0] != each.count(stub) for each in texts):
            yield f"it is {texts[-1].count(stub)}"
    if "○ to do" in text and all(stub in each.written for each in texts):
        yield "it is written"
    for mark, test in _LINE.findall(text):
        if not any(each.passed[test] == (mark == "✓") for each in texts):
            yield f"{mark} {test}"
