"""`tutor-lsp generation-report`: which rules sent the exercises of models back."""

from typing import Any

from tutor_lsp.cli.runtime import Invocation, options_of, run_shown
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.tutor.commands.generation import generation_report


def report_generation(values: dict[str, Any]) -> int:
    """`generation-report`."""
    invocation = Invocation(options_of(values))
    return run_shown(invocation, lambda app: generation_report(app.services), _report)


def _report(out: Out, result: dict[str, Any]) -> None:
    if not result["setUps"]:
        out.line("No model made an exercise here yet.")
        return
    made = n("{count} set-up", "{count} set-ups", result["setUps"])
    repairs = n("{count} repair", "{count} repairs", result["repairs"])
    asked = result["askedAgain"]
    again = n("{count} answer asked for again", "{count} answers asked for again", asked)
    out.line(("strong", made), f": {repairs}, {again}.")
    for row in result["rules"]:
        fired = n("{count} time", "{count} times", row["fired"])
        repaired, left, overruled = row["repaired"], row["left"], row["overruled"]
        came = t(f"{repaired} repaired, {left} not mended, {overruled} overruled")
        out.line(f"  [{row['step']}] {row['rule']}", ("dim", f"  {fired}: {came}"))
    for each in result["mended"]:
        changed = n("{count} time", "{count} times", each["times"])
        out.line(f"  {each['said']}", ("dim", f"  {changed}"))
    if not result["rules"]:
        out.line("No rule was broken.")
