"""The rows of every list to choose from: the one place."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.standing import Progress
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.text.clock import local_minute
from tutor_lsp.languages.registry import name_of
from tutor_lsp.tutor.interface.choices import Choice
from tutor_lsp.tutor.interface.learner import CurriculumInfo, GoingOn, ListedSession, NodeInfo
from tutor_lsp.tutor.interface.units import UnitInfo
from tutor_lsp.tutor.voice.exercises import attempts, progress
from tutor_lsp.tutor.voice.phrases import NOTHING_HERE
from tutor_lsp.tutor.voice.record import minutes, node_detail
from tutor_lsp.tutor.voice.units import MARKS
from tutor_lsp.tutor.voice.voice import Voice, joined

PER_LANGUAGE = 2
"""Topics that are shown of each language, beside the recommended one."""
CHOICES = "tutor.choices"


def start(
    voice: Voice,
    curriculum: CurriculumInfo,
    begun: GoingOn,
    languages: Sequence[str],
    *,
    broken: Collection[str] = (),
    every: bool = False,
) -> tuple[Choice, ...]:
    """One recommended row, in the first of `languages`: to continue what is begun there, else its
    best topic. Then everything else that is begun, topics by language, browsing, one's own topic.

    `broken` are languages that cannot run here; `every` shows all recommended topics.
    """
    going_on = list(begun.shown)
    best = {
        name: [
            each
            for each in curriculum.recommended.get(name, ())
            if (name, each.node) not in begun.topics
        ]
        for name in languages
    }
    likely = languages[0]
    last = next((session for session in going_on if session.language == likely), None)
    first: tuple[Choice, ...] = ()
    if last is not None:
        first = (_continue(voice, last, voice.t("Recommended")),)
        going_on.remove(last)
    elif best[likely]:
        first = (_recommended(voice, curriculum, likely, best[likely].pop(0)),)
    most = None if every else PER_LANGUAGE
    return (
        *first,
        *(_continue(voice, session, voice.t("Continue")) for session in going_on),
        *(
            _of_language(voice, curriculum, name, advice, works=name not in broken)
            for name in languages
            for advice in best[name][:most]
        ),
        *_more(voice, curriculum, begun.sessions),
    )


def _continue(voice: Voice, session: ListedSession, group: str) -> Choice:
    return Choice(
        "session",
        voice.t("Continue: {title}", title=session.title),
        joined(name_of(session.language), progress(voice, session),
               local_minute(session.updated_at), session.folder),
        group,
        "tutor.resume",
        {"session": session.id},
        session.language,
    )  # fmt: skip


def onward(voice: Voice, session: str, title: str, words: str) -> Choice:
    """A session to continue, in so few words that a status bar shows them."""
    label = (
        voice.t("Continue: {title}, {progress}", title=title, progress=words)
        if words
        else voice.t("Continue: {title}", title=title)
    )
    return Choice("session", label, "", voice.t("Continue"), "tutor.resume", {"session": session})


def due(voice: Voice, count: int) -> str:
    """How many topics are due for review; empty for none."""
    if not count:
        return ""
    return voice.n("{count} topic is due for review", "{count} topics are due for review", count)


def _recommended(voice: Voice, curriculum: CurriculumInfo, language: str, advice: Advice) -> Choice:
    row = _of_language(voice, curriculum, language, advice)
    label = voice.t("{language}: {title}", language=name_of(language), title=advice.title)
    return replace(row, label=label, group=voice.t("Recommended"))


def _of_language(
    voice: Voice, curriculum: CurriculumInfo, language: str, advice: Advice, *, works: bool = True
) -> Choice:
    node = next((each for each in curriculum.nodes if each.id == advice.node), None)
    exercise = node.exercises[0].title if node is not None and node.exercises else ""
    return Choice(
        "topic",
        advice.title,
        joined(
            "" if works else voice.t("cannot run here yet"),
            minutes(voice, node.minutes if node is not None else None),
            node.depth if node is not None else "",
            f"“{exercise}”" if exercise else "",
            advice.reason,
        ),
        name_of(language),
        "tutor.start",
        {"language": language, "node": advice.node},
        language,
    )


def _more(voice: Voice, curriculum: CurriculumInfo, sessions: int) -> Iterable[Choice]:
    group = voice.t("More")
    languages = curriculum.languages
    only = {"language": languages[0]} if len(languages) == 1 else {}
    count = voice.n("{count} topic", "{count} topics", len(curriculum.nodes))
    yield Choice(
        "list", voice.t("Browse all topics"), count, group, CHOICES, {"list": "topics", **only}
    )
    if sessions:
        count = voice.n("{count} session", "{count} sessions", sessions)
        row = {"list": "sessions"}
        yield Choice("list", voice.t("All your sessions"), count, group, CHOICES, row)
    title = voice.t("Your own topic")
    if only:
        yield _ask_topic(voice, title, group, languages[0])
    else:
        detail = voice.t("in your own words; a model writes the exercise")
        yield Choice("list", title, detail, group, CHOICES, {"list": "own"})


def own(voice: Voice, languages: Sequence[str]) -> tuple[Choice, ...]:
    """The languages for a topic in the learner's own words."""
    group = voice.t("Your own topic")
    return tuple(_ask_topic(voice, name_of(each), group, each) for each in languages)


