"""The learning report put together: the topic map first, then what is new, due and next."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tutor_lsp.core.exercise.standing import passed_of
from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.session import MemoryCard, NodeRecord, Session
from tutor_lsp.core.text.clock import local_day, local_minute
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.languages.practises import named
from tutor_lsp.languages.registry import name_of
from tutor_lsp.library.remedial import Remedial, about
from tutor_lsp.tutor.interface.choices import Choice
from tutor_lsp.tutor.learner.pages import due, graph, news, timeline, trend
from tutor_lsp.tutor.learner.pages.markup import bar, esc, folded, page, paragraph, section, table

TITLE = marked("Learning report")


@dataclass(frozen=True, slots=True)
class ReportData:
    """What the page is made of; records and texts on misconceptions are by language.

    `sessions` are the newest first, `onward` the rows of the first list to choose from.
    """

    curriculum: Curriculum
    languages: Sequence[str]
    records: Mapping[str, Mapping[str, NodeRecord]]
    sessions: Sequence[Session]
    events: Sequence[Mapping[str, Any]]
    texts: Mapping[str, Mapping[str, Remedial]]
    onward: Sequence[Choice]
    now: str
    since: str | None = None
    """When the learner last saw a report; None if this is the first."""
    lines: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Where a misconception was seen last, by node and tag: the learner's own line."""


def report_page(shown: ReportData) -> str:
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
    steps = timeline.steps(shown.events)
    titles = {node.id: node.title for node in shown.curriculum.nodes}
    happened = news.news(shown.sessions, _all_records(shown), titles, steps, shown.since)
    parts = [
        ("map", t("Topic map"), _map(shown, standings)),
        ("news", t("New since last time"), happened),
        ("due", t("Reviews"), due.reviews(_cards(shown), shown.now)),
        ("next", t("What to do next"), _next(shown)),
        ("trend", t("Your weeks"), trend.trend(steps, shown.now)),
        ("weak", t("To watch for"), _weak(shown)),
        ("timeline", t("Attempts and hints"), timeline.timeline(steps, shown.sessions)),
        ("sessions", t("Exercises"), _sessions(shown)),
    ]
    content = "".join(section(f"part-{name}", title, text) for name, title, text in parts)
    links = [(f"part-{name}", title) for name, title, _ in parts]
    footer = t(f"Made on {local_minute(shown.now)} from the record on this machine.")
    return page(t(TITLE), news.notes(shown.now, shown.since), links, content, footer)


def _map(shown: ReportData, standings: Mapping[str, Sequence[graph.TopicState]]) -> str:
    """The languages with something begun come first and are open; the others wait below."""
    begun = [name for name, found in standings.items() if _begun(found)]
    boxes = t(
        "Each box is a topic, with lines from what it builds on. Thick and filled: passed or "
        "known. Plain: begun. Dashed: not begun. ↻ is due for review, ✓ is marked as known."
    )
    key = f'<div class="wide">{paragraph(boxes)}</div>'
    key += paragraph(t("●●○ is a mastery of 2 of 3."))
    empty = paragraph(t("Nothing is begun yet. Start any exercise, and its topic is marked here."))
    parts = [f"<h3>{esc(name_of(name))}</h3>{_language(name, standings[name])}" for name in begun]
    parts += [
        folded(_untouched(name, len(found)), graph.graph(name, found))
        for name, found in standings.items()
        if name not in begun
    ]
    return (key if begun else empty) + "".join(parts)


def _topics(found: Sequence[graph.TopicState]) -> str:
    return n("{count} topic", "{count} topics", len(found))


def _begun(found: Sequence[graph.TopicState]) -> bool:
    return any(standing.kind != "box" for standing in found)


def _untouched(name: str, topics: int) -> str:
    return n(
        "{language}: {count} topic, not begun",
        "{language}: {count} topics, none begun",
        topics,
        language=name_of(name),
    )


def _language(name: str, found: Sequence[graph.TopicState]) -> str:
    done = sum(standing.kind == "done" for standing in found)
    told = n(
        "{done} of {count} topic passed or known",
        "{done} of {count} topics passed or known",
        len(found),
        done=done,
    )
    return paragraph(told) + bar(done, len(found)) + graph.graph(name, found)


def _next(shown: ReportData) -> str:
    """The exercises to continue and the topics to begin, in the order of the list."""
    rows = [row for row in shown.onward if row.kind in ("session", "topic")]
    groups = groupby(rows, lambda row: row.group)
    return "".join(_group(name, list(found)) for name, found in groups) or paragraph(
        t("All topics that can be recommended are passed. Topics of your own go on from here.")
    )


def _group(name: str, rows: Sequence[Choice]) -> str:
    listed = "".join(f"<li><b>{esc(row.label)}</b>: {esc(row.detail)}</li>" for row in rows)
    return f"<h3>{esc(name)}</h3><ul>{listed}</ul>"


def _cards(shown: ReportData) -> list[tuple[str, str, MemoryCard]]:
    return [
        (_title(shown, record), record.language, record.card)
        for record in _all_records(shown)
        if record.card is not None
    ]


def _all_records(shown: ReportData) -> list[NodeRecord]:
    return [
        record
        for language in shown.languages
        for record in shown.records.get(language, {}).values()
    ]


def _title(shown: ReportData, record: NodeRecord) -> str:
    if record.own is not None:
        return record.own.title
    node = shown.curriculum.node(record.node)
    return node.title if node is not None else record.node


def _weak(shown: ReportData) -> str:
    found = [
        (kept.count, about(tag, shown.texts.get(record.language, {})).title, tag, record, kept)
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
            passed_of(kept.clean_passes, mastery.CLEAN_PASSES),
            shown.lines.get((record.node, tag), ""),
        )
        for count, title, tag, record, kept in sorted(found, key=lambda item: (-item[0], item[1]))
    ]
    head = (t("What"), t("Topic"), t("Seen"), t("What follows"), t("Passes without it"),
            t("Your line"))  # fmt: skip
    told = table(t("Things that came up in reviews and hints"), head, rows)
    told += "".join(_unpractised(shown))
    return told or paragraph(
        t("Nothing so far: what comes up in reviews more than once is listed here.")
    )


def _unpractised(shown: ReportData) -> Iterator[str]:
    """What passed exercises were about and the learner's code did without."""
    for record in _all_records(shown):
        names = ", ".join(named(record.language, mastery.unpractised(record)))
        if names:
            title, names = _title(shown, record), names.replace("`", "")
            yield paragraph(t(f"{title}: passed, and so far without {names}."))


def _what_follows(count: int) -> str:
    if count >= mastery.MORE_SCAFFOLD_AT:
        return t("the next lesson takes it up and gives more to build on")
    if count >= mastery.REMEDIAL_AT:
        return t("the next lesson takes it up")
    return t("nothing, unless it comes up again")


def _state(session: Session) -> str:
    if session.passed:
        return t("passed with help") if mastery.help_taken(session) else t("passed")
    return t("ended") if session.ended_at else t("going on")


def _sessions(shown: ReportData) -> str:
    rows = [
        (
            session.title,
            name_of(session.language),
            local_day(session.created_at),
            session.attempt_count,
            t(f"up to level {session.hint_level_used}") if session.hints else t("none"),
            _state(session),
        )
        for session in shown.sessions
    ]
    head = (t("Exercise"), t("Language"), t("Begun"), t("Attempts"), t("Hints"), t("State"))
    return table(t("All exercises, the newest first"), head, rows) or paragraph(
        t("No exercises yet. Each one that you start is listed here.")
    )
