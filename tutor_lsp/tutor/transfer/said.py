"""What hints and reviews of another record say, bounded and harmless like a model's answer."""

from collections.abc import Callable
from dataclasses import replace

from tutor_lsp.core.plain_text import clean
from tutor_lsp.core.session import Answer, Attempt, CounterExample, Finding, Hint, Review, Session
from tutor_lsp.stages.plain_markdown import harmless, harmless_line

PROSE, SENTENCE, SNIPPET, EXPRESSION = 4000, 2000, 1500, 1000
"""Bytes of the contracts' texts (`contracts.base`)."""
ESCAPES = 2
"""Times that a text may have grown by the escapes that made it harmless before it was kept."""
LISTED, STATEMENTS, ENDS = 20, 20, 4000


def made_harmless(session: Session, known: Session | None = None) -> Session:
    """A session of a record with the texts of its hints and reviews cut to what their contracts
    allow and made harmless; what the session `known` here holds just so stays as it is."""
    hints = set(known.hints) if known is not None else set()
    mine = list(known.attempts) if known is not None else []
    return replace(
        session,
        hints=tuple(hint if hint in hints else _hint(hint) for hint in session.hints),
        attempts=tuple(each if each in mine else _attempt(each) for each in session.attempts),
    )


def _cut(text: str, most: int) -> str:
    text = clean(text[:most])
    return text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")


def _text(text: str, most: int, way: Callable[[str], str]) -> str:
    return way(_cut(text, ESCAPES * most))


def _line(text: str | None) -> str | None:
    return None if text is None else _text(text, SENTENCE, harmless_line)


def _hint(hint: Hint) -> Hint:
    code = None if hint.code is None else _cut(hint.code, ESCAPES * SNIPPET)
    return replace(hint, text=_text(hint.text, SENTENCE, harmless), code=code)


def _attempt(attempt: Attempt) -> Attempt:
    error = None if attempt.review_error is None else _cut(attempt.review_error, ENDS)
    review = None if attempt.review is None else _review(attempt.review)
    return replace(attempt, review=review, review_error=error)


def _review(review: Review) -> Review:
    return replace(
        review,
        summary=_text(review.summary, PROSE, harmless),
        findings=tuple(map(_finding, review.findings[:LISTED])),
        improvement=_line(review.improvement),
        question=_line(review.question),
        answer=None if review.answer is None else _answer(review.answer),
        counter_example=None if review.counter_example is None else _case(review.counter_example),
    )


def _finding(finding: Finding) -> Finding:
    return replace(
        finding,
        quote=finding.quote[:SNIPPET],
        claim=_text(finding.claim, SENTENCE, harmless_line),
        evidence=_text(finding.evidence, SENTENCE, harmless_line),
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
