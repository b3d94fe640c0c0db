"""What may differ between two ways to write the same function. Pure data."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Fields = Mapping[str, tuple[str, ...]]
"""Fields of a syntax tree by the type of the node that has them; "" means its children."""


@dataclass(frozen=True, slots=True)
class Normal:
    """Node types of a language's grammar, by what they mean for the normal form of a function.

    `binds` are where names of its own come up, except in nodes of types in `apart`; `fixed` where
    a name is of something else. `without` and the tokens in `silent` are left out, except for
    tokens of nodes in `exact`. `wraps` are nodes that mean what the only node in them means, and
    `alike` others that mean the same as another type. `shorthand` is a field named like its value,
    `inline` how texts in macros name a local.

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
