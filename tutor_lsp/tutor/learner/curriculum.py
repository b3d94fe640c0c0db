"""`tutor.curriculum` and `tutor.claim`."""

from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.standing import topic_words
from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.core.learner.own_topics import with_own_topics
from tutor_lsp.core.learner.spacing import is_due
from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import Event, NodeRecord
from tutor_lsp.core.wire import to_wire
from tutor_lsp.tutor.learner.advice import languages_to_offer, recommendations

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import ClaimArguments, CurriculumArguments


async def curriculum(app: "App", arguments: "CurriculumArguments") -> dict[str, Any]:
    """Languages, tracks, nodes, and what to do next per language.

    Lists show what can open now: `openable`; `withModel` counts the rest of each language.
    Languages that cannot run here come last, in all of them.
    """
    if arguments.language is not None:
        app.toolchain(arguments.language)
        languages = [arguments.language]
    else:
        languages = await languages_to_offer(app)
    records, sessions = await app.db(
        lambda tx: ({name: tx.nodes(name) for name in languages}, tx.sessions())
    )
    begun = {(session.language, session.node) for session in sessions}
    known = app.curriculum
    for name in languages:
        known = with_own_topics(known, records[name])
    nodes = [
        await _node(app, node, records[name], begun=(name, node.id) in begun)
        for name in languages
        for node in known.of(name)
    ]
    return {
        "languages": languages,
        "tracks": [
            {
                "id": track.id,
                "title": track.title,
                "language": track.language,
                "nodes": list(track.nodes),
            }
            for language in languages
            for track in known.tracks
            if track.language == language
        ],
        "nodes": nodes,
        "recommended": {
            language: to_wire(await recommendations(app, language)) for language in languages
        },
        "withModel": {
            language: sum(n["language"] == language and not n["openable"] for n in nodes)
            for language in languages
        },
    }


async def _node(
    app: "App", node: Node, records: dict[str, NodeRecord], *, begun: bool
) -> dict[str, Any]:
    entries = app.library.find(node.id)
    record = records.get(node.id, NodeRecord(node.id, node.language))
    servable = await app.servable(node.language)
    return {
        "id": node.id,
        "title": node.title,
        "summary": node.summary,
        "language": node.language,
        "depth": node.depth,
        "mastery": record.mastery,
        "passed": mastery.passed_own_depth(node, record),
        "standing": topic_words(record, begun=begun),
        "claimed": record.claimed,
        "prerequisites": list(node.prerequisites),
        "missingPrerequisites": [
            other.id for other in mastery.missing_prerequisites(node, app.curriculum, records)
        ],
        "offline": bool(entries),
        "openable": servable is None or node.id in servable,
        "due": is_due(record.card, app.now()),
        "dueAt": record.card.due if record.card is not None else None,
        "own": record.own is not None,
        "misconceptions": {tag: kept.count for tag, kept in record.tags.items() if kept.count},
        "minutes": (entries[0].minutes if entries else None) or node.minutes,
        "keywords": list(node.keywords),
        "errorCodes": list(node.error_codes),
        "exercises": [
            {"id": entry.id, "title": entry.title, "depth": entry.depth, "minutes": entry.minutes}
            for entry in entries
        ],
    }


async def claim(app: "App", arguments: "ClaimArguments") -> dict[str, Any]:
    """Mark a node as known, or take that back."""
    records = await app.db(lambda tx: tx.nodes())
    node = with_own_topics(app.curriculum, records).node(arguments.node)
    if node is None:
        raise TutorError(
            "NO_NODE", f"There is no topic {arguments.node}. tutor.curriculum lists all."
        )
    at = app.now()

    def work(tx: Transaction) -> tuple[dict[str, NodeRecord], bool]:
        record = tx.node(node.language, node.id)
        tx.put_node(mastery.claim(record, arguments.known, at))
        tx.log(Event("claim", {"node": node.id, "known": arguments.known}))
        sessions = tx.sessions()
        return tx.nodes(node.language), any(
            (each.language, each.node) == (node.language, node.id) for each in sessions
        )

    after, begun = await app.db(work)
    return await _node(app, node, after, begun=begun)
