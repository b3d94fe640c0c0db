"""The proof: what execution must show about an exercise before anybody sees it.

Ten steps, a module each (`prove` runs them in order): `shape`, `builds`, `stubs`, `reference`,
`stable`, `unit_map`, `references`, `lesson`, `giveaway`, `mistakes`. Whatever depends on the
language is in `languages`.

Deliberately absent: repairing anything, and trusting anything that was not executed.
"""

from tutor_lsp.core.ports import RunLimits

STEPS = (
    "shape", "builds", "stubs", "reference", "stable", "units", "references", "lesson", "giveaway",
    "mistakes",
)  # fmt: skip
"""The proof's steps in order."""

LIMITS = RunLimits(total_s=180.0, test_s=10.0)
"""Limits of one run in the proof."""
