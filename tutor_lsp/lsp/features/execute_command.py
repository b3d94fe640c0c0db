"""workspace/executeCommand: every command of the tutor's table."""

from functools import partial
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import t
from tutor_lsp.lsp.capabilities import plain
from tutor_lsp.lsp.context import Context
from tutor_lsp.lsp.errors import json_rpc_error
from tutor_lsp.tutor.commands.dispatch import load, run
from tutor_lsp.tutor.services.tasks import load_beside


async def execute_command(ctx: Context, name: str, raw: list[Any]) -> Any:
    """A command's JSON result; raises JsonRpcException with `data.kind`."""
    try:
        async with ctx.app.for_command(name) as app:
            await load_beside(partial(load, name))
            done = await run(app, name, plain(raw))
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
