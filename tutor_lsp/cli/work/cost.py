"""`tutor-lsp cost`: what calls to a model cost, and the last prompt that left the machine."""

from types import MappingProxyType
from typing import Any

from tutor_lsp.cli.runtime import Invocation, options_of, run_shown
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.tutor.commands import cost as costs
from tutor_lsp.tutor.interface.arguments import NoArguments

_KB = 1000
_OF_THESE = MappingProxyType(
    {
        "repairs": marked("Of these, to repair a section"),
        "askedAgain": marked("Of these, again for an answer of another form"),
        "inFlight": marked("Of these, under way, or stopped before an answer came"),
    }
)


def cost(values: dict[str, Any]) -> int:
    """`cost`."""
    if values["session_id"] is not None:
        values["session"] = values["session_id"]
    invocation = Invocation(options_of(values))
    if values["last_prompt"]:
        return run_shown(invocation, lambda app: costs.last_prompt(app.services), _prompt)
    wanted = NoArguments(**invocation.options.located())
    return run_shown(invocation, lambda app: costs.cost(app.exercises, wanted), _cost)


def _cost(out: Out, result: dict[str, Any]) -> None:
    name = result["title"] or t("All exercises of this home")
    if not result["calls"]:
        out.line(("strong", name), ": no model was asked.")
        return
    out.line(("strong", name), f": {_sum(result)}")
    width = max(len(stage) for stage in result["perStage"])
    for stage, part in result["perStage"].items():
        out.line(f"  {stage.ljust(width)}  {_sum(part)}")
    for name, said in _OF_THESE.items():
        if result[name]["calls"]:
            out.line(f"  {t(said)}: {_sum(result[name])}")
    tokens = result["providerTokens"]
    if tokens["input"] or tokens["output"]:
        out.line(
            f"Tokens as the provider counted them: {tokens['input']} in, of which "
            f"{tokens['cachedInput']} from its cache; {tokens['output']} out."
        )
    limits = result["limits"]
    out.line(("dim", f"Limit of one session: {limits['calls']} calls, {_size(limits['bytes'])}."))


def _sum(part: dict[str, Any]) -> str:
    return n(
        "{count} call, {size} sent, {share:.0%} of it as in the call before",
        "{count} calls, {size} sent, {share:.0%} of it as in the call before",
        part["calls"],
        size=_size(part["bytes"]),
        share=part["share"],
    )


def _size(count: int) -> str:
    return t(f"{count} bytes") if count < _KB else f"{count / _KB:,.0f} kB"


def _prompt(out: Out, result: dict[str, Any]) -> None:
    at, to, role, number = (result[key] for key in ("at", "backend", "role", "iteration"))
    out.line(("dim", f"{at}  to {to}, {role} {number}, {result['bytes']} bytes"))
    out.line()
    for line in result["text"].split("\n"):
        out.data(line)
