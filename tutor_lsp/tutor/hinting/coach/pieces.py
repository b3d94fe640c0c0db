"""The code that a hint holds, in whatever form: field, fence, diff, inline, in the prose. Pure."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tutor_lsp.languages.common.syntax import Grammar, parse
from tutor_lsp.tutor.hinting.coach.disguise import gathered, inner, plain, unveiled

MOST, LONGEST = 24, 2000
"""Most pieces of one hint that are looked at, and the most characters of each."""
KINDS = ("code", "veiled", "words", "part")
"""Kinds of pieces, the surest first."""
_FENCE = re.compile(
    r"^[ \t]*+(`{3,}+|~{3,}+)[^\n]*+\n(.*?)(?:^[ \t]*+\1[ \t]*+$|\Z)", re.DOTALL | re.MULTILINE
)
_INLINE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_CODEISH = re.compile(r"[()\[\]{}=;+*/%<>]|\.\w|->|::|\breturn\b|\blet\b")
_LEAD = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")
_OPENERS = re.compile(
    r"^(?:return|for|while|if|elif|else|let|match|def|fn|int|char|size_t|unsigned|static|const|"
    r"raise|yield|with|print)\b"
)
_WORDS, _LETTERS = 60, 120
_EXCHANGE = re.compile(
    r"(?i)\b(?:replace|change|swap|turn|exchange)\s++(?:the\s++)?(\S{1,80})\s++(?:with|by|to|into|for)"
    r"\s++(\S{1,80})|(?<!\S)(\S{1,80})\s++(?:instead|in (?:the )?place) of\s++(\S{1,80})"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that is or may be code, without its common indentation.

    `kind` is `code` where the hint marks it as code, `veiled` where it had to be unveiled for that,
    `words` in prose, `part` for an expression inside of other code.
    """

    text: str
    kind: str = "code"


def pieces(text: str, code: str | None, grammar: Grammar) -> list[Piece]:
    """Every piece of code in a hint, the surest and largest first, each once.

    What is split over lines, spans or steps is also given put together, in the ways in which a
    reader would do that.
    """
    text, code = plain(text), plain(code) if code else code
    found = _found(text, code, grammar)
    apart = gathered(text), gathered(code) if code else code
    if apart != (text, code):
        found += _found(*apart, grammar)
    unique: dict[str, Piece] = {}
    for piece in sorted(found, key=lambda each: (KINDS.index(each.kind), -len(each.text))):
        text = textwrap.dedent(piece.text).strip("\n")
        if text.strip() and len(text) <= LONGEST:
            unique.setdefault(text, Piece(text, piece.kind))
    return list(unique.values())[:MOST]


def _found(text: str, code: str | None, grammar: Grammar) -> list[Piece]:
    """The pieces of a hint as it reads."""
    found: list[Piece] = []
    shown = list(blocks(text, code))
    for block in shown:
        found += _of_block(block)
    rest = _FENCE.sub("\n", text)
    within = [match[2].strip() for match in _INLINE.finditer(rest)]
    within = [span for span in within if span]
    found += [Piece(span) for span in within if _CODEISH.search(span)]
    for parts in (within, [*within, *shown], [*shown, *within]):
        if len(parts) > 1:
            found += [Piece(joined) for joined in _together(parts, grammar)]
    prose = _INLINE.sub(lambda match: f" {match[2]} ", rest)
    lines = [fragment for line in prose.split("\n") for fragment in _fragments(line, grammar)]
    found += [Piece(line, "words") for line in lines]
    if len(lines) > 1:
        found += [Piece(joined, "words") for joined in _together(lines, grammar)]
    for block in (*shown, *within):
        found += [Piece(each, "veiled") for each in unveiled(block, grammar)]
        found += [Piece(each, "part") for each in inner(block, grammar)]
    return found


def spans(text: str) -> list[str]:
    """What a hint marks as code within its lines, or tells to put in the place of one another."""
    text = plain(text)
    found = [match[2].strip() for match in _INLINE.finditer(text) if "\n" not in match[2]]
    for match in _EXCHANGE.finditer(text):
        found += [word.strip("`'\",.:;!?“”‘’") for word in match.groups() if word]
    return list(dict.fromkeys(span for span in found if span))


def statements(text: str, grammar: Grammar) -> int:
    """How many lines of a piece do something: brackets, comments and headers of functions aside."""
    parsed = parse(text, grammar)
    tokens = [t for t in parsed.tokens if t.text not in ("{", "}", ";", "(", ")", ",")]
    lines = {token.line for token in tokens}
    headers = {
        token.line
        for at, token in enumerate(tokens)
        if token.text in ("def", "fn") and at + 1 < len(tokens)
    }
    return len(lines - headers)


