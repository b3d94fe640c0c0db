"""The curriculum: nodes, the tracks through them, and finding a node for a topic."""

import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from tutor_lsp.core.learner import topics

DEPTHS: Mapping[str, int] = MappingProxyType({"D1": 1, "D2": 2, "D3": 3})
"""Depth targets (D1 first look, D2 working, D3 fluent) and the mastery that a pass gives."""
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""Form of ids of nodes, tags and exercises, of slugs and of languages."""
_NAMED_CODE = re.compile(r"(?:error|warning)\[([^\]]+)\]")


class CurriculumError(ValueError):
    """Curriculum data that cannot be read; `problems` names all of it."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


@dataclass(frozen=True, slots=True)
class Node:
    """A topic. `depth` is its own depth target; `minutes` an honest estimate for one exercise.

    `tags` are the misconceptions known for it, `error_codes` compiler codes that it explains.
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
    """A named path of nodes, in the order in which they are best done."""

    id: str
    title: str
    language: str
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Curriculum:
    """Nodes and tracks of all languages. Node ids are unique over all of them."""

    nodes: tuple[Node, ...] = ()
    tracks: tuple[Track, ...] = ()

    @property
    def languages(self) -> tuple[str, ...]:
        """The language ids, in the order of the data."""
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

    def of(self, language: str) -> tuple[Node, ...]:
        """The nodes of a language in the order of the data."""
        return tuple(node for node in self.nodes if node.language == language)

    def place(self, node_id: str) -> int:
        """Where a node stands: along the tracks first, then in the order of the data."""
        return self._places.get(node_id, len(self._places))

    def dependents(self, node_id: str) -> frozenset[str]:
        """Ids of all nodes that need this one, directly or through others."""
        found: set[str] = set()
        waiting = deque(self._needed_by.get(node_id, ()))
        while waiting:
            other = waiting.popleft()
            if other not in found:
                found.add(other)
                waiting += self._needed_by.get(other, ())
        return frozenset(found - {node_id})

    def requirements(self, node_id: str) -> tuple[Node, ...]:
        """All nodes that a node builds on, directly or through others, the nearest first."""
        steps: dict[str, Node] = {}
        waiting = deque([node_id])
        while waiting:
            node = self.node(waiting.popleft())
            for other_id in node.prerequisites if node is not None else ():
                other = self.node(other_id)
                if other is not None and other_id not in steps and other_id != node_id:
                    steps[other_id] = other
                    waiting.append(other_id)
        return tuple(steps.values())

    def for_error_code(self, code: str, language: str) -> tuple[Node, ...]:
        """The nodes that explain a code of a compiler or linter, such as `E0382` or `-Wformat`.

        Those come first that list it first, then in the order of the tracks.
        """
        wanted = normal_code(code)
        ranked = [
            (known.index(wanted), self.place(node.id), node)
            for node in self.of(language)
            if wanted in (known := [normal_code(each) for each in node.error_codes])
        ]
        return tuple(node for _, _, node in sorted(ranked, key=lambda found: found[:2]))

    def match_topic(self, text: str, language: str) -> list[tuple[Node, float]]:
        """The nodes that fit a free text, best first, each with a score of at most 1.

        Empty when none fits; every score is at least `topics.FITS`.
        """
        nodes = self.of(language)
        documents = [
            topics.Document(
                title=node.title,
                keywords=node.keywords,
                side=(node.id, *node.tags),
                summary=node.summary,
            )
            for node in nodes
        ]
        scores = topics.rank(text, documents, ignore=(language,))
        fitting = [pair for pair in zip(nodes, scores, strict=True) if pair[1] >= topics.FITS]
        return sorted(fitting, key=lambda pair: (-pair[1], self.place(pair[0].id)))

    def nearest(self, node_id: str, candidates: Collection[str]) -> Node | None:
        """The candidate of the same language that lies nearest to a node.

        Fewest steps along prerequisites in either direction, then most shared keywords and
        tags, then the order of the tracks. The node itself is nearest to itself. None if the
        node is unknown or no candidate is a node of its language.
        """
        start = self.node(node_id)
        if start is None:
            return None
        steps = self._steps_from(node_id)
        topic = _topic_words(start)

        def distance(node: Node) -> tuple[float, int, int]:
            shared = len(topic & _topic_words(node))
            return (steps.get(node.id, float("inf")), -shared, self.place(node.id))

        wanted = set(candidates)
        open_to = [node for node in self.of(start.language) if node.id in wanted]
        return min(open_to, key=distance, default=None)

    def _steps_from(self, node_id: str) -> dict[str, int]:
        steps = {node_id: 0}
        waiting = deque([node_id])
        while waiting:
            current = waiting.popleft()
            node = self.node(current)
            before = node.prerequisites if node else ()
            for other in (*before, *self._needed_by.get(current, ())):
                if other not in steps:
                    steps[other] = steps[current] + 1
                    waiting.append(other)
        return steps


def normal_code(code: str) -> str:
    """A code as it is compared: without case, a warning's `-W` and the name of the linter.

    `error[E0382]`, `-Werror=return-type` and `clippy::needless_return` are known as well as the
    bare codes.
    """
    plain = code.strip().casefold()
    named = _NAMED_CODE.fullmatch(plain)
    if named:
        plain = named.group(1)
    for prefix in ("-werror=", "-w", "clippy::"):
        if plain.startswith(prefix) and plain != prefix:
            return plain.removeprefix(prefix)
    return plain


def _topic_words(node: Node) -> frozenset[str]:
    return frozenset(topics.words(" ".join((*node.keywords, *node.tags))))


def parse(language_table: Mapping[str, Any]) -> Curriculum:
    """The curriculum of one language from its TOML data.

    Raises CurriculumError that names every missing key and every value of a wrong type; whether
    the graph holds together is for `curriculum_check.validate`.
    """
    problems: list[str] = []
    whole = _Reader(language_table, "curriculum", problems)
    language = whole.text("language")
    nodes = [_node(table, language) for table in whole.tables("nodes")]
    tracks = [_track(table, language) for table in whole.tables("tracks")]
    whole.refuse_other_keys()
    if problems:
        raise CurriculumError(problems)
    return Curriculum(tuple(nodes), tuple(tracks))


def combine(parts: Iterable[Curriculum]) -> Curriculum:
    """One curriculum of several languages."""
    listed = list(parts)
    return Curriculum(
        tuple(node for part in listed for node in part.nodes),
        tuple(track for part in listed for track in part.tracks),
    )


def _node(reader: "_Reader", language: str) -> Node:
    node = Node(
        id=reader.text("id"),
        title=reader.text("title"),
        summary=reader.text("summary", required=False),
        language=language,
        depth=reader.text("depth"),
        minutes=reader.number("minutes"),
        prerequisites=reader.texts("prerequisites"),
        tags=reader.texts("tags"),
        keywords=reader.texts("keywords"),
        error_codes=reader.texts("error_codes"),
    )
    reader.refuse_other_keys()
    return node


def _track(reader: "_Reader", language: str) -> Track:
    track = Track(
        id=reader.text("id"),
        title=reader.text("title"),
        language=language,
        nodes=reader.texts("nodes"),
    )
    reader.refuse_other_keys()
    return track


class _Reader:
    """Reads one table and notes what is wrong with it instead of stopping there."""

    def __init__(self, table: Mapping[str, Any], name: str, problems: list[str]) -> None:
        self._table = table
        self._name = name
        self._problems = problems
        self._asked: set[str] = set()

    def _value(self, key: str, default: Any) -> Any:
        self._asked.add(key)
        return self._table.get(key, default)

    def _note(self, key: str, wanted: str) -> None:
        self._problems.append(f"{self._name}: `{key}` must be {wanted}")

    def text(self, key: str, *, required: bool = True) -> str:
        value = self._value(key, "")
        if not isinstance(value, str) or (required and not value.strip()):
            self._note(key, "a text")
            return ""
        return value

    def number(self, key: str) -> int:
        value = self._value(key, None)
        if not isinstance(value, int) or isinstance(value, bool):
            self._note(key, "a whole number")
            return 0
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._value(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self._note(key, "a list of texts")
            return ()
        return tuple(value)

    def tables(self, key: str) -> list["_Reader"]:
        value = self._value(key, [])
        if not isinstance(value, list) or not all(isinstance(item, Mapping) for item in value):
            self._note(key, "a list of tables")
            return []
        names = [str(item.get("id") or f"{key}[{place}]") for place, item in enumerate(value)]
        return [
            _Reader(item, name, self._problems) for item, name in zip(value, names, strict=True)
        ]

    def refuse_other_keys(self) -> None:
        for key in sorted(set(self._table) - self._asked):
            self._problems.append(f"{self._name}: `{key}` is not a known key")
