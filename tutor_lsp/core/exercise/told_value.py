"""Whether a text tells the value that a learner is to predict. Pure."""

import re
from collections.abc import Iterable

DISTINCT = 3
"""Characters from which a value is unlikely to stand somewhere by chance."""
_QUOTES = "\"'`"
_SAYS = (
    r"(?:gives?|gave|is|are|be|becomes?|returns?|prints?|equals?|gets?|holds?|answers?|write|"
    r"result|value|to|as|=|==|:)"
)


def inner(value: str) -> str:
    """A value without quotes around it."""
    text = value.strip()
    quoted = len(text) > 1 and text[0] in _QUOTES and text[0] == text[-1]
    return text[1:-1] if quoted else text


def is_distinct(value: str, program: Iterable[str]) -> bool:
    """Whether a value that stands somewhere stands there because it was meant: it is no short one,
    and the program itself does not have it."""
    text = inner(value)
    return len(text) >= DISTINCT and not any(stands_in(value, each) for each in program)


def stands_in(value: str, text: str) -> bool:
    """Whether a value stands in a text, not as a part of a longer word or number."""
    return _place(inner(value), text) is not None


def says(value: str, text: str) -> bool:
    """Whether a text states a value as what something gives."""
    told = re.escape(inner(value))
    if not told:
        return False
    stated = rf"(?<!\w){_SAYS}(?:\s+(?:just|now|simply|exactly|the|a))?[\s\"'`*_(]*{told}(?![\w])"
    return re.search(stated, text, re.IGNORECASE) is not None


def _place(told: str, text: str) -> int | None:
    if not told:
        return None
    before = r"(?<![\w.])" if told[0].isalnum() or told[0] == "_" else ""
    after = r"(?!\w|\.\d)" if told[-1].isalnum() or told[-1] == "_" else ""
    found = re.search(before + re.escape(told) + after, text)
    return found.start() if found is not None else None


def place_of(value: str, text: str) -> int:
    """The 1-based line of a value that stands in a text."""
    return text.count("\n", 0, _place(inner(value), text) or 0) + 1
