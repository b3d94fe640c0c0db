"""What the proof of an exercise knows of Toy."""

import re
import sys

from toy_language.grammar import OPENS, blocks_of, words_of
from toy_language.toolchain import INTERPRETER
from tutor_lsp.core.language.dialect import Tried
from tutor_lsp.core.language.syntax import Comment, Grammar, Parsed, Span, Token
from tutor_lsp.languages.common.proof.dialect import BaseDialect, run_block
from tutor_lsp.languages.common.proof.placing import put_files

KINDS = {"number": "literal", "text": "literal", "name": "id"}


def reads(text):
    """A text as the tutor compares and changes it."""
    words, tokens, spans, comments, depth = words_of(text), [], [], [], 0
    for word in words:
        if word.kind == "comment":
            comments.append(Comment(word.text, word.start, word.end, word.line))
        elif word.kind != "line":
            depth -= word.text == "end"
            kind = KINDS.get(word.kind, word.text)
            tokens.append(Token(kind, word.text, word.start, word.end, word.line, max(depth, 0)))
            depth += word.kind == "word" and word.text in OPENS
            if word.text == "check":
                last = [each for each in words if each.line == word.line and each.kind != "line"]
                spans.append(Span(word.start, last[-1].end, word.line))
    broken = blocks_of(text)[2] is not None
    return Parsed(text, tuple(tokens), tuple(spans), tuple(comments), broken)


class ToyDialect(BaseDialect):
    """See `tutor_lsp.core.language.dialect.Dialect`."""

    language = "toy"
    stub_body = re.compile(r"\Atodo (\w+)\Z")
    grammar = Grammar("toy", gives="give {}", nothing="let nothing = 0", reads=reads)

    def neutral(self, src, file, site):
        return "give 0"

    def complete_block(self, code):
        blocks, outside, broken = blocks_of(code)
        if broken is not None:
            return "broken"
        return "program" if outside else "part" if blocks else "excerpt"

    async def try_block(self, number, blocks, reference, bench):
        code, folder = blocks[number], bench.folder / f"block-{number}"
        await put_files(folder, {"block.toy": code + "\n"})
        argv = (sys.executable, "-I", "-S", INTERPRETER, "run", "block.toy")
        ran = await run_block(argv, folder, bench)
        return Tried(built=False, said=ran.said) if ran.said.startswith("line ") else ran
