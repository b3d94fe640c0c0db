"""Making untrusted text harmless: its characters, Markdown that shows exactly that text, and plain
words. Pure and linear; `stages.plain_markdown` parses Markdown."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache

from tutor_lsp.core.text.translation import t

MARKS = 4
"""Most combining marks on one letter; no script needs more."""
_AROUND = 60
_PLAIN = re.compile(r"[\t\n -~]*+")
_BLANK = {"\x0b": " ", "\x0c": " ", "\r": "\n", "\x85": "\n", "\u2028": "\n", "\u2029": "\n"}
_UNSEEN = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5")
"""Invisible characters that Unicode classifies as letters or marks."""
_TICKS = re.compile(r"`+")
_TICK = re.compile(
    r"(?<!`)(?=(?P<opens>(?<![!-')-.0-Z\\-~])`(?!\s))?)"
    r"(?=(?P<closes>(?<!\s)`(?:\Z|'s\b|(?![\x22-(*+0-9<->@-\\^-~])))?)`(?!`)"
)
"""A single backtick. It may open code at the start and after a blank, `(`, `[`, `/` or what is no
ASCII, and close it at the end and before a blank, punctuation or what is no ASCII: never amid a
word or in quotes, as those of values are."""
ADDRESS = re.compile(
    r"(?i)(?:[a-z][a-z0-9+.-]{0,30}://|(?<![a-z0-9_.])www\.|(?<![a-z0-9_.])(?:mailto|command|file|javascript|vbscript|data|"
    r"vscode(?:-insiders)?|tel|sms|xmpp|blob|view-source):)[^\s<>`]*[^\s<>`.,;:!?)\]'\"*_]"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,64}\.[\w-]{1,64}"
)
"""Text that programs turn into links without any markup."""
NAME = re.compile(r"[^\s()\[\]{}\"'=<>`]+")
"""Code that needs no marks around it where there are no colours: a name or a place."""
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
    """A text without invisible characters and those that move other text: control, format,
    bidirectional and private use characters, and piled-up marks. Line ends are `\\n`; tabs stay."""
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
    """Markdown that shows exactly this stretch of text; addresses become code, so that nothing
    turns them into links. It may be used anywhere but at the beginning of a line."""
    out: list[str] = []
    at = 0
    for match in ADDRESS.finditer(text):
        out += [_escape(text[at : match.start()]), code_span(match[0])]
        at = match.end()
    return "".join([*out, _escape(text[at:])])


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def line(text: str) -> str:
    """A line of Markdown, escaped to begin no list, heading, table or other block."""
    text = text.strip()
    begins = _LINE_START.match(text)
    if begins is None:
        return text
    before = begins["before"] or ""
    return f"{before}\\{text[len(before) :]}"


@lru_cache(maxsize=256)
def spoken(text: str) -> str:
    """A message of our own, which marks code with single backticks and may contain any values,
    as one line of Markdown: the code stays code, all else is text."""
    parts = _marked(text)
    said = [code_span(part) if at % 2 else escaped(part) for at, part in enumerate(parts)]
    return line("".join(said))


def verbatim(text: str) -> str:
    """A text in which single backticks may mark code as Markdown for anywhere but the beginning of
    a line. Whatever is no clear code, such as a name in quotes of a language, stays text, so that
    it shows exactly the text even where the marks of a `NAME` become a style."""
    parts = _marked(text)
    said = ""
    for at, part in enumerate(parts):
        if at % 2 == 0:
            said += escaped(part)
        elif _is_code(part) and not said.endswith("`") and escaped(parts[at + 1])[:1] != "`":
            said += f"`{part}`"
        else:
            said += rf"\`{escaped(part)}\`"
    return said


def _marked(text: str) -> list[str]:
    """The text on one line, cut as by `cut_at_code`."""
    return cut_at_code(in_one_line(clean(text)))


def cut_at_code(text: str) -> list[str]:
    """A text cut at the backticks that mark code, without them: every second part is code.

    Code is closed by the first backtick that can close it. Any other is part of a value, and so is
    an opening one that meets another before it is closed.
    """
    parts = []
    at, opened = 0, -1
    for mark in _TICK.finditer(text):
        if opened >= 0 and mark["closes"] is not None:
            parts += [text[at:opened], text[opened + 1 : mark.start()]]
            at, opened = mark.end(), -1
        elif mark["opens"] is not None:
            opened = mark.start()
    return [*parts, text[at:]]


def _is_code(text: str) -> bool:
    named = NAME.fullmatch(text) or ADDRESS.fullmatch(text)
    return text == text.strip() != "" and named is None


def code_span(text: str) -> str:
    """A text as inline code, "" for blanks."""
    text = " ".join(text.split("\n")).strip()
    if not text:
        return ""
    fence = "`" * _free(text, 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else t(" and ").join((", ".join(names[:-1]), names[-1]))


def clip(text: str, limit: int) -> str:
    """The text within `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def clip_bytes(text: str, limit: int) -> str:
    """`text` in at most `limit` bytes of UTF-8, with an ellipsis if something was cut."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= limit:
        return raw.decode("utf-8")
    return raw[: max(limit - 3, 0)].decode("utf-8", "ignore") + "…"


def clip_pair(left: str, right: str, limit: int) -> tuple[str, str]:
    """Both texts within `limit` characters, cut so that their first difference can be seen."""
    if max(len(left), len(right)) <= limit:
        return left, right
    pairs = enumerate(zip(left, right, strict=False))
    same = next((i for i, (a, b) in pairs if a != b), 0)
    start = max(same - min(_AROUND, limit // 2), 0)
    return _cut(left, start, limit), _cut(right, start, limit)


def _cut(text: str, start: int, limit: int) -> str:
    if len(text) <= limit:
        return text
    start = min(start, len(text) - limit + 2)
    piece = text[start : start + limit - 2]
    end = start + len(piece)
    return ("…" if start else "") + piece + ("…" if end < len(text) else "")


def fenced(text: str, tag: str = "") -> str:
    """A text as a fenced block, with a fence that the text does not contain."""
    fence = "`" * _free(text, 3)
    return f"{fence}{tag}\n{text}\n{fence}"


