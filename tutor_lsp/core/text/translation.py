"""The tutor's own sentences in the learner's language, from one catalogue as gettext reads it.

A sentence is written in English where it is made, as an f-string: `t(f"`{stub}` does not pass")`.
`make catalogue` collects the forms, in which every expression is a `{name}`. A translated process
finds the form again by the words of the sentence; in English, sentences stay as they were made.
That leaves sentences readable and typed where they are made, and also translates stored ones.

A process serves one learner, so its language is the process's, as a locale is: `speak` sets it.
Texts of exercises, learners, models and other tools are no sentences of the tutor.
"""

import gettext
import os
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from string import Formatter

DOMAIN = "tutor_lsp"
LOCALES = Path(__file__).parents[2] / "locale"
"""Where translations lie: `<language>/LC_MESSAGES/tutor_lsp.mo`."""
EDITOR = "editor"
"""The context of texts that the plugins for Neovim and Emacs say themselves."""
_AFTER_CONTEXT = "\x04"
"""What gettext writes between the context of a text and the text."""
_Parts = list[tuple[str, str | None]]
LEAST, LEAST_WITHIN = 4, 16
"""Letters that a form must have to be found again by them, in a sentence and in a part of one,
which may be a title; shorter ones go through `n`."""
MOST_WITHIN = 1000
"""Characters of a part of a sentence that may be a sentence itself: a longer one is of others."""
_spoken = gettext.NullTranslations()
_known: Mapping[object, str] = {}
"""All that the catalogue holds, by its texts."""
_forms: list[tuple[int, _Parts, str]] = []
"""How many letters a form with places has, most first, and of equals the one with most marks; the
form; its translation."""


def translations(languages: list[str] | None = None) -> gettext.NullTranslations:
    """The catalogue of the first of these languages that has one, by default those of the
    environment; English where there is none."""
    return gettext.translation(DOMAIN, _folder(), languages, fallback=True)


def _folder() -> str | Path:
    """As with gettext itself, translators try a file out from a folder of their own."""
    return os.environ.get("TEXTDOMAINDIR") or LOCALES


def speak_here() -> None:
    """Make the sentences of this process in the language of the environment, and with them those of
    libraries that ask gettext, as click does."""
    speak(translations())
    if _known:
        gettext.bindtextdomain(DOMAIN, str(_folder()))
        gettext.textdomain(DOMAIN)


def speak(translations: gettext.NullTranslations) -> None:
    """Make the sentences of this process from now on in the language of this catalogue."""
    global _spoken, _known, _forms
    _spoken = translations
    # gettext has no public way to list what a catalogue holds.
    _known = getattr(translations, "_catalog", {})
    texts = (text for text in _known if isinstance(text, str) and _AFTER_CONTEXT not in text)
    forms = [(_letters(p), p, _known[text]) for text in texts if (p := _parts(text))]
    _forms = sorted(forms, key=lambda form: (form[0], _marks(form[1])), reverse=True)
    _told.cache_clear()


def language() -> str:
    """The language of the sentences of this process, as a page names it."""
    return str(_spoken.info().get("language", "en")).replace("_", "-")


def texts_of(context: str) -> dict[str, str]:
    """The translations of all texts of a context, for whoever fills their places itself; without
    those that have other places than the text."""
    start, places = context + _AFTER_CONTEXT, re.compile(r"{\w+}")
    return {
        text.removeprefix(start): said
        for text, said in _known.items()
        if isinstance(text, str)
        and text.startswith(start)
        and set(places.findall(text)) == set(places.findall(said))
    }


def _letters(parts: _Parts) -> int:
    return sum(map(str.isalpha, "".join(words for words, _ in parts)))


def _marks(parts: _Parts) -> int:
    return sum(len(words) for words, _ in parts)


def _parts(text: str) -> _Parts:
    """The words of a form, each before the name of a place, the last before None; none if it has
    no places."""
    parts: _Parts = []
    before = ""
    try:
        for words, name, *_ in Formatter().parse(text):
            before += words
            if name is not None:
                parts.append((before, name))
                before = ""
    except ValueError:
        return []
    named = all(name.isidentifier() for _, name in parts if name is not None)
    return [*parts, (before, None)] if parts and named else []


def _values(parts: _Parts, sentence: str) -> dict[str, str] | None:
    """What fills the places of a form in a sentence, each as short as it can be; None if the
    sentence is not of that form."""
    values: dict[str, str] = {}
    at, before = 0, None
    for words, name in parts:
        found = sentence.find(words, at) if name else len(sentence) - len(words)
        if found < at or not sentence.startswith(words, found):
            return None
        if values.setdefault(before or "", sentence[at:found]) != sentence[at:found]:
            return None
        at, before = found + len(words), name
    return values if values.pop("") == "" else None


def t(sentence: str) -> str:
    """A sentence of the tutor's in the learner's language; as it is where that has none for it."""
    return _told(sentence, LEAST)


@lru_cache(maxsize=1024)
def _told(sentence: str, least: int) -> str:
    if sentence and (said := _spoken.gettext(sentence)) != sentence:
        return said
    for size, parts, said in _forms:
        if size < least:
            break
        if (values := _values(parts, sentence)) is not None:
            # A reason within a sentence has several words; a name stays as it is.
            inner = {
                name: _told(value, LEAST_WITHIN)
                if " " in value and len(value) <= MOST_WITHIN
                else value
                for name, value in values.items()
            }
            return filled(said, sentence, inner)
    return sentence


def n(one: str, many: str, count: int, /, **values: object) -> str:
    """The form of a sentence for a number, which fills its `{count}`, with its places filled."""
    places = {"count": count, **values}
    return filled(_spoken.ngettext(one, many, count), one if count == 1 else many, places)


def marked(text: str) -> str:
    """A text that `t` puts into the learner's language later: it belongs to the catalogue."""
    return text


def form_of(text: str) -> str:
    """The translation of a form whose places are still to be filled."""
    return _spoken.gettext(text) if text else text


def filled(
    form: str, english: str, values: Mapping[str, object], change: Callable[[str], str] = str
) -> str:
    """A form with its `{name}` places filled and `change` applied to all but what fills them;
    `english` where a translation has places that are not there."""
    for each in (form, english):
        try:
            return "".join(
                change(words) + (format(values[name], spec or "") if name else "")
                for words, name, spec, _ in Formatter().parse(each)
            )
        except (KeyError, IndexError, ValueError):
            continue
    return english
