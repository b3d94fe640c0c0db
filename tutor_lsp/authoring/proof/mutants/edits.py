"""Single changes of a function by its syntax tree. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from tutor_lsp.core.language.mutants import Operators
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.core.text.plain_text import clip, in_one_line
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

SHOWN = 60


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a text, `operator` its kind; `says` is what it is, for a sentence."""

    operator: str
    start: int
    end: int
    new: str
    says: str
    line: int

    def applied(self, text: str) -> str:
        """The text with the change."""
        return text[: self.start] + self.new + text[self.end :]


def edits(text: str, site: FunctionSite, grammar: str, operators: Operators) -> list[Edit]:
    """Every single change of the function's body, in the order of the text within each kind."""
    return list(_Edits(Source(grammar, text), site, operators).all())


@dataclass(frozen=True, slots=True)
class _Edits:
    source: Source
    site: FunctionSite
    data: Operators

    def all(self) -> Iterator[Edit]:
        makers: tuple[Callable[[Node], Iterator[Edit]], ...] = (
            self._operator, self._number, self._literal, self._arguments, self._sibling,
            self._rewrite, self._dropped, self._condition, self._loop, self._rounding,
        )  # fmt: skip
        for node in walk(self.source.root):
            start, end = self._span(node)
            if self.site.body_start <= start and end <= self.site.body_end:
                for maker in makers:
                    yield from maker(node)

    def _span(self, node: Node) -> tuple[int, int]:
        return self.source.offset(node.start_byte), self.source.offset(node.end_byte)

    def _text(self, node: Node | None) -> str:
        return "" if node is None else self.source.text_of(node)

    def _edit(self, operator: str, node: Node, new: str, says: str = "") -> Iterator[Edit]:
        old = self._text(node)
        if new != old:
            start, end = self._span(node)
            said = says or f"`{_short(new)}` for `{_short(old)}`"
            yield Edit(operator, start, end, new, said, self.source.line(node))

    def _operator(self, node: Node) -> Iterator[Edit]:
        parent = node.parent
        if parent is None or parent.type not in self.data.operations:
            return
        kind = "comparison" if node.type in self.data.compares else "operator"
        if self._text(node) != node.type:
            return
        for new in self.data.swaps.get(node.type, ()):
            yield from self._edit(kind, node, new, self._within(node, new))

    def _within(self, node: Node, new: str) -> str:
        """What an operator becomes, shown with its operands: many stand in one line."""
        whole = self._text(node.parent)
        at = node.start_byte - (node.parent.start_byte if node.parent is not None else 0)
        if len(whole) > SHOWN or not whole.isascii():
            return f"`{new}` for `{node.type}`"
        return f"`{_short(whole[:at] + new + whole[at + len(node.type) :])}` for `{_short(whole)}`"

    def _number(self, node: Node) -> Iterator[Edit]:
        if node.type not in self.data.numbers:
            return
        found = re.fullmatch(r"(\d+)((?:\.\d*)?\D*)", self._text(node))
        if found is None:
            return
        value, rest = int(found[1]), found[2]
        kind = "boundary" if self._is_bound(node) else "constant"
        yield from self._edit(kind, node, f"{value + 1}{rest}", self._in_place(node, value + 1))
        if value > 0:
            yield from self._edit(kind, node, f"{value - 1}{rest}", self._in_place(node, value - 1))

    def _in_place(self, node: Node, value: int) -> str:
        parent = node.parent
        whole = self._text(parent)
        if parent is None or len(whole) > SHOWN or not whole.isascii():
            return ""
        at, old = node.start_byte - parent.start_byte, self._text(node)
        rest = re.sub(r"^\d+", "", old)
        new = f"{whole[:at]}{value}{rest}{whole[at + len(old) :]}"
        return f"`{_short(new)}` for `{_short(whole)}`"

    def _is_bound(self, node: Node) -> bool:
        above = node.parent
        for _ in range(3):
            if above is None:
                return False
            if above.type in self.data.bounds:
                return True
            if any(child.type in self.data.compares for child in above.children):
                return True
            above = above.parent
        return False

    def _literal(self, node: Node) -> Iterator[Edit]:
        text = self._text(node)
        if node.type in self.data.texts:
            found = re.fullmatch(r"(\w*)([\"'])(.*)\2", text, re.DOTALL)
            if found is None or "\n" in text or "{" in text:
                return
            prefix, quote, inner = found.groups()
            if prefix.lower() in ("", "l") and quote == '"':
                new = "" if inner else "x"
                yield from self._edit("constant", node, f"{prefix}{quote}{new}{quote}")
            elif node.type == "char_literal" and inner not in ("x", ""):
                yield from self._edit("constant", node, "'x'")
        elif text in self.data.opposites and not node.children:
            yield from self._edit("constant", node, self.data.opposites[text])

    def _arguments(self, node: Node) -> Iterator[Edit]:
        named = self.data.calls.get(node.type)
        given = field(node, named) if named else None
        if given is None:
            return
        name = re.split(r"\.|::", self._text(field(node, "function")))[-1]
        if name in self.data.symmetric:
            return
        plain = [each for each in given.named_children if each.type not in self.data.named]
        for one, other in pairwise(plain):
            start, end = self._span(one)[0], self._span(other)[1]
            text = self.source.text
            between = text[self._span(one)[1] : self._span(other)[0]]
            new = f"{self._text(other)}{between}{self._text(one)}"
            old = text[start:end]
            alike = self._text(one).startswith("&") == self._text(other).startswith("&")
            if new != old and len(plain) <= 3 and alike:
                says = f"the arguments `{_short(new)}` for `{_short(old)}`"
                yield Edit("arguments", start, end, new, says, self.source.line(one))

    def _sibling(self, node: Node) -> Iterator[Edit]:
        if node.children or not node.is_named or not self._is_called(node):
            return
        for new in self.data.siblings.get(self._text(node), ()):
            yield from self._edit("sibling", node, new)

    def _is_called(self, node: Node) -> bool:
        """Whether a name is one of a function: something is called by it, or looked up."""
        data = self.source.data
        return data[node.end_byte :].lstrip()[:1] == b"(" or data[: node.start_byte][-1:] == b"."

    def _rewrite(self, node: Node) -> Iterator[Edit]:
        above = node.parent.type if node.parent is not None else ""
        if not node.is_named or above in self.data.drops or above in self.data.loops:
            return  # its value is not used
        for kind, pattern, new in self.data.rewrites:
            if node.type == kind:
                found = re.fullmatch(pattern, self._text(node), re.DOTALL)
                if found is not None:
                    yield from self._edit("sibling", node, found.expand(new))

    def _dropped(self, node: Node) -> Iterator[Edit]:
        if node.type in self.data.drops and (node.parent is not None):
            inner = node.named_children[0] if node.named_children else node
            if inner.type in self.data.texts or (
                inner.type in self.data.loops or inner.type in self.data.asks
            ):
                return  # a comment in form of a text; a whole loop says little
            if self._begins(node, inner) or not self._text(node).endswith(self.data.ends):
                return
            says = f"without `{_short(self._text(node))}`"
            yield from self._edit("dropped", node, self.data.nothing, says)
        above = node.parent.type if node.parent is not None else ""
        if node.type in self.data.others and (
            above in self.data.asks or above in self.data.filters
        ):
            says = f"without `{_short(self._text(node))}`"
            yield from self._edit("condition", node, "", says)

    def _begins(self, node: Node, inner: Node) -> bool:
        """Whether an assignment is the first that its name gets, so that nothing works without."""
        if inner.type != "assignment":
            return False
        name = self._text(field(inner, "left"))
        body = self.source.text[self.site.body_start : self._span(node)[0]]
        above = f"{self.site.signature}\n{body}"
        return re.search(rf"\b{re.escape(name)}\b", above) is None if name.isidentifier() else False

    def _condition(self, node: Node) -> Iterator[Edit]:
        named = self.data.asks.get(node.type)
        asked = field(node, named) if named else None
        if asked is None or asked.type.startswith("let_"):
            return
        text = self._text(asked)
        if text.startswith("(") and text.endswith(")") and asked.type == "parenthesized_expression":
            new, never = f"({self.data.negated.format(text)})", f"({self.data.never})"
        else:
            new, never = self.data.negated.format(f"({text})"), self.data.never
        yield from self._edit("condition", asked, new, f"the opposite of `{_short(text)}`")
        if node.type not in self.data.loops:
            yield from self._edit("condition", asked, never, f"never instead of `{_short(text)}`")

    def _loop(self, node: Node) -> Iterator[Edit]:
        body = field(node, "body") if node.type in self.data.loops else None
        last = next((each for each in reversed(body.named_children)), None) if body else None
        if last is None:
            return
        row = self.source.text.rfind("\n", 0, self._span(last)[0]) + 1
        margin = re.match(r"[ \t]*", self.source.text[row:])
        end = self._span(last)[1]
        if self.source.text[row : self._span(last)[0]].strip():
            return
        indent = margin[0] if margin else ""
        new = self.data.leaves.replace("\n", f"\n{indent}")
        says = "the loop left after its first turn"
        yield Edit("return", end, end, new, says, self.source.line(node))

    def _rounding(self, node: Node) -> Iterator[Edit]:
        named = self.data.calls.get(node.type)
        function = field(node, "function") if named else None
        if function is None or named is None:
            return
        name = re.split(r"\.|::", self._text(function))[-1]
        if name not in self.data.rounds:
            return
        given = field(node, named)
        receiver = field(function, "value") or field(function, "object")
        arguments = given.named_children if given is not None else []
        inner = receiver if receiver is not None and not arguments else None
        inner = inner or (arguments[0] if arguments else None)
        if inner is None:
            return
        says = f"`{_short(self._text(inner))}` without `{name}`"
        yield from self._edit("rounding", node, f"({self._text(inner)})", says)
        core = inner.named_children[0] if inner.type == "parenthesized_expression" else inner
        if len(core.children) != 3 or core.children[1].type not in ("+", "-", "*", "/"):
            return
        whole = self._text(node)
        at = inner.start_byte - node.start_byte
        inside = self._text(inner)
        left, sign, right = (self._text(each) for each in core.children)
        once = self.source.data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if not once.isascii():
            return
        head, tail = whole[:at], whole[at + len(inside) :]
        for new in (f"({head}{left}{tail} {sign} {right})", f"({left} {sign} {head}{right}{tail})"):
            yield from self._edit("rounding", node, new)


def _short(text: str) -> str:
    return clip(in_one_line(text), SHOWN)
