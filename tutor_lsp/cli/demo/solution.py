"""What the demo types: a first try, the bundled solution of one unit, that of all."""

from tutor_lsp.cli.demo.client import StepFailedError
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.tutor.application.app import App

FIRST_TRY = {"python": "return None", "rust": "Default::default()"}
"""A body that builds, runs and is wrong."""


class Solution:
    """The bundled solution of an exercise."""

    def __init__(self, app: App, exercise_id: str, language: str) -> None:
        entry = app.services.library.by_id(exercise_id)
        if entry is None:
            raise StepFailedError("a bundled exercise", f"{exercise_id}, which is none")
        self._files = app.services.library.load(entry).solution
        self._toolchain: Toolchain = app.services.toolchain(language)
        self._language = language

    def first_try(self, text: str, stub: str) -> str:
        """The text with a wrong body for one stub."""
        body = FIRST_TRY.get(self._language)
        if body is None:
            raise StepFailedError("a language that the demo can write", self._language)
        site = self._site(text, stub)
        return text[: site.body_start] + body + text[site.body_end :]

    def with_unit(self, file: str, text: str, stub: str) -> str:
        """The text with the right definition of one stub."""
        now, right = self._site(text, stub), self._site(self._files[file], stub)
        definition = self._files[file][right.start : right.end]
        return text[: now.start] + definition + text[now.end :]

    def whole(self, file: str) -> str:
        """The solved file."""
        return self._files[file]

    def _site(self, text: str, stub: str) -> FunctionSite:
        found = next((site for site in self._toolchain.functions(text) if site.name == stub), None)
        if found is None:
            raise StepFailedError(f"a function {stub}", "none in the file")
        return found
