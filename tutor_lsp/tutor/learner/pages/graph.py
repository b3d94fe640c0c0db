"""The curriculum of a language as a graph: what builds on what, and how far each topic is."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.core.exercise.standing import Progress, topic_words
from tutor_lsp.core.learner import mastery
from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.core.learner.spacing import is_due
from tutor_lsp.core.session import NodeRecord
from tutor_lsp.tutor.learner.pages.markup import esc, picture, scrolled, table

WIDTH, HEIGHT, GAP_X, GAP_Y = 168, 58, 18, 44
LINE_CHARACTERS = 22
FULL, EMPTY = "●", "○"


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a topic is, in words and marks; `begun_now` if there is an exercise on it."""

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
        said = topic_words(self.record, begun=self.begun_now)
        if self.record.claimed and not self.record.passed_depths:
            said = "known"
        return f"{said}, due for review" if self.due else said

    @property
    def marks(self) -> str:
        """Mastery as three marks, then signs for due and known."""
        level = self.record.mastery
        signs = " ↻ due" if self.due else " ✓ known" if self.record.claimed else ""
        return FULL * level + EMPTY * (mastery.HIGHEST - level) + signs


def standings(
    curriculum: Curriculum,
    language: str,
    records: Mapping[str, NodeRecord],
    now: str,
    begun: Collection[str] = (),
) -> list[Standing]:
    """Every topic of a language along the tracks; `begun` are those with an exercise."""
    nodes = sorted(curriculum.of(language), key=lambda node: curriculum.place(node.id))
    found = []
    for node in nodes:
        record = records.get(node.id, NodeRecord(node.id, language))
        found.append(Standing(node, record, is_due(record.card, now), node.id in begun))
    return found


def graph(language: str, found: Sequence[Standing]) -> str:
    """The graph as a picture, and the same as a table."""
    layers = layered([standing.node for standing in found])
    place = {
        node: (x * (WIDTH + GAP_X) + 4, y * (HEIGHT + GAP_Y) + 4)
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
    width = max((len(layer) for layer in layers), default=1) * (WIDTH + GAP_X)
    height = len(layers) * (HEIGHT + GAP_Y)
    told = (
        f"{len(found)} topics in {len(layers)} rows; each builds on topics further up, which lines "
        "lead to. The table below says the same."
    )
    name = f"graph-{language}"
    drawn = picture(name, f"Topics of {language}", told, width, height, edges + boxes)
    titles = {standing.node.id: standing.node.title for standing in found}
    rows = [
        (
            standing.node.title,
            f"{standing.record.mastery} of {mastery.HIGHEST}",
            standing.words,
            ", ".join(titles.get(n, n) for n in standing.node.prerequisites) or "nothing",
        )
        for standing in found
    ]
    head = ("Topic", "Mastery", "State", "Builds on")
    return scrolled(f"Graph of the topics of {language}", drawn) + table(
        f"Topics of {language}", head, rows
    )


def layered(nodes: Sequence[Node]) -> list[list[str]]:
    """Ids by the longest way from a topic without prerequisites, in each layer near to what they
    build on.
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


def _beside(node: Node, row: Mapping[str, float]) -> float:
    """The middle of the rows of what a topic builds on."""
    before = [row[name] for name in node.prerequisites if name in row]
    return sum(before) / len(before) if before else 0.0


def _edge(start: tuple[int, int], end: tuple[int, int]) -> str:
    x1, y1 = start[0] + WIDTH // 2, start[1] + HEIGHT
    x2, y2 = end[0] + WIDTH // 2, end[1]
    bend = GAP_Y // 2
    return f'<path class="edge" d="M{x1} {y1}C{x1} {y1 + bend} {x2} {y2 - bend} {x2} {y2}"/>'


def _box(standing: Standing, x: int, y: int) -> str:
    lines = wrapped(standing.node.title)
    texts = "".join(
        f'<text x="{x + 8}" y="{y + 17 + 15 * n}">{esc(line)}</text>'
        for n, line in enumerate(lines)
    )
    return (
        f"<g><title>{esc(standing.node.title)}: {standing.record.mastery} of 3, "
        f'{standing.words}</title><rect class="{standing.kind}" x="{x}" y="{y}" '
        f'width="{WIDTH}" height="{HEIGHT}" rx="6"/>{texts}'
        f'<text class="soft" x="{x + 8}" y="{y + HEIGHT - 8}">{standing.marks}</text></g>'
    )


def wrapped(title: str) -> list[str]:
    """A title in at most two short lines."""
    lines = [""]
    for word in title.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= LINE_CHARACTERS or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > 2:
        lines = [lines[0], lines[1][: LINE_CHARACTERS - 2] + " …"]
    return [line if len(line) <= 26 else line[:24] + "…" for line in lines]
