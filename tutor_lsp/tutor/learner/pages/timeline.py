"""Attempts and hints in the order in which they happened."""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tutor_lsp.core.session import Session
from tutor_lsp.core.text.clock import local_day, local_minute
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.tutor.learner.pages.markup import esc, folded, paragraph, picture, scrolled, table

SHOWN = ("attempt", "hint", "reveal")
"""Kinds of events that are shown."""
ROWS, MARKS = 15, 40
"""Sessions in the picture, and marks of each: the newest."""
LISTED = 200
"""Lines of the table, the newest first."""
STEP, ROW, LEFT = 26, 30, 300


class Kind(StrEnum):
    """What an event is to the learner."""

    PASSED = "passed"
    NOT_YET = "not yet"
    HINT = "hint"
    REVEAL = "reveal"

    @property
    def is_attempt(self) -> bool:
        """Whether tests were run and counted."""
        return self in (Kind.PASSED, Kind.NOT_YET)


@dataclass(frozen=True, slots=True)
class Step:
    """One event: `mark` for the picture, `words` for the table."""

    at: str
    session: str
    kind: Kind
    mark: str
    words: str


def steps(events: Iterable[Mapping[str, Any]]) -> list[Step]:
    """The attempts, hints and revealed solutions of an event log, in its order. A hint that
    replaced another one counts as the same hint."""
    found = []
    for event in events:
        shown = event["kind"] in SHOWN and event["session"] is not None
        if shown and not event["data"].get("replaces"):
            told = _told(event["kind"], event["data"])
            found.append(Step(str(event["at"]), str(event["session"]), *told))
    return found


def _told(kind: str, data: Mapping[str, Any]) -> tuple[Kind, str, str]:
    unit = data.get("unit", t("a unit"))
    if kind == "hint":
        level = data.get("level")
        mark = {1: "①", 2: "②", 3: "③"}.get(level if isinstance(level, int) else 0, "ⓗ")
        return Kind.HINT, mark, t(f"hint, level {level}, for {unit}")
    if kind == "reveal":
        return Kind.REVEAL, "◇", t(f"solution shown of {unit}")
    passed, total = data.get("passed", 0), data.get("total", 0)
    if data.get("outcome") == "passed":
        all_pass = n("attempt: the test passes", "attempt: all {count} tests pass", total)
        return Kind.PASSED, "■", all_pass
    if data.get("outcome") == "build_error":
        return Kind.NOT_YET, "□", t("attempt: did not build")
    said = n(
        "attempt: {passed} of {count} test passes",
        "attempt: {passed} of {count} tests pass",
        total,
        passed=passed,
    )
    return Kind.NOT_YET, "□", said


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
        title = textwrap.shorten(session.title, 26, placeholder=" …")
        head = f"{local_day(session.created_at)}  {title}"
        rows.append(f'<text x="4" y="{y}">{esc(head)}</text>')
        rows += [
            f'<text x="{LEFT + at * STEP}" y="{y}">{step.mark}</text>'
            for at, step in enumerate(marks)
        ]
    most = max((len(by_session[session.id][-MARKS:]) for session in shown), default=0)
    listed = [
        (local_minute(step.at), titles.get(step.session, t("an exercise")), step.words)
        for step in list(reversed(found))[:LISTED]
    ]
    columns = (t("When"), t("Exercise"), t("What"))
    told = table(t("Attempts and hints, the newest first"), columns, listed)
    if not shown:
        return told if listed else paragraph(t("No attempts and hints yet."))
    drawn = picture(
        "timeline",
        t("Attempts and hints per exercise"),
        t(
            "One row for each exercise, the newest first; marks from left to right as they "
            "happened. The table below says the same."
        ),
        LEFT + most * STEP + 10,
        len(shown) * ROW + 8,
        "".join(rows),
    )
    key = t(
        "■ attempt, all tests pass · □ attempt, not yet · ① ② ③ hints by level · ◇ solution shown"
    )
    line = scrolled(t("Time line of attempts and hints"), drawn)
    return paragraph(key) + line + folded(t("As a table"), told)
