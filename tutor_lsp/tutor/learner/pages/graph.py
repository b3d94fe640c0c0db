"""The curriculum of a language as a graph: what builds on what, and the progress of each topic."""

import textwrap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tutor_lsp.core.exercise.standing import Progress, passed_of, topic_words
from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.core.learner.spacing import is_due
from tutor_lsp.core.session import NodeRecord
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.registry import name_of
from tutor_lsp.tutor.learner.pages.markup import esc, folded, picture, scrolled, table

WIDTH, HEIGHT, GAP_X, GAP_Y = 168, 58, 14, 44
EDGE = 4
ABREAST = 6
"""Boxes side by side, at most: they fit a page of 72rem."""
LINE_CHARACTERS = 20
FULL, EMPTY = "●", "○"


@dataclass(frozen=True, slots=True)
class TopicState:
    """A topic's progress, in words and marks; `begun_now` if there is an exercise on it."""

    node: Node
    record: NodeRecord
    due: bool
    begun_now: bool = False

    @property
    def kind(self) -> str:
        """The class of its box: `done` passed or known, `begun`, `box` not begun."""
        if mastery.is_known(self.node, self.record):
            return "done"
        begun = topic_words(self.record, begun=self.begun_now) != Progress.NOT_BEGUN
        return "begun" if begun else "box"

    @property
    def words(self) -> str:
        """Such as `passed, due for review`."""
        said = t(topic_words(self.record, begun=self.begun_now))
        if self.record.claimed and not self.record.passed_depths:
            said = t("known")
        return t(f"{said}, due for review") if self.due else said

    @property
    def marks(self) -> str:
        """Mastery as three marks, then signs for due and known."""
        signs = f" ↻ {t('due')}" if self.due else f" ✓ {t('known')}" if self.record.claimed else ""
        return self.stars + signs

    @property
    def stars(self) -> str:
        """Mastery as three marks."""
        level = self.record.mastery
        return FULL * level + EMPTY * (mastery.HIGHEST - level)


def standings(
    curriculum: Curriculum,
    language: str,
    records: Mapping[str, NodeRecord],
    now: str,
    begun: Collection[str] = (),
) -> list[TopicState]:
    """Every topic of a language along the tracks; `begun` are those with an exercise."""
    nodes = sorted(curriculum.of(language), key=lambda node: curriculum.place(node.id))
    found = []
    for node in nodes:
        record = records.get(node.id, NodeRecord(node.id, language))
        found.append(TopicState(node, record, is_due(record.card, now), node.id in begun))
    return found


def graph(language: str, found: Sequence[TopicState]) -> str:
    """The graph as a picture, and the same as a table."""
    layers = [
        row for layer in layered([standing.node for standing in found]) for row in broken(layer)
    ]
    place = {
        node: (x * (WIDTH + GAP_X) + EDGE, y * (HEIGHT + GAP_Y) + EDGE)
        for y, layer in enumerate(layers)
        for x, node in enumerate(layer)
    }
    edges = "".join(
        _edge(place[needed], place[standing.node.id])
        for standing in found
        for needed in standing.node.prerequisites
        if needed in place
    )
    boxes = "".join(_box(standing, *place[standing.node.id]) for standing in found)
    most = max((len(layer) for layer in layers), default=1)
    width = most * (WIDTH + GAP_X) - GAP_X + 2 * EDGE
    height = len(layers) * (HEIGHT + GAP_Y)
    told = t(
        "Lines lead from each topic up to those that it builds on. The table below says the same."
    )
    spoken = name_of(language)
    name = f"graph-{language}"
    drawn = picture(name, t(f"Topics of {spoken}"), told, width, height, edges + boxes)
    titles = {standing.node.id: standing.node.title for standing in found}
    rows = [
        (
            standing.node.title,
            passed_of(standing.record.mastery, mastery.HIGHEST),
            standing.words,
            ", ".join(titles.get(n, n) for n in standing.node.prerequisites) or t("nothing"),
        )
        for standing in found
    ]
    head = (t("Topic"), t("Mastery"), t("State"), t("Builds on"))
    listed = "".join(
        f"<li>{each.stars} <b>{esc(each.node.title)}</b>, {esc(each.words)}</li>" for each in found
    )
    told = table(t(f"Topics of {spoken}"), head, rows)
    return (
        f'<div class="wide">{scrolled(t(f"Map of the topics of {spoken}"), drawn)}</div>'
        f'<ul class="narrow">{listed}</ul>'
        f"{folded(t('As a table'), told)}"
    )


def layered(nodes: Sequence[Node]) -> list[list[str]]:
    """Ids by the longest way from a topic without prerequisites, in each layer near what they build
    on.
    """
    here = {node.id: node for node in nodes}
    depth = dict.fromkeys(here, 0)
    for _ in here:
        changed = False
        for node in nodes:
            least = max((depth[n] + 1 for n in node.prerequisites if n in here), default=0)
            if depth[node.id] < least < len(here):
                depth[node.id], changed = least, True
        if not changed:
            break
    columns: list[list[str]] = [[] for _ in range(max(depth.values(), default=0) + 1)]
    for node in nodes:
        columns[depth[node.id]].append(node.id)
    row: dict[str, float] = {}
    for column in columns:
        near = [(_beside(here[name], row), n, name) for n, name in enumerate(column)]
        column[:] = [name for _, _, name in sorted(near)]
        row |= {name: float(n) for n, name in enumerate(column)}
    return [column for column in columns if column]


def broken(layer: Sequence[str]) -> list[Sequence[str]]:
    """A layer in rows of about the same length, none longer than `ABREAST`."""
    rows = -(-len(layer) // ABREAST)
    ends = [len(layer) * row // rows for row in range(rows + 1)]
    return [layer[start:end] for start, end in pairwise(ends)]


def _beside(node: Node, row: Mapping[str, float]) -> float:
    """The middle of the rows of what a topic builds on."""
    before = [row[name] for name in node.prerequisites if name in row]
    return sum(before) / len(before) if before else 0.0


def _edge(start: tuple[int, int], end: tuple[int, int]) -> str:
    x1, y1 = start[0] + WIDTH // 2, start[1] + HEIGHT
    x2, y2 = end[0] + WIDTH // 2, end[1]
    bend = GAP_Y // 2
    return f'<path class="edge" d="M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"/>'


def _box(standing: TopicState, x: int, y: int) -> str:
    lines = wrapped(standing.node.title)
    texts = "".join(
        f'<text x="{x + 8}" y="{y + 17 + 15 * n}">{esc(line)}</text>'
        for n, line in enumerate(lines)
    )
    told = passed_of(standing.record.mastery, mastery.HIGHEST)
    return (
        f"<g><title>{esc(standing.node.title)}: {esc(told)}, "
        f'{esc(standing.words)}</title><rect class="{standing.kind}" x="{x}" y="{y}" '
        f'width="{WIDTH}" height="{HEIGHT}" rx="6"/>{texts}'
        f'<text class="soft" x="{x + 8}" y="{y + HEIGHT - 8}">{esc(standing.marks)}</text></g>'
    )


def wrapped(title: str) -> list[str]:
    """A title in at most two short lines."""
    return textwrap.wrap(title, LINE_CHARACTERS, max_lines=2, placeholder=" …")
