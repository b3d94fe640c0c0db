"""Whether words alone dictate a solution, judged by how much of the reference they say. Pure.

A rule of thumb, because only code can be judged by running it: the reference is read as a series
of things that it does (call this, loop, compare, add, return), and a text gives it away if it says
nearly all of them.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tutor_lsp.core.language.syntax import Token
from tutor_lsp.languages.common.syntax import is_call

DICTATED = 0.75
"""Share of what the reference does (0–1) at which a text counts as saying it all."""
SMALL = 3.0
"""A reference with a smaller weight must be said entirely."""
_STEPS = re.compile(r"\b(?:first|then|next|after that|afterwards|finally|lastly|at the end)\b")


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a reference does; `said` matches it in words, `weight` says how
    significant it is."""

    name: str
    said: re.Pattern[str]
    weight: float


def dictates(text: str, body: Sequence[Token], parameters: Sequence[str]) -> bool:
    """Whether a text says what the reference's body does."""
    found = acts(body)
    plain = _plain(text)
    share = share_said(plain, found)
    weight = sum(act.weight for act in found)
    if weight < SMALL:
        operands = [name for name in parameters if any(t.text == name for t in body)]
        return bool(found) and share >= 0.99 and all(_part(n).search(plain) for n in operands)
    needed = DICTATED - _dictating(plain)
    calls = [act for act in found if act.name.startswith("call ")]
    return share >= needed and (not calls or share_said(plain, calls) >= 0.5)


def _dictating(plain: str) -> float:
    """By how much the limit is lower (or higher) because of the wording: several instructions in a
    row are a recipe, questions are not."""
    given = len(_orders().findall(plain)) + len(_STEPS.findall(plain))
    asked = plain.count("?")
    return 0.1 * (given >= 2) - 0.1 * (given == 0) - 0.1 * (asked > 0)


@cache
def _orders() -> re.Pattern[str]:
    clause = r"(?:^|[.:;,!]\s+|\b(?:and|then|else|otherwise|finally|to)\s+)"
    return re.compile(rf"{clause}{_words()['orders']['verbs']}\b")


def acts(body: Sequence[Token]) -> list[Act]:
    """What a body does, each thing once."""
    found: dict[str, Act] = {}
    for act in _read(body):
        found.setdefault(act.name, act)
    return list(found.values())


def share_said(plain: str, found: Sequence[Act]) -> float:
    """The share of these acts that a lower-case text says, by weight (0–1)."""
    total = sum(act.weight for act in found)
    said = sum(act.weight for act in found if act.said.search(plain))
    return said / total if total else 0.0


def _plain(text: str) -> str:
    return re.sub(r"[`_]", " ", text).lower()


@cache
def _words() -> Mapping[str, Any]:
    return tomllib.loads((resources.files(__package__) / "words.toml").read_text("utf-8"))


def _read(body: Sequence[Token]) -> Iterator[Act]:
    words = _words()
    for at, token in enumerate(body):
        text = token.text
        before = body[at - 1].text if at else ""
        named = before.isidentifier() and before not in words["signs"]
        after_value = named or before.isdecimal() or before in (")", "]")
        silent = (text in "-*&" and not after_value) or (text == "!" and after_value)
        if token.kind in ("id", "field") and is_call(body, at):
            common = text.lower() in words["common"]["names"]
            yield Act(f"call {text}", _call(text), words["common"]["weight"] if common else 2.0)
        elif token.kind == "literal":
            yield from _literal("-1" if (before, text) == ("-", "1") else text)
        elif silent:  # the sign of a number, a look behind a pointer, a macro
            continue
        elif text in words["signs"]:
            name, said = words["signs"][text]
            yield Act(name, _anywhere(said), words["weights"].get(name, 1.5))


def _call(name: str) -> re.Pattern[str]:
    spoken = _words()["calls"].get(name.lower())
    return _part(name) if spoken is None else re.compile(rf"\b(?:{spoken})")


def _part(name: str) -> re.Pattern[str]:
    words = [word for word in re.split(r"_+", name.lower()) if word]
    return re.compile(r"\b" + r"\W+".join(re.escape(word) for word in words))


def _literal(text: str) -> Iterator[Act]:
    spoken = _words()["values"].get(text)
    inner = re.sub(r"[{}_]", " ", text.strip("\"'").lower().replace("_", "")).strip()
    if spoken is not None:
        either = rf"(?<!\w)(?:{re.escape(inner)}|{spoken})" if inner else rf"\b(?:{spoken})"
        yield Act(f"value {text}", re.compile(either), 0.75)
    elif text.strip("\"'").isspace():
        yield Act("blank", re.compile(r"\b(?:blank|space|white ?space)"), 0.75)
    elif re.search(r"\w", inner):
        # Of a template the words count, and little: whoever dictates leaves it to the task.
        weight = 0.25 if "{" in text else 1.0
        yield Act(f"value {text}", re.compile(rf"(?<!\w){re.escape(inner)}"), weight)


@cache
def _anywhere(said: str) -> re.Pattern[str]:
    parts = said.split("|")
    words = [rf"\b(?:{part})\b" if re.match(r"\w", part) else rf"(?:{part})" for part in parts]
    return re.compile("|".join(words))
