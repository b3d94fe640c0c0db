"""Text in ASCII, so that editors that mark other characters (VS Code in files that are not trusted)
leave it alone. Pure."""

import re
import unicodedata

_SIGNS = {
    "‐‑‒–―−⁃": "-",
    "“”„‟«»″": '"',
    "‘’‚‛‹›′": "'",
    "\u00a0\u2002\u2003\u2007\u2009\u200a\u202f": " ",
    "\u00ad\u200b\u2060\ufeff": "",
    "…": "...",
    "•·": "-",
    "→⇒": "->",
    "←": "<-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "×": "x",
    "÷": "/",
}
_LETTERS = {
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L",
    "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i", "ſ": "s",
}  # fmt: skip
_SIGN = str.maketrans({one: plain for each, plain in _SIGNS.items() for one in each})
_LETTER = str.maketrans(_LETTERS)
_DASH = re.compile(r"[ \t]*—[ \t]*")
_SECTION = re.compile(r"§[ \t]*")
_AS_IT_IS = re.compile(r"(`[^`\n]*`|\"[^\"\n]*\")")
"""Code and text in quotes: names and values, which mean exactly what they say."""


def ascii_signs(text: str) -> str:
    """The text with ASCII for typographic signs: dashes, quotes, ellipses, arrows. Letters stay,
    and so does what is in backticks or straight quotes."""
    return "".join(
        piece if number % 2 else _SECTION.sub("section ", _DASH.sub(_dash, piece)).translate(_SIGN)
        for number, piece in enumerate(_AS_IT_IS.split(text))
    )


def ascii_form(text: str) -> str:
    """`ascii_signs` with Latin letters without their accents, too: "naïve – or “not”" is
    "naive - or "not"". Letters of other scripts stay."""
    return "".join(
        piece if number % 2 else "".join(map(_letter, piece.translate(_LETTER)))
        for number, piece in enumerate(_AS_IT_IS.split(ascii_signs(text)))
    )


def _dash(found: re.Match[str]) -> str:
    """A dash between words with a space on both sides."""
    before = " " if found.start() else ""
    return f"{before}-{' ' if found.end() < len(found.string) else ''}"


def _letter(letter: str) -> str:
    if letter.isascii():
        return letter
    plain = "".join(
        part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part)
    )
    return plain if plain.isascii() else letter
