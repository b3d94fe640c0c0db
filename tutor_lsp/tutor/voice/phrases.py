"""Phrases that several views share, each worded here alone."""

from collections.abc import Sequence

from tutor_lsp.core.exercise.report import TestReport, Unpractised
from tutor_lsp.core.text.plain_text import code_span
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.languages.practises import constructs

NO_REVIEW = marked("There is no review yet: make an attempt (tutor.attempt) to get one.")
NOTHING_HERE = marked("There is nothing here yet: tutor.start begins an exercise.")
_IMPROVEMENT = marked("One thing to improve")
_QUESTION = marked("A question, if you like")
_ANSWER = marked("The answer is in .tutor/coach.md.")


def improvement(text: str, place: str = "") -> str:
    """What a review would improve, in Markdown; `place` says where."""
    return f"**{t(_IMPROVEMENT)}{place}:** {text}"


def question(text: str, place: str = "", *, answered: bool = False) -> str:
    """A review's question, in Markdown; `answered` says where its answer is."""
    answer = f" {t(_ANSWER)}" if answered else ""
    return f"**{t(_QUESTION)}{place}:** {text}{answer}"


def plain_question(text: str) -> str:
    """A review's question without Markdown, and where its answer is."""
    return f"{t(_QUESTION)}: {text} {t(_ANSWER)}"


def works_without(each: Unpractised) -> str | None:
    """What passing code was to use and does without; None for a construct that nobody knows."""
    known = constructs(each.language).get(each.construct)
    if known is None:
        return None
    name, one = t(known.name), t(known.one)
    return t(f"It works, and without {name}: try once more with {one}.")


def unpractised_lines(report: TestReport) -> list[str]:
    """The same of every unit of a run, in Markdown, each with its unit."""
    stubs = {test.unit: test.stub for test in report.tests if test.unit}
    return [
        f"{each.unit} {code_span(stubs[each.unit] or '')}: {said}"
        for each in report.unpractised or ()
        if each.unit in stubs and (said := works_without(each)) is not None
    ]


def stuck(rows: Sequence[str], *, actions: bool = False) -> str:
    """The ways on from a last hint as a list; `actions`: they are code actions on the stub."""
    head = (
        t("Still stuck? Each of these is fine, as a code action on the stub:")
        if actions
        else n("Still stuck? This is fine:", "Still stuck? Each of these is fine:", len(rows))
    )
    return "\n".join([head, "", *(f"- {row}" for row in rows)])


def tried_out(told: str, *, model: bool) -> str:
    """What of a hint was tried out, which is all that is sure of a model's words; "" for others."""
    if told or not model:
        return told
    return t("A model's suggestion; nothing in it was tried out.")


def stuck_in_line(titles: Sequence[str]) -> str:
    """The same in one line, by the titles of the code actions."""
    return t(f"Still stuck? {' · '.join(titles)} (code actions)")
