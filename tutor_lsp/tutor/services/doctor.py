"""`tutor.doctor`: every tool, whether it works, and how to mend it."""

import asyncio
import platform
import sys
from typing import TYPE_CHECKING, Any

from tutor_lsp import __version__
from tutor_lsp.core.ports import ToolStatus
from tutor_lsp.core.wire import to_wire
from tutor_lsp.tutor.starting.libraries import problems_of

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments


async def doctor(app: "App", arguments: "NoArguments") -> dict[str, Any]:
    """Tools of every language, backends, containment, store, library."""
    tools = [
        ToolStatus("tutor-lsp", found=True, works=True, version=__version__),
        # Exercises may have another, which their toolchain tells as "python".
        ToolStatus(
            "python of tutor-lsp", found=True, works=True, version=platform.python_version()
        ),
    ]
    for name, toolchain in app.toolchains.items():
        try:
            tools += await toolchain.probe()
        except OSError as error:  # a disk without room for a temporary folder, for one
            said = f"It could not be tried: {error.strerror or error}."
            tools.append(ToolStatus(name, found=True, works=False, remedy=said))
    contain = await app.load("tutor_lsp.process.contain")
    tools += (await contain.probe_containment(app.home)).status()
    tools += [
        ToolStatus(
            f"backend {item.name}",
            found=item.available,
            works=item.available,
            version=item.version,
            remedy=None if item.available else item.why,
        )
        for item in await app.backends.statuses()
    ]
    tools += await app.backends.logins()
    tools += await (await app.load("tutor_lsp.tutor.record.record")).rows(app)
    sessions = await app.db(lambda tx: len(tx.sessions()))
    refusal = app.store.refusal
    return {
        "tools": to_wire(tools),
        "home": str(app.home),
        "sessions": sessions,
        "exercises": len(app.library.entries()),
        # Why the record cannot be written stands in its row.
        "problems": [
            *(each for each in app.problems if refusal is None or refusal.message not in each),
            *await asyncio.to_thread(problems_of, app),
        ],
        "executable": sys.executable,
    }
