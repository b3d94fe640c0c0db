"""`tutor-lsp cost`: what calls to a model cost, and the last prompt that left the machine."""

from typing import TYPE_CHECKING, Any

import click

from tutor_lsp.cli.params import common_params
from tutor_lsp.cli.runtime import DONE, Invocation, run
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.verbs import options_of

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

_KB = 1000


def command() -> click.Command:
    """The verb."""

    def callback(session_id: str | None, *, last_prompt: bool, **values: Any) -> int:
        if session_id is not None:
            values["session"] = session_id
        invocation = Invocation(options_of(values))

        async def work(app: "App") -> int:
            from tutor_lsp.tutor.arguments import NoArguments
            from tutor_lsp.tutor.services import cost

            if last_prompt:
                invocation.show(await cost.last_prompt(app), _prompt)
            else:
                wanted = NoArguments(**invocation.options.located())
                invocation.show(await cost.cost(app, wanted), _cost)
            return DONE

        return run(invocation, work)

    return click.Command(
        "cost",
        callback=callback,
        params=[
            click.Argument(["session_id"], required=False, metavar="[SESSION]"),
            click.Option(
                ["--last-prompt"], is_flag=True, help="Print the last prompt that was sent."
            ),
            *common_params(),
        ],
        short_help="Show what calls to a model cost",
        help="Show how often a model was asked for this exercise, how much was sent, and how much "
        "of that the provider's cache could reuse. --last-prompt prints what left this machine "
        "last, word for word.\n\n\b\nExample:\n  tutor-lsp cost --last-prompt",
    )


def _cost(out: Out, result: dict[str, Any]) -> None:
    name = result["title"] or "All exercises of this home"
    if not result["calls"]:
        out.line(("strong", name), ": no model was asked.")
        return
    out.line(("strong", name), f": {_sum(result)}")
    width = max(len(stage) for stage in result["perStage"])
    for stage, part in result["perStage"].items():
        out.line(f"  {stage.ljust(width)}  {_sum(part)}")
    tokens = result["providerTokens"]
    if tokens["input"] or tokens["output"]:
        out.line(
            f"Tokens as the provider counted them: {tokens['input']} in, of which "
            f"{tokens['cachedInput']} from its cache; {tokens['output']} out."
        )
    limits = result["limits"]
    limit = f"Limit of one session: {limits['calls']} calls, {_size(limits['bytes'])}."
    out.line(("dim", limit))


def _sum(part: dict[str, Any]) -> str:
    calls = "1 call" if part["calls"] == 1 else f"{part['calls']} calls"
    return f"{calls}, {_size(part['bytes'])} sent, {part['share']:.0%} of it as in the call before"


def _size(count: int) -> str:
    return f"{count} bytes" if count < _KB else f"{count / _KB:,.0f} kB"


def _prompt(out: Out, result: dict[str, Any]) -> None:
    head = f"{result['at']}  to {result['backend']}, {result['role']} {result['iteration']}"
    out.line(("dim", f"{head}, {result['bytes']} bytes"))
    out.line()
    for line in result["text"].split("\n"):
        out.data(line)
