"""The rows of lists to choose from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of `tutor.choices`."""

    kind: Literal["session", "topic", "language", "unit", "list", "ask"]
    """What the row is: `list` opens another list, `ask` first asks the learner for text."""
    label: str
    """Its text, a few words."""
    detail: str
    """Further information, parts separated by ` · `; may be empty."""
    group: str
    """The heading above it; rows of one group are adjacent."""
    command: str
    """The command that picking it runs; `tutor.choices` for another list."""
    argument: Mapping[str, Any]
    """The argument of that command. In a row of kind `ask`, one value is empty: the learner's
    answer to `detail` replaces it."""
    language: str = ""
    """Id of the language that it is about; empty where it is about none or several."""
