"""The code in a hint: its code field, code blocks, diffs and inline code. Pure."""

import itertools
import re
import textwrap
from collections.abc import Iterator

from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.languages.common.syntax import parse
from tutor_lsp.library.markdown import code_blocks, inline_code
from tutor_lsp.tutor.hinting.coach.sentences import sentences

MOST, LONGEST = 24, 2000
"""Maximum number of pieces of one hint that are checked, and of characters in each."""
SHORT_PIECE = 80
"""Characters of a piece that may take the place of another one within a line."""
_CODEISH = re.compile(r"[()\[\]{}=;+*/%<>]|\.\w|->|::|\breturn\b|\blet\b")


def pieces(text: str, code: str | None) -> list[str]:
    """Every piece of code in a hint, largest first, without duplicates or common indentation. Code
    that is split over several blocks or spans is also returned joined."""
    shown = blocks(text, code)
    within = [span.strip() for span in inline_code(text)]
    found = [each for block in shown for each in _of_block(block)]
    found += [span for span in within if _CODEISH.search(span)]
    if any(map(_CODEISH.search, (*within, *shown))):  # names alone are no code
        for parts in (within, [*within, *shown], [*shown, *within]):
            found.append("\n".join(parts))
    made = (textwrap.dedent(each).strip("\n") for each in sorted(found, key=len, reverse=True))
    return list(dict.fromkeys(m for m in made if m.strip() and len(m) <= LONGEST))[:MOST]


def pairs(text: str) -> list[tuple[str, str]]:
    """Pieces of inline code of one sentence that may take each other's place, where it does not
    ask: two bare names are no such pair, since many a sentence has them, nor is one alone unless
    something can go on with it."""
    found: dict[tuple[str, str], None] = {}
    for said in sentences(text):
        if said.endswith(("?", "？")):
            continue
        spans = [span.strip() for span in inline_code(said) if 0 < len(span.strip()) <= SHORT_PIECE]
        found |= dict.fromkeys((one, one) for one in spans)
        found |= {
            (old, new): None
            for old, new in itertools.permutations(dict.fromkeys(spans), 2)
            if not (old.isidentifier() and new.isidentifier())
        }
    return list(found)[:MOST]


def statements(text: str, grammar: Grammar) -> int:
    """Number of lines in a piece that do something, not counting brackets, comments and function
    headers."""
    parsed = parse(text, grammar)
    tokens = [t for t in parsed.tokens if t.text not in ("{", "}", ";", "(", ")", ",")]
    lines = {token.line for token in tokens}
    headers = {
        token.line
        for at, token in enumerate(tokens)
        if token.text in grammar.words.defines and at + 1 < len(tokens)
    }
    return len(lines - headers)


def blocks(text: str, code: str | None) -> list[str]:
    """The code field of a hint and its code blocks."""
    own = [unfenced(code)[1]] if code and code.strip() else []
    return own + [block.text for block in code_blocks(text)]


def unfenced(code: str) -> tuple[str, str]:
    """The info string of the fence around a hint's code, "" without one, and the code itself."""
    first = next((block for block in code_blocks(code) if block.fenced), None)
    return (first.info, first.text) if first is not None else ("", code)


def _of_block(block: str) -> Iterator[str]:
    """A block as it is, and if it may be a diff, its result."""
    lines = [
        line for line in block.split("\n") if not re.match(r"(?:\+\+\+|---|@@|diff |index )", line)
    ]
    yield "\n".join(lines)
    if any(line.startswith(("+", "-")) for line in lines):
        yield "\n".join(line[1:] if line[:1] in "+ " else line for line in lines if line[:1] != "-")
        yield "\n".join(line[1:] for line in lines if line.startswith("+"))


def readable(text: str, grammar: Grammar) -> bool:
    """Whether code parses: as a file, in a function, or as the head of a block."""
    if grammar.wrapped is None:
        tries = [text, f"{text}\n    {grammar.nothing}"] if text.endswith(":") else [text]
    else:
        body = text if text.rstrip().endswith((";", "}")) else f"{text};"
        body = f"{text}}}" if text.endswith("{") else body
        tries = [text, grammar.wrapped.replace("{}", body)]
    return any(not parse(f"{each}\n", grammar).broken for each in tries)
