"""Source text as a sequence of tokens, and how to read its syntax tree. Pure data."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tutor_lsp.core.language.words import Words

Fields = Mapping[str, tuple[str, ...]]
"""Fields of a syntax tree by the type of the node that has them; "" means its children."""


@dataclass(frozen=True, slots=True)
class Normal:
    """Node types of a language's grammar, by what they mean for the normal form of a function.

    `binds` are where names of its own come up, except in nodes of types in `apart`; what is named
    in nodes of types in `outer` is not its own, and `fixed` is where a name is of something else.
    `without` and the tokens in `silent` are left out, except for tokens of nodes in `exact`.
    `wraps` are nodes that mean what the only node in them means, and `alike` others that mean the
    same as another type. `shorthand` is a field named like its value, `inline` how texts in macros
    name a local.

    `unwraps` are blocks that mean what the only statement in them means.
    `augmented` says of assignments that compute to which type of assignment and operation they
    belong; where `only_numbers`, the two are the same for numbers alone. `steps` are nodes that
    count by one, in place of statements in `step_in`. `compares` are nodes that compare or
    compute, `acts` those whose order in time may matter. A last statement in `gives` means its
    value.
    `literal` is the one spelling of a literal.
    """

    binds: Fields = field(default_factory=dict)
    apart: frozenset[str] = frozenset()
    outer: frozenset[str] = frozenset()
    fixed: Fields = field(default_factory=dict)
    without: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset("(){},;:")
    exact: frozenset[str] = frozenset()
    wraps: frozenset[str] = frozenset()
    unwraps: frozenset[str] = frozenset()
    alike: Mapping[str, str] = field(default_factory=dict)
    shorthand: frozenset[str] = frozenset()
    inline: re.Pattern[str] | None = None
    augmented: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    only_numbers: bool = False
    steps: Mapping[str, str] = field(default_factory=dict)
    step_in: frozenset[str] = frozenset()
    compares: frozenset[str] = frozenset()
    acts: frozenset[str] = frozenset()
    gives: frozenset[str] = frozenset()
    literal: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class Grammar:
    """A language's node types; `assertions` maps node types to how their text begins.

    `name` is that of its tree-sitter grammar, the package `tree_sitter_<name>`. A language without
    one `reads` a text by itself and never raises; the fields about nodes are then unused.

    A node in `literals` is one token, unless it contains a node in `inside` (text with embedded
    expressions). `gives` is how a function returns the expression `{}`, `nothing` a statement that
    does nothing, `wrapped` a function around the statements `{}` (None if indentation makes the
    blocks). `lists` are brackets besides `[` that open a list, with the tokens after which they do
    (`""` is the beginning; None: after any). `fixed_lists`: their lengths are stated elsewhere, as
    those of pointed-to data. `unused` at the top of a file permits unused definitions.
    `is_value` tells whether a printed value is also valid code, if that can be determined.
    Without `normal`, code is only the same as code that is written the same.
    """

    name: str
    comments: frozenset[str] = frozenset()
    literals: frozenset[str] = frozenset()
    assertions: Mapping[str, str] = field(default_factory=dict)
    types: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    gives: str = "return {};"
    nothing: str = ""
    wrapped: str | None = None
    lists: Mapping[str, frozenset[str] | None] = field(default_factory=dict)
    fixed_lists: bool = False
    unused: str = ""
    is_value: Callable[[str], bool] | None = None
    reads: "Callable[[str], Parsed] | None" = None
    words: Words = field(default_factory=Words)
    normal: Normal | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """`kind` is `id`, `type`, `field`, `literal`, or the token's own text. Offsets are in code
    points; `line` is 1-based; `depth` counts the blocks around it."""

    kind: str
    text: str
    start: int
    end: int
    line: int
    depth: int


@dataclass(frozen=True, slots=True)
class Span:
    """An assertion: from `start` to `end` (code points), beginning on `line`."""

    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment including its markers, on its 1-based line."""

    text: str
    start: int
    end: int
    line: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed text. `broken` if it does not parse completely."""

    text: str
    tokens: tuple[Token, ...]
    assertions: tuple[Span, ...]
    comments: tuple[Comment, ...]
    broken: bool

    def within(self, start: int, end: int) -> tuple[Token, ...]:
        """The tokens from offset `start` to `end`."""
        return tuple(token for token in self.tokens if start <= token.start and token.end <= end)
