"""A translation into a language in which no letter is ASCII's, so that what stays English shows."""

import re

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from tutor_lsp.core.text.translation import LOCALES
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum

LOCALE = "de"
PLACES = re.compile(r"{\w*(?:!r)?(?::[^{}]*)?}")
KEPT = re.compile(
    PLACES.pattern + r"|`[^`]*`|\btutor\.\w+(?: with {{?.*?}}?)?|tutor-lsp restore --record"
    r"|:TutorLsp \w+|:checkhealth \w+|:LspLog|M-x [\w-]+|[\w.]*/[\w./]+|LESSON\.md"
)
"""What is the same in every language: places, code, commands and paths."""


def wide(text, kept=KEPT):
    """A text in the other language."""
    parts = kept.split(text)
    same = [*kept.findall(text), ""]
    told = [re.sub("[A-Za-z]", lambda c: chr(ord(c[0]) + 0xFEE0), part) for part in parts]
    return "".join(a + b for a, b in zip(told, same, strict=True))


ASCII = "abcdefghijklmnopqrstuvwxyz"
MARKED = str.maketrans(
    ASCII + ASCII.upper(), "áƀçďéƒğĥíĵķĺɱñóƥɋřšťúṽŵẋýžÁƁÇĎÉƑĞĤÍĴĶĹṀÑÓƤɊŘŠŤÚṼŴẊÝŽ"
)


def longer(text, kept=KEPT):
    """A text in another made-up language, which can be drawn: a third longer, between marks that
    show where it begins and ends."""
    parts = kept.split(text)
    same = [*kept.findall(text), ""]
    told = "".join(a.translate(MARKED) + b for a, b in zip(parts, same, strict=True))
    head = re.match(r"[#\s>*-]*", told)[0]
    return f"{head}⟦{told[len(head) :]}{'·' * (len(text) // 3)}⟧"


def translation(folder, kept=KEPT, made=wide):
    """A folder below this one with the other language's one file."""
    with (LOCALES / "tutor_lsp.pot").open("rb") as file:
        catalogue = read_po(file, locale=LOCALE)
    for message in catalogue:
        if isinstance(message.id, tuple):
            message.string = tuple(made(text, kept) for text in message.id)
        elif message.id:
            message.string = made(message.id, kept)
    catalogue.header_comment = ""
    catalogue.fuzzy = False
    place = folder / "locale" / LOCALE / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "tutor_lsp.mo").open("wb") as file:
        write_mo(file, catalogue)
    return place.parents[1]


def english(text, content=()):
    """The English words of a text that are neither code nor `content`."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for known in sorted(content, key=len, reverse=True):
        text = text.replace(known, "")
    return re.findall(r"[A-Za-z]{3,}.*", KEPT.sub("", text))


def content_of(exercise):
    """What the exercise says, and the curriculum."""
    known = load_curriculum()
    for node in known.nodes:
        yield from (node.title, node.id)
    yield from (track.title for track in known.tracks)
    yield from (entry.title for entry in Library([BUNDLED]).entries())
    for unit in exercise.entry.units:
        yield from (unit.stub, unit.first_principle, unit.lesson_heading, unit.id, *unit.tests)
        for text in exercise.hints[unit.id]:
            yield from re.split(r"(?<=[.!?:]) ", " ".join(text.split()))
        for mistake in exercise.mistakes.get(unit.id, ()):
            for text in (mistake.says, mistake.hint):
                yield from filter(None, re.split(r"(?<=[.!?:]) ", " ".join(text.split())))
    yield exercise.entry.folder
    yield from (
        "library",
        "python",
        "rust",
        *(language.name for language in languages().values() if len(language.name) > 1),
        "tutor-lsp",
        "NO_MODEL",
        "position, question, session, unit, uri",
        "uni ",
    )
