"""`tutor.curriculum` and `tutor.claim`."""

from difflib import get_close_matches

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.standing import topic_words
from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.core.learner.own_topics import with_own_topics
from tutor_lsp.core.learner.spacing import is_due
from tutor_lsp.core.session import Event, NodeRecord
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.practises import named
from tutor_lsp.library.loader import is_bundled
from tutor_lsp.store.transaction import Transaction
from tutor_lsp.tutor.interface.arguments import ClaimArguments, CurriculumArguments
from tutor_lsp.tutor.interface.learner import (
    BundledExercise,
    CurriculumInfo,
    LibraryInfo,
    NodeInfo,
    TrackInfo,
)
from tutor_lsp.tutor.learner.advice import languages_to_offer, recommendations
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import filled_from


async def curriculum(
    services: Services, arguments: CurriculumArguments, *, brief: bool = False
) -> CurriculumInfo:
    """Languages, tracks, nodes, and what to do next per language.

    With `brief`, only the first exercise of each node is read: the one that a start opens.
    Lists show what can open now: `openable`; `withModel` counts the rest of each language.
    Languages that cannot run here come last, in all of them.
    """
    if arguments.language is not None:
        services.toolchain(arguments.language)
        languages = [arguments.language]
    else:
        languages = await languages_to_offer(services)
    records, begun = await services.db(
        lambda tx: ({name: tx.nodes(name) for name in languages}, tx.begun())
    )
    known = services.curriculum
    most = 1 if brief else None
    for name in languages:
        known = with_own_topics(known, records[name])
    nodes = tuple(
        [
            await _node(services, node, records[name], begun=(name, node.id) in begun, most=most)
            for name in languages
            for node in known.of(name)
        ]
    )
    return CurriculumInfo(
        languages=tuple(languages),
        tracks=tuple(
            filled_from(TrackInfo, track)
            for language in languages
            for track in known.tracks
            if track.language == language
        ),
        nodes=nodes,
        recommended={language: await recommendations(services, language) for language in languages},
        with_model={
            language: sum(n.language == language and not n.openable for n in nodes)
            for language in languages
        },
        libraries=tuple(filled_from(LibraryInfo, each) for each in services.library.own),
    )


async def _node(
    services: Services,
    node: Node,
    records: dict[str, NodeRecord],
    *,
    begun: bool,
    most: int | None = None,
) -> NodeInfo:
    entries = services.library.find(node.id, most)
    record = records.get(node.id, NodeRecord(node.id, node.language))
    servable = await services.servable(node.language)
    missing = mastery.missing_prerequisites(node, services.curriculum, records)
    return filled_from(
        NodeInfo,
        node,
        mastery=record.mastery,
        passed=mastery.passed_own_depth(node, record),
        standing=topic_words(record, begun=begun),
        claimed=record.claimed,
        missing_prerequisites=tuple(other.id for other in missing),
        offline=bool(entries),
        openable=servable is None or node.id in servable,
        due=is_due(record.card, services.now()),
        due_at=record.card.due if record.card is not None else None,
        own=record.own is not None,
        unpractised=tuple(named(node.language, mastery.unpractised(record))),
        misconceptions={tag: kept.count for tag, kept in record.tags.items() if kept.count},
        minutes=(entries[0].minutes if entries else None) or node.minutes,
        exercises=tuple(
            filled_from(BundledExercise, entry, folder="" if is_bundled(entry) else str(entry.path))
            for entry in entries
        ),
    )


def guessed_topic(curriculum: Curriculum, node_id: str) -> tuple[str | None, str]:
    """The topic whose id is most like one that does not exist, and the question whether that is
    meant; None and "" if none is like it."""
    known = [each.id for each in curriculum.nodes]
    near = next(iter(get_close_matches(node_id, known, n=1)), None)
    return near, t(f" Did you mean {near}?") if near is not None else ""


async def claim(services: Services, arguments: ClaimArguments) -> NodeInfo:
    """Mark a node as known, or undo that."""
    records = await services.db(lambda tx: tx.nodes())
    node = with_own_topics(services.curriculum, records).node(arguments.node)
    if node is None:
        near, meant = guessed_topic(services.curriculum, arguments.node)
        raise TutorError(
            "NO_NODE",
            f"There is no topic {arguments.node}.{meant} tutor.curriculum lists them all.",
            details={"nearest": near},
        )
    at = services.now()

    def work(tx: Transaction) -> tuple[dict[str, NodeRecord], bool]:
        record = tx.node(node.language, node.id)
        tx.put_node(mastery.claim(record, arguments.known, at))
        tx.log(Event("claim", {"node": node.id, "known": arguments.known}))
        return tx.nodes(node.language), (node.language, node.id) in tx.begun()

    after, begun = await services.db(work)
    return await _node(services, node, after, begun=begun)
