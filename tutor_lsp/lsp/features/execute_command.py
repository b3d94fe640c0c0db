"""workspace/executeCommand: every command of the tutor's table."""

from functools import partial
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import t
from tutor_lsp.lsp.capabilities import plain
from tutor_lsp.lsp.context import Context
from tutor_lsp.lsp.errors import json_rpc_error
from tutor_lsp.tutor.services.tasks import load_beside


def load_commands() -> None:
    """Import the use cases, which takes longer than everything before the first hover."""
    _commands(None)


def _commands(name: str | None) -> Any:
    """What runs commands, with the use case of one of them, or of all."""
    from tutor_lsp.tutor.commands import dispatch  # half of what the server would import

    dispatch.load(name)
    return dispatch


async def execute_command(ctx: Context, name: str, raw: list[Any]) -> Any:
    """A command's JSON result; raises JsonRpcException with `data.kind`."""
    try:
        async with ctx.app.for_command(name) as app:
            commands = await load_beside(partial(_commands, name))
            done = await commands.run(app, name, plain(raw))
    except TutorError as error:
        if ctx.client.flags.hides_refusals:
            ctx.client.message(error.message, warning=True)
        raise json_rpc_error(error) from None
    except Exception as error:
        ctx.client.log.exception("%s failed", name)
        said = t(f"{name} failed because of an error in the tutor, which still runs: {error!r}.")
        raise json_rpc_error(TutorError("INTERNAL", said)) from error
    if done.message is not None and not ctx.client.flags.shows_results:
        ctx.client.message(done.message)
    return done.wire
