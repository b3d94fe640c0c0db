"""`tutor-lsp tidy`."""

import asyncio
from typing import Any

from tutor_lsp.cli.runtime import Invocation, options_of, run_shown
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.core.learner.loss import counted
from tutor_lsp.core.text.translation import t
from tutor_lsp.process.hand_over import Place, end
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.learner.record.tidy import tidy

_MB = 1_000_000


def tidy_record(values: dict[str, Any]) -> int:
    """`tidy`."""
    invocation = Invocation(options_of(values))

    async def work(app: App) -> dict[str, Any]:
        await asyncio.to_thread(end, Place(str(app.services.home)))
        return await tidy(app.services)

    return run_shown(invocation, work, _tidied)


def _tidied(out: Out, result: dict[str, Any]) -> None:
    if result["backup"] is None:
        out.line("There is nothing to trim.")
        return
    before, after = (f"{result[key] / _MB:,.1f} MB" for key in ("bytesBefore", "bytesAfter"))
    removed = counted(result["removed"], "event") or t("no event")
    shortened = counted(result["shortened"], "event") or t("none")
    out.line(("good", "Trimmed: "), f"{removed} removed, {shortened} shortened.")
    out.line(f"The record had {before} and has {after} now.")
    out.line(("dim", f"As it was before: {result['backup']} (delete it when you like)"))
