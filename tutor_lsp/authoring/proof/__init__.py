"""The proof: what an exercise must show when it is executed, before anybody sees it.

Nine steps, a module each (`prove` runs them in their order): `shape`, `builds`, `stubs`,
`reference`, `stable`, `unit_map`, `references`, `lesson`, `giveaway`. What differs from language to
language lies in `languages`, one file each.

Deliberately absent: repairing anything, and trust in what was not executed.
"""

from tutor_lsp.authoring.proof.prove import LIMITS, prove

__all__ = ["LIMITS", "prove"]
