"""Putting remedial sections into a lesson that is already proven. Pure.

They consist of texts that were checked when the package was built, so the exercise's proof remains
valid for everything else.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.learner.mastery import MORE_SCAFFOLD_AT, REMEDIAL_AT
from tutor_lsp.library.markdown import headings, split_at
from tutor_lsp.library.remedial import Remedial, about

MOST_SECTIONS = 2
"""Most remedial sections in one lesson."""
HEADING = "Once more: "
"""Prefix of a remedial section's heading."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a lesson should address: tags with how often each was seen, most urgent first."""

    tags: Sequence[tuple[str, int]] = ()

    @property
    def open(self) -> tuple[tuple[str, int], ...]:
        """The tags that get a section."""
        seen = [(tag, count) for tag, count in self.tags if count >= REMEDIAL_AT]
        return tuple(seen[:MOST_SECTIONS])

    @property
    def more_scaffold(self) -> bool:
        """Whether the lesson should give more to build on."""
        return any(count >= MORE_SCAFFOLD_AT for _, count in self.open)


def with_remedial(
    lesson: str,
    units: Sequence[Unit],
    hints: Mapping[str, Sequence[str]],
    need: Need,
    texts: Mapping[str, Remedial],
) -> tuple[str, tuple[Unit, ...]]:
    """The lesson with its remedial sections before the first section, and the units with their
    new lesson lines. If more scaffold is due, each unit's section also gets the author's
    nudge and analogue (L1 and L2), which never contain the solution.
    """
    if not need.open:
        return lesson, tuple(units)
    first = next((mark.line for mark in headings(lesson) if mark.level == 2), None)
    if first is None:
        return lesson, tuple(units)
    lines_before = lesson.split("\n")[: first - 1]
    rest = split_at("\n".join(lesson.split("\n")[first - 1 :]), 2)
    sections = [_section(about(tag, texts), count) for tag, count in need.open]
    if need.more_scaffold:
        rest = [_with_steps(piece, units, hints) for piece in rest]
    intro = "\n".join(lines_before).strip("\n")
    text = "\n\n".join([*([intro] if intro else []), *sections, *rest]) + "\n"
    lines = {mark.text: mark.line for mark in headings(text) if mark.level == 2}
    placed = tuple(
        replace(unit, lesson_line=lines.get(unit.lesson_heading, unit.lesson_line))
        for unit in units
    )
    return text, placed


def _section(remedial: Remedial, count: int) -> str:
    return f"## {HEADING}{remedial.title}\n\n_This came up {count} times so far._ {remedial.text}"


def _with_steps(piece: str, units: Sequence[Unit], hints: Mapping[str, Sequence[str]]) -> str:
    heading = piece.partition("\n")[0].removeprefix("## ").strip()
    added = [
        f"### More to build on: `{unit.stub}`\n\n{hint[0].strip()}\n\n{hint[1].strip()}"
        for unit in units
        if unit.lesson_heading == heading and len(hint := hints.get(unit.id, ())) >= 2
    ]
    return "\n\n".join([piece, *added])
