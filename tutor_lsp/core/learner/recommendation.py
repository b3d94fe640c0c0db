"""What to do next in one language, each with a one-sentence reason."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import DEPTHS, Curriculum, Node
from tutor_lsp.core.session import NodeRecord, Session
from tutor_lsp.core.text.plain_text import listed
from tutor_lsp.core.text.translation import t


class RecommendationKind(StrEnum):
    """Why a node is recommended, in listing order."""

    REMEDIAL = "remedial"
    REVIEW = "review"
    NEW = "new"
    REPEAT = "repeat"
    EARLY = "early"


@dataclass(frozen=True, slots=True)
class Advice:
    """A topic to do next, as displayed."""

    node: str
    """Id of the topic."""
    title: str
    """Its title."""
    reason: str
    """Why it is recommended, in a few words."""


@dataclass(frozen=True, slots=True)
class Recommendation(Advice):
    """The same with its kind."""

    kind: RecommendationKind


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
    nodes that were passed but only count after a repeat without help. If that leaves nothing,
    nodes with missing prerequisites are offered as such. A misconception at
    `mastery.MORE_SCAFFOLD_AT` holds back the dependents of its node, and nothing else.

    `servable` are the ids of nodes that can be served now (None: all). Others are left out, as
    are nodes in `exclude`.
    """
    plan = _Plan(curriculum, language, records, frozenset(due))
    recommended: dict[str, Recommendation] = {}

    def take(groups: Iterator[tuple[Node, RecommendationKind, str]]) -> None:
        for node, kind, reason in groups:
            can = servable is None or node.id in servable
            if can and node.id not in recommended and node.id not in exclude:
                recommended[node.id] = Recommendation(node.id, node.title, reason, kind)

    for groups in (plan.remedial(), plan.review(), plan.new(), plan.repeat()):
        take(groups)
    if not recommended:
        take(plan.early())
    return tuple(recommended.values())


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

    def remedial(self) -> Iterator[tuple[Node, RecommendationKind, str]]:
        tagged = [(node, mastery.open_tags(self._record(node))) for node in self._nodes]
        for node, tags in sorted(
            ((node, tags) for node, tags in tagged if tags),
            key=lambda pair: -self._record(pair[0]).tags[pair[1][0]].count,
        ):
            yield (
                node,
                RecommendationKind.REMEDIAL,
                _reason_for_remedial(self._record(node), tags[0]),
            )

    def review(self) -> Iterator[tuple[Node, RecommendationKind, str]]:
        for node in self._nodes:
            if node.id in self._due:
                yield (
                    node,
                    RecommendationKind.REVIEW,
                    t("Due for review: one unit, about 5 minutes, new values."),
                )

    def new(self) -> Iterator[tuple[Node, RecommendationKind, str]]:
        for node in self._open_nodes():
            if not mastery.missing_prerequisites(node, self._curriculum, self._records):
                yield node, RecommendationKind.NEW, self._reason_for_new(node)

    def repeat(self) -> Iterator[tuple[Node, RecommendationKind, str]]:
        for node in self._nodes:
            record = self._record(node)
            waits = record.claimed or node.id in self._held_back
            if not waits and mastery.needs_repeat(node, record):
                yield node, RecommendationKind.REPEAT, _reason_for_repeat(record)

    def early(self) -> Iterator[tuple[Node, RecommendationKind, str]]:
        for node in self._open_nodes():
            missing = mastery.missing_prerequisites(node, self._curriculum, self._records)
            if missing:
                names = listed([other.title for other in missing])
                yield (
                    node,
                    RecommendationKind.EARLY,
                    t(f"Builds on {names}: start anyway if you know that."),
                )

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
            return t("You have made a start here: this takes you further.")
        needed = [self._curriculum.node(other) for other in node.prerequisites]
        helped = [other.title for other in needed if other and self._is_shown_only(other)]
        titles = [other.title for other in needed if other]
        if helped:
            return t(f"Builds on {listed(titles)}; you passed {listed(helped)} with help.")
        if titles:
            return t(f"Builds on {listed(titles)}, which you know.")
        return t("A good place to start: it needs nothing before it.")

    def _is_shown_only(self, node: Node) -> bool:
        """Whether all that passed a node was help."""
        record = self._record(node)
        return not record.claimed and not record.mastery


def _reason_for_remedial(record: NodeRecord, tag: str) -> str:
    count = record.tags[tag].count
    name = tag.replace("-", " ").replace("_", " ")
    if count >= mastery.MORE_SCAFFOLD_AT:
        return t(f'"{name}" came up {count} times: this exercise gives you more to build on.')
    return t(f'"{name}" came up {count} times: a short section covers it.')


def _reason_for_repeat(record: NodeRecord) -> str:
    if record.history and record.history[-1].after < record.history[-1].before:
        return t("The last time was hard going: one more round makes it stick.")
    return t("You passed this with help: once more on your own makes it count in full.")


def easier(curriculum: Curriculum, offline: Collection[str], session: Session) -> Advice | None:
    """An easier exercise than a session's, on a node that can be opened `offline`: the nearest
    prerequisite of its topic, or else the language's first; None if there is none."""
    here = curriculum.node(session.node)
    before = curriculum.requirements(session.node) if here is not None else ()
    nearest = next((node for node in before if node.id in offline), None)
    if nearest is not None:
        return Advice(nearest.id, nearest.title, t(f"{here.title if here else ''} builds on it"))
    nodes = [node for node in curriculum.of(session.language) if node.id in offline]
    first = min(nodes, key=lambda node: curriculum.place(node.id), default=None)
    if first is None or first.id == session.node:
        return None
    return Advice(first.id, first.title, t("the first steps"))
