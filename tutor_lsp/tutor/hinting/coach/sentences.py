"""The sentences of a text, and the words that tell what one of them is about. Pure."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_END = re.compile(r"(?<=[.!?…])[\"”»*]*\s+|(?<=[。！？])\s*|\n+")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,2}[.)])\s")
_WORD = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]|[^\W\d_]{2,}")
_BLOCK = re.compile(r"(?m)^\s*(?:```|~~~)|^(?: {4}|\t)")
_MARK_ALONE = re.compile(r"(?:^|\n)\s*(?:[-*+]|\d{1,2}[.)])\s*$")
"""A mark of a list whose item has not begun."""
_STAR = re.compile(r"(?m)^\s*\*\s")
_UNDER = re.compile(r"(?<!\w)_|_(?!\w)")
_CODE = re.compile(r"`[^`]*`")
_JOINED = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
LEAST = 3
"""Words, or signs of a script without blanks, from which a text says something."""


@cache
def _words() -> Mapping[str, Any]:
    text = (Path(__file__).parent / "said.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def says(kind: str) -> re.Pattern[str]:
    """The pattern of a list of `said.toml`. Only words that blanks stand around end where a word
    ends."""
    listed = _words()[kind]
    apart = [each for each in listed if not _JOINED.search(each)]
    joined = [each for each in listed if each not in apart]
    found = [rf"\b(?:{'|'.join(apart)})\b"] * bool(apart) + joined
    return re.compile(rf"(?i)(?:{'|'.join(found)})")


def sentences(text: str) -> list[str]:
    """The sentences of a text, in order."""
    return [said.strip() for said in _apart(text) if said.strip()]


def _apart(text: str) -> Iterator[str]:
    """What stands between ends of sentences that are outside of code, with what ends it."""
    start = 0
    for end in _END.finditer(text):
        if text.count("`", start, end.start()) % 2 == 0 or "\n" in end[0]:
            yield text[start : end.end()]
            start = end.end()
    yield text[start:]


def only(text: str, keeps: Callable[[str], bool]) -> str:
    """The text with just the sentences that `keeps` takes. An item of a list goes with its mark,
    and what announces something goes with that."""
    if all(keeps(said) for said in sentences(text)):
        return text
    kept: list[str] = []
    for block in re.split(r"\n[ \t]*\n", text):
        rows = []
        for row in block.split("\n"):
            mark = _ITEM.match(row)
            head, body = (mark[0], row[mark.end() :]) if mark else ("", row)
            parts = "".join(
                part for part in _apart(body) if not part.strip() or keeps(part.strip())
            )
            if parts.strip():
                rows.append(head + parts.rstrip())
        if rows:
            kept.append("\n".join(rows))
    while kept and kept[-1].rstrip().endswith((":", "：")):
        kept.pop()
    return "\n\n".join(kept).strip()


def says_something(text: str) -> bool:
    """Whether a text holds more than code and fragments."""
    return len(_WORD.findall(_CODE.sub(" ", text))) >= LEAST


def begun(text: str) -> str:
    """What a text says in whole sentences that stay as they are, whatever follows: without those
    from a block of code on, and none that ends within emphasis or code."""
    block = _BLOCK.search(text)
    said = text[: block.start()] if block else text
    ends = [end.start() for end in _END.finditer(said)]
    for end in reversed(ends):
        whole = _MARK_ALONE.sub("", said[:end])
        bare = _STAR.sub("", _CODE.sub("", whole))
        marks = (bare.count("`"), bare.count("**"), bare.count("*"), len(_UNDER.findall(bare)))
        if "[" not in bare and not any(count % 2 for count in marks):
            return whole.rstrip()
    return ""
