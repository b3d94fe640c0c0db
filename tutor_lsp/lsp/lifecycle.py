"""initialize, initialized, settings, shutdown; the end of the client."""

import asyncio
import os
from dataclasses import replace
from typing import Any

from lsprotocol import types as lsp

from tutor_lsp.lsp.capabilities import as_mapping, client_flags
from tutor_lsp.lsp.convert import Converter
from tutor_lsp.lsp.server_type import TutorServer
from tutor_lsp.tutor.services.deferred_app import SETTINGS_S

QUIET_S = 1.0
"""What opens with the server goes before looking for tools, in seconds."""
PARENT_POLL_S = 2.0
"""How often the client's process is looked for where the system cannot tell of its end."""


def initialize(ls: TutorServer, params: lsp.InitializeParams) -> None:
    """Resolve what the client can do and which position encoding both speak."""
    ls.flags = client_flags(params)
    encoding = ls.workspace.position_encoding
    name = encoding.value if isinstance(encoding, lsp.PositionEncodingKind) else str(encoding)
    ls.converter = Converter(name, ls.flags)
    options = as_mapping(params.initialization_options)
    ls.app.options(options)
    if ls.flags.configuration:
        ls.app.expect_settings()
    if params.process_id:
        ls.spawn(_watch_client(params.process_id), "watch the client")


async def initialized(ls: TutorServer, _params: lsp.InitializedParams) -> None:
    """Ask for the settings, and look for the tools once the start is over."""
    ls.spawn(_look_for_tools(ls), "looking for tools")
    await _read_settings(ls)


async def _look_for_tools(ls: TutorServer) -> None:
    await asyncio.sleep(QUIET_S)
    await ls.app.look_for_tools()


async def configuration_changed(ls: TutorServer, params: lsp.DidChangeConfigurationParams) -> None:
    """Take over new settings; from the message where the client cannot be asked."""
    if ls.flags.configuration:
        await _read_settings(ls)
        return
    given = as_mapping(params.settings)
    ls.app.client_settings(as_mapping(given.get("tutor", given)))


async def model_changed(ls: TutorServer, params: Any) -> None:
    """The client has a model now, or no longer (`tutor/modelChanged {available}`): what comes next
    goes by that, and what runs goes on.
    """
    ls.flags = replace(ls.flags, answers_model=as_mapping(params).get("available") is True)
    ls.app.model_changed()


async def _read_settings(ls: TutorServer) -> None:
    if not ls.flags.configuration:
        return
    try:
        async with asyncio.timeout(SETTINGS_S):
            answer: Any = await ls.workspace_configuration_async(
                lsp.ConfigurationParams([lsp.ConfigurationItem(section="tutor")])
            )
    except Exception as error:  # noqa: BLE001 - without an answer the other sources hold
        ls.log.info("no settings from the client: %s", error)
        ls.app.no_settings()
        return
    section = as_mapping(answer[0]) if answer else {}
    ls.app.client_settings(section)


async def shutdown(ls: TutorServer, *_params: Any) -> None:
    """End jobs and runs first: afterwards no child of ours is left."""
    await ls.app.close()


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