def with_code(text: str, code: str | None, language: str) -> str:
    """Markdown with a fenced block behind the first paragraph that announces it by a colon, else at
    the end."""
    if not code:
        return text
    paragraphs = text.split("\n\n")
    announced = (at for at, part in enumerate(paragraphs, 1) if part.rstrip().endswith(":"))
    paragraphs.insert(next(announced, len(paragraphs)), fenced(code.rstrip(), language))
    return "\n\n".join(paragraphs)


def _free(text: str, least: int) -> int:
    runs = {len(run) for run in _TICKS.findall(text)}
    if least == 1:
        return next(size for size in range(1, len(runs) + 2) if size not in runs)
    return max(least, max(runs, default=0) + 1)


def in_one_line(text: str) -> str:
    """Lines and paragraphs joined by a space; spaces within a line stay."""
    return " ".join(part.strip() for part in text.splitlines() if part.strip())


def unescaped(markdown: str) -> str:
    """Markdown without backslash escapes; code is unchanged."""
    return _rewritten(markdown, lambda ticks, code: f"{ticks}{code}{ticks}", lambda mark: mark)


def plain_words(markdown: str) -> str:
    """Harmless Markdown as plain words, for messages: without escapes and emphasis; code keeps
    single backticks."""
    return _rewritten(clean(markdown), lambda _, code: f"`{code.strip()}`", lambda _: "")


def _rewritten(markdown: str, span: Callable[[str, str], str], mark: Callable[[str], str]) -> str:
    """Markdown without escapes, with its code spans and emphasis markers rewritten. A run of
    backticks ends with the next one of the same length, as in CommonMark; one without is text."""
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