def _ask_topic(voice: Voice, label: str, group: str, language: str) -> Choice:
    detail = voice.t("What would you like to learn? (in a few words)")
    return Choice("ask", label, detail, group, "tutor.start", {"language": language, "topic": ""})


def topics(
    voice: Voice, curriculum: CurriculumInfo, language: str | None, *, every: bool = False
) -> tuple[Choice, ...]:
    """The topics of a language by track: those that open now, with `every` all of them. Where the
    language is open, the languages."""
    if language is None and len(curriculum.languages) > 1:
        return tuple(_language(voice, curriculum, each) for each in curriculum.languages)
    name = language or curriculum.languages[0]
    nodes = {node.id: node for node in curriculum.nodes if node.language == name}
    titles = {node.id: node.title for node in curriculum.nodes}
    tracks = [track for track in curriculum.tracks if track.language == name]
    grouped = [(track.title, [id_ for id_ in track.nodes if id_ in nodes]) for track in tracks]
    grouped.append((voice.t("Other topics"), list(nodes)))
    rows: list[Choice] = []
    seen: set[str] = set()
    for title, ids in grouped:
        for id_ in ids:
            if id_ not in seen and (every or nodes[id_].openable):
                seen.add(id_)
                rows.append(_topic(voice, nodes[id_], titles, title))
    hidden = len(nodes) - len(seen)
    if hidden:
        label = voice.n("{count} more with a model", "{count} more with a model", hidden)
        detail = voice.t("written for you, and proven before you see them")
        argument = {"list": "topics", "language": name, "all": True}
        rows.append(Choice("list", label, detail, voice.t("With a model"), CHOICES, argument))
    return tuple(rows)


def _language(voice: Voice, curriculum: CurriculumInfo, language: str) -> Choice:
    nodes = [node for node in curriculum.nodes if node.language == language]
    now = sum(node.openable for node in nodes)
    detail = joined(
        voice.n("{count} topic opens now", "{count} topics open now", now),
        voice.n("{count} more with a model", "{count} more with a model", len(nodes) - now)
        if len(nodes) > now
        else "",
    )
    argument = {"list": "topics", "language": language}
    return Choice("language", name_of(language), detail, voice.t("Languages"), CHOICES, argument)


def _topic(voice: Voice, node: NodeInfo, titles: dict[str, str], group: str) -> Choice:
    marks = "●" * node.mastery + "○" * (3 - node.mastery)
    argument: dict[str, Any] = {"language": node.language, "node": node.id}
    if node.standing == Progress.BEGUN:
        argument["resume"] = True
    detail = node_detail(voice, node, titles)
    return Choice("topic", f"{marks} {node.title}", detail, group, "tutor.start", argument)


def sessions(voice: Voice, found: Sequence[ListedSession], *, older: int = 0) -> tuple[Choice, ...]:
    """Sessions, newest first, and a row for the `older` ones that are left out. One whose folder is
    gone is marked; its row starts the exercise again."""
    group = voice.t("Sessions")
    shown = tuple(_session(voice, each, group) for each in found)
    if not older:
        return shown
    label = voice.n("{count} older session", "{count} older sessions", older)
    all_ = {"list": "sessions", "all": True}
    return (*shown, Choice("list", label, voice.t("list all of them"), group, CHOICES, all_))


def _session(voice: Voice, session: ListedSession, group: str) -> Choice:
    gone = voice.t("its folder is gone: start it again") if session.missing else ""
    detail = joined(
        name_of(session.language),
        gone or progress(voice, session),
        local_minute(session.updated_at),
        attempts(voice, session.attempts),
        voice.t("ended") if session.ended_at is not None and not session.passed else "",
        voice.t("in use") if session.active else "",
        session.folder,
    )
    if session.missing:
        argument = {"language": session.language, "node": session.node}
        return Choice("session", session.title, detail, group, "tutor.start", argument)
    return Choice("session", session.title, detail, group, "tutor.resume", {"session": session.id})


def units(voice: Voice, title: str, session: str, found: Sequence[UnitInfo]) -> tuple[Choice, ...]:
    """The units of an exercise with their states; a row opens the stub."""
    return tuple(
        Choice(
            "unit",
            f"{MARKS[UnitState(unit.state)]} {unit.id} {unit.stub}",
            joined(
                unit.words,
                voice.t("you are here") if unit.focus else "",
                unit.first_principle,
                f"{unit.file}:{unit.line}",
                voice.t("hint {level}", level=unit.hint_level) if unit.hint_level else "",
            ),
            title,
            "tutor.open",
            {"session": session, "unit": unit.id, "target": "stub"},
        )
        for unit in found
    )


def _line(row: Choice) -> str:
    # A learner who sees only messages needs the id to resume a session.
    id_ = f"{row.argument['session'][:8]} " if row.command == "tutor.resume" else ""
    return f"{id_}{row.label}" + (f" ({row.detail})" if row.detail else "")


def message(voice: Voice, rows: Sequence[Choice], most: int = 5) -> str:
    """The first rows as lines, for clients that show only messages."""
    lines = [_line(row) for row in rows[:most]]
    if len(rows) > most:
        lines.append(voice.t("… and {count} more", count=len(rows) - most))
    return "\n".join(lines) or voice.ours(NOTHING_HERE)
