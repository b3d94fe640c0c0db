"""What tests look at, by syntax tree, and code that looks at it without comparing. Pure."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from textwrap import dedent, indent

from tutor_lsp.core.exercise.signatures import Input
from tutor_lsp.core.language.syntax import Grammar, Parsed, Span, Token
from tutor_lsp.core.language.variants import Merged, Variant
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.proof.splice import replaced
from tutor_lsp.languages.common.syntax import outer_calls, parse, partner, receiver, split_top
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

_COMPARES = frozenset({"==", "!=", "<", ">", "<=", ">=", "is", "in"})
_JOINS = frozenset({"and", "or", "not", "if", "else", "lambda", "&&", "||", "?", "for"})
_BINDS = ("left", "pattern", "declarator", "name", "alias")
_BEGAN = re.compile(r"^tutor-probe (\d+) ! crash", re.MULTILINE)
_LINE = re.compile(r"^tutor-probe (\d+) ([=!~].*)$", re.MULTILINE)
_CALLED = re.compile(r"[\w)\]>]\(")
_PRINTED = 120


@dataclass(frozen=True, slots=True)
class _Statement:
    text: str
    tokens: tuple[Token, ...]
    asserts: tuple[tuple[Span, tuple[Token, ...]], ...]
    binds: frozenset[str]
    start: int
    end: int

    @property
    def is_assertion(self) -> bool:
        """Whether it is one as a whole, and not a loop, say, with some in it."""
        return len(self.asserts) == 1 and self.asserts[0][0].start == self.start

    @property
    def names(self) -> frozenset[str]:
        return frozenset(each.text for each in self.tokens if each.kind == "id")


@dataclass(frozen=True, slots=True)
class TreeWatch:
    """Implements `core.language.watching.Watch` for a tree-sitter grammar.

    `see` looks at an expression, `after` at a name, `quiet` runs an expression for what it changes;
    `function` is a case, `test` a test that runs some. `changed` are the names that an expression
    may have changed, from the statements before and its own text. `put` puts cases and tests into a
    file. `compared` are functions that compare their arguments. `worded` finds that an assertion is
    about the words of an error, which `see_words` looks at too.
    """

    grammar: Grammar
    see: str
    after: str
    quiet: str
    function: str
    test: str
    changed: Callable[[str, str, Collection[str]], Sequence[str]]
    put: Callable[[str, str, str], str]
    compared: frozenset[str] = frozenset()
    worded: re.Pattern[str] | None = None
    see_words: str = ""
    merges: Callable[[Files, Sequence[Variant]], Merged | None] | None = None

    @property
    def side_by_side(self) -> bool:
        return self.merges is not None

    def merged(self, files: Files, variants: Sequence[Variant]) -> Merged | None:
        return self.merges(files, variants) if self.merges is not None else None

    def inputs(self, test: str, stub: str) -> tuple[Input, ...]:
        parsed = parse(test, self.grammar)
        statements = list(_statements(test, parsed, self.grammar))
        bound = frozenset(name for each in statements for name in each.binds)
        found: dict[Input, None] = {}
        for number, each in enumerate(statements):
            if not each.asserts:
                continue
            before = statements[:number]
            if each.is_assertion:
                words = self.worded is not None and self.worded.search(each.text) is not None
                for call in self._looked(each.asserts[0][1], parsed, stub, bound):
                    made = self._input(before, call, stub, bound, parsed)
                    found[replace(made, words=words)] = None
            else:
                found[self._whole(before, each, stub, bound, parsed)] = None
        if not found and statements:  # one that shall fail, which its own mark says
            last = statements[-1]
            for start, end in _calls(last.tokens, stub, self.grammar):
                call = parsed.text[start:end]
                found[self._input(statements[:-1], call, stub, bound, parsed)] = None
        return tuple(found)

    def _looked(
        self, tokens: Sequence[Token], parsed: Parsed, stub: str, bound: Collection[str]
    ) -> list[str]:
        """The expressions that an assertion is about: calls of the stub, and what is compared."""
        calls = [parsed.text[a:b] for a, b in _calls(tokens, stub, self.grammar)]
        sides = [
            piece
            for piece in _sides(tokens, self.compared)
            if any(token.kind in ("id", "field") for token in piece)
        ]
        texts = _texts(sides, parsed)
        if calls:
            mine = [text for text in texts if any(call in text for call in calls)]
            return list(dict.fromkeys([*calls, *mine]))
        own = [
            text
            for text, piece in zip(texts, sides, strict=True)
            if any(token.text in bound for token in piece)
        ]
        return own or texts[:1]

    def _input(
        self,
        before: Sequence[_Statement],
        call: str,
        stub: str,
        bound: Collection[str],
        parsed: Parsed,
    ) -> Input:
        names = set(re.findall(r"\b[^\W\d]\w*\b", call))
        setup = self._setup(before, names, stub, bound, parsed)
        before_it = "\n".join(setup)
        mine = [n for n in bound if n in names and n != call and re.search(rf"\b{n}\b", before_it)]
        mine = list(self.changed(before_it, call, mine))
        return Input(setup, _flat(call), tuple(sorted(mine)))

    def _whole(
        self,
        before: Sequence[_Statement],
        each: _Statement,
        stub: str,
        bound: Collection[str],
        parsed: Parsed,
    ) -> Input:
        """A loop with assertions in it, say, each of which is looked at whenever it comes up."""
        changes = []
        for span, tokens in each.asserts:
            looked = self._looked(tokens, parsed, stub, bound)
            said = "; ".join(self.see.format(expr).rstrip(";") for expr in looked[:1])
            changes.append((span.start - each.start, span.end - each.start, said))
        setup = self._setup(before, set(each.names), stub, bound, parsed)
        return Input((*setup, _level(parsed.text, each.start, replaced(each.text, changes))), "")

    def _setup(
        self,
        before: Sequence[_Statement],
        names: set[str],
        stub: str,
        bound: Collection[str],
        parsed: Parsed,
    ) -> tuple[str, ...]:
        """The statements before that have to do with these names, or with what these may share."""
        needed, more = set[str](), names & set(bound)
        while more - needed:
            needed |= more
            for each in before:
                if each.names & needed:
                    more |= each.names & set(bound)
        kept: list[str] = []
        for each in before:
            if not each.names & needed:
                continue
            if each.is_assertion and not each.binds:
                kept += self._run(each.asserts[0][1], stub, parsed)
            elif not each.asserts or each.is_assertion:
                kept.append(_level(parsed.text, each.start, each.text))
        return tuple(kept)

    def _run(self, tokens: Sequence[Token], stub: str, parsed: Parsed) -> Iterator[str]:
        """What an assertion calls, as statements."""
        calls = [parsed.text[a:b] for a, b in _calls(tokens, stub, self.grammar)]
        sides = _texts(_sides(tokens, self.compared), parsed)
        made = [side for side in sides if any(call in side for call in calls)]
        made += [call for call in calls if not any(call in side for side in made)]
        made = made or [side for side in sides if _CALLED.search(side)]
        yield from (self.quiet.format(_flat(each)) for each in made)

    def case(self, given: Input, name: str) -> str:
        rows = [*given.setup]
        if given.call:
            see = self.see_words if given.words else self.see
            rows.append(see.format(given.call))
        rows += [self.after.format(each) for each in given.after]
        return self.function.format(name=name, body=indent("\n".join(rows), "    "))

    def watching(self, text: str, cases: str, tests: Mapping[str, Sequence[str]]) -> str:
        made = (
            self.test.format(name=name, cases=", ".join(names), count=len(names))
            for name, names in tests.items()
        )
        return self.put(text, cases, "".join(made))

    def outcomes(self, output: str) -> dict[int, str]:
        """What is printed between the two lines of a case is part of what it comes to."""
        found: dict[int, str] = {}
        began = {int(each[1]): each.end() for each in _BEGAN.finditer(output)}
        for each in _LINE.finditer(output):
            number, said = int(each[1]), each[2]
            first = began.get(number, each.start())
            printed = output[first : each.start()].removesuffix("\n")
            if first <= each.start() and printed:
                said += f" > {_mark(printed)}"
            found[number] = said if first <= each.start() else "! crash"
        return found


def _mark(printed: str) -> str:
    said = repr(printed)
    if len(said) <= _PRINTED:
        return said
    return f"{said[:_PRINTED]}…#{blake2b(said.encode(), digest_size=4).hexdigest()}"


def _statements(test: str, parsed: Parsed, grammar: Grammar) -> Iterator[_Statement]:
    source = Source(grammar.name, test)
    block = next((node for node in walk(source.root) if node.type in grammar.blocks), None)
    outer = [
        span
        for span in parsed.assertions
        if not any(
            o is not span and o.start <= span.start and span.end <= o.end for o in parsed.assertions
        )
    ]
    for node in block.named_children if block is not None else ():
        if node.type in grammar.comments:
            continue
        start, end = source.offset(node.start_byte), source.offset(node.end_byte)
        tokens = parsed.within(start, end)
        if len(tokens) == 1 and tokens[0].kind == "literal":
            continue  # a docstring
        asserts = tuple(
            (span, parsed.within(span.start, span.end))
            for span in outer
            if start <= span.start and span.end <= end
        )
        binds = frozenset(_bound(source, node))
        yield _Statement(test[start:end], tokens, asserts, binds, start, end)


def _bound(source: Source, node: Node) -> Iterator[str]:
    for each in walk(node):
        for name in _BINDS if each.type != "keyword_argument" else ():
            child = field(each, name)
            if child is not None:
                yield from (source.text_of(n) for n in walk(child) if n.type == "identifier")


def _calls(tokens: Sequence[Token], stub: str, grammar: Grammar) -> list[tuple[int, int]]:
    """From where to where each call of the stub goes, with what it is called on."""
    return [
        (tokens[receiver(tokens, at, grammar)].start, tokens[min(end, len(tokens) - 1)].end)
        for at, end in outer_calls(tokens, {stub})
    ]


def _texts(pieces: Iterable[Sequence[Token]], parsed: Parsed) -> list[str]:
    return [parsed.text[piece[0].start : piece[-1].end] for piece in pieces]


def _sides(tokens: Sequence[Token], compared: Collection[str]) -> list[tuple[Token, ...]]:
    """What an assertion compares, or its whole condition."""
    opening = next((at for at, token in enumerate(tokens) if token.kind == "("), None)
    if len(tokens) > 1 and opening in (1, 2) and partner(tokens, opening) >= len(tokens) - 1:
        pieces = [p for p in split_top(tokens[opening + 1 : -1], {","}) if p][:2]
    elif tokens and tokens[-1].depth > tokens[0].depth:  # a block that shall end otherwise
        return [tuple(token for token in tokens if token.depth > tokens[0].depth)]
    else:
        pieces = split_top(tokens[1:], {","})[:1]
    found: list[tuple[Token, ...]] = []
    for piece in pieces:
        at = next((n for n, token in enumerate(piece) if token.text in compared), None)
        if at is not None and len(piece) > at + 1 and piece[at + 1].kind == "(":
            inside = piece[at + 2 : partner(piece, at + 1)]
            found += [each for each in split_top(inside, {","}) if each]
            continue
        parts = [part for part in split_top(piece, _COMPARES) if part]
        joined = any(token.text in _JOINS for token in piece)
        found += [piece] if joined else parts
    return [each for each in found if each]


def _level(text: str, start: int, statement: str) -> str:
    """A statement with its further lines as far from the margin as its first one."""
    margin = text[text.rfind("\n", 0, start) + 1 : start]
    return dedent(margin + statement) if margin.isspace() else statement


def _flat(call: str) -> str:
    """An expression whose lines do not begin further right than they need to."""
    first, _, rest = call.partition("\n")
    return f"{first}\n{indent(dedent(rest), '    ')}" if rest else first
