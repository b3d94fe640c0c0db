"""Reviews in groups: what is due now, this week, and later."""

from collections.abc import Sequence
from datetime import timedelta

from tutor_lsp.core.learner.spacing import is_due, read_time
from tutor_lsp.core.session import MemoryCard
from tutor_lsp.core.text.clock import local_day
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.languages.registry import name_of
from tutor_lsp.tutor.learner.pages.markup import esc, paragraph, table

WEEK = timedelta(days=7)
NOW, SOON, LATER = marked("Due now"), marked("Within a week"), marked("Later")
Reviewed = tuple[str, str, MemoryCard]
"""A topic's title, its language, and what is remembered of it."""


def reviews(cards: Sequence[Reviewed], now: str) -> str:
    """A table for each group that is not empty; a sentence where there are no reviews at all."""
    if not cards:
        return paragraph(
            t(
                "No reviews yet. A topic that you pass comes back for a short review some days "
                "later, so that you keep it."
            )
        )
    groups: dict[str, list[Reviewed]] = {NOW: [], SOON: [], LATER: []}
    for each in sorted(cards, key=lambda card: card[2].due):
        groups[_group(each[2], now)].append(each)
    if not groups[NOW]:
        first = local_day(next(iter(sorted(card.due for _, _, card in cards))))
        told = paragraph(t(f"Nothing is due. The next review is on {first}."))
    else:
        told = ""
    head = (t("Topic"), t("Language"), t("Due"), t("Last time"), t("Times so far"))
    return told + "".join(
        f'<div class="group"><h3>{esc(t(name))} ({len(found)})</h3>'
        + table(t(f"Reviews: {t(name)}"), head, [_row(each, now) for each in found])
        + "</div>"
        for name, found in groups.items()
        if found
    )


def _group(card: MemoryCard, now: str) -> str:
    if is_due(card, now):
        return NOW
    later, moment = read_time(card.due), read_time(now)
    soon = later is not None and moment is not None and later - moment <= WEEK
    return SOON if soon else LATER


def _row(each: Reviewed, now: str) -> tuple[object, ...]:
    title, language, card = each
    return title, name_of(language), _when(card, now), local_day(card.last_review), card.reviews


def _when(card: MemoryCard, now: str) -> str:
    later, moment = read_time(card.due), read_time(now)
    if is_due(card, now):
        return t("now")
    if later is None or moment is None:
        return local_day(card.due)
    days = max((later - moment).days, 0)
    words = n("in {count} day", "in {count} days", days) if days else t("within a day")
    return f"{words} ({local_day(card.due)})"
