"""What hints and reviews of another record say, bounded and harmless like a model's answer."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tutor_lsp.core.session import Answer, Attempt, CounterExample, Finding, Hint, Review, Session
from tutor_lsp.core.text.plain_text import clean, code_span, fenced
from tutor_lsp.stages.plain_markdown import harmless, harmless_line

PROSE, SENTENCE, SNIPPET, EXPRESSION = 4000, 2000, 1500, 1000
"""Bytes of the contracts' texts (`contracts.base`)."""
ESCAPES = 2
"""Times that a text may have grown by the escapes that made it harmless before it was kept."""
LISTED, ENDS = 20, 4000
READ, EACH = 150_000, 10
"""Signs of Markdown that are read of one record, and what a text takes for its own part: a parser
takes some microseconds for each. What is over it is shown as it was written."""
_SIGNS = re.compile(r"[!#&*+<>\[\\\]_`|~-]")

Way = Callable[[str], str]


def _block(text: str) -> str:
    text = text.strip("\n")
    return fenced(text) if text.strip() else ""


_READ: Mapping[str, Way] = {"blocks": harmless, "line": harmless_line, "code": str}
_AS_WRITTEN: Mapping[str, Way] = {"blocks": _block, "line": code_span, "code": str}
"""How texts of several paragraphs, of one line, and code are made harmless."""
_INSIDE = 0, ""
_BOUNDS: Mapping[type, Mapping[str, tuple[int, str]]] = {
    Hint: {
        "question": (ESCAPES * SENTENCE, "line"),
        "text": (ESCAPES * SENTENCE, "blocks"),
        "code": (ESCAPES * SNIPPET, "code"),
        "tried": (ESCAPES * SENTENCE, "blocks"),
    },
    Attempt: {"review": _INSIDE, "review_error": (ENDS, "code")},
    Review: {
        "summary": (ESCAPES * PROSE, "blocks"),
        "improvement": (ESCAPES * SENTENCE, "line"),
        "question": (ESCAPES * SENTENCE, "line"),
        **dict.fromkeys(("findings", "answer", "counter_example"), _INSIDE),
    },
    Finding: dict.fromkeys(("claim", "evidence"), (ESCAPES * SENTENCE, "line")),
    Answer: {**dict.fromkeys(("setup", "call"), (EXPRESSION, "code")), "value": (ENDS, "code")},
    CounterExample: {
        **dict.fromkeys(("setup", "call", "expected"), (EXPRESSION, "code")),
        "gave": (ENDS, "code"),
    },
}
"""Maximum bytes of each text, and what kind it is; lists are cut after `LISTED`."""


class ForeignReader:
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
            hints=tuple(h if h in hints else _bounded(h, ways) for h in session.hints),
            attempts=tuple(a if a in mine else _bounded(a, ways) for a in session.attempts),
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


def _bounded(value: Any, ways: Mapping[str, Way], most: int = 0, kind: str = "") -> Any:
    """A text, or a record or list with its texts, bounded and made harmless as `_BOUNDS` says."""
    if isinstance(value, str):
        return ways[kind](_cut(value, most))
    if isinstance(value, tuple):
        return tuple(_bounded(each, ways, most, kind) for each in value[:LISTED])
    if value is None:
        return None
    bounds = _BOUNDS[type(value)].items()
    changed = {name: _bounded(getattr(value, name), ways, *bound) for name, bound in bounds}
    if isinstance(value, Finding):
        changed["quote"] = value.quote[:SNIPPET]
    return replace(value, **changed)
