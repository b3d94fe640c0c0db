"""Whether words alone dictate a solution, judged by how much of the reference they say. Pure.

A rule of thumb, because only code can be judged by running it: the reference is read as a series
of things that it does (call this, loop, compare, add, return), and a text gives it away if it says
nearly all of them. How people say them is known in five languages (`words/`); in any other one a
text gives it away that names all that is called and every value in the order of the reference.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tutor_lsp.core.language.syntax import Token
from tutor_lsp.languages.common.syntax import is_call, is_constant
from tutor_lsp.tutor.hinting.coach.sentences import sentences

DICTATED = 0.75
"""Share of what the reference does (0–1) at which a text counts as saying it all."""
SMALL = 3.0
"""A reference with a smaller weight must be said entirely."""
KNOWN = 0.25
"""What an act counts that the learner's own code has by now."""
LEAST_NAMED = 3
"""As many names and values of a reference say something without words around them."""
LEAST_IN_ORDER, LEAST_MISSING = 4, 2
"""As many of them in a row, or all that the learner's code lacks, say what to write."""
LEAST_SIGNS, MOST_SIGNS = 3, 0.8
"""As many operators and numbers are a formula, and the share of the reference's that says it."""
_SIGN = re.compile(
    r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w.])|(?<![\w<>=!&|+*/%-])"
    r"(?:[-+*/%]=|\+\+|--|//|\*\*|[<>=!]=|&&|\|\||[-+*/%<>])(?![\w<>=!&|+*/%-])"
)
_ITEM = re.compile(r"(?m)^\s*[-*+]\s")
_WRITTEN = str.maketrans("×÷−≤≥", "*/-<>")
_SPAN = re.compile(r"`([^`\n]+)`")
_WORDS = re.compile(r"\w+")
_TOKENS = re.compile(r"\w+|\"[^\"]*\"|'[^']*'|[-+*/%<>=!&|^]+|\S")
_NAMES = ("id", "field", "type")
ENGLISH = "en"
TONGUES = (ENGLISH, "de", "fr", "es", "zh")
_JOINED = "zh"
"""The one in which no blanks part words."""
_HAN = re.compile(r"[\u4e00-\u9fff]")
_MARKS = r"^|[.:;,!?¿¡。，；：、\n]\s{0,8}(?:[-*]\s{0,3})?"


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a reference does: its token `text`, and how significant it is. `value` is one
    that it writes."""

    name: str
    text: str
    weight: float
    value: bool = False


def dictates(
    text: str, body: Sequence[Token], parameters: Sequence[str], own: Collection[str] = ()
) -> bool:
    """Whether a text says what the reference's body does; `own` are the tokens that the learner's
    code has: who says those again says little."""
    found = acts(body)
    operands = [name for name in parameters if any(t.text == name for t in body)]
    if all(act.text in own for act in found):
        return False
    told = " ".join(said for said in sentences(text) if not said.endswith(("?", "？")))
    if (
        names_in_order(told, body, own)
        or names_missing(told, body, parameters, own)
        or signs_in_order(told, body, own)
    ):
        return True
    if names_all(text, body, operands, own):
        return True
    found = [act if act.text not in own else _known(act) for act in found]
    plain = _plain(text)
    return any(_dictates(plain, found, operands, tongue) for tongue in tongues_of(plain))


def _known(act: Act) -> Act:
    return Act(act.name, act.text, act.weight * KNOWN, act.value)


def _dictates(plain: str, found: Sequence[Act], operands: Sequence[str], tongue: str) -> bool:
    share = share_said(plain, found, tongue)
    weight = sum(act.weight for act in found)
    if weight < SMALL:
        named = all(_part(name).search(plain) for name in operands)
        return bool(found) and share >= 0.99 and named
    needed = DICTATED - _dictating(plain, tongue)
    calls = [act for act in found if act.name.startswith("call ")]
    return share >= needed and (not calls or share_said(plain, calls, tongue) >= 0.5)


def _dictating(plain: str, tongue: str) -> float:
    """By how much the limit is lower (or higher) because of the wording: several instructions in a
    row are a recipe, questions are not."""
    orders, steps = _orders(tongue)
    given = len(orders.findall(plain)) + len(steps.findall(plain))
    asked = plain.count("?") + plain.count("？")
    return 0.1 * (given >= 2) - 0.1 * (given == 0) - 0.1 * (asked > 0)


def names_all(
    text: str, body: Sequence[Token], operands: Sequence[str], own: Collection[str]
) -> bool:
    """Whether a text names everything that the reference calls, and every value that it writes, in
    whatever language it is: all that is left are signs between them. Something must be new."""
    told: dict[str, None] = {}
    for at, token in enumerate(body):
        called = token.kind in ("id", "field") and is_call(body, at)
        if called or is_constant(token) or (token.kind == "literal" and len(token.text) > 1):
            told[token.text] = None
    wanted = [*told, *(name for name in operands if name not in told)]
    if not told.keys() - set(own) or len(wanted) < LEAST_NAMED or "?" in text or "？" in text:
        return False
    return all(_named(name, text) for name in wanted)


def names_in_order(text: str, body: Sequence[Token], own: Collection[str]) -> bool:
    """Whether the code in a text has every name and value of the reference in its order, in
    whatever language the rest of it is. Something must be new."""
    wanted = [token.text for token in body if token.kind in _NAMES or _is_value(token)]
    if len(wanted) < LEAST_IN_ORDER or all(name in own for name in wanted):
        return False
    said = iter(_WORDS.findall(" ".join(_SPAN.findall(text))))
    return all(name.strip("\"'") in said for name in wanted)


def signs_in_order(text: str, body: Sequence[Token], own: Collection[str]) -> bool:
    """Whether a text has the operators and numbers of the reference in its order, whatever it calls
    the rest: a formula in any language. Something must be new."""
    wanted = [token.text for token in body if _SIGN.fullmatch(token.text)]
    if len(wanted) < LEAST_SIGNS or all(sign in own for sign in wanted):
        return False
    plain = _ITEM.sub("", text).translate(_WRITTEN)
    said = _SIGN.findall(plain)
    return _in_common(wanted, said) >= max(LEAST_SIGNS, MOST_SIGNS * len(wanted))


def _in_common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest row of signs that stand in both in the same order."""
    best = [0] * (len(other) + 1)
    for mine in one:
        before = 0
        for at, theirs in enumerate(other, 1):
            here = best[at]
            best[at] = before + 1 if mine == theirs else max(here, best[at - 1])
            before = here
    return best[-1]


