"""The progress report: where the learner stands, what is due, what was done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.learner.spacing import is_due, read_time
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.library.remedial import Remedial, about
from tutor_lsp.tutor.learner.pages import graph, timeline
from tutor_lsp.tutor.learner.pages.markup import esc, page, section, table

TITLE = "Learning report"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page is made of; records, texts on misconceptions and advice are by language.

    `sessions` are the newest first.
    """

    curriculum: Curriculum
    languages: Sequence[str]
    records: Mapping[str, Mapping[str, NodeRecord]]
    sessions: Sequence[Session]
    events: Sequence[Mapping[str, Any]]
    texts: Mapping[str, Mapping[str, Remedial]]
    advice: Mapping[str, Sequence[tuple[str, str]]]
    now: str


def report_page(shown: Shown) -> str:
    """The page as text."""
    standings = {
        language: graph.standings(
            shown.curriculum,
            language,
            shown.records.get(language, {}),
            shown.now,
            {session.node for session in shown.sessions if session.language == language},
        )
        for language in shown.languages
    }
    parts = [
        ("overview", "At a glance", _overview(shown, standings)),
        ("due", "Due for review", _due(shown)),
        ("weak", "To watch for", _weak(shown)),
        *(
            (f"topics-{language}", f"Topics: {language}", _topics(language, standings[language]))
            for language in shown.languages
        ),
        ("timeline", "Attempts and hints", _timeline(shown)),
        ("sessions", "Exercises", _sessions(shown)),
    ]
    content = "".join(section(f"part-{name}", title, text) for name, title, text in parts)
    links = [(f"part-{name}", title) for name, title, _ in parts]
    footer = f"Made on {timeline.moment(shown.now)} UTC from the record on this machine."
    return page(TITLE, links, content, footer)


def _overview(shown: Shown, standings: Mapping[str, Sequence[graph.Standing]]) -> str:
    entries = []
    for language, found in standings.items():
        done = sum(standing.kind == "done" for standing in found)
        entries.append((language, f"{done} of {len(found)} topics passed or known"))
    steps = timeline.steps(shown.events)
    attempts = sum(step.mark in "■□" for step in steps)
    hints = sum(step.mark in "①②③ⓗ" for step in steps)
    entries.append(("Exercises", f"{sum(s.passed for s in shown.sessions)} passed, "
                    f"{len(shown.sessions)} begun"))  # fmt: skip
    entries.append(("Attempts and hints", f"{attempts} attempts, {hints} hints"))
    listed = "".join(f"<dt>{esc(name)}</dt><dd>{esc(said)}</dd>" for name, said in entries)
    onward = table(
        "What to do next",
        ("Topic", "Language", "Why"),
        [
            (title, language, reason)
            for language in shown.languages
            for title, reason in shown.advice.get(language, ())
        ],
    )
    return f"<dl>{listed}</dl>{onward}"


def _topics(language: str, found: Sequence[graph.Standing]) -> str:
    key = (
        "<p>Each box is a topic, with lines from what it builds on. Thick and filled: passed or "
        "known. Plain: begun. Dashed: not begun. ●●○ is a mastery of 2 of 3, ↻ is due for "
        "review, ✓ is marked as known.</p>"
    )
    return key + graph.graph(language, found)


def _all_records(shown: Shown) -> list[NodeRecord]:
    return [
        record
        for language in shown.languages
        for record in shown.records.get(language, {}).values()
    ]


def _title(shown: Shown, record: NodeRecord) -> str:
    if record.own is not None:
        return record.own.title
    node = shown.curriculum.node(record.node)
    return node.title if node is not None else record.node


def _due(shown: Shown) -> str:
    cards = [(record.card, record) for record in _all_records(shown) if record.card is not None]
    rows = [
        (
            _title(shown, record),
            record.language,
            "now" if is_due(card, shown.now) else _when(card.due, shown.now),
            timeline.day(card.last_review),
            card.reviews,
        )
        for card, record in sorted(cards, key=lambda pair: pair[0].due)
    ]
    head = ("Topic", "Language", "Due", "Last time", "Times so far")
    return table("Topics with a review ahead, the next one first", head, rows)


def _when(due: str, now: str) -> str:
    later, moment = read_time(due), read_time(now)
    if later is None or moment is None:
        return due[:10]
    days = max((later - moment).days, 0)
    words = "within a day" if days == 0 else "in 1 day" if days == 1 else f"in {days} days"
    return f"{words} ({timeline.day(due)})"


def _weak(shown: Shown) -> str:
    found = [
        (kept.count, about(tag, shown.texts.get(record.language, {})).title, record, kept)
        for record in _all_records(shown)
        for tag, kept in record.tags.items()
        if kept.count
    ]
    rows = [
        (
            title,
            _title(shown, record),
            count,
            _what_follows(count),
            f"{kept.clean_passes} of {mastery.CLEAN_PASSES}",
        )
        for count, title, record, kept in sorted(found, key=lambda item: (-item[0], item[1]))
    ]
    head = ("What", "Topic", "Seen", "What follows", "Passes without it")
    return table("Things that came up in reviews and hints", head, rows)


def _what_follows(count: int) -> str:
    if count >= mastery.MORE_SCAFFOLD_AT:
        return "the next lesson takes it up and gives more to build on"
    if count >= mastery.REMEDIAL_AT:
        return "the next lesson takes it up"
    return "nothing, unless it comes up again"


def _timeline(shown: Shown) -> str:
    return timeline.timeline(timeline.steps(shown.events), shown.sessions)


def _state(session: Session) -> str:
    if session.passed:
        return "passed with help" if mastery.help_taken(session) else "passed"
    return "ended" if session.ended_at else "going on"


def _sessions(shown: Shown) -> str:
    rows = [
        (
            session.title,
            session.language,
            timeline.day(session.created_at),
            session.attempt_count,
            f"up to level {session.hint_level_used}" if session.hints else "none",
            _state(session),
        )
        for session in shown.sessions
    ]
    head = ("Exercise", "Language", "Begun", "Attempts", "Hints", "State")
    return table("All exercises, the newest first", head, rows)
