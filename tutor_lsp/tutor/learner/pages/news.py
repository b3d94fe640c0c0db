"""What happened since the learner last looked at the report."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from tutor_lsp.core.exercise.standing import passed_of
from tutor_lsp.core.learner.mastery import HIGHEST
from tutor_lsp.core.learner.spacing import read_time
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.core.text.clock import local_minute
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.tutor.learner.pages.markup import esc, meta, paragraph
from tutor_lsp.tutor.learner.pages.timeline import Kind, Step

MADE, SINCE = "tutor-made", "tutor-since"
"""Names of the page's own notes: when it was made, and since when its news are."""
SAME_VISIT = timedelta(hours=6)
"""A page that is made again within this time tells the same news."""
NAMED = 6
"""Most titles that are named in a line."""


def notes(now: str, since: str | None) -> str:
    """The page's notes for the next one."""
    return meta(MADE, now) + (meta(SINCE, since) if since is not None else "")


def last_seen(page: str, now: str) -> str | None:
    """When the learner last saw a report, from the page that was made then; None if it is the
    first one, or the page is not ours.
    """
    found = {
        name: match[1]
        for name in (MADE, SINCE)
        if (match := re.search(rf'<meta name="{name}" content="([^"]*)">', page[:20_000]))
    }
    made, moment = read_time(found.get(MADE, "")), read_time(now)
    if made is None or moment is None or made > moment:
        return None
    return found.get(SINCE) if moment - made < SAME_VISIT else found[MADE]


def news(
    sessions: Sequence[Session],
    records: Iterable[NodeRecord],
    titles: Mapping[str, str],
    steps: Sequence[Step],
    since: str | None,
) -> str:
    """What is new, as a list; a sentence where nothing is. `titles` are those of topics."""
    passed = {step.session for step in steps if step.kind is Kind.PASSED and _new(step.at, since)}
    earlier = {
        step.session for step in steps if step.kind is Kind.PASSED and not _new(step.at, since)
    }
    firsts = [session.title for session in sessions if session.id in passed - earlier]
    begun = [
        session.title
        for session in sessions
        if _new(session.created_at, since) and session.id not in passed
    ]
    grown = [
        f"{titles.get(record.node, record.node)} ({before} → {passed_of(record.mastery, HIGHEST)})"
        for record in records
        if (before := _before(record, since)) < record.mastery
    ]
    attempts = sum(_new(step.at, since) for step in steps if step.kind.is_attempt)
    hints = sum(_new(step.at, since) for step in steps if step.kind is Kind.HINT)
    rows = [
        _row(t("Passed"), firsts),
        _row(t("Mastery grew"), grown),
        _row(t("Begun"), begun),
        _counted(attempts, hints) if attempts or hints else "",
    ]
    listed = "".join(f"<li>{esc(row)}</li>" for row in rows if row)
    if since is None:
        told = t("This is your first report. The next one begins with what is new by then.")
        return paragraph(told) + (f"<ul>{listed}</ul>" if listed else "")
    when = local_minute(since)
    if not listed:
        return paragraph(
            t(f"Nothing yet since {when}: pass or try an exercise, and it appears here.")
        )
    return paragraph(t(f"What you did since {when}:")) + f"<ul>{listed}</ul>"


def _counted(attempts: int, hints: int) -> str:
    """`1 attempt, 2 hints.`"""
    tried = n("{count} attempt", "{count} attempts", attempts)
    return f"{tried}, {n('{count} hint', '{count} hints', hints)}."


def _row(name: str, titles: Sequence[str]) -> str:
    if not titles:
        return ""
    left = len(titles) - NAMED
    more = n(" and {count} more", " and {count} more", left) if left > 0 else ""
    return f"{name}: {', '.join(titles[:NAMED])}{more}."


def _new(at: str, since: str | None) -> bool:
    moment, start = read_time(at), read_time(since or "")
    return start is None or (moment is not None and moment > start)


def _before(record: NodeRecord, since: str | None) -> int:
    """A topic's mastery then."""
    changes = [change for change in record.history if _new(change.at, since)]
    return changes[0].before if changes else record.mastery
