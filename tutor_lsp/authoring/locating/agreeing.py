"""What changes that mend a function have in common: a place, and a kind of what is wrong. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tutor_lsp.authoring.locating.changes import Tried, statements
from tutor_lsp.authoring.locating.hunks import variables
from tutor_lsp.core.exercise.mistakes import Fault, Place
from tutor_lsp.core.language.mutants import Operators
from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.text.plain_text import in_one_line
from tutor_lsp.languages.common.syntax import parameters_of, parse
from tutor_lsp.languages.common.treesitter import Node, Source

LEAST, LONGEST = 3, 60
"""Characters of the learner's own code that are quoted: more than, and at most."""
MOST_OF_CALL = 8
"""Most tokens of a call that is changed."""
_TOGETHER = (
    (frozenset({Fault.COMPARISON, Fault.NUMBER}), Fault.LIMIT),
    (frozenset({Fault.COMPARISON, Fault.CONDITION}), Fault.CONDITION),
)
"""What several kinds are in one."""


@dataclass(frozen=True, slots=True)
class _Changed:
    """A change of a text from `start` to `end`, in the statement with that key."""

    start: int
    end: int
    line: int
    statement: tuple[int, int]
    fault: Fault


def agreed(
    text: str, site: FunctionSite, grammar: Grammar, data: Operators, mends: Sequence[Tried]
) -> Place | None:
    """Where all of these changes are, if that is one place."""
    reading = _Reading(text, site, grammar, data)
    found = [reading.changed(each) for each in mends if not reading.goes_round(each)]
    if None in found or not found:
        return None
    known = [each for each in found if each is not None]
    if len({each.statement for each in known}) != 1:
        return None
    faults = {each.fault for each in known}
    start, end = min(e.start for e in known), max(e.end for e in known)
    fault = faults.pop() if len(faults) == 1 else Fault.EXPRESSION
    if fault is Fault.EXPRESSION and faults:
        if Fault.MISSING in {each.fault for each in known}:
            return None
        for several, one in _TOGETHER:
            if {each.fault for each in known} <= several:
                fault = one
    if fault is Fault.EXPRESSION and reading.is_one_statement:
        return None  # that says nothing which a failing test does not
    return reading.place(start, end, fault, known[0].line)


