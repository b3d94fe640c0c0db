"""Running an exercise that has units which its build may go without."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import RawReport
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.common.predict.settle import run_settled

Run = Callable[..., Awaitable[RawReport]]


def run_of(toolchain: Toolchain, aside: Sequence[Aside]) -> Run:
    """The toolchain's `run` for an exercise with these units. Where there are none it is as it
    always was: toolchains of others need not know the argument."""
    if any(unit.predicts for unit in aside):
        return partial(run_settled, toolchain, aside)
    return partial(toolchain.run, aside=aside) if aside else toolchain.run
