"""The learner's own libraries: takes up what changed, reports what in them cannot be used."""

import asyncio

from tutor_lsp.tutor.services.services import Services

READERS = frozenset(
    {"tutor.start", "tutor.next", "tutor.choices", "tutor.curriculum", "tutor.end", "tutor.doctor"}
)
"""Commands that show what the libraries have, and so see what changed in them."""
TELL_THEMSELVES = frozenset({"tutor.curriculum", "tutor.doctor"})
"""Commands whose answer lists what of the libraries is left out."""


async def read_libraries(services: Services, command: str) -> None:
    """Before a command: take up what changed in the learner's own libraries, and report once what
    in them cannot be used."""
    if not services.settings.libraries:
        return
    if command in READERS:
        await asyncio.to_thread(services.library.refresh)
    if command not in TELL_THEMSELVES:
        for problem in await asyncio.to_thread(lambda: services.library.problems):
            services.say_once(problem)
