"""How well a few words of free text fit a piece of the curriculum.

Words are compared by stem, so "closures" matches "closure". A phrase counts for more
than its words, a word that is rare in the curriculum for more than a common one.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

FITS = 0.4
"""The lowest score, of 1, at which a text matches."""
_SHARE = 0.2
"""The smallest part of a sentence that a single word of it may be to name something."""
NEAR, AHEAD = 0.22, 1.2
"""The lowest score at which a text is near something, and how many times the next one's."""

_SILENT = """
a about all am an and any are as at basic basics be beginner beginners begin build but by can
code coding could create do does etc example examples explain first for from get give good
had has have help how i if in intro introduction into is it its know learn learning lesson
let like make making me more my need new of on or our please practice practise program
programming programs should simple so some something start teach than that the their them
then there these they thing things this to topic tutorial understand understanding up use
used using want was way we what when where which while who why will with work working works
would write writing you your
"""
_STOP_WORDS = frozenset(_SILENT.split())
_QUOTES = "`'\"“”‘’«»"
_WORD = re.compile(r"[^\W_]+")
_VOWEL = re.compile(r"[aeiouy]")

# The weight of a matched word: the last two alone are never enough to match.
_PHRASE, _TITLE, _KEYWORD, _SIDE, _PART, _SUMMARY = 1.0, 0.96, 0.95, 0.6, 0.35, 0.3


@dataclass(frozen=True, slots=True)
class Document:
    """Something to compare a text with; `side` has words that count less, such as tags and ids."""

    title: str
    keywords: tuple[str, ...] = ()
    side: tuple[str, ...] = ()
    summary: str = ""


def words(text: str) -> list[str]:
    """The stems of a text's words in order; a lone symbol such as ``?`` is a word."""
    stems: list[str] = []
    for piece in text.casefold().split():
        parts = _WORD.findall(piece)
        symbol = piece.strip(_QUOTES)
        if parts:
            stems += [stem(part) for part in parts]
        elif symbol:
            stems.append(symbol)
    return stems


def stem(word: str) -> str:
    """A light English stem: plural, -ing, -ed, -er, -or, -ion and a final e are cut off."""
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("sses"):
        word = word[:-2]
    elif word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ion", "ed", "er", "or"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= 3 and _VOWEL.search(rest):
            doubled = rest[-1] == rest[-2] and rest[-1] not in "lsz"
            return rest[:-1] if doubled and len(rest) > 3 else rest
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def rank(text: str, documents: Sequence[Document], *, ignore: Collection[str] = ()) -> list[float]:
    """A score from 0 to 1 for each document: the share of the text that it covers.

    Words in `ignore` (the language's name) and stop words are left out.
    """
    skipped = {stem(word.casefold()) for word in ignore}
    tokens = [word for word in words(text) if word not in skipped]
    silent = {stem(word) for word in _STOP_WORDS}
    counted = [index for index, word in enumerate(tokens) if word not in silent]
    counted = counted or list(range(len(tokens)))
    if not counted:
        return [0.0] * len(documents)
    spread: Counter[str] = Counter()
    for document in documents:
        spread.update(set(words(" ".join((document.title, *document.keywords)))))
    weight = [math.log(1 + len(documents) / (spread[word] or 0.5)) for word in tokens]
    whole = sum(weight[index] for index in counted)
    scores: list[float] = []
    for document in documents:
        strength = _strengths(tokens, document)
        scores.append(sum(weight[index] * strength[index] for index in counted) / whole)
    return scores


def named(text: str, documents: Sequence[Document], *, ignore: Collection[str] = ()) -> int | None:
    """The place of the document that a sentence names, whatever else it says; None if none.

    Named is what a whole title, keyword or side entry is called, rare ones before common ones, a
    title before others, and the first before later ones. A single word of a long sentence that is
    no title may mean anything.
    """
    silent = {stem(word.casefold()) for word in (*_STOP_WORDS, *ignore)}
    tokens = words(text)
    telling = [index for index, word in enumerate(tokens) if word not in silent]
    size = sum(len(tokens[index]) > 1 for index in telling)
    whole = [set(_phrases(document, silent)) for document in documents]
    spread = Counter(phrase for phrases in whole for phrase in phrases)
    best: tuple[float, bool, int, int] | None = None
    for place, phrases in enumerate(whole):
        found: dict[int, float] = {}
        longest = 0
        for phrase in phrases:
            for index in _named_at(tokens, telling, phrase, silent):
                longest = max(longest, len(phrase))
                found[index] = max(found.get(index, 0.0), 1 / spread[phrase])
        title = tuple(words(documents[place].title))
        titled = bool(_named_at(tokens, telling, title, silent))
        if found and (titled or longest > 1 or len(found) >= _SHARE * size):
            key = (-sum(found.values()), not titled, min(found), place)
            best = key if best is None else min(best, key)
    return None if best is None else best[3]


def _phrases(document: Document, silent: Collection[str]) -> Iterator[tuple[str, ...]]:
    """What a document is called; one word of the side says too little."""
    side = (each.replace("-", " ") for each in document.side)
    for phrase in (document.title, *document.keywords, *(each for each in side if " " in each)):
        told = tuple(words(phrase))
        if len(told) > 1 or (told and told[0] not in silent):
            yield told


def _named_at(
    tokens: Sequence[str], telling: Sequence[int], phrase: Sequence[str], silent: Collection[str]
) -> set[int]:
    """Which of the words that are `telling` stand in the phrase, as it is or, if two or more of its
    own are, without those that are not."""
    found: set[int] = set()
    for at in _places(tokens, phrase):
        found.update(index for index in telling if at <= index < at + len(phrase))
    rest = [word for word in phrase if word not in silent]
    if len(rest) > 1:
        for at in _places([tokens[index] for index in telling], rest):
            found.update(telling[at : at + len(rest)])
    return found


def _places(tokens: Sequence[str], phrase: Sequence[str]) -> Iterator[int]:
    for at in range(len(tokens) - len(phrase) + 1):
        if phrase and list(tokens[at : at + len(phrase)]) == list(phrase):
            yield at


def _strengths(tokens: Sequence[str], document: Document) -> list[float]:
    strength = [0.0] * len(tokens)

    def mark(indices: Iterable[int], value: float) -> None:
        for index in indices:
            strength[index] = max(strength[index], value)

    def mark_words(text: str, value: float) -> None:
        wanted = set(words(text))
        mark((index for index, word in enumerate(tokens) if word in wanted), value)

    mark_words(document.summary, _SUMMARY)
    mark_words(" ".join(document.side), _SIDE)
    mark_words(document.title, _TITLE)
    for phrase in (document.title, *document.keywords):
        wanted = words(phrase)
        if len(wanted) == 1:
            mark_words(phrase, _PHRASE if phrase == document.title else _KEYWORD)
            continue
        mark_words(phrase, _PART)
        for start in range(len(tokens) - len(wanted) + 1):
            if wanted and tokens[start : start + len(wanted)] == wanted:
                mark(range(start, start + len(wanted)), _PHRASE)
    return strength