class _Reading:
    def __init__(self, text: str, site: FunctionSite, grammar: Grammar, data: Operators) -> None:
        self._text, self._site, self._grammar, self._data = text, site, grammar, data
        self._source = Source(grammar.name, text)
        parsed = parse(text, grammar)
        self._tokens = parsed.within(site.body_start, site.body_end)
        self._parameters = parameters_of(parsed, site)
        self._statements = list(statements(self._source, site, grammar))

    @property
    def is_one_statement(self) -> bool:
        """Whether the whole function is."""
        return len(self._statements) == 1

    def goes_round(self, tried: Tried) -> bool:
        """Whether a change is right because it no longer uses what is worked out elsewhere, which
        is where the mistake may be."""
        grow = len(tried.text) - len(self._text)
        site = replace(self._site, body_end=self._site.body_end + grow)
        theirs = parse(tried.text, self._grammar).within(site.body_start, site.body_end)
        before, after = (Counter(each.text for each in tokens) for tokens in (self._tokens, theirs))
        own = variables(self._tokens) - {each.text for each in self._parameters}
        return any(before[name] > 1 and after[name] == 1 for name in own)

    def changed(self, tried: Tried) -> _Changed | None:
        """What a change changes."""
        grow = len(tried.text) - len(self._text)
        start, end = self._site.body_start, self._site.body_end + grow
        theirs = parse(tried.text, self._grammar).within(start, end)
        mine = self._tokens
        first = 0
        while first < min(len(mine), len(theirs)) and _same(mine[first], theirs[first]):
            first += 1
        last = 0
        most = min(len(mine), len(theirs)) - first
        while last < most and _same(mine[-1 - last], theirs[-1 - last]):
            last += 1
        old, new = mine[first : len(mine) - last], theirs[first : len(theirs) - last]
        if not mine or (not old and not new):
            return None
        if tried.moves:
            return self._of_move(old)
        if old:
            return self._at(old[0].start, old[-1].end, self._fault(old, new, first))
        near = mine[max(first - 1, 0) : first + 1]
        keys = {self._key(each.start, each.end) for each in near}
        if self._is_statement_in(tried.text, end, new[0]):
            return self._at(near[0].start, near[0].end, Fault.MISSING)
        until = near[-1] if len(keys) == 1 else near[0]
        return self._at(near[0].start, until.end, self._fault(old, new, first))

    def _is_statement_in(self, text: str, end: int, first: Token) -> bool:
        """Whether a token is the first of a statement in the changed text."""
        source = Source(self._grammar.name, text)
        site = replace(self._site, body_end=end)
        return any(
            source.offset(each.start_byte) == first.start
            for each in statements(source, site, self._grammar)
        )

    def _of_move(self, old: Sequence[Token]) -> _Changed | None:
        """Which statement stands elsewhere: the shorter of two that change places."""
        if not old:
            return None
        inside = [
            each
            for each in self._statements
            if old[0].start <= self._source.offset(each.start_byte)
            and self._source.offset(each.end_byte) <= old[-1].end
        ]
        if not inside:
            return None
        node = min(inside, key=lambda each: each.end_byte - each.start_byte)
        start, end = self._span(node)
        return self._at(start, end, Fault.MOVED)

    def _at(self, start: int, end: int, fault: Fault) -> _Changed | None:
        key = self._key(start, end)
        line = self._text.count("\n", 0, start) + 1
        return None if key is None else _Changed(start, end, line, key, fault)

    def _span(self, node: Node) -> tuple[int, int]:
        return self._source.offset(node.start_byte), self._source.offset(node.end_byte)

    def _key(self, start: int, end: int) -> tuple[int, int] | None:
        """Which statement, and which part of one that has others in it."""
        around = [s for s in self._statements if self._span(s)[0] <= start < self._span(s)[1]]
        if not around:
            return None
        node = around[-1]
        first, last = self._span(node)
        if end > last:
            return None
        inner = [
            s for s in self._statements if first < self._span(s)[0] and self._span(s)[1] <= last
        ]
        return first, sum(self._span(each)[0] < start for each in inner)

    def _fault(self, old: Sequence[Token], new: Sequence[Token], first: int) -> Fault:
        """The kind of what is wrong, from the tokens that are changed."""
        texts = {each.text for each in (*old, *new)}
        kinds = {each.kind for each in (*old, *new)}
        data = self._data
        if texts <= (data.compares | {"not", "in", "is"}):
            return Fault.COMPARISON
        if Counter(each.text for each in old) == Counter(each.text for each in new):
            return Fault.ORDER
        if texts <= data.swaps.keys():
            return Fault.OPERATOR
        if kinds == {"literal"}:
            digits = all(each.text[:1].isdigit() for each in (*old, *new))
            return Fault.NUMBER if digits else Fault.VALUE
        if self._is_step(old, new):
            return Fault.NUMBER
        if self._is_called(old, first):
            return Fault.CALL
        if self._is_condition(first):
            return Fault.CONDITION
        if len(old) == 1 and len(new) == 1 and kinds <= {"id", "field"}:
            return Fault.NAME
        return Fault.EXPRESSION if old else Fault.LACKS

    def _is_called(self, old: Sequence[Token], first: int) -> bool:
        """Whether what is called is changed: a name before a bracket or a mark. Of much code that
        is changed a call is only a part."""
        if len(old) > MOST_OF_CALL:
            return False
        after = self._tokens[first + len(old) : first + len(old) + 1]
        return any(
            one.kind in ("id", "field") and other.text in ("(", "!")
            for one, other in pairwise((*old, *after))
        )

    def _is_step(self, old: Sequence[Token], new: Sequence[Token]) -> bool:
        """Whether one more or less is all that is changed."""
        more = (*old, *new)
        signs = len(more) == 2 and more[0].text in "+-" and more[1].text[:1].isdigit()
        return signs and (not old or not new)

    def _is_condition(self, first: int) -> bool:
        at = self._tokens[min(first, len(self._tokens) - 1)].start
        node = self._node(at, at + 1)
        while node is not None and node.type not in self._grammar.blocks:
            above = node.parent
            named = self._data.asks.get(above.type) if above is not None else None
            if named and above is not None and above.child_by_field_name(named) == node:
                return True
            node = above
        return False

    def _node(self, start: int, end: int) -> Node | None:
        text = self._text
        first, last = len(text[:start].encode()), len(text[:end].encode())
        return self._source.root.named_descendant_for_byte_range(first, last - 1)

    def place(self, start: int, end: int, fault: Fault, line: int) -> Place | None:
        """The place with the smallest expression around it that says something."""
        node = self._node(start, end) if fault is not Fault.MISSING else None
        tokens = [each for each in self._tokens if start <= each.start and each.end <= end]
        while node is not None and not self._is_statement(node) and node.parent is not None:
            said = self._source.text_of(node)
            small = len(tokens) <= 2 and self._span(node) == (start, end)
            called = self._text[self._span(node)[1] :].startswith("(")
            part = said[:1] in "([{:" or said[-1:] in ":," or len(said) <= LEAST
            if node.child_count > 0 and not small and not called and not part:
                break
            node = node.parent
        said = self._source.text_of(node) if node is not None and self._inside(node) else ""
        if not said or len(said) > LONGEST or "`" in said or "\n" in said:
            said = in_one_line(self._text.split("\n")[line - 1])
        if len(said) > LONGEST or "`" in said:
            said = ""
        many = self._text.count("\n", start, end)
        if many and fault is not Fault.MOVED and not said:
            return None
        return Place(line, said, fault)

    def _is_statement(self, node: Node) -> bool:
        return node.parent is not None and node.parent.type in self._grammar.blocks

    def _inside(self, node: Node) -> bool:
        start, end = self._span(node)
        return self._site.body_start <= start and end <= self._site.body_end


def _same(one: Token, other: Token) -> bool:
    return one.text == other.text and one.depth == other.depth
