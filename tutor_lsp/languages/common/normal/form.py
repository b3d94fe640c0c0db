"""The normal form of code. Two pieces of code with the same form do the same.

Left out are comments, layout and brackets that change nothing; local names are numbered in the
order in which they come up, parameters before all others; literals and assignments have one
spelling, comparisons one direction. What is not sure to mean the same stays different.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.language.syntax import Grammar, Normal
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.normal.names import is_fixed, is_name, own_names
from tutor_lsp.languages.common.syntax import mentioned, parse
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

Form = str
"""Code in its normal form; to be compared, never to be shown."""
_FLIPPED = {">": "<", ">=": "<="}
_EQUAL, _SUMS = frozenset({"==", "!="}), frozenset({"+", "*"})
_QUOTED, _WORD = re.compile(r"`[^`]*`|'[^']*'|‘[^’]*’"), re.compile(r"\w+")
_COMPUTES = re.compile(r"(?P<operator>[-+*/%&|^@]|<<|>>|//|\*\*)=")


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of the code's own."""

    text: str


@dataclass(frozen=True, slots=True)
class _Piece:
    """A node with what counts of it."""

    kind: str
    parts: "tuple[_Part, ...]" = ()
    value: str = ""


_Part = _Piece | _Name | str


def form_of_file(text: str, grammar: Grammar) -> Form | None:
    """The form of a whole file; None if it cannot be read."""
    return _form([text], {}, (), grammar)


def form_of_function(
    functions: Callable[[str], Sequence[FunctionSite]],
    text: str,
    name: str,
    given: Collection[str],
    grammar: Grammar,
) -> Form | None:
    """The form of the function of that name in a text, with the functions that it uses, except for
    those in `given`; None if it is not there once, or cannot be read."""
    sites: dict[str, list[FunctionSite]] = {}
    for site in functions(text):
        sites.setdefault(site.name, []).append(site)
    if len(sites.get(name, ())) != 1:
        return None
    order, texts = [name], list[str]()
    for each in order:
        site = sites[each][0]
        texts.append(text[site.start : site.end])
        used = mentioned(parse(texts[-1], grammar).tokens) - _own(texts[-1], grammar)
        more = [other for other in sites if other in used and other not in (*order, *given)]
        if any(len(sites[other]) != 1 for other in more):
            return None
        order += [other for other in more if not site.start < sites[other][0].start < site.end]
    helpers = {helper: f"helper {at}" for at, helper in enumerate(order[1:])}
    return _form(texts, helpers, (name,), grammar)


def _own(text: str, grammar: Grammar) -> frozenset[str]:
    normal = grammar.normal
    found = {} if normal is None else own_names(Source(grammar.name, text), normal)
    return frozenset(found)


def form_at(text: str, site: FunctionSite, line: int, grammar: Grammar) -> Form | None:
    """The form of the statement on a line of a text, 1-based, in a function of that text: where
    that cannot be read, of the line's own tokens. None if there is nothing."""
    normal = grammar.normal
    source = Source(grammar.name, text[site.start : site.end]) if normal is not None else None
    row = line - 1 - text.count("\n", 0, site.start)
    if source is None or normal is None or source.root.has_error:
        return form_of_line(text, line, grammar)
    found = _statement(source.root, row, grammar)
    if found is None:
        return None
    own = own_names(source, normal)
    own.pop(site.name, None)
    body = next((node for node in walk(source.root) if node.type in grammar.blocks), source.root)
    parameters = [name for name, at in own.items() if at < body.start_byte]
    try:
        return _rendered(
            _Reading(source, grammar, normal, own, {}, header=row).part(found), parameters
        )
    except RecursionError:
        return None


def form_of_line(text: str, line: int, grammar: Grammar) -> Form | None:
    """The form of a line that need not be code which can be read."""
    tokens = [token for token in parse(text, grammar).tokens if token.line == line]
    numbers: dict[str, int] = {}
    said = []
    for at, token in enumerate(tokens):
        before = tokens[at - 1].text if at else ""
        after = tokens[at + 1].text if at + 1 < len(tokens) else ""
        local = token.kind == "id" and before != "." and after != "("
        said.append(f"v{numbers.setdefault(token.text, len(numbers))}" if local else token.text)
    return " ".join(said) or None


