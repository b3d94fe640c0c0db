"""`tutor.report`: one self-contained HTML page of what was done and reached."""

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.own_topics import with_own_topics
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.library.remedial import remedial_texts
from tutor_lsp.tutor.exercise.files import replace_text
from tutor_lsp.tutor.learner.advice import recommendations

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments

NAME = "report.html"

_Read = tuple[list[Session], dict[str, dict[str, NodeRecord]], list[dict[str, Any]]]


async def report(app: "App", arguments: "NoArguments") -> dict[str, str]:
    """Write the page to the tutor home, else to a temporary folder, and say where it is.

    Raises TutorError `HOME`.
    """
    pages = await app.load("tutor_lsp.tutor.learner.pages.report_page")
    languages = app.taught

    def read(tx: Transaction) -> _Read:
        events = [event for kind in pages.timeline.SHOWN for event in tx.events(kind=kind)]
        records = {language: tx.nodes(language) for language in languages}
        return tx.sessions(), records, sorted(events, key=lambda event: int(event["id"]))

    sessions, records, events = await app.db(read)
    curriculum = app.curriculum
    for language in languages:
        curriculum = with_own_topics(curriculum, records[language])
    advice = {
        language: [(item.title, item.reason) for item in await recommendations(app, language)]
        for language in languages
    }
    texts = await asyncio.to_thread(_texts, languages)
    shown = pages.Shown(curriculum, languages, records, sessions, events, texts, advice, app.now())
    path = app.home / NAME
    try:
        path = await asyncio.to_thread(_write_somewhere, path, pages.report_page(shown))
    except OSError as error:
        raise TutorError(
            "HOME",
            f"The report cannot be written to {path}: {error.strerror or error}. "
            + remedy(
                error,
                "Make that folder writable, or set another one with the setting tutor.home.",
            ),
        ) from error
    await app.frontend.open(path, 1, take_focus=False)
    return {"path": str(path)}


def _texts(languages: list[str]) -> Mapping[str, Any]:
    return {language: remedial_texts(language) for language in languages}


def _write_somewhere(path: Path, text: str) -> Path:
    """The page's path: in a temporary folder of its own where the home cannot be written."""
    try:
        _write(path, text)
    except OSError as error:
        try:
            path = Path(tempfile.mkdtemp(prefix="tutor-lsp-report-"), path.name)
            _write(path, text)
        except OSError:
            raise error from None
    return path


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, text)
