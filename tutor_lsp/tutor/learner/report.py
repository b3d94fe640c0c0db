"""The learning report as a file: what the record says, on one HTML page."""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.own_topics import with_own_topics
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.library.remedial import remedial_texts
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.exercise.folder.files import replace_text
from tutor_lsp.tutor.interface.choices import Choice
from tutor_lsp.tutor.interface.learner import ReportPage
from tutor_lsp.tutor.learner.pages.learning_report import ReportData, report_page
from tutor_lsp.tutor.learner.pages.news import last_seen
from tutor_lsp.tutor.learner.pages.timeline import SHOWN
from tutor_lsp.tutor.services.services import Services

NAME = "report.html"
LINE = 60
"""Most characters of a line of the learner's that are shown."""

_Events = list[dict[str, Any]]
_Read = tuple[list[Session], dict[str, dict[str, NodeRecord]], _Events, _Events]


async def write_report(services: Services, onward: Sequence[Choice]) -> ReportPage:
    """Write the page to the tutor home, else to a temporary folder, and say where it is. `onward`
    are the rows of what the learner can do next.

    Raises TutorError `HOME`.
    """
    languages = services.taught

    def read(tx: Transaction) -> _Read:
        events = [event for kind in SHOWN for event in tx.events(kind=kind)]
        records = {language: tx.nodes(language) for language in languages}
        happened = sorted(events, key=lambda event: int(event["id"]))
        return tx.sessions(), records, happened, tx.events(kind="misconception")

    sessions, records, events, seen = await services.db(read)
    curriculum = services.curriculum
    for language in languages:
        curriculum = with_own_topics(curriculum, records[language])
    texts = await asyncio.to_thread(
        lambda: {language: remedial_texts(language) for language in languages}
    )
    path, now = services.home / NAME, services.now()
    since = await asyncio.to_thread(_since, path, now)
    lines = {(each["data"].get("node"), each["data"].get("tag")): _line(each) for each in seen}
    shown = ReportData(
        curriculum, languages, records, sessions, events, texts, onward, now, since, lines
    )
    try:
        path = await asyncio.to_thread(_write_somewhere, path, report_page(shown))
    except OSError as error:
        raise TutorError(
            "HOME",
            f"The report cannot be written to {path}: {error.strerror or error}. "
            + remedy(
                error,
                "Make that folder writable, or set another one with the setting tutor.home.",
            ),
        ) from error
    await services.frontend.open(path, 1, take_focus=False)
    return ReportPage(str(path))


def _line(sighting: Mapping[str, Any]) -> str:
    """The learner's line in which a misconception was seen; "" where that was not kept."""
    lines = str(sighting["data"].get("quote") or "").strip().split("\n")
    return clip(lines[0].strip(), LINE)


def _since(path: Path, now: str) -> str | None:
    """What the learner saw last, as the page that is there tells."""
    try:
        return last_seen(path.read_text(encoding="utf-8"), now)
    except (OSError, UnicodeDecodeError):
        return None


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
