"""Running an exercise that has units with files of their own."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import RawReport
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.common.predict.settle import run_settled
from tutor_lsp.languages.common.programs.asked import Asked, ProgramRuns
from tutor_lsp.languages.common.programs.run import AskedRun

Run = Callable[..., Awaitable[RawReport]]


def run_of(
    toolchain: Toolchain,
    aside: Sequence[Aside],
    asked: Sequence[Asked] = (),
    runs: ProgramRuns | None = None,
) -> Run:
    """The toolchain's `run` for an exercise with these units, of which those `asked` for tests are
    also run on the programs of theirs. Where there are none it is as it always was: toolchains of
    others need not know the argument."""
    if any(unit.predicts for unit in aside):
        run: Run = partial(run_settled, toolchain, aside)
    else:
        run = partial(toolchain.run, aside=aside) if aside else toolchain.run
    return AskedRun(toolchain, run, asked, runs) if asked and runs is not None else run
