"""initialize, initialized, settings, shutdown; the end of the client."""

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lsprotocol import types as lsp

from tutor_lsp.core.text.spoken_language import editor_speaks
from tutor_lsp.core.text.translation import EDITOR, language, speak, texts_of, translations
from tutor_lsp.lsp.capabilities import as_mapping, client_flags
from tutor_lsp.lsp.context import Context
from tutor_lsp.lsp.convert import Converter
from tutor_lsp.tutor.application.client_settings import SETTINGS_S
from tutor_lsp.tutor.application.look_ahead import look_for_tools
from tutor_lsp.tutor.commands import dispatch
from tutor_lsp.tutor.interface.notifications import TextsTranslated
from tutor_lsp.tutor.services.tasks import load_beside
from tutor_lsp.wire import to_wire

QUIET_S = 1.0
"""How long the client must have been quiet before commands and tools are made ready, in seconds:
what opens with the server comes first."""
QUIET_WAIT_S = 10.0
"""How long to wait for that, in seconds."""
PARENT_POLL_S = 2.0
"""How often the client's process is polled if the system cannot report its end."""


def initialize(ctx: Context, params: Mapping[str, Any]) -> None:
    """Resolve the client's abilities and the position encoding that both support."""
    # Neovim and Emacs name no language: theirs is that of the environment, as the server's is.
    locale = params.get("locale")
    speak(translations([locale.replace("-", "_")] if locale else None))
    editor_speaks(locale)
    ctx.client.flags = client_flags(params)
    encoding = ctx.client.server.workspace.position_encoding
    name = encoding.value if isinstance(encoding, lsp.PositionEncodingKind) else str(encoding)
    ctx.client.converter = Converter(name, ctx.client.flags)
    ctx.app.settings.options(as_mapping(params.get("initializationOptions")))
    if ctx.client.flags.configuration:
        ctx.app.settings.expect()
    if process := params.get("processId"):
        ctx.client.spawn(_watch_client(process), "watch the client")


async def initialized(ctx: Context, _params: lsp.InitializedParams) -> None:
    """Ask for the settings, and make ready for commands once the start is over."""
    if ctx.client.flags.takes_texts and (texts := texts_of(EDITOR)):
        translated = TextsTranslated(language(), texts)
        ctx.client.notify(translated.METHOD, to_wire(translated))
    ctx.client.spawn(_make_ready(ctx), "looking for tools")
    await _read_settings(ctx)


async def _make_ready(ctx: Context) -> None:
    await _quiet(ctx)
    await load_beside(dispatch.load)
    await look_for_tools(ctx.app)


async def _quiet(ctx: Context) -> None:
    """Wait until the client has not called for `QUIET_S`."""
    end = time.monotonic() + QUIET_WAIT_S
    left = QUIET_S
    while left > 0:
        await asyncio.sleep(left)
        now = time.monotonic()
        left = min(ctx.heard() + QUIET_S, end) - now


async def configuration_changed(ctx: Context, params: lsp.DidChangeConfigurationParams) -> None:
    """Apply new settings; from the message if the client cannot be asked."""
    if ctx.client.flags.configuration:
        await _read_settings(ctx)
        return
    given = as_mapping(params.settings)
    ctx.app.settings.take(as_mapping(given.get("tutor", given)))


async def model_changed(ctx: Context, params: Any) -> None:
    """The client has a model now, or no longer (`tutor/modelChanged {available}`): later work uses
    that, and running work continues.
    """
    ctx.client.flags = replace(
        ctx.client.flags, answers_model=as_mapping(params).get("available") is True
    )
    ctx.app.model_changed()


async def _read_settings(ctx: Context) -> None:
    if not ctx.client.flags.configuration:
        return
    try:
        async with asyncio.timeout(SETTINGS_S):
            answer: Any = await ctx.client.server.workspace_configuration_async(
                lsp.ConfigurationParams([lsp.ConfigurationItem(section="tutor")])
            )
    except Exception as error:  # noqa: BLE001 - without an answer the other sources hold
        ctx.client.log.info("no settings from the client: %s", error)
        ctx.app.settings.no_answer()
        return
    section = as_mapping(answer[0]) if answer else {}
    ctx.app.settings.take(section)


async def shutdown(ctx: Context, *_params: Any) -> None:
    """End jobs and runs first: afterwards no child of ours is left."""
    await ctx.app.close()


async def _watch_client(pid: int) -> None:
    """Exit when the client's process is gone, as the protocol demands."""
    await _process_end(pid)
    os._exit(1)


async def _process_end(pid: int) -> None:
    loop = asyncio.get_running_loop()
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except (AttributeError, OSError):
        while _alive(pid):  # noqa: ASYNC110 - the system offers nothing to wait for
            await asyncio.sleep(PARENT_POLL_S)
        return
    ended = asyncio.Event()
    loop.add_reader(handle, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(handle)
        os.close(handle)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
