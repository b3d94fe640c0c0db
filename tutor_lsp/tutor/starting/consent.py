"""What the learner agreed to: which models may be used, and which code of theirs is sent."""

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.stages.backends.select import consent_question
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting.selection import SelectedCode

AGREE, DECLINE = marked("Yes, use it"), marked("No")
TYPICAL_CALLS, MOST_CALLS = 8, 39
"""Calls of a set-up: the usual number, and the total of the caps of D3."""
SEND, KEEP = marked("Send it"), marked("Do not send it")


async def consented(services: Services) -> frozenset[str]:
    """Models that the learner has agreed to."""
    events = await services.db(lambda tx: tx.events(kind="consent"))
    return frozenset(str(event["data"]["backend"]) for event in events)


async def ask_consent(services: Services, name: str) -> None:
    """Ask once before a model's first use. Raises TutorError `CANCELLED` or `CONSENT`."""
    question = consent_question(name, TYPICAL_CALLS, MOST_CALLS)
    if not services.frontend.abilities.chooses:
        raise TutorError(
            "CONSENT",
            f"{question} To agree, name it: the setting tutor.backend, or the argument backend = "
            f"{name}.",
            details={"backend": name},
        )
    if await services.frontend.choose(question, [AGREE, DECLINE]) != AGREE:
        raise TutorError("CANCELLED", f"{name} was not used.")
    await services.record("consent", {"backend": name})


async def ask_to_send(
    services: Services, name: str, selection: SelectedCode, *, named: bool
) -> None:
    """Show exactly which text of the learner's own is sent, and ask, each time.

    If nobody can be asked, naming the backend in the request (`named`) is consent, and the text
    is shown anyway. Raises TutorError `CANCELLED` or `CONSENT`.
    """
    shown = t(
        f"{selection.label} is sent to {name}, and nothing else from that file:\n\n{selection.text}"
    )
    if services.frontend.abilities.chooses:
        if await services.frontend.choose(f"{shown}\n\nSend it?", [SEND, KEEP]) != SEND:
            raise TutorError("CANCELLED", "Nothing was sent.")
    elif named:
        services.frontend.message(shown)
    else:
        raise TutorError(
            "CONSENT",
            f"{shown}\n\nTo agree, name the argument backend = {name}.",
            details={"backend": name, "text": selection.text},
        )
    data = {"backend": name, "file": selection.file, "bytes": len(selection.text.encode())}
    await services.record("selection-sent", data)


def typed_options(arguments: StartArguments) -> str:
    """What a start asks for besides its topic, as typed in a terminal."""
    named = {"depth": arguments.depth, "backend": arguments.backend}
    flags = {"fresh": arguments.fresh, "challenge": arguments.challenge}
    valued = [f" --{name} {value}" for name, value in named.items() if value is not None]
    return "".join([*valued, *(f" --{name}" for name, given in flags.items() if given)])
