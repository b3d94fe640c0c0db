"""Pushes diagnostics, lenses and unit states of open exercises to the client."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from tutor_lsp.core.wire import to_wire
from tutor_lsp.lsp.convert import file_uris
from tutor_lsp.lsp.documents import Document, path_uri
from tutor_lsp.tutor.exercise.units import units_wire
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.view import View
from tutor_lsp.tutor.learner.how_far import standing_wire

if TYPE_CHECKING:
    from tutor_lsp.lsp.server import TutorServer
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

FOLLOW_S = 0.05
"""How long an edit may rest before its diagnostics are placed anew, in seconds."""


class Publisher:
    """What the client was told last, so that only changes are sent."""

    def __init__(self, server: "TutorServer") -> None:
        self._server = server
        self._sent: dict[str, Any] = {}
        self._units: dict[Path, Any] = {}
        self._reports: dict[Path, str] = {}
        self._roots: dict[Path, str] = {}
        self._waiting: dict[Path, asyncio.TimerHandle] = {}

    def opened_of(self, path: Path) -> "OpenExercise | None":
        """The open exercise that a path lies in, or None."""
        return self._server.app.opened_of(path)

    def view_of(self, uri: str) -> tuple[View, str] | None:
        """The view of the exercise of an open document, and the file's relative path in it."""
        document = self._server.documents.of_uri(uri)
        opened = self.opened_of(document.path) if document is not None else None
        if document is None or opened is None:
            return None
        file = opened.relative(document.path)
        return (opened.view(), file) if file is not None else None

    def uri_of_root(self, opened: "OpenExercise", document: Document) -> None:
        """Remember the form in which the client writes the exercise's folder."""
        file = opened.relative(document.path)
        if file is not None and document.uri.endswith(f"/{file}"):
            self._roots[opened.root] = document.uri.removesuffix(f"/{file}")

    def uris(self, view: View) -> dict[str, str]:
        """URIs of all files of an exercise, in the client's own form where it is known."""
        root = self._roots.get(view.root) or path_uri(view.root)
        known = {}
        for file in view.exercise.files:
            document = self._server.documents.of_path(view.root / file)
            if document is not None:
                known[file] = document.uri
        return file_uris(root, tuple(view.exercise.files), known)

    def publish(self, opened: "OpenExercise") -> None:
        """Send what differs from what was sent: diagnostics, unit states, lenses."""
        waiting = self._waiting.pop(opened.root, None)
        if waiting is not None:
            waiting.cancel()
        view = opened.view()
        self._publish_diagnostics(view)
        self._publish_report(view)
        units = units_wire(view)
        if self._units.get(opened.root) != units:
            self._units[opened.root] = units
            self._server.frontend.notify(
                "tutor/unitsChanged",
                {
                    "sessionId": view.session.id,
                    "workspace": str(view.root),
                    "units": units,
                    "standing": standing_wire(view.standing),
                },
            )
            if self._server.flags.lens_refresh:
                self._server.spawn(self._refresh_lenses(), "refresh lenses")

    def publish_soon(self, opened: "OpenExercise") -> None:
        """Publish when the edit rests."""
        waiting = self._waiting.pop(opened.root, None)
        if waiting is not None:
            waiting.cancel()
        loop = asyncio.get_running_loop()
        self._waiting[opened.root] = loop.call_later(FOLLOW_S, self.publish, opened)

    def forget(self, uri: str) -> None:
        """Send anew, also an empty list: the client may have dropped what it showed, or not."""
        if uri in self._sent:
            self._sent[uri] = None

    def _publish_report(self, view: View) -> None:
        """Every run once, and the last one when an exercise opens, for clients that list tests."""
        report = view.report
        if report is None or not self._server.flags.takes_reports:
            return
        if self._reports.get(view.root) != report.run_id:
            self._reports[view.root] = report.run_id
            payload = {"sessionId": view.session.id, "report": to_wire(report)}
            self._server.frontend.notify("tutor/testsRan", payload)

    def _publish_diagnostics(self, view: View) -> None:
        server = self._server
        uris = self.uris(view)
        lesson = uris.get("LESSON.md", path_uri(view.root / "LESSON.md"))
        found = diagnostics(view, build_errors=server.app.shows_build_errors())
        for file, items in found.items():
            uri = uris.get(file) or path_uri(view.root / file)
            text = view.texts.get(file, "")
            converted = [server.converter.diagnostic(item, text, uris, lesson) for item in items]
            document = server.documents.of_path(view.root / file)
            version = document.version if document is not None else None
            state = (to_wire([repr(item) for item in converted]), version)
            if self._sent.get(uri, ([], None)) == state:
                continue
            if not converted and uri not in self._sent:
                continue
            self._sent[uri] = state
            server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, converted, version)
            )

    async def _refresh_lenses(self) -> None:
        try:
            await self._server.workspace_code_lens_refresh_async(None)
        except Exception as error:  # noqa: BLE001 - the client's refusal is no failure of ours
            self._server.log.info("lenses not refreshed: %s", error)
