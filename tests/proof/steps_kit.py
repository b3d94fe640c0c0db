"""A trial to change, for tests of single steps."""

import dataclasses

from proof_kit import (
    trial,
)

from tutor_lsp.authoring.proof.trial import trial_of
from tutor_lsp.core.exercise.report import (
    BuildError,
    RawReport,
    RunOutcome,
)

GOOD = trial()


FROST = "test_note_warns_of_frost"


ERROR = BuildError("src/exercise/weather.py", 3, 1, 3, 2, "E1", "no such name")


BROKEN = RawReport(RunOutcome.BUILD_ERROR, build_errors=(ERROR,))


def changed(**changes):
    return trial_of(dataclasses.replace(GOOD.candidate, **changes), GOOD.toolchain, GOOD.dialect)
