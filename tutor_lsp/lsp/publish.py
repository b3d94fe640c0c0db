"""Pushes diagnostics, lenses and unit states of open exercises to the client."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from tutor_lsp.lsp.client import Client
from tutor_lsp.lsp.convert import quote_path
from tutor_lsp.lsp.documents import Document
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.units import units_of
from tutor_lsp.tutor.ide.diagnostics import diagnostics
from tutor_lsp.tutor.ide.lenses import lenses
from tutor_lsp.tutor.ide.view import View, Viewable
from tutor_lsp.tutor.interface.notifications import Notification, TestsRan, UnitsChanged
from tutor_lsp.tutor.learner.standings import standing_info
from tutor_lsp.tutor.voice.say import notified
from tutor_lsp.wire import to_wire

FOLLOW_S = 0.05
"""How long after an edit its diagnostics are repositioned, in seconds."""


class Publisher:
    """What was last sent to the client, so that only changes are sent.

    `build_errors` says whether build errors are published here or left to another server.
    """

    def __init__(self, client: Client, build_errors: Callable[[], bool]) -> None:
        self._client = client
        self._build_errors = build_errors
        self._sent: dict[str, Any] = {}
        self._units: dict[Path, Any] = {}
        self._lenses: dict[Path, Any] = {}
        self._reports: dict[Path, str] = {}
        self._roots: dict[Path, str] = {}
        self._waiting: dict[Path, asyncio.TimerHandle] = {}

    def uri_of_root(self, opened: OpenExercise, document: Document) -> None:
        """Remember the form in which the client writes the exercise's folder."""
        file = opened.relative(document.path)
        if file is not None and document.uri.endswith(f"/{file}"):
            self._roots[opened.root] = document.uri.removesuffix(f"/{file}")

    def uris(self, view: View) -> dict[str, str]:
        """URIs of all files of an exercise, in the client's own form where it is known."""
        root = self._roots.get(view.root) or view.root.as_uri()
        found = {}
        for file in view.exercise.files:
            document = self._client.documents.of_path(view.root / file)
            found[file] = document.uri if document is not None else f"{root}/{quote_path(file)}"
        return found

    def publish(self, opened: Viewable) -> None:
        """Send what differs from what was sent: lenses, diagnostics, unit states.

        Lenses go first: the client has to ask for them, and says the old state until it has.
        """
        self._stop_waiting(opened)
        view = opened.view()
        self._publish_lenses(view)
        self._publish_diagnostics(view)
        self._publish_report(view)
        units = units_of(view)
        if self._units.get(opened.root) != units:
            self._units[opened.root] = units
            stands = standing_info(view.standing)
            self._tell(UnitsChanged(view.session.id, str(view.root), units, stands))

    def _tell(self, notification: Notification) -> None:
        payload = notified(self._client.flags.voice, notification)
        self._client.notify(notification.METHOD, payload)

    def publish_soon(self, opened: Viewable) -> None:
        """Publish when the edit rests."""
        self._stop_waiting(opened)
        loop = asyncio.get_running_loop()
        self._waiting[opened.root] = loop.call_later(FOLLOW_S, self.publish, opened)

    def put_off(self, opened: Viewable) -> None:
        """Publish no edit any more: it was saved, and what comes of that is published anyway."""
        self._stop_waiting(opened)

    def _stop_waiting(self, opened: Viewable) -> None:
        if waiting := self._waiting.pop(opened.root, None):
            waiting.cancel()

    def forget(self, uri: str) -> None:
        """Send anew, also an empty list: the client may have dropped what it showed, or not."""
        if uri in self._sent:
            self._sent[uri] = None

    def forget_lenses(self, root: Path) -> None:
        """Have them asked for anew: the client may have asked before there were any."""
        self._lenses.pop(root, None)

    def _publish_lenses(self, view: View) -> None:
        if not self._client.flags.lens_refresh:
            return
        files = dict.fromkeys(item.unit.file for item in view.units)
        now = [(file, lenses(view, file)) for file in files]
        if self._lenses.get(view.root) != now:
            self._lenses[view.root] = now
            asked = self._client.server.workspace_code_lens_refresh(None)
            self._client.spawn(self._refreshed(asked), "refresh lenses")

    def _publish_report(self, view: View) -> None:
        """Every run once, and the last one when an exercise opens, for clients that list tests."""
        report = view.report
        if report is None or not self._client.flags.takes_reports:
            return
        if self._reports.get(view.root) != report.run_id:
            self._reports[view.root] = report.run_id
            self._tell(TestsRan(view.session.id, report))

    def _publish_diagnostics(self, view: View) -> None:
        client = self._client
        uris = self.uris(view)
        lesson = uris.get("LESSON.md", (view.root / "LESSON.md").as_uri())
        found = diagnostics(view, build_errors=self._build_errors())
        for file, items in found.items():
            uri = uris.get(file) or (view.root / file).as_uri()
            text = view.texts.get(file, "")
            named = client.flags.voice.ours
            said = [replace(item, message=named(item.message)) for item in items]
            converted = [client.converter.diagnostic(item, text, uris, lesson) for item in said]
            document = client.documents.of_path(view.root / file)
            version = document.version if document is not None else None
            state = (to_wire([repr(item) for item in converted]), version)
            if self._sent.get(uri) == state or not (converted or uri in self._sent):
                continue
            self._sent[uri] = state
            client.server.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, converted, version)
            )

    async def _refreshed(self, asked: Future[None]) -> None:
        try:
            await asyncio.wrap_future(asked)
        except Exception as error:  # noqa: BLE001 - the client's refusal is no failure of ours
            self._client.log.info("lenses not refreshed: %s", error)