def form_of_error(
    text: str, site: FunctionSite, error: BuildError, grammar: Grammar
) -> Form | None:
    """The form of the statement that an error is in, with what the compiler says of it: that of a
    line where the function cannot be read. Advice and the function's own names are left out."""
    form = form_at(text, site, error.line, grammar)
    own = _own(text[site.start : site.end], grammar) - {site.name}
    said = _QUOTED.sub(
        lambda quoted: _WORD.sub(lambda word: "_" if word[0] in own else word[0], quoted[0]),
        error.message.partition("; ")[0],
    )
    return None if form is None else f"{form}\n{said}"


def form_of_unread(text: str, error: BuildError, grammar: Grammar) -> Form | None:
    """The form of the line because of which a text cannot be read, with what is said of it."""
    form = form_of_line(text, error.line, grammar)
    said = re.sub(r"\d+", "", error.message)
    return None if form is None else f"{form}\n{said}"


def _form(
    texts: Sequence[str], helpers: Mapping[str, str], ours: Collection[str], grammar: Grammar
) -> Form | None:
    normal = grammar.normal
    if normal is None:
        return None
    made = []
    try:
        for text in texts:
            source = Source(grammar.name, text)
            if source.root.has_error:
                return None
            own = own_names(source, normal).keys() - {*ours, *helpers}
            made.append(
                _rendered(_Reading(source, grammar, normal, own, helpers).part(source.root))
            )
    except RecursionError:
        return None
    return "\n".join(made)


