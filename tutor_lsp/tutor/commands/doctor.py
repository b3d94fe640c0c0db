"""`tutor.doctor`: every tool, whether it works, and how to fix it."""

import asyncio
import platform
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tutor_lsp import __version__
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.mend import Remedy, mends_of
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.languages.others import contained_call
from tutor_lsp.languages.registry import GROUP, languages
from tutor_lsp.library.gather import OwnLibrary
from tutor_lsp.process.contain import probe_containment
from tutor_lsp.process.hand_over import Place, reached
from tutor_lsp.tutor.interface.arguments import NoArguments
from tutor_lsp.tutor.interface.learner import Diagnosis
from tutor_lsp.tutor.learner.record import record
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tool_search import LOOK_S


def _of_library(own: OwnLibrary) -> ToolStatus:
    """The row of one of the learner's own libraries; what it leaves out is reported separately."""
    left_out = len(own.left_out)
    counted = n("{count} exercise", "{count} exercises", own.exercises)
    more = n("{count} left out", "{count} left out", left_out) if left_out else ""
    return ToolStatus(
        t(f"library {own.path}"),
        found=True,
        works=own.exercises > 0,
        version=", ".join(filter(None, (counted, more))),
        remedy=None if own.exercises else t("No exercise in it can be used: see why below."),
    )


async def _of_language(services: Services, name: str) -> Sequence[ToolStatus]:
    """The rows of a language's tools, or one that says why they could not be tried."""

    async def asked() -> Sequence[ToolStatus]:
        try:
            return tuple(await services.toolchains[name].probe())
        except OSError as error:  # for example, a disk without room for a temporary folder
            said = t(f"It could not be tried: {error.strerror or error}.")
            return (ToolStatus(name, found=True, works=False, remedy=said),)

    try:
        return await contained_call(GROUP, languages()[name], LOOK_S, asked)
    except TutorError as error:
        return (ToolStatus(name, found=True, works=False, remedy=error.message),)


def _staying(home: Path) -> Sequence[ToolStatus]:
    """The row of the process that stays for the terminal's next commands, if there is one."""
    found = reached(Place(str(home)))
    if found is None:
        return ()
    link, pid = found
    link.close()
    said = t(f"process {pid} runs your next commands; tutor-lsp tidy ends it")
    return (ToolStatus("terminal", found=True, works=True, version=said),)


def _of_tools(tools: Sequence[ToolStatus]) -> Sequence[Remedy]:
    """Each way to mend what is needed, once: that of one tool may be that of others."""
    found: list[Remedy] = []
    for tool in tools:
        if tool.needed and not tool.works and not tool.optional:
            ways = [each.mend for each in found]
            said = tool.remedy or tool.name
            found += [Remedy(said, mend) for mend in tool.mends if mend not in ways]
    return found


async def doctor(services: Services, arguments: NoArguments) -> Diagnosis:
    """Tools of every language, backends, containment, store, library."""
    tools = [
        ToolStatus("tutor-lsp", found=True, works=True, version=__version__),
        # Exercises may have another, which their toolchain reports as "python".
        ToolStatus(
            "python of tutor-lsp", found=True, works=True, version=platform.python_version()
        ),
    ]
    begun = {language for language, _ in await services.db(lambda tx: tx.begun())}
    for name in services.toolchains:
        needed = name in begun or name == services.settings.language
        found = await _of_language(services, name)
        tools += [replace(tool, needed=needed) for tool in found]
    tools += (await probe_containment(services.home)).status()
    tools += await asyncio.to_thread(_staying, services.home)
    tools += [
        ToolStatus(
            f"backend {item.name}",
            found=item.available,
            works=item.available,
            version=item.version,
            remedy=None if item.available else item.why,
            mends=() if item.available else item.mends,
            optional=item.name != services.settings.backend,
        )
        for item in await services.backends.statuses()
    ]
    tools += [
        replace(login, optional=services.settings.backend not in login.name.split())
        for login in await services.backends.logins()
    ]
    tools += await record.rows(services)
    tools += [_of_library(each) for each in services.library.own]
    sessions = await services.db(lambda tx: tx.count_sessions())
    refusal = services.store.refusal
    problems = (
        # Why the record cannot be written stands in its row.
        *(each for each in services.problems if refusal is None or refusal.message not in each),
        *services.library.problems,
    )
    return Diagnosis(
        tools=tuple(tools),
        home=str(services.home),
        sessions=sessions,
        exercises=len(services.library.listed),
        problems=problems,
        executable=sys.executable,
        remedies=(
            *_of_tools(tools),
            *(Remedy(each, mend) for each in problems for mend in mends_of(each)),
        ),
    )
