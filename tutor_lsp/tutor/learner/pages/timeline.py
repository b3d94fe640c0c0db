"""Attempts and hints in the order in which they happened."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.learner.spacing import read_time
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.learner.pages.markup import esc, picture, scrolled, table

SHOWN = ("attempt", "hint", "reveal")
"""Kinds of events that are shown."""
ROWS, MARKS = 15, 40
"""Sessions in the picture, and marks of each: the newest."""
LISTED = 200
"""Lines of the table, the newest first."""
STEP, ROW, LEFT = 26, 30, 300


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened: `mark` for the picture, `words` for the table."""

    at: str
    session: str
    mark: str
    words: str


def steps(events: Iterable[Mapping[str, Any]]) -> list[Step]:
    """The attempts, hints and revealed solutions of an event log, in its order. A hint that took
    the place of another one is the same hint."""
    found = []
    for event in events:
        shown = event["kind"] in SHOWN and event["session"] is not None
        if shown and not event["data"].get("replaces"):
            mark, words = _told(event["kind"], event["data"])
            found.append(Step(str(event["at"]), str(event["session"]), mark, words))
    return found


def _told(kind: str, data: Mapping[str, Any]) -> tuple[str, str]:
    if kind == "hint":
        level = data.get("level")
        mark = {1: "①", 2: "②", 3: "③"}.get(level if isinstance(level, int) else 0, "ⓗ")
        return mark, f"hint, level {level}, for {data.get('unit', 'a unit')}"
    if kind == "reveal":
        return "◇", f"solution shown of {data.get('unit', 'a unit')}"
    passed, total = data.get("passed", 0), data.get("total", 0)
    if data.get("outcome") == "passed":
        return "■", f"attempt: all {total} tests pass"
    if data.get("outcome") == "build_error":
        return "□", "attempt: did not build"
    return "□", f"attempt: {passed} of {total} tests pass"


def timeline(found: Sequence[Step], sessions: Sequence[Session]) -> str:
    """A row of marks per session, the newest session first, and the same as a table."""
    by_session: dict[str, list[Step]] = {}
    for step in found:
        by_session.setdefault(step.session, []).append(step)
    titles = {session.id: session.title for session in sessions}
    shown = [session for session in sessions if session.id in by_session][:ROWS]
    rows = []
    for number, session in enumerate(shown):
        y = number * ROW + 22
        marks = by_session[session.id][-MARKS:]
        head = f"{day(session.created_at)}  {_short(session.title)}"
        rows.append(f'<text x="4" y="{y}">{esc(head)}</text>')
        rows += [
            f'<text x="{LEFT + n * STEP}" y="{y}">{step.mark}</text>'
            for n, step in enumerate(marks)
        ]
    most = max((len(by_session[session.id][-MARKS:]) for session in shown), default=0)
    listed = [
        (moment(step.at), titles.get(step.session, "an exercise"), step.words)
        for step in list(reversed(found))[:LISTED]
    ]
    told = table("Attempts and hints, the newest first", ("When", "Exercise", "What"), listed)
    if not shown:
        return told
    drawn = picture(
        "timeline",
        "Attempts and hints per exercise",
        f"{len(shown)} exercises, one row each, the newest first; marks from left to right as they "
        "happened. The table below says the same.",
        LEFT + most * STEP + 10,
        len(shown) * ROW + 8,
        "".join(rows),
    )
    key = (
        "<p>■ attempt, all tests pass · □ attempt, not yet · ① ② ③ hints by level · "
        "◇ solution shown</p>"
    )
    return key + scrolled("Time line of attempts and hints", drawn) + told


def day(at: str) -> str:
    """The date of a moment."""
    found = read_time(at)
    return found.strftime("%Y-%m-%d") if found is not None else at[:10]


def moment(at: str) -> str:
    """Date and time of a moment, in UTC."""
    found = read_time(at)
    return found.strftime("%Y-%m-%d %H:%M") if found is not None else at[:16]


def _short(title: str) -> str:
    return title if len(title) <= 26 else title[:25] + "…"