def _statement(root: Node, row: int, grammar: Grammar) -> Node | None:
    """The innermost statement of a block that covers a row."""
    found, node = None, root
    while True:
        inner = next((c for c in node.children if c.start_point[0] <= row <= c.end_point[0]), None)
        if inner is None:
            return found
        on_it = [c for c in node.named_children if c.start_point[0] <= row <= c.end_point[0]]
        inner = on_it[0] if on_it else inner
        if node.type in grammar.blocks and inner.is_named:
            found = inner
        node = inner


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads nodes of a source, in which `own` are its own names. With `header`, a row, of what
    holds blocks only what is outside of those that do not cover it."""

    source: Source
    grammar: Grammar
    normal: Normal
    own: Collection[str]
    helpers: Mapping[str, str]
    header: int | None = None

    def part(self, node: Node) -> _Part | None:
        """What counts of a node; None for nothing."""
        grammar, normal = self.grammar, self.normal
        if node.type in grammar.comments or node.type in normal.without:
            return None
        text = self.source.text_of(node)
        if node.type in grammar.literals and not any(
            child.type in grammar.inside for child in node.named_children
        ):
            return self._literal(node, text)
        if node.type in normal.shorthand:
            return _Piece("field", (text, self._named(text)))
        if node.child_count == 0:
            if is_name(node) and not is_fixed(node, normal) and not _after_dot(node):
                return self._named(text)
            return text
        parts = tuple(self._inside(node))
        if node.type in normal.wraps and len(parts) == 1:
            return parts[0]
        return self._simple(node, normal.alike.get(node.type, node.type), parts)

    def _named(self, text: str) -> _Part:
        return _Name(text) if text in self.own else self.helpers.get(text, text)

    def _literal(self, node: Node, text: str) -> _Part:
        inline, outer = self.normal.inline, "" if node.parent is None else node.parent.type
        if inline is None or outer != "token_tree" or inline.search(text) is None:
            inside = outer in self.grammar.inside
            return _Piece("literal", value=text if inside else self.normal.literal(text))
        pieces = inline.split(text)
        parts = [self._named(each) if at % 2 else each for at, each in enumerate(pieces)]
        return _Piece("text", tuple(parts))

    def _inside(self, node: Node) -> "list[_Part]":
        """What counts of the nodes in a node, and of the text between them."""
        parts: list[_Part] = []
        exact = node.type in self.normal.exact
        at = node.start_byte
        for child in node.children:
            between = self.source.slice(at, child.start_byte).strip()
            at = child.end_byte
            if between:
                parts.append(between)
            if not child.is_named and not exact and child.type in self.normal.silent:
                continue
            covered = self.header is None or (
                child.start_point[0] <= self.header <= child.end_point[0]
            )
            if child.type in self.grammar.blocks and not covered:
                continue
            part = self.part(child)
            if part is not None:
                parts.append(part)
        rest = self.source.slice(at, node.end_byte).strip()
        return [*parts, rest] if rest and node.children else parts

    def _simple(self, node: Node, kind: str, parts: "tuple[_Part, ...]") -> _Part | None:
        """The one way to write what a node says."""
        normal = self.normal
        if kind in normal.augmented and len(parts) == 3:
            return self._assigned(kind, parts)
        if kind in normal.steps and _is_statement(node, normal):
            return _stepped(normal.steps[kind], parts, normal)
        if kind in normal.compares and len(parts) == 3:
            return _Piece(kind, _directed(parts, normal))
        if kind == "expression_statement" and len(parts) == 1 and _is_literal(parts[0]):
            return None
        if parts and node.type in self.grammar.blocks:
            # A value that ends a function, with and without the word for it.
            last, outer = parts[-1], node.parent
            if outer is not None and outer.parent is not None and outer.parent.parent is None:
                parts = (*parts[:-1], _given(last, normal))
            elif kind in normal.unwraps and len(parts) == 1 and not _declares(parts[0]):
                return parts[0]
        return _Piece(kind, parts)

    def _assigned(self, kind: str, parts: "tuple[_Part, ...]") -> _Part:
        normal = self.normal
        left, operator, right = parts
        found = _COMPUTES.fullmatch(operator) if isinstance(operator, str) else None
        if found is None or _acts(left, normal):
            return _Piece(kind, parts)
        if normal.only_numbers and not self._counts(left, right):
            return _Piece(kind, parts)
        plain, computed = normal.augmented[kind]
        sum_ = _Piece(computed, _directed((left, found["operator"], right), normal))
        return _Piece(plain, (left, "=", sum_))

    def _counts(self, left: _Part, right: _Part) -> bool:
        """Whether a variable holds a number, as far as can be seen."""
        if _is_number(right):
            return True
        if not isinstance(left, _Name):
            return False
        begun = re.compile(
            rf"^\s*{re.escape(left.text)}\s*(?::[^=\n]*)?=\s*[\d.]+\s*(?:#.*)?$", re.MULTILINE
        )
        return begun.search(self.source.text) is not None


def _is_statement(node: Node, normal: Normal) -> bool:
    """Whether nobody uses the value of a node."""
    outer = node.parent
    return outer is not None and outer.type in normal.step_in and field(outer, "condition") != node


def _stepped(plain: str, parts: "tuple[_Part, ...]", normal: Normal) -> _Part:
    operator = next((part for part in parts if part in ("++", "--")), "++")
    what = next(part for part in parts if part not in ("++", "--"))
    _, computed = normal.augmented[plain]
    one = _Piece("literal", value="1")
    return _Piece(plain, (what, "=", _Piece(computed, (what, str(operator)[0], one))))


def _directed(parts: "tuple[_Part, ...]", normal: Normal) -> "tuple[_Part, ...]":
    """The two sides of an operation in the order that always stands for it."""
    left, operator, right = parts
    if operator in _FLIPPED and not (_acts(left, normal) and _acts(right, normal)):
        return right, _FLIPPED[str(operator)], left
    if operator in _EQUAL and _is_literal(left) and not _is_literal(right):
        return right, operator, left
    if operator in _SUMS and _is_number(left) and not _is_literal(right):
        return right, operator, left
    return parts


def _given(last: _Part, normal: Normal) -> _Part:
    """The value of a last statement that gives one."""
    inner = last
    if isinstance(inner, _Piece) and inner.kind == "expression_statement" and inner.parts:
        inner = inner.parts[0]
    gives = isinstance(inner, _Piece) and inner.kind in normal.gives and len(inner.parts) == 2
    return inner.parts[1] if gives and isinstance(inner, _Piece) else last


def _after_dot(node: Node) -> bool:
    """Whether a name in a macro's tokens is a field's or a method's."""
    before = node.prev_sibling
    return (
        before is not None
        and before.type == "."
        and node.parent is not None
        and (node.parent.type == "token_tree")
    )


def _is_literal(part: _Part) -> bool:
    return isinstance(part, _Piece) and part.kind == "literal"


def _is_number(part: _Part) -> bool:
    return isinstance(part, _Piece) and _is_literal(part) and part.value[:1].isdigit()


def _declares(part: _Part) -> bool:
    return isinstance(part, _Piece) and part.kind == "declaration"


def _acts(part: _Part, normal: Normal) -> bool:
    """Whether it makes a difference when something is computed."""
    if not isinstance(part, _Piece):
        return False
    return part.kind in normal.acts or any(_acts(each, normal) for each in part.parts)


def _rendered(part: _Part | None, parameters: Sequence[str] = ()) -> Form:
    numbers = {name: f"p{at}" for at, name in enumerate(parameters)}

    def said(part: _Part) -> str:
        if isinstance(part, str):
            return repr(part)
        if isinstance(part, _Name):
            return numbers.setdefault(part.text, f"v{len(numbers)}")
        return f"({part.kind}{part.value!r} {' '.join(map(said, part.parts))})"

    return "" if part is None else said(part)
