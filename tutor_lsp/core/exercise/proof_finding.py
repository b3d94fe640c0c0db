"""Why an exercise failed its proof."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProofFinding:
    """Why an exercise failed its proof. `step` is one of `shape builds stubs reference stable units
    references lesson giveaway`; `line` is 1-based; `output` is what was executed or printed."""

    step: str
    message: str
    file: str | None = None
    line: int | None = None
    unit: str | None = None
    output: str = ""
