"""Words with a meaning in a language's code, for rules that compare texts. Pure data."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Words:
    """What a language calls things. Each default suits one that has nothing of the kind.

    `truth` are its words for true and false, `nothing` those for no value, `empty` methods that
    tell whether there is nothing. `suffix` is a pattern for what may follow a number's digits.
    `docstrings` open a text that is a comment.

    `defines` stand before the name of a function that is defined, `modifies` change what may be
    done with a name, not what code does; `receivers` are usual names of a first parameter that
    callers do not pass, `entries` functions that are called without being named. `wraps` are
    names around a value that leave it as it is, `searches` functions that look for a text in
    another one.

    `brings` begin a line that makes names of a library known, `brought` are such lines by the name.

    `failed` begin the message of an assertion that failed. `fails_with` finds the message that a
    test expects the code to fail with, as its group, with `%s` for the test's name.
    """

    truth: tuple[str, str] = ("true", "false")
    nothing: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()
    suffix: str = ""
    docstrings: tuple[str, ...] = ()
    defines: frozenset[str] = frozenset()
    modifies: frozenset[str] = frozenset()
    receivers: frozenset[str] = frozenset()
    entries: frozenset[str] = frozenset()
    wraps: frozenset[str] = frozenset()
    searches: frozenset[str] = frozenset()
    brings: tuple[str, ...] = ()
    brought: Mapping[str, str] = field(default_factory=dict)
    failed: tuple[str, ...] = ("assertion",)
    fails_with: str | None = None

    @property
    def opposites(self) -> Mapping[str, str]:
        """Each of the two words for a truth, with the other one."""
        true, false = self.truth
        return {true: false, false: true}