def names_missing(
    text: str, body: Sequence[Token], parameters: Sequence[str], own: Collection[str]
) -> bool:
    """Whether the code in a text has all that the learner's function lacks of the reference, where
    that is more than names: it was begun, and is then done."""
    if not own:
        return False
    written = _words(ENGLISH)["written"]
    given = {*own, *parameters, *written["frame"]}
    missing = {token.text for token in body} - given
    said = {token for span in _SPAN.findall(text) for token in _TOKENS.findall(span)}
    is_more = any(not name.isidentifier() or name in written["joins"] for name in missing)
    return len(missing) >= LEAST_MISSING and is_more and missing <= said


def _is_value(token: Token) -> bool:
    return is_constant(token) or (token.kind == "literal" and len(token.text) > 1)


def _named(name: str, text: str) -> bool:
    inner = re.escape(name.strip("\"'"))
    return re.search(rf"(?<![A-Za-z0-9_]){inner}(?![A-Za-z0-9_])", text) is not None


def tongues_of(plain: str) -> Sequence[str]:
    """The languages that a text may be in, by its most frequent words; all where none is."""
    if _HAN.search(plain):
        return (_JOINED,)
    counts = {
        tongue: len(_common(tongue).findall(plain)) for tongue in TONGUES if tongue != _JOINED
    }
    most = max(counts.values())
    return [tongue for tongue, count in counts.items() if count == most]


@cache
def _common(tongue: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_words(tongue)['orders']['common']})\b")


