"""Text that others wrote, as harmless text: characters, Markdown that says just what it reads as,
and plain words. Pure and linear; what reads Markdown is `stages.plain_markdown`."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable

MARKS = 4
"""Marks above or below one letter, at most: no script needs more."""
_PLAIN = re.compile(r"[\t\n -~]*+")
_BLANK = {"\x0b": " ", "\x0c": " ", "\r": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5")
"""Characters that show nothing though Unicode counts them as letters or marks."""
_TICKS = re.compile(r"`+")
ADDRESS = re.compile(
    r"(?i)(?:[a-z][a-z0-9+.-]{0,30}://|(?<![a-z0-9_.])www\.|(?<![a-z0-9_.])(?:mailto|command|file|javascript|vbscript|data|"
    r"vscode(?:-insiders)?|tel|sms|xmpp|blob|view-source):)[^\s<>`]*[^\s<>`.,;:!?)\]'\"*_]"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w-]{1,64}"
)
"""What programs make links of though nothing marks it as one."""
_SPECIAL = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|\Z)|`|\$"
    r"|(?<!\s)\*|\*(?!\s)|(?<![^\W_])_|_(?![^\W_])|(?<=\S)~|~(?=\S)"
    r"|(?<=!)\[|\[(?=[\^\[])|\](?=[(\[:]|\Z)|<(?=[A-Za-z/!?]|\Z)|&(?=#|\w{1,40};|\Z)|!(?=\Z)"
)
_LINE_START = re.compile(
    r"(?P<before>\d{1,9})(?=[.)](?:\s|\Z))|(?=[-+*](?:\s|\Z)|\#{1,6}(?:\s|\Z)|>|=+\s*\Z|-+\s*\Z|~~~|:\s"
    r"|(?=[|:\s-]*+\Z)[^-]*+-|(?:[-_*]\s*+){3,}\Z)"
)
_MARKUP = re.compile(r"(`+)|\\([!-/:-@\[-`{-~])|(?<=\S)\*{1,3}|\*{1,3}(?=\S)")


def clean(text: str) -> str:
    """A text without what cannot be seen or moves other text: control, format and bidirectional
    characters, private use, and marks without end. Line ends are `\\n`; tabs stay."""
    if _PLAIN.fullmatch(text):
        return text
    out: list[str] = []
    marks = 0
    for char in text.replace("\r\n", "\n"):
        char = _BLANK.get(char, char)
        kind = "Zs" if char in "\n\t" else unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind == "Cs":
            out.append("\ufffd")
        elif kind not in ("Cc", "Cf", "Co") and marks <= MARKS and not _unseen(char):
            out.append(char)
    return "".join(out)


def _unseen(char: str) -> bool:
    code = ord(char)
    return char in _UNSEEN or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def escaped(text: str) -> str:
    """A stretch of text as Markdown that reads as just that text; addresses are code, so that
    nobody makes links of them. It may stand anywhere but at the beginning of a line."""
    out: list[str] = []
    at = 0
    for match in ADDRESS.finditer(text):
        out += [_escape(text[at : match.start()]), code_span(match[0])]
        at = match.end()
    return "".join([*out, _escape(text[at:])])


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def line(text: str) -> str:
    """A line of rendered Markdown so that it begins no list, heading, table or the like."""
    text = text.strip()
    begins = _LINE_START.match(text)
    if begins is None:
        return text
    before = begins["before"] or ""
    return f"{before}\\{text[len(before) :]}"


def spoken(text: str) -> str:
    """A message of our own, which marks code by single backticks and may hold values of anybody,
    as one line of Markdown: the code stays code, all else is text."""
    parts = in_one_line(clean(text)).split("`")
    if len(parts) % 2 == 0:
        parts[-2:] = [f"{parts[-2]}`{parts[-1]}"]
    said = [code_span(part) if at % 2 else escaped(part) for at, part in enumerate(parts)]
    return line("".join(said))


def code_span(text: str) -> str:
    """A text as inline code, "" for blanks."""
    text = " ".join(text.split("\n")).strip()
    if not text:
        return ""
    fence = "`" * _free(text, 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def fenced(text: str, tag: str = "") -> str:
    """A text as a fenced block that it cannot end itself."""
    fence = "`" * _free(text, 3)
    return f"{fence}{tag}\n{text}\n{fence}"


def _free(text: str, least: int) -> int:
    runs = {len(run) for run in _TICKS.findall(text)}
    if least == 1:
        return next(size for size in range(1, len(runs) + 2) if size not in runs)
    return max(least, max(runs, default=0) + 1)


def in_one_line(text: str) -> str:
    """Lines and paragraphs joined by a space; spaces within a line stay."""
    return " ".join(part.strip() for part in text.splitlines() if part.strip())


def unescaped(markdown: str) -> str:
    """Markdown without the backslashes that make text of signs; code stays as it is."""
    return _rewritten(markdown, lambda ticks, code: f"{ticks}{code}{ticks}", lambda mark: mark)


def told(markdown: str) -> str:
    """Harmless Markdown as plain words, for messages: without escapes and emphasis; code keeps
    single backticks."""
    return _rewritten(clean(markdown), lambda _, code: f"`{code.strip()}`", lambda _: "")


def _rewritten(markdown: str, span: Callable[[str, str], str], mark: Callable[[str], str]) -> str:
    """Markdown without escapes, its code spans and marks of emphasis written anew. A run of
    backticks ends with the next one as long, as in CommonMark; one without an end is text."""
    ends: dict[int, list[int]] = {}
    for run in _TICKS.finditer(markdown):
        ends.setdefault(len(run[0]), []).append(run.start())
    out: list[str] = []
    at = 0
    while match := _MARKUP.search(markdown, at):
        out.append(markdown[at : match.start()])
        at, ticks = match.end(), match[1]
        if not ticks:
            out.append(match[2] or mark(match[0]))
            continue
        places = ends.get(len(ticks), [])
        end = bisect_left(places, at)
        if end == len(places):
            out.append(ticks)
        else:
            out.append(span(ticks, markdown[at : places[end]]))
            at = places[end] + len(ticks)
    return "".join([*out, markdown[at:]])