def blocks(text: str, code: str | None) -> Iterator[str]:
    """What a hint, as it reads, marks as code of its own lines."""
    if code and code.strip():
        yield _unfenced(code)
    for match in _FENCE.finditer(text):
        yield match[2]
    indented = re.findall(r"(?:^(?: {4}|\t).*\n?)+", text, re.MULTILINE)
    yield from indented


def _unfenced(code: str) -> str:
    match = _FENCE.search(code)
    return match[2] if match else code


def _of_block(block: str) -> list[Piece]:
    """A block as it is, and if it may be a difference, what it leads to."""
    lines = [
        line for line in block.split("\n") if not re.match(r"(?:\+\+\+|---|@@|diff |index )", line)
    ]
    found = [Piece("\n".join(lines))]
    if any(line.startswith(("+", "-")) for line in lines):
        after = [line[1:] if line[:1] in "+ " else line for line in lines if line[:1] != "-"]
        added = [line[1:] for line in lines if line.startswith("+")]
        found += [Piece("\n".join(after)), Piece(textwrap.dedent("\n".join(added)))]
    bullets = [_LEAD.sub("", line) for line in lines]
    if bullets != lines:
        found.append(Piece("\n".join(bullets)))
    return found


def _together(parts: Sequence[str], grammar: Grammar) -> Iterator[str]:
    """Parts that belong together, as one text: in lines, in blocks, in one line."""
    yield "\n".join(parts)
    if grammar.wrapped is None:
        yield _indented(parts, deep=True)
        yield _indented(parts, deep=False)
    else:
        joined = "\n".join(parts)
        missing = joined.count("{") - joined.count("}")
        if missing > 0:
            last = parts[-1]
            yield joined + "\n}" * missing
            yield "\n".join(parts[:-1]) + "\n}" * missing + f"\n{last}"
    if not any("\n" in part for part in parts):
        yield " ".join(parts)
        yield "".join(parts)


def _indented(parts: Sequence[str], *, deep: bool) -> str:
    """Lines put into blocks: what follows a colon is inside; `deep` until the last `return`, else
    for one line."""
    made: list[str] = []
    depth = 0
    for number, part in enumerate(parts):
        line = part.strip()
        last = number == len(parts) - 1
        if re.match(r"(?:elif|else|except|finally)\b", line):
            depth = max(depth - deep, 0)
        elif last and line.startswith("return") and deep:
            depth = min(depth, sum(p.lstrip().startswith("def ") for p in parts[:1]))
        made.append("    " * depth + line)
        if line.endswith(":"):
            depth += 1
        elif not deep:
            depth = max(depth - 1, 0)
    return "\n".join(made)


def _fragments(line: str, grammar: Grammar) -> Iterator[str]:
    """The stretches of a line of prose that read as code, from left to right, none overlapping."""
    line = _LEAD.sub("", line.strip())
    line = re.sub(r"^(?:[Ll]ine|[Ss]tep)\s*\d+\s*[:.]\s*", "", line)
    if not _CODEISH.search(line):
        return
    words = [word for word in line.split() if len(word) <= _LETTERS][:_WORDS]
    at = 0
    while at < len(words):
        end = _stretch(words, at, grammar) if _may_begin(words, at) else None
        if end is None:
            at += 1
            continue
        yield _bare(words[at:end])
        at = end


def _may_begin(words: Sequence[str], at: int) -> bool:
    word = words[at]
    if _OPENERS.match(word):
        return True
    near = " ".join(words[at : at + 2])
    return bool(re.match(r"[\"'(\[&*]?\w", word)) and bool(_CODEISH.search(near))


def _stretch(words: Sequence[str], at: int, grammar: Grammar) -> int | None:
    """Where the longest readable code from `at` on ends, None if there is none."""
    for end in range(min(len(words), at + 25), at, -1):
        text = _bare(words[at:end])
        if not _CODEISH.search(text) or len(text) < 4:
            continue
        if _reads(text, grammar):
            return end
    return None


def _bare(words: Sequence[str]) -> str:
    text = " ".join(words).strip()
    text = re.sub(r"[.,!?]+$", "", text)
    return text.strip("“”‘’")


def readable(text: str, grammar: Grammar) -> bool:
    """Whether code is free of errors, as a file or as what stands in a function."""
    return not parse(f"{text}\n", grammar).broken or _reads(text, grammar)


def _reads(text: str, grammar: Grammar) -> bool:
    """Whether a text is code as it stands, or as the head of a block."""
    if grammar.wrapped is None:
        tries = (text, f"{text}\n    pass") if text.endswith(":") else (text,)
        return any(not parse(f"{each}\n", grammar).broken for each in tries)
    body = text if text.rstrip().endswith((";", "}")) else f"{text};"
    if text.endswith("{"):
        body = f"{text}}}"
    return not parse(grammar.wrapped.replace("{}", body), grammar).broken
