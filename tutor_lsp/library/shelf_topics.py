"""The topics that libraries of one's own bring along, as nodes and tracks of the curriculum."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from tutor_lsp.core.learner.curriculum import Curriculum, Node, Track
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.shelf import TOPICS, Listed, Shelf
from tutor_lsp.library.topics import Topic

TRACK = "own-exercises"
"""Prefix of the id of a language's track for own topics that no track names."""
_NO_WORD = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class _Own:
    """A topic with the library it is from, where it was described, and the track it asks for."""

    node: Node
    root: Path
    place: str | None = None
    track: str = ""


@dataclass(slots=True)
class ShelfTopics:
    """Collects the topics of libraries: call `describe` for each library, `add` for each
    exercise in use, then `curriculum`. Whatever cannot be used is reported in one sentence.
    """

    known: Curriculum
    _own: dict[str, _Own] = field(default_factory=dict)
    _tracks: list[tuple[Path, Track]] = field(default_factory=list)
    _titles: dict[str, list[str]] = field(default_factory=dict)

    def describe(self, shelf: Shelf, told: list[str]) -> None:
        """Take what a library says of its topics."""
        for topics in shelf.topics:
            self._tracks += [(shelf.root, track) for track in topics.tracks]
            for node in topics.nodes:
                self._put(_Own(node, shelf.root, str(shelf.root / TOPICS)), told)
        for each in shelf.exercises:
            if each.topic is not None and each.language in languages():
                own = _Own(_node(each, each.topic), shelf.root, each.folder, each.topic.track)
                self._put(own, told)

    def _put(self, own: _Own, told: list[str]) -> None:
        there = self._own.get(own.node.id)
        if self.known.node(own.node.id) is not None:
            told.append(
                f"What {own.place} says of the topic {own.node.id} does not count: the tutor has "
                "a topic of that name."
            )
        elif own.node.language not in languages():
            said = f'"{own.node.language}" is not a language of the tutor'
            told.append(f"The topic {own.node.id} of {own.place} is left out: {said}.")
        elif there is None:
            self._own[own.node.id] = own
        elif (there.node, there.track) != (own.node, own.track):
            told.append(
                f"The topic {own.node.id} is described twice: what {there.place} says counts, not "
                f"{own.place}."
            )

    def language(self, node_id: str) -> str | None:
        """The language of a topic, None if there is none of that id yet."""
        own = self._own.get(node_id)
        node = own.node if own is not None else self.known.node(node_id)
        return node.language if node is not None else None

    def add(self, each: Listed, root: Path) -> None:
        """An exercise of a library is used: its topic is there, whether described or not."""
        if self.known.node(each.node) is not None:
            return
        if each.node not in self._own:
            node = _node(each, Topic(_title_of(each)))
            self._own[each.node] = _Own(node, root)
        self._titles.setdefault(each.node, []).append(each.title)

    def curriculum(self, told: Mapping[Path, list[str]]) -> Curriculum:
        """The known topics with the own ones, whose tracks come first."""
        if not self._own:
            return self.known
        # A topic that was described, but has no exercise, is one that a model can write.
        nodes = {own.node.id: self._complete(own, told[own.root]) for own in self._own.values()}
        self._untangle(nodes, told)
        return Curriculum((*self.known.nodes, *nodes.values()), self._all_tracks(told))

    def _complete(self, own: _Own, told: list[str]) -> Node:
        """With the titles of its exercises, and only with prerequisites that there are."""
        node = own.node
        fitting = []
        for other in node.prerequisites:
            if self.language(other) == node.language:
                fitting.append(other)
            else:
                told.append(
                    f"The topic {node.id} names {other} as a prerequisite, which is no topic of "
                    "its language."
                )
        keywords = dict.fromkeys((*node.keywords, *self._titles.get(node.id, ())))
        return replace(node, prerequisites=tuple(fitting), keywords=tuple(keywords))

    def _untangle(self, nodes: dict[str, Node], told: Mapping[Path, list[str]]) -> None:
        """Leave out what makes topics build on each other: they would never be recommended."""
        for name, node in nodes.items():
            loop = [other for other in node.prerequisites if name in _needed(nodes, other)]
            if loop:
                told[self._own[name].root].append(
                    f"The topic {name} builds on itself: its prerequisite {loop[0]} is left out."
                )
                kept = tuple(each for each in node.prerequisites if each not in loop)
                nodes[name] = replace(node, prerequisites=kept)

    def _all_tracks(self, told: Mapping[Path, list[str]]) -> tuple[Track, ...]:
        own: dict[str, Track] = {}
        grown = {track.id: track for track in self.known.tracks}
        for track in self._wanted(told):
            place = grown if track.id in grown else own
            there = place.get(track.id, replace(track, nodes=()))
            more = (node for node in track.nodes if node not in there.nodes)
            place[track.id] = replace(there, nodes=(*there.nodes, *more))
        return (*own.values(), *grown.values())

    def _wanted(self, told: Mapping[Path, list[str]]) -> Iterator[Track]:
        """Tracks as they are asked for; those of equal ids are one."""
        tracked: set[str] = set()
        named: list[Track] = list(self.known.tracks)
        for root, track in self._tracks:
            there = [node for node in track.nodes if self.language(node) == track.language]
            for node in track.nodes:
                if node not in there:
                    told[root].append(
                        f"The track “{track.title}” names {node}, which is no topic of its "
                        "language."
                    )
            tracked.update(there)
            named.append(track)
            yield replace(track, nodes=tuple(there))
        for own in self._own.values():
            node = own.node
            if own.track:
                yield replace(_track(own.track, node.language, named), nodes=(node.id,))
            elif node.id not in tracked:
                title = t("Your own exercises")
                yield Track(f"{TRACK}-{node.language}", title, node.language, (node.id,))


def _needed(nodes: Mapping[str, Node], start: str) -> set[str]:
    """A topic and the own ones that it builds on, directly or through others."""
    found = {start}
    waiting = [start]
    while waiting:
        node = nodes.get(waiting.pop())
        more = set(node.prerequisites) - found if node is not None else set()
        found |= more
        waiting += more
    return found


def _node(each: Listed, topic: Topic) -> Node:
    return Node(
        each.node,
        topic.title,
        topic.summary,
        each.language,
        topic.depth or each.depth,
        topic.minutes,
        topic.prerequisites,
        topic.tags,
        topic.keywords,
        topic.error_codes,
    )


def _title_of(each: Listed) -> str:
    """`python-shop-signs` as “Shop signs”."""
    words = each.node.removeprefix(f"{each.language}-").replace("-", " ")
    return words[:1].upper() + words[1:]


def _track(wanted: str, language: str, named: Iterable[Track]) -> Track:
    """The track of that id or title, or a new one of that title."""
    for track in named:
        if track.language == language and wanted in (track.id, track.title):
            return track
    slug = _NO_WORD.sub("-", wanted.casefold()).strip("-")
    return Track(f"own-{language}-{slug}", wanted, language, ())
