"""Running an exercise that has units which its build may go without."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from tutor_lsp.core.exercise.exercise import Aside
from tutor_lsp.core.exercise.report import RawReport
from tutor_lsp.core.ports import Toolchain

Run = Callable[..., Awaitable[RawReport]]


def run_of(toolchain: Toolchain, aside: Sequence[Aside]) -> Run:
    """The toolchain's `run` for an exercise with these units. Where there are none it is as it
    always was: toolchains of others need not know the argument."""
    return partial(toolchain.run, aside=aside) if aside else toolchain.run
