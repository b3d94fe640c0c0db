"""A call with its expected value, as one more test in an exercise's own test file. Pure.

The call uses the file's imports and helpers, adds none of its own and cannot access files, clock
or source text, so two runs differ only in what the code under test returns.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class ProbeRefused(Exception):  # noqa: N818 - says what is the case, not a defect
    """A probe that must not be run; the text says why."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Statements, then one expression that calls a stub, then one for the expected value."""

    setup: tuple[str, ...]
    call: str
    expected: str


class Probes(Protocol):
    """How a language writes probes."""

    def added(
        self, tests: str, probe: Probe, stubs: Mapping[str, str], name: str | None = None
    ) -> tuple[str, str]:
        """The text of a test file with `probe` as one more test, and that test's name: `name`,
        or one derived from the stub that it calls. `stubs` maps names to signatures.

        Raises ProbeRefused unless the call is one expression that calls one of `stubs` (directly,
        or through what the preceding statements made), the expected value is one that calls none,
        and nothing in it accesses anything but the code under test; if the language does not
        enforce signatures, literal arguments must match them. Without `stubs` it calls none.
        """


def probe_name(stub: str) -> str:
    """The test's name, so that its result is reported as one of that stub."""
    return f"test_{stub}_in_this_case"
