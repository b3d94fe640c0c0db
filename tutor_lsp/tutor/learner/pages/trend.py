"""The last weeks side by side: exercises passed and attempts that were not there yet."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from tutor_lsp.core.text.clock import local
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.tutor.learner.pages.markup import esc, paragraph, picture, scrolled, table
from tutor_lsp.tutor.learner.pages.timeline import Kind, Step

WEEKS = 12
BAR, GAP, HIGH, TOP, FOOT = 18, 10, 90, 18, 36
"""Sizes of the picture in pixels: it fits a screen of 400."""
MONTHS = (
    marked("Jan"), marked("Feb"), marked("Mar"), marked("Apr"), marked("May"), marked("Jun"),
    marked("Jul"), marked("Aug"), marked("Sep"), marked("Oct"), marked("Nov"), marked("Dec"),
)  # fmt: skip


def trend(steps: Sequence[Step], now: str) -> str:
    """A bar for each of the last weeks, and the same as a table; a sentence if nothing was tried
    in them.
    """
    weeks = _weeks(now)
    counts = {kind: Counter(_monday(step.at) for step in steps if step.kind is kind)
              for kind in Kind}  # fmt: skip
    passed, tried = ([counts[kind][week] for week in weeks] for kind in (Kind.PASSED, Kind.NOT_YET))
    most = max((p + t for p, t in zip(passed, tried, strict=True)), default=0)
    if not most:
        return paragraph(
            t(f"No attempts in the last {WEEKS} weeks. Each one is counted here by its week.")
        )
    bars = "".join(
        _bar(at, week, p, t, most)
        for at, (week, p, t) in enumerate(zip(weeks, passed, tried, strict=True))
        if week is not None
    )
    drawn = picture(
        "trend",
        t("Attempts of the last weeks"),
        t(
            "One bar a week, the filled part are attempts in which all tests passed. The table "
            "below says the same."
        ),
        len(weeks) * (BAR + GAP) + GAP,
        TOP + HIGH + FOOT,
        bars,
    )
    rows = [
        (f"{week:%Y-%m-%d}", p, t, counts[Kind.HINT][week])
        for week, p, t in zip(weeks, passed, tried, strict=True)
        if week is not None and (p or t or counts[Kind.HINT][week])
    ]
    head = (t("Week from"), t("All tests pass"), t("Not yet"), t("Hints"))
    key = t("Filled: attempts in which all tests pass. Open: not yet. The number is both.")
    name = t("Attempts by week")
    return paragraph(key) + scrolled(name, drawn) + table(name, head, rows)


def _weeks(now: str) -> list[date]:
    """The Mondays of the last weeks, the present one last; none if the time cannot be read."""
    this = _monday(now)
    if this is None:
        return []
    return [this - timedelta(weeks=back) for back in reversed(range(WEEKS))]


def _monday(at: str) -> date | None:
    moment = local(at)
    return moment.date() - timedelta(days=moment.weekday()) if moment is not None else None


def _bar(at: int, week: date, passed: int, tried: int, most: int) -> str:
    x, base = GAP + at * (BAR + GAP), TOP + HIGH
    high, low = (round(HIGH * count / most) for count in (passed + tried, passed))
    drawn = ""
    if passed + tried:
        drawn = (
            f'<rect class="begun" x="{x}" y="{base - high}" width="{BAR}" height="{high}"/>'
            f'<rect class="full" x="{x}" y="{base - low}" width="{BAR}" height="{low}"/>'
            f'<text class="middle" x="{x + BAR // 2}" y="{base - high - 5}">{passed + tried}</text>'
        )
    day = f'<text class="soft middle" x="{x + BAR // 2}" y="{base + 16}">{week.day}</text>'
    if at == 0 or week.day <= 7:
        month = esc(t(MONTHS[week.month - 1]))
        day += f'<text class="soft middle" x="{x + BAR // 2}" y="{base + 31}">{month}</text>'
    told = t(f"{passed} passed, {tried} not yet")
    return f"<g><title>{week:%Y-%m-%d}: {esc(told)}</title>{drawn}{day}</g>"
