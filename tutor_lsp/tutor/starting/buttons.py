"""The rows of the first list as buttons of a message."""

from collections.abc import Sequence
from itertools import groupby, zip_longest

from tutor_lsp.languages.registry import name_of
from tutor_lsp.tutor.interface.choices import Choice


def buttons(rows: Sequence[Choice]) -> dict[str, Choice]:
    """What can be begun or continued, by the text of its button, in the order of the buttons."""
    found: dict[str, Choice] = {}
    for row in _in_order(rows):
        label = _button(row)
        found[label if label not in found else f"{label} ({row.detail})"] = row
    return found


def _in_order(rows: Sequence[Choice]) -> list[Choice]:
    """What is recommended and what was begun last, then topics of all languages in turn, then
    whatever else was begun: one page shows a handful."""
    shown = [row for row in rows if row.kind in ("session", "topic")]
    first, others = shown[:1], shown[1:]
    begun = [row for row in others if row.kind == "session"]
    topics = [row for row in others if row.kind == "topic"]
    by_language = [list(group) for _, group in groupby(topics, key=lambda row: row.language)]
    # The first row stands for its language in the first round.
    by_language.sort(key=lambda group: group[0].language in [row.language for row in first])
    in_turn = [row for turn in zip_longest(*by_language) for row in turn if row is not None]
    soon = begun[: sum(row.kind == "topic" for row in first)]
    return [*first, *soon, *in_turn, *begun[len(soon) :]]


def _button(row: Choice) -> str:
    """A row on a button: what it is, in which language, how long it takes."""
    if row.kind == "session":
        return f"{row.label} ({name_of(row.language)})"
    name = f"{name_of(row.language)}: "
    label = row.label if row.label.startswith(name) else f"{name}{row.label}"
    return f"{label} ({row.detail.split(' · ')[0]})"