@cache
def _orders(tongue: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The instructions that a text gives, and the words that put steps in a row."""
    known = _words(tongue)["orders"]
    if tongue == _JOINED:
        return re.compile(known["verbs"]), re.compile(known["steps"])
    clause = rf"(?:{_MARKS}|\b(?:{known['joins']})\s+)"
    return re.compile(rf"{clause}{known['verbs']}\b"), re.compile(rf"\b(?:{known['steps']})\b")


def acts(body: Sequence[Token]) -> list[Act]:
    """What a body does, each thing once."""
    found: dict[str, Act] = {}
    for act in _read(body):
        found.setdefault(act.name, act)
    return list(found.values())


def share_said(plain: str, found: Sequence[Act], tongue: str = ENGLISH) -> float:
    """The share of these acts that a lower-case text says, by weight (0–1)."""
    total = sum(act.weight for act in found)
    said = sum(act.weight for act in found if _said(act, tongue).search(plain))
    return said / total if total else 0.0


def _plain(text: str) -> str:
    return re.sub(r"[`_]", " ", text).lower()


@cache
def _words(tongue: str) -> Mapping[str, Any]:
    return tomllib.loads((resources.files(__package__) / f"words/{tongue}.toml").read_text("utf-8"))


def _read(body: Sequence[Token]) -> Iterator[Act]:
    words = _words(ENGLISH)
    for at, token in enumerate(body):
        text = token.text
        before = body[at - 1].text if at else ""
        named = before.isidentifier() and before not in words["signs"]
        after_value = named or before.isdecimal() or before in (")", "]")
        silent = (text in "-*&" and not after_value) or (text == "!" and after_value)
        if token.kind in ("id", "field") and is_call(body, at):
            common = text.lower() in words["common"]["names"]
            yield Act(f"call {text}", text, words["common"]["weight"] if common else 2.0)
        elif token.kind == "literal":
            yield from _literal("-1" if (before, text) == ("-", "1") else text)
        elif silent:  # the sign of a number, a look behind a pointer, a macro
            continue
        elif text in words["signs"]:
            name, _ = words["signs"][text]
            yield Act(name, text, words["weights"].get(name, 1.5))


def _literal(text: str) -> Iterator[Act]:
    inner = _inner(text)
    if text in _words(ENGLISH)["values"]:
        yield Act(f"value {text}", text, 0.75, value=True)
    elif text.strip("\"'").isspace():
        yield Act("blank", text, 0.75)
    elif re.search(r"\w", inner):
        # Of a template the words count, and little: whoever dictates leaves it to the task.
        weight = 0.25 if "{" in text else 1.0
        yield Act(f"value {text}", text, weight, value=True)


def _inner(text: str) -> str:
    return re.sub(r"[{}_]", " ", text.strip("\"'").lower().replace("_", "")).strip()


@cache
def _said(act: Act, tongue: str) -> re.Pattern[str]:
    """How an act is said in a language."""
    words = _words(tongue)
    if act.value:
        inner, spoken = _inner(act.text), words["values"].get(act.text)
        found = [rf"(?<![a-z0-9_]){re.escape(inner)}"] * bool(inner)
        found += [_bounded(spoken, tongue)] if spoken is not None else []
        return re.compile("|".join(found))
    if act.name.startswith("call "):
        spoken = words["calls"].get(act.text.lower())
        own = _part(act.text).pattern
        return re.compile(own if spoken is None else f"{own}|{_begun(spoken, tongue)}")
    if tongue == ENGLISH:
        blank = "blank|space|white ?space"
        return _anywhere(blank if act.name == "blank" else words["signs"][act.text][1])
    return re.compile(_bounded(words["acts"][act.name], tongue))


def _begun(spoken: str, tongue: str) -> str:
    return rf"(?:{spoken})" if tongue == _JOINED else rf"\b(?:{spoken})"


def _bounded(spoken: str, tongue: str) -> str:
    if tongue == _JOINED:
        return rf"(?:{spoken})"
    parts = spoken.split("|") if "(" not in spoken else [spoken]
    if len(parts) == 1:
        return rf"(?<![\w]) ?(?:{spoken})(?!\w)"
    return "|".join(rf"\b(?:{each})\b" if re.match(r"\w", each) else each for each in parts)


def _part(name: str) -> re.Pattern[str]:
    words = [word for word in re.split(r"_+", name.lower()) if word]
    return re.compile(r"(?<![a-z0-9])" + r"\W+".join(re.escape(word) for word in words))


@cache
def _anywhere(said: str) -> re.Pattern[str]:
    parts = said.split("|")
    words = [rf"\b(?:{part})\b" if re.match(r"\w", part) else rf"(?:{part})" for part in parts]
    return re.compile("|".join(words))
