"""The curriculum: nodes, the tracks through them, and finding a node for a topic."""

import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from tutor_lsp.core.learner import topics

DEPTHS: Mapping[str, int] = MappingProxyType({"D1": 1, "D2": 2, "D3": 3})
"""Depth targets (D1 first look, D2 working, D3 fluent) and the mastery that a pass gives."""
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""Format of node, tag, exercise and language ids, and of slugs."""
_TOLD_BY = re.compile(r"^(?:-w(?:error=)?|\w+::)(?=.)")
"""The prefix of a warning's code: its compiler switch, or the linter."""
_NAMED_CODE = re.compile(r"(?:error|warning)\[([^\]]+)\]")


@dataclass(frozen=True, slots=True)
class Node:
    """A topic. `depth` is its own depth target; `minutes` a realistic estimate for one exercise.

    `tags` are the misconceptions known for it, `error_codes` the compiler codes that it explains.
    """

    id: str
    title: str
    summary: str
    language: str
    depth: str
    minutes: int
    prerequisites: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    error_codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """A named path of nodes, in recommended order."""

    id: str
    title: str
    language: str
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Curriculum:
    """Nodes and tracks of all languages. Node ids are unique across languages."""

    nodes: tuple[Node, ...] = ()
    tracks: tuple[Track, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """The language ids, in data order."""
        return tuple(dict.fromkeys(node.language for node in self.nodes))

    @cached_property
    def _by_id(self) -> dict[str, Node]:
        return {node.id: node for node in reversed(self.nodes)}

    @cached_property
    def _places(self) -> dict[str, int]:
        listed = [node for track in self.tracks for node in track.nodes]
        listed += [node.id for node in self.nodes]
        return {node: place for place, node in enumerate(dict.fromkeys(listed))}

    @cached_property
    def _needed_by(self) -> dict[str, tuple[str, ...]]:
        needed: dict[str, list[str]] = {}
        for node in self.nodes:
            for other in node.prerequisites:
                needed.setdefault(other, []).append(node.id)
        return {node: tuple(others) for node, others in needed.items()}

    def node(self, node_id: str) -> Node | None:
        """The node with that id, or None."""
        return self._by_id.get(node_id)

    def title_of(self, node_id: str) -> str:
        """The title of the node with that id; empty if there is none."""
        node = self.node(node_id)
        return node.title if node is not None else ""

    def of(self, language: str) -> tuple[Node, ...]:
        """A language's nodes in data order."""
        return tuple(node for node in self.nodes if node.language == language)

    def place(self, node_id: str) -> int:
        """A node's position: along the tracks first, then in data order."""
        return self._places.get(node_id, len(self._places))

    def dependents(self, node_id: str) -> frozenset[str]:
        """Ids of all nodes that need this one, directly or through others."""
        steps = _steps(node_id, lambda each: self._needed_by.get(each, ()))
        return frozenset(steps.keys() - {node_id})

    def requirements(self, node_id: str) -> tuple[Node, ...]:
        """All nodes that a node builds on, directly or through others, the nearest first."""
        steps = _steps(node_id, self._prerequisites)
        known = (self.node(each) for each in steps if each != node_id)
        return tuple(node for node in known if node is not None)

    def _prerequisites(self, node_id: str) -> tuple[str, ...]:
        node = self.node(node_id)
        return node.prerequisites if node is not None else ()

    def _neighbours(self, node_id: str) -> tuple[str, ...]:
        return (*self._prerequisites(node_id), *self._needed_by.get(node_id, ()))

    def for_error_code(self, code: str, language: str) -> tuple[Node, ...]:
        """The nodes that explain a compiler or linter code, such as `E0382` or `-Wformat`.

        Nodes that list the code first come first, then in track order.
        """
        wanted = normal_code(code)
        ranked = [
            (known.index(wanted), self.place(node.id), node)
            for node in self.of(language)
            if wanted in (known := [normal_code(each) for each in node.error_codes])
        ]
        return tuple(node for _, _, node in sorted(ranked, key=lambda entry: entry[:2]))

    def match_topic(self, text: str, language: str) -> list[tuple[Node, float]]:
        """The nodes that match a free text, best first, each with a score of at most 1.

        Empty if none matches; every score is at least `topics.FITS`.
        """
        fitting = [pair for pair in self._ranked(text, language) if pair[1] >= topics.FITS]
        return sorted(fitting, key=lambda pair: (-pair[1], self.place(pair[0].id)))

    def _near(self, text: str, language: str) -> Node | None:
        """The node that a free text is about, though most of it may be about something else, as
        in a whole sentence on what to build; None if it is not clearly one."""
        ranked = sorted(self._ranked(text, language), key=lambda pair: -pair[1])
        if not ranked:
            return None
        (node, score), rival = ranked[0], ranked[1][1] if len(ranked) > 1 else 0.0
        near = score >= topics.NEAR and score >= topics.AHEAD * rival
        return node if near or score >= topics.FITS else None

    def _ranked(self, text: str, language: str) -> list[tuple[Node, float]]:
        nodes = self.of(language)
        ranked = topics.rank(text, self._documents(language), ignore=(language,))
        return list(zip(nodes, ranked, strict=True))

    def named_in(self, text: str, language: str) -> Node | None:
        """The node that a sentence names, or else the one that it is clearly about."""
        nodes = self.of(language)
        at = topics.named(text, self._documents(language), ignore=(language,))
        if at is not None:
            return nodes[at]
        return self._near(text, language)

    def _documents(self, language: str) -> list[topics.Document]:
        return [
            topics.Document(node.title, node.keywords, (node.id, *node.tags), node.summary)
            for node in self.of(language)
        ]

    def nearest(self, node_id: str, candidates: Collection[str]) -> Node | None:
        """The candidate of the same language nearest to a node.

        Fewest steps along prerequisites in either direction, then most shared keywords and
        tags, then track order. A node is nearest to itself. None if the
        node is unknown or no candidate is a node of its language.
        """
        start = self.node(node_id)
        if start is None:
            return None
        steps = _steps(node_id, self._neighbours)
        topic = _topic_words(start)

        def distance(node: Node) -> tuple[float, int, int]:
            shared = len(topic & _topic_words(node))
            return (steps.get(node.id, float("inf")), -shared, self.place(node.id))

        wanted = set(candidates)
        open_to = [node for node in self.of(start.language) if node.id in wanted]
        return min(open_to, key=distance, default=None)


def _steps(start: str, near: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """How many steps away each node is that can be reached from `start`, the nearest first."""
    steps = {start: 0}
    waiting = deque(steps)
    while waiting:
        here = waiting.popleft()
        for other in near(here):
            if other not in steps:
                steps[other] = steps[here] + 1
                waiting.append(other)
    return steps


def normal_code(code: str) -> str:
    """A code normalised for comparison: without case, a warning's `-W` and the linter's name.

    `error[E0382]`, `-Werror=return-type` and `linter::needless_return` are recognised as well as
    the bare codes.
    """
    plain = code.strip().casefold()
    named = _NAMED_CODE.fullmatch(plain)
    if named:
        plain = named.group(1)
    return _TOLD_BY.sub("", plain)


def _topic_words(node: Node) -> frozenset[str]:
    return frozenset(topics.words(" ".join((*node.keywords, *node.tags))))


def combine(parts: Iterable[Curriculum]) -> Curriculum:
    """One curriculum of several languages."""
    listed = list(parts)
    return Curriculum(
        tuple(node for part in listed for node in part.nodes),
        tuple(track for part in listed for track in part.tracks),
    )
