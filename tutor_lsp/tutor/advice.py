"""What to do next, each with its reason."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tutor_lsp.core.recommendation import recommend

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

SHOWN = 3
"""Recommendations that are shown at a time."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A node to do next."""

    node: str
    title: str
    reason: str


async def recommendations(
    app: "App", language: str, *, leave_out: str | None = None
) -> tuple[Advice, ...]:
    """The first recommendations of a language that can be served now."""
    records = await app.db(lambda tx: tx.nodes(language))
    exclude = {leave_out} if leave_out is not None else set()
    found = recommend(
        app.curriculum, language, records, servable=await app.servable(language), exclude=exclude
    )
    return tuple(Advice(item.node, item.title, item.reason) for item in found[:SHOWN])
