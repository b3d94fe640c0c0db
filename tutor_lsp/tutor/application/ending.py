"""The loop of a process, and its end where others' packages hold it up."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any

from tutor_lsp.languages.others import left_behind


def run_to_end(work: Coroutine[Any, Any, int], last: Callable[[], object] | None = None) -> int:
    """The exit code that `work` returns, as `asyncio.run` does.

    That waits for every task and thread. Where one is left behind that may never end, the process
    is left with that code instead, after `last`.
    """
    runner = asyncio.Runner()
    code, failure = 1, None
    try:
        code = runner.run(work)
    except BaseException as error:  # noqa: BLE001 - raised again, or shown
        failure = error
    if runner.run(left_behind()):
        if failure is not None:
            sys.excepthook(type(failure), failure, failure.__traceback__)
        if last is not None:
            last()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)
    runner.close()
    if failure is not None:
        raise failure
    return code
