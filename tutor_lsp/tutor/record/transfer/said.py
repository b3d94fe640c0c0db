"""What hints and reviews of another record say, bounded and harmless like a model's answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from tutor_lsp.core.session import Answer, Attempt, CounterExample, Finding, Hint, Review, Session
from tutor_lsp.core.text.plain_text import clean, code_span, fenced
from tutor_lsp.stages.plain_markdown import harmless, harmless_line

PROSE, SENTENCE, SNIPPET, EXPRESSION = 4000, 2000, 1500, 1000
"""Bytes of the contracts' texts (`contracts.base`)."""
ESCAPES = 2
"""Times that a text may have grown by the escapes that made it harmless before it was kept."""
LISTED, STATEMENTS, ENDS = 20, 20, 4000
READ, EACH = 150_000, 10
"""Signs of Markdown that are read of one record, and what a text takes for its own part: a parser
takes some microseconds for each. What is over it is shown as it was written."""
_SIGNS = re.compile(r"[!#&*+<>\[\\\]_`|~-]")

Way = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class _Ways:
    """How texts of some paragraphs, and those of one line, are made harmless."""

    blocks: Way = harmless
    line: Way = harmless_line


def _block(text: str) -> str:
    text = text.strip("\n")
    return fenced(text) if text.strip() else ""


_READ, _AS_WRITTEN = _Ways(), _Ways(_block, code_span)


class Reader:
    """Makes the texts of one record's sessions harmless, as many as can be read in a moment."""

    def __init__(self) -> None:
        self._left = READ

    def made_harmless(self, session: Session, known: Session | None = None) -> Session:
        """A session with the texts of its hints and reviews cut to what their contracts allow and
        made harmless; what the session `known` here holds just so stays as it is."""
        takes = _takes(session)
        ways = _READ if takes <= self._left else _AS_WRITTEN
        self._left -= takes if ways is _READ else 0
        hints = set(known.hints) if known is not None else set()
        mine = list(known.attempts) if known is not None else []
        return replace(
            session,
            hints=tuple(h if h in hints else _hint(h, ways) for h in session.hints),
            attempts=tuple(a if a in mine else _attempt(a, ways) for a in session.attempts),
        )


def _takes(session: Session) -> int:
    reviews = [each.review for each in session.attempts if each.review is not None]
    texts = [hint.text for hint in session.hints]
    for review in reviews:
        texts += [review.summary, review.improvement or "", review.question or ""]
        texts += [part for each in review.findings[:LISTED] for part in (each.claim, each.evidence)]
    return sum(EACH + len(_SIGNS.findall(text, 0, ESCAPES * PROSE)) for text in texts)


def _cut(text: str, most: int) -> str:
    text = clean(text[:most])
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _text(text: str, most: int, way: Way) -> str:
    return way(_cut(text, ESCAPES * most))


def _line(text: str | None, ways: _Ways) -> str | None:
    return None if text is None else _text(text, SENTENCE, ways.line)


def _hint(hint: Hint, ways: _Ways) -> Hint:
    code = None if hint.code is None else _cut(hint.code, ESCAPES * SNIPPET)
    return replace(hint, text=_text(hint.text, SENTENCE, ways.blocks), code=code)


def _attempt(attempt: Attempt, ways: _Ways) -> Attempt:
    error = None if attempt.review_error is None else _cut(attempt.review_error, ENDS)
    review = None if attempt.review is None else _review(attempt.review, ways)
    return replace(attempt, review=review, review_error=error)


def _review(review: Review, ways: _Ways) -> Review:
    return replace(
        review,
        summary=_text(review.summary, PROSE, ways.blocks),
        findings=tuple(_finding(each, ways) for each in review.findings[:LISTED]),
        improvement=_line(review.improvement, ways),
        question=_line(review.question, ways),
        answer=None if review.answer is None else _answer(review.answer),
        counter_example=None if review.counter_example is None else _case(review.counter_example),
    )


def _finding(finding: Finding, ways: _Ways) -> Finding:
    return replace(
        finding,
        quote=finding.quote[:SNIPPET],
        claim=_text(finding.claim, SENTENCE, ways.line),
        evidence=_text(finding.evidence, SENTENCE, ways.line),
    )


def _answer(answer: Answer) -> Answer:
    return replace(
        answer,
        setup=_statements(answer.setup),
        call=_cut(answer.call, EXPRESSION),
        value=_cut(answer.value, ENDS),
    )


def _case(case: CounterExample) -> CounterExample:
    return replace(
        case,
        setup=_statements(case.setup),
        call=_cut(case.call, EXPRESSION),
        expected=_cut(case.expected, EXPRESSION),
        gave=_cut(case.gave, ENDS),
    )


def _statements(setup: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_cut(each, EXPRESSION) for each in setup[:STATEMENTS])
