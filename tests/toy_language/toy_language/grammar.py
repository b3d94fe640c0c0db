"""Toy's text: its tokens, and the functions and tests made of them. Pure, for any text.

    -- Above a function stands its comment.
    fun double(number)
        give number + number
    end

    test test_double_of_two
        check double(2) == 4
    end

A line is one statement: `give`, `let`, `print`, `check`, `if` … `else` … `end`, `todo`, or a call.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"(?P<comment>--[^\n]*)|(?P<text>\"[^\"\n]*\")|(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>==|!=|<=|>=|[-+*/%<>=(),])|(?P<line>\n)|(?P<blank>[ \t\r]+)|(?P<odd>.)"
)
WORDS = frozenset({"fun", "test", "give", "let", "print", "check", "if", "else", "end", "todo"})
OPENS = frozenset({"fun", "test", "if"})


@dataclass(frozen=True)
class Word:
    """A token: its kind (a group of `TOKEN`, or `word`), offsets and 1-based line and column."""

    kind: str
    text: str
    start: int
    end: int
    line: int
    column: int


@dataclass(frozen=True)
class BrokenError(Exception):
    """What does not parse, and the token where that is seen."""

    message: str
    at: Word


@dataclass
class Block:
    """A `fun` or `test`: its `name`, and the tokens from the first word to the `end`."""

    kind: str
    name: Word
    words: list[Word] = field(default_factory=list)

    def lines(self):
        """The tokens of each line between the heading and the last `end`."""
        found = {}
        for word in self.words[1:-1]:
            if word.line > self.words[0].line:
                found.setdefault(word.line, []).append(word)
        return list(found.values())

    def parameters(self):
        """The names in the brackets of the heading."""
        heading = [word for word in self.words if word.line == self.words[0].line]
        return [word.text for word in heading[3:] if word.kind == "name"]


def words_of(text):
    """Every token but blanks, comments and line ends among them."""
    found, line, begins = [], 1, 0
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "name" and match[0] in WORDS:
            kind = "word"
        if kind != "blank":
            column = match.start() - begins + 1
            found.append(Word(kind, match[0], match.start(), match.end(), line, column))
        if kind == "line":
            line, begins = line + 1, match.end()
    return found


def blocks_of(text):
    """The functions and tests of a text, the words outside of them by line, and what is broken."""
    code = [word for word in words_of(text) if word.kind not in ("comment", "line")]
    blocks, outside, depth, block = [], [], 0, None
    broken = next(
        (BrokenError(f"`{w.text}` is not expected here", w) for w in code if w.kind == "odd"), None
    )
    for at, word in enumerate(code):
        first = at == 0 or code[at - 1].line != word.line
        if block is None and first and word.text in ("fun", "test"):
            name = code[at + 1] if at + 1 < len(code) else word
            if name.kind != "name":
                broken = broken or BrokenError(f"a name must follow `{word.text}`", name)
            block, depth = Block(word.text, name), 0
        if block is None:
            outside.append(word)
            continue
        block.words.append(word)
        depth += (first and word.text in OPENS) - (word.text == "end")
        if depth == 0:
            blocks.append(block)
            block = None
    if block is not None:
        broken = broken or BrokenError(f"`{block.kind}` is never closed by `end`", block.words[0])
        blocks.append(block)
    stray = next((word for word in outside if word.text == "end"), None)
    if stray is not None:
        broken = broken or BrokenError("`end` closes nothing", stray)
    return blocks, outside, broken
