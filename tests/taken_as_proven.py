"""New exercises begun without their proof, which takes longer than most tests that need one.

`tests/kinds/test_new_exercises.py` and `test_mixed.py` prove them.
"""

import contextlib

import pytest

from tutor_lsp.authoring import ready_made
from tutor_lsp.authoring.arrival import checks
from tutor_lsp.authoring.proof.prove import ProofResult
from tutor_lsp.core.exercise.exercise import Proof

PROOF = Proof(ok=True, builds=True, needs={"ex-3": ("ex-1", "ex-2")})
"""What its proof says of such an exercise, as far as a learner sees it."""


async def _prove(candidate, *_, **__):
    return ProofResult(PROOF, (), dict(candidate.solution), dict(candidate.accepts))


@contextlib.contextmanager
def taken_as_proven():
    """Within this block a set-up takes its exercise as proven."""
    with pytest.MonkeyPatch.context() as patch:
        for caller in (checks, ready_made):
            patch.setattr(caller, "prove", _prove)
        yield
