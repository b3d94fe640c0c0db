"""The learner's own topics, which are treated like nodes of the curriculum."""

from collections.abc import Mapping

from tutor_lsp.core.learner.curriculum import Curriculum, Node, Track
from tutor_lsp.core.session import NodeRecord
from tutor_lsp.core.text.translation import t

TRACK = "own-topics"
"""Prefix of the id of a language's track of own topics."""
MINUTES = 25
"""Expected minutes of an exercise on an own topic if nothing is known."""


def with_own_topics(curriculum: Curriculum, records: Mapping[str, NodeRecord]) -> Curriculum:
    """The curriculum with the learner's own topics, each language's in a track at the end."""
    there = {(node.language, node.id) for node in curriculum.nodes}
    nodes = [
        Node(
            id=record.node,
            title=record.own.title,
            summary=record.own.text,
            language=record.language,
            depth=record.own.depth,
            minutes=MINUTES,
        )
        for record in records.values()
        if record.own is not None and (record.language, record.node) not in there
    ]
    if not nodes:
        return curriculum
    tracks = [
        Track(
            f"{TRACK}-{language}",
            t("Your own topics"),
            language,
            tuple(node.id for node in nodes if node.language == language),
        )
        for language in dict.fromkeys(node.language for node in nodes)
    ]
    return Curriculum((*curriculum.nodes, *nodes), (*curriculum.tracks, *tracks))
