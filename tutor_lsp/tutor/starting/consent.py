"""What the learner agreed to: which models may be used, and which code of theirs is sent."""

from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.starting.selection import Selection

AGREE, DECLINE = "Yes, use it", "No"
TYPICAL_CALLS, MOST_CALLS = 15, 39
"""Calls of a set-up: what is usual, and the caps of D3 in all."""
SEND, KEEP = "Send it", "Do not send it"


async def consented(app: "App") -> frozenset[str]:
    """Models that the learner has agreed to."""
    events = await app.db(lambda tx: tx.events(kind="consent"))
    return frozenset(str(event["data"]["backend"]) for event in events)


async def ask_consent(app: "App", name: str) -> None:
    """Ask once before a model's first use. Raises TutorError `CANCELLED` or `CONSENT`."""
    from tutor_lsp.stages.backends.select import consent_question

    if not app.frontend.abilities.chooses:
        raise TutorError(
            "CONSENT",
            f"{consent_question(name, TYPICAL_CALLS, MOST_CALLS)} To agree, name it: the setting "
            f"tutor.backend, or the argument backend = {name}.",
            details={"backend": name},
        )
    question = consent_question(name, TYPICAL_CALLS, MOST_CALLS)
    if await app.frontend.choose(question, [AGREE, DECLINE]) != AGREE:
        raise TutorError("CANCELLED", f"{name} was not used.")
    await app.record("consent", {"backend": name})


async def ask_to_send(app: "App", name: str, selection: "Selection", *, named: bool) -> None:
    """Show exactly which text of the learner's own is sent, and ask, each time.

    Where nobody can be asked, naming the backend in the request (`named`) is consent, and the text
    is shown all the same. Raises TutorError `CANCELLED` or `CONSENT`.
    """
    shown = (
        f"{selection.told} is sent to {name}, and nothing else of that file:\n\n{selection.text}"
    )
    if app.frontend.abilities.chooses:
        if await app.frontend.choose(f"{shown}\n\nSend it?", [SEND, KEEP]) != SEND:
            raise TutorError("CANCELLED", "Nothing was sent.")
    elif named:
        app.frontend.message(shown)
    else:
        raise TutorError(
            "CONSENT",
            f"{shown}\n\nTo agree, name the argument backend = {name}.",
            details={"backend": name, "text": selection.text},
        )
    data = {"backend": name, "file": selection.file, "bytes": len(selection.text.encode())}
    await app.record("selection-sent", data)
