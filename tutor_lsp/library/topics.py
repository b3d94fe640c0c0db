"""Topics as people list them: those of a language, and those of a library of one's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.learner.curriculum import DEPTHS, NAME, Curriculum, Node, Track
from tutor_lsp.core.learner.own_topics import MINUTES
from tutor_lsp.wire import from_table

LONGEST = 60
"""Most characters of an id."""


@dataclass(frozen=True, slots=True)
class _Topics:
    language: str
    nodes: tuple[Mapping[str, Any], ...] = ()
    tracks: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """The table `[topic]` of an exercise.toml: what its node is, if that is none of the tutor's.

    `track` is the id or the title of a track. Without `depth` the exercise's own counts.
    """

    title: str
    summary: str = ""
    prerequisites: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    error_codes: tuple[str, ...] = ()
    track: str = ""
    depth: str = ""
    minutes: int = MINUTES


def parse(table: Mapping[str, Any]) -> Curriculum:
    """The curriculum of one language from its TOML data.

    Raises ValueError that says what is missing, unknown or of a wrong type in the first invalid
    table. The graph itself is checked by the tests alone.
    """
    read = from_table(_Topics, table, "curriculum")
    given = {"language": read.language}
    nodes = [from_table(Node, {"summary": "", **each, **given}, _name(each)) for each in read.nodes]
    tracks = [from_table(Track, {**each, **given}, _name(each)) for each in read.tracks]
    return Curriculum(tuple(nodes), tuple(tracks))


def parse_own(table: Mapping[str, Any], language: str) -> Curriculum:
    """The topics of a library from the TOML data of its `curriculum.toml`.

    Each names its language, unless the file does or its folder is `language`'s. Summary, depth
    and minutes may be missing. Raises ValueError as `parse`, also for values out of range.
    """
    read = from_table(_Topics, {"language": language, **table}, "it")
    usual = {"language": read.language, "summary": "", "depth": "D1", "minutes": MINUTES}
    nodes = [from_table(Node, {**usual, **each}, _name(each)) for each in read.nodes]
    tracks = [
        from_table(Track, {"language": read.language, **each}, _name(each)) for each in read.tracks
    ]
    for node in nodes:
        wrong = wrong_name(node.id) or wrong_topic(node)
        if wrong is not None:
            raise ValueError(f"{node.id}: {wrong}")
        if not node.language:
            raise ValueError(f"{node.id}: needs its language")
    return Curriculum(tuple(nodes), tuple(tracks))


def wrong_name(name: str) -> str | None:
    """What is wrong with an id, as a clause, or None."""
    if NAME.fullmatch(name) and len(name) <= LONGEST:
        return None
    return f'must be like "a-name-2" (a-z, 0-9, -), not "{name}"'


def wrong_topic(topic: Topic | Node) -> str | None:
    """What is wrong with the values of a topic, as a clause, or None."""
    if not topic.title.strip():
        return "needs a title"
    if topic.depth and topic.depth not in DEPTHS:
        return "must have the depth D1, D2 or D3"
    if not 1 <= topic.minutes <= 600:
        return "must take from 1 to 600 minutes"
    tag = next((tag for tag in topic.tags if wrong_name(tag)), None)
    return f"has a tag that {wrong_name(tag)}" if tag is not None else None


def _name(table: Mapping[str, Any]) -> str:
    return str(table.get("id", "a topic without id"))
