"""Code that does not look like it: commented out, quoted, numbered, inside of a string. Pure."""

import base64
import contextlib
import html
import itertools
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote_plus

from tutor_lsp.languages.common.syntax import Grammar, Token, parse, partner, split_top

_TAG = re.compile(r"<(code|pre|kbd|tt|samp)[^>]*>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_ANY_TAG = re.compile(r"(?i)</?(?:b|i|em|strong|p|br|span|li|ul|ol|div|details|summary)\b[^>]*>")
_QUOTES = re.compile(r"^[rbfuRBFU]{0,2}([\"'`]{1,3})(.*?)\1?$", re.DOTALL)
_PREFIX = re.compile(r"^[ \t]*(?:>>> ?|\.\.\. ?|\$ |> ?|\|\s?|\d{1,3}\s*[|:)] ?|\d{1,3}\s{2,})")
_COMMENT = re.compile(r"^([ \t]*)(?://[/!]?|#(?!include|define)|/\*+|\*(?!/))[ \t]?(.*?)(?:\*/)?$")
_MACRO = re.compile(r"#\s*define\s+(\w+)\(([^)]*)\)\s+(.+)")
_LAMBDA = re.compile(r"\blambda\s+([\w\s,]*):\s*(.+)")
_CLOSURE = re.compile(r"\|([\w\s,:&]*)\|\s*(?:->\s*\w+\s*)?(.+?);?\s*$", re.MULTILINE)
_ADDRESS = re.compile(r"https?://\S*%\S+")
_ENCODED = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{16,}={0,2}(?![\w+/=])")
_LETTERS = re.compile(r"(?<![^\W_])[A-Za-z](?:([ \t.|/*~,_-])[A-Za-z])(?:\1[A-Za-z])(?![^\W_])")
_APART = re.compile(r"(?<!\S)\S(?:([ \t.|/*~,_-])\S)(?:\1\S)*(?!\S)")
_GLUED = re.compile(r"^(return|while|raise)(?=[A-Za-z_])")
_INNER, _BRACKETS = 6, 40


def gathered(text: str) -> str:
    """A text whose letters or parts are set apart, put together again: `r e t u r n`,
    `return | x | + | 1`. Any other text comes back as it was."""
    if _LETTERS.search(text):
        text = _APART.sub(lambda found: _GLUED.sub(r"\1 ", found[0][::2]), text)
        text = re.sub(r"(?<=\S)[ \t]{2,}", " ", text)
    lines = text.split("\n")
    return "\n".join(line.replace(" | ", " ") if line.count(" | ") > 2 else line for line in lines)


def plain(text: str) -> str:
    """A text as it reads: entities and look-alikes resolved, invisible characters left out, tags
    of code as backticks, other tags away; what is encoded in it is said after it."""
    text = unicodedata.normalize("NFKC", html.unescape(text))
    text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    text = _TAG.sub(lambda m: f"\n```\n{m[2]}\n```\n" if "\n" in m[2] else f"`{m[2]}`", text)
    return "\n".join([_ANY_TAG.sub("", text), *_decoded(text)])


def _decoded(text: str) -> Iterator[str]:
    """What addresses and runs of base64 in a text say."""
    for match in _ADDRESS.finditer(text):
        yield unquote_plus(match[0].partition("=")[2].removesuffix(".").removesuffix(")"))
    for match in _ENCODED.finditer(text):
        with contextlib.suppress(ValueError):
            said = base64.b64decode(match[0], validate=True).decode("ascii")
            if said.isprintable() or "\n" in said:
                yield said


def unveiled(block: str, grammar: Grammar) -> Iterator[str]:
    """What a block of code says besides itself: without marks at the beginning of its lines,
    without comment marks, in one line, and what stands in its strings and small functions."""
    lines = block.split("\n")
    bare = [_PREFIX.sub("", line) for line in lines]
    if bare != lines:
        yield "\n".join(bare)
    comments = [_COMMENT.match(line) for line in lines]
    if any(comments):
        yield "\n".join(
            f"{m[1]}{m[2]}" if m else line for m, line in zip(comments, lines, strict=True)
        )
        yield "\n".join(f"{m[1]}{m[2]}" for m in comments if m)
    filled = [line.strip() for line in lines if line.strip()]
    if 1 < len(filled) <= 40 and parse(block, grammar).broken:
        yield " ".join(filled)
        yield "".join(filled)
    tokens = parse(block, grammar).tokens
    yield from _functions(block, grammar)
    yield from _strings(tokens)


def _functions(block: str, grammar: Grammar) -> Iterator[str]:
    """Lambdas, closures and macros, written out as functions."""
    if grammar.name == "python":
        for match in _LAMBDA.finditer(block):
            yield f"def f({match[1]}):\n    return {match[2]}"
            body = match[2].rstrip(")")
            if body.count("(") <= match[2].count("(") and body != match[2]:
                missing = body.count("(") - body.count(")")
                yield f"def f({match[1]}):\n    return {body}{')' * max(missing, 0)}"
    elif grammar.name == "rust":
        for match in _CLOSURE.finditer(block):
            names = [part.split(":")[0].strip(" &") for part in match[1].split(",")]
            given = ", ".join(f"{name}: u32" for name in names if name)
            yield f"fn f({given}) -> u32 {{\n    {match[2]}\n}}"
    else:
        for match in _MACRO.finditer(block):
            given = ", ".join(f"int {name.strip()}" for name in match[2].split(","))
            yield f"int f({given})\n{{\n    return {match[3]};\n}}"


def _strings(tokens: tuple[Token, ...]) -> Iterator[str]:
    for token in tokens:
        quoted = _QUOTES.match(token.text)
        inner = quoted[2] if quoted is not None else ""
        if token.kind == "literal" and len(inner) > 8 and re.search(r"[(=.\[+*]", inner):
            yield inner.replace("\\n", "\n").replace("\\t", "    ")


def inner(block: str, grammar: Grammar) -> Iterator[str]:
    """Arguments of calls and sides of comparisons that are expressions of some size."""
    tokens = parse(block, grammar).tokens
    found: dict[str, None] = {}
    opening = (at for at, token in enumerate(tokens) if token.kind == "(")
    for at in itertools.islice(opening, _BRACKETS):
        inside = tokens[at + 1 : partner(tokens, at)]
        for piece in split_top(inside, {","}):
            for part in (piece, *split_top(piece, {"=="})):
                if len(part) >= 3:
                    found.setdefault(block[part[0].start : part[-1].end])
        if len(found) >= _INNER:
            break
    for line in block.split("\n"):
        sides = re.split(r"\s==\s", line)
        if len(sides) > 1:
            found.setdefault(sides[-1].strip().rstrip(";"))
    yield from list(found)[:_INNER]
