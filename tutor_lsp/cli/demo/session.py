"""One learner's session of the demo, in one language; every step is checked."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tutor_lsp.cli.demo import show
from tutor_lsp.cli.demo.client import Editor, StepFailedError
from tutor_lsp.cli.demo.solution import FIRST_TRY, Solution
from tutor_lsp.cli.screen import render
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.application.app import App

ERROR, WARNING = 1, 2
HOVER_LINES = 6
"""Most lines that a hover on a name may have."""


class DemoSession:
    """Plays the session against a running server."""

    def __init__(self, out: Out, editor: Editor, app: App, language: str) -> None:
        self._out = out
        self._editor = editor
        self._app = app
        self._workspace = Path()
        self._units: list[dict[str, Any]] = []
        self._language = language
        self._texts: dict[str, str] = {}

    async def play(self) -> Path:
        """All steps; the exercise's folder. Raises StepFailedError."""
        await self._start()
        await self._open()
        await self._first_try()
        await self._look_around()
        await self._solve_one()
        await self._solve_all()
        await self._attempt()
        return self._workspace

    async def _start(self) -> None:
        show.heading(self._out, f"Start an exercise in {self._language} (tutor.start)")
        started = await self._editor.command("tutor.start", {"language": self._language})
        job = started["jobId"]

        def ended() -> list[Mapping[str, Any]]:
            return [params for params in self._editor.kept if params.get("jobId") == job]

        await self._editor.until(
            "tutor/sessionReady", lambda: bool(ended()), lambda: "no notification"
        )
        ready = ended()[0]
        expect("sessionId" in ready, "tutor/sessionReady", str(ready.get("message", ready)))
        self._workspace, self._units = Path(ready["workspace"]), ready["units"]
        self._solution = Solution(self._app, ready["exerciseId"], self._language)
        lesson = Path(ready["lesson"])
        beginning = await asyncio.to_thread(lesson.read_text, encoding="utf-8")
        expect(len(ready["units"]) >= 3, "at least 3 units", f"{len(ready['units'])}")
        proof = ready["proof"]
        expect(proof["ok"] is True, "a proven exercise", str(proof))
        self._out.line(("good", "  Ready: "), ("strong", ready["title"]))
        self._out.line("  Lesson: ", ("place", ready["lesson"]))
        failing = t(f"{proof['failOnStub']} of {proof['tests']} tests fail on the stubs")
        passing = t(f"{proof['passOnReference']} pass on the reference solution")
        self._out.line(("dim", f"  Proven: {failing}, {passing}."))
        stub = (self._workspace / self._units[0]["file"]).as_uri()
        await self._editor.until(
            "lesson and first stub opened by the server",
            lambda: {lesson.as_uri(), stub} <= set(self._editor.shown),
            lambda: str(self._editor.shown),
        )
        show.lesson_beginning(self._out, beginning)

    async def _open(self) -> None:
        files = sorted({unit["file"] for unit in self._units})
        show.heading(self._out, "The editor opens the stubs")
        for file in files:
            path = self._workspace / file
            self._texts[file] = path.read_text(encoding="utf-8")
            self._editor.open_document(path, self._language, self._texts[file])
        await self._expect_marks({unit["id"]: "todo" for unit in self._units})
        for item in self._shown():
            quiet = item.get("severity", 1) > WARNING
            expect(quiet, "no error and no warning on a fresh exercise", item["message"])
        await self._print_diagnostics()

    async def _first_try(self) -> None:
        unit = self._units[0]
        body = FIRST_TRY.get(self._language, "")
        show.heading(
            self._out, f"A first try: the body of {unit['stub']} becomes `{body}`, and is saved"
        )
        file = unit["file"]
        self._write(file, self._solution.first_try(self._texts[file], unit["stub"]))
        await self._expect_marks(self._marks({unit["id"]: "test-failed"}))
        failed = [item for item in self._shown() if item["code"] == "test-failed"]
        expect(failed[0]["severity"] == ERROR, "an error", str(failed[0]))
        beside = bool(failed[0].get("relatedInformation"))
        expect(beside, "the failing assertion beside it", "nothing")
        await self._print_diagnostics()

    async def _look_around(self) -> None:
        unit = self._units[0]
        uri = self._uri(unit["file"])
        name = self._shown()[0]["range"]["start"]
        show.heading(self._out, f"Hover on {unit['stub']}")
        at = {"textDocument": uri, "position": name}
        hover = await self._editor.request("textDocument/hover", at)
        text = hover["contents"]["value"] if hover is not None else ""
        lines = [line for line in text.split("\n") if line.strip()]
        expect(0 < len(lines) <= HOVER_LINES, f"1 to {HOVER_LINES} lines", f"{len(lines)}: {text}")
        show.indented(self._out, "\n".join(lines))
        cue = self._line_of(unit, "Start here:")
        show.heading(self._out, "Code actions where the comment says “Start here”")
        place = {"line": cue, "character": 0}
        asked = {
            "textDocument": uri,
            "range": {"start": place, "end": place},
            "context": {"diagnostics": []},
        }
        found = await self._editor.request("textDocument/codeAction", asked)
        titles = [action["title"] for action in found]
        show.actions(self._out, titles)
        commands = [action["command"] for action in found if action.get("command")]
        hints = [each for each in commands if each["command"] == "tutor.hint"]
        expect(bool(hints), "an action for the next hint", str(titles))
        show.heading(self._out, f"The first of them: {hints[0]['title']}")
        hint = await self._editor.command("tutor.hint", hints[0]["arguments"][0])
        expect(hint["unit"] == unit["id"], f"a hint for {unit['id']}", str(hint["unit"]))
        expect(hint["level"] == 1 and bool(hint["text"]), "a hint of level 1", str(hint))
        show.indented(self._out, hint["text"])

    async def _solve_one(self) -> None:
        unit = self._units[0]
        show.heading(self._out, f"{unit['stub']} is written and saved; the others stay")
        file = unit["file"]
        text = self._solution.with_unit(file, self._texts[file], unit["stub"])
        self._write(file, text)
        await self._expect_marks(self._marks({unit["id"]: ""}))
        await self._print_diagnostics()

    async def _solve_all(self) -> None:
        show.heading(self._out, "The rest is written and saved")
        for file in self._texts:
            self._write(file, self._solution.whole(file))
        await self._expect_marks({})
        await self._print_diagnostics()

    async def _attempt(self) -> None:
        show.heading(self._out, "Attempt: all tests, counted, with a review (tutor.attempt)")
        result = await self._editor.command("tutor.attempt", {})
        report, review = result["report"], result["review"]
        expect(report["outcome"] == "passed", "all tests to pass", report["outcome"])
        expect(review is not None, "a review", str(result["reviewError"]))
        expect(review["verdict"] == "PASS", "the verdict PASS", review["verdict"])
        mastery = result["mastery"]
        expect(mastery["after"] > mastery["before"], "mastery to rise", str(mastery))
        expect(bool(result["next"]), "a recommendation of what is next", "none")
        render.say(self._out, result)

    def _write(self, file: str, text: str) -> None:
        self._texts[file] = text
        self._editor.write(self._workspace / file, text)

    def _uri(self, file: str) -> dict[str, str]:
        return {"uri": (self._workspace / file).as_uri()}

    def _line_of(self, unit: Mapping[str, Any], words: str) -> int:
        """Zero-based line of the unit's comment that has these words."""
        lines = self._texts[unit["file"]].split("\n")
        after = next(i for i, line in enumerate(lines) if f"{unit['id']} - " in line)
        return next(i for i, line in enumerate(lines) if i > after and words in line)

    def _marks(self, changed: Mapping[str, str]) -> dict[str, str]:
        """The code expected on each unit's stub: `todo` save for those in `changed`."""
        marks = {unit["id"]: "todo" for unit in self._units} | dict(changed)
        return {unit: code for unit, code in marks.items() if code}

    def _shown(self) -> list[dict[str, Any]]:
        """All diagnostics of the stub files, in order."""
        return [item for file in self._texts for item in self._shown_in(file)]

    def _shown_in(self, file: str) -> list[dict[str, Any]]:
        found = self._editor.diagnostics.get(self._uri(file)["uri"], [])
        return sorted(found, key=lambda item: int(item["range"]["start"]["line"]))

    def _seen_marks(self) -> dict[str, str]:
        """The code on each unit's stub, by the name that the range covers."""
        stubs = {unit["stub"]: unit["id"] for unit in self._units}
        found: dict[str, str] = {}
        for file, text in self._texts.items():
            lines = text.split("\n")
            for item in self._shown_in(file):
                start, end = item["range"]["start"], item["range"]["end"]
                inside = start["line"] == end["line"] < len(lines)
                name = lines[start["line"]][start["character"] : end["character"]] if inside else ""
                found[stubs.get(name, f"{file}:{start['line'] + 1}")] = str(item["code"])
        return found

    async def _expect_marks(self, marks: Mapping[str, str]) -> None:
        """Wait for exactly these codes on the stubs."""
        await self._editor.until(
            f"these diagnostics: {marks or 'none'}",
            lambda: self._seen_marks() == marks,
            lambda: f"{self._seen_marks() or 'none'} {[i['message'] for i in self._shown()]}",
        )

    async def _print_diagnostics(self) -> None:
        for file, text in self._texts.items():
            asked = {"textDocument": self._uri(file)}
            lenses = await self._editor.request("textDocument/codeLens", asked)
            show.diagnostics(self._out, file, text, self._shown_in(file), lenses or ())


def expect(met: bool, expected: str, seen: str) -> None:
    """Raise StepFailedError unless `met`."""
    if not met:
        raise StepFailedError(expected, seen)
