"""What to do next in one language, each with a one-sentence reason."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import DEPTHS, Curriculum, Node
from tutor_lsp.core.session import NodeRecord


class Kind(StrEnum):
    """Why a node is recommended, in the order in which kinds are listed."""

    REMEDIAL = "remedial"
    REVIEW = "review"
    NEW = "new"
    REPEAT = "repeat"
    EARLY = "early"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A node to do next."""

    node: str
    title: str
    reason: str
    kind: Kind


def recommend(
    curriculum: Curriculum,
    language: str,
    records: Mapping[str, NodeRecord],
    *,
    servable: Collection[str] | None = None,
    due: Collection[str] = (),
    exclude: Collection[str] = (),
) -> tuple[Recommendation, ...]:
    """Recommendations in one language, best first, each node at most once.

    First nodes with an open misconception, then those in `due`, then nodes not yet passed at
    their own depth whose prerequisites are met, lower mastery first and along the tracks, then
    nodes that were passed but count only after a repeat on one's own. Where all of that gives
    nothing, nodes whose prerequisites are missing are offered as such. A misconception at
    `mastery.MORE_SCAFFOLD_AT` holds back what depends on its node, and nothing else.

    `servable` are the ids of nodes that can be served now (None: all). Others are left out, and so
    are nodes in `exclude`.
    """
    plan = _Plan(curriculum, language, records, frozenset(due))
    found: dict[str, Recommendation] = {}

    def take(groups: Iterator[tuple[Node, Kind, str]]) -> None:
        for node, kind, reason in groups:
            can = servable is None or node.id in servable
            if can and node.id not in found and node.id not in exclude:
                found[node.id] = Recommendation(node.id, node.title, reason, kind)

    take(plan.remedial())
    take(plan.review())
    take(plan.new())
    take(plan.repeat())
    if not found:
        take(plan.early())
    return tuple(found.values())


class _Plan:
    def __init__(
        self,
        curriculum: Curriculum,
        language: str,
        records: Mapping[str, NodeRecord],
        due: frozenset[str],
    ) -> None:
        self._curriculum = curriculum
        self._nodes = sorted(curriculum.of(language), key=lambda node: curriculum.place(node.id))
        self._records = records
        self._due = due
        self._held_back = {
            other
            for node in self._nodes
            if mastery.open_tags(self._record(node), mastery.MORE_SCAFFOLD_AT)
            for other in curriculum.dependents(node.id)
        }

    def _record(self, node: Node) -> NodeRecord:
        return self._records.get(node.id) or NodeRecord(node.id, node.language)

    def remedial(self) -> Iterator[tuple[Node, Kind, str]]:
        tagged = [(node, mastery.open_tags(self._record(node))) for node in self._nodes]
        for node, tags in sorted(
            ((node, tags) for node, tags in tagged if tags),
            key=lambda pair: -self._record(pair[0]).tags[pair[1][0]].count,
        ):
            yield node, Kind.REMEDIAL, _reason_for_remedial(self._record(node), tags[0])

    def review(self) -> Iterator[tuple[Node, Kind, str]]:
        for node in self._nodes:
            if node.id in self._due:
                yield node, Kind.REVIEW, "Due for review: one unit, about 5 minutes, new values."

    def new(self) -> Iterator[tuple[Node, Kind, str]]:
        for node in self._open_nodes():
            if not mastery.missing_prerequisites(node, self._curriculum, self._records):
                yield node, Kind.NEW, self._reason_for_new(node)

    def repeat(self) -> Iterator[tuple[Node, Kind, str]]:
        for node in self._nodes:
            record = self._record(node)
            if record.claimed or node.id in self._held_back:
                continue
            if mastery.needs_repeat(node, record):
                yield node, Kind.REPEAT, _reason_for_repeat(record)

    def early(self) -> Iterator[tuple[Node, Kind, str]]:
        for node in self._open_nodes():
            missing = mastery.missing_prerequisites(node, self._curriculum, self._records)
            if missing:
                names = _listed([other.title for other in missing])
                yield node, Kind.EARLY, f"Builds on {names}: start anyway if you know that."

    def _open_nodes(self) -> list[Node]:
        """Nodes that are neither known nor held back, lower mastery first."""
        nodes = [
            node
            for node in self._nodes
            if node.id not in self._held_back and not mastery.is_known(node, self._record(node))
        ]
        return sorted(nodes, key=lambda node: self._record(node).mastery)

    def _reason_for_new(self, node: Node) -> str:
        reached = self._record(node).mastery
        if 0 < reached < DEPTHS[node.depth]:
            return "You have made a start here: this takes you further."
        needed = [self._curriculum.node(other) for other in node.prerequisites]
        titles = [other.title for other in needed if other]
        if titles:
            return f"Builds on {_listed(titles)}, which you know."
        return "A good place to start: it needs nothing before it."


def _reason_for_remedial(record: NodeRecord, tag: str) -> str:
    count = record.tags[tag].count
    name = tag.replace("-", " ").replace("_", " ")
    if count >= mastery.MORE_SCAFFOLD_AT:
        return f'"{name}" came up {count} times: this round gives you more to build on.'
    return f'"{name}" came up {count} times: a short section is on it.'


def _reason_for_repeat(record: NodeRecord) -> str:
    if record.history and record.history[-1].after < record.history[-1].before:
        return "The last time was hard going: one more round makes it stick."
    return "You passed this with help: once more on your own makes it count in full."


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
