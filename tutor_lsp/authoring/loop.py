"""The one loop that starter, tests and lesson share."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.stage import Rejection, Role, StageRequest, StageResult

Payload = Mapping[str, Any]
CAPS: Mapping[str, Mapping[Role, int]] = {
    "D1": {Role.STARTER: 6, Role.TEST: 8, Role.LESSON: 12},
    "D2": {Role.STARTER: 8, Role.TEST: 10, Role.LESSON: 15},
    "D3": {Role.STARTER: 9, Role.TEST: 12, Role.LESSON: 18},
}
"""Most calls of each loop, by depth target."""


class StageRejectedError(Exception):
    """A stage was not accepted: the set-up ends here."""

    def __init__(self, result: StageResult, iteration: int) -> None:
        super().__init__(result.reason)
        self.result = result
        self.iteration = iteration


def finished(sections: Sequence[Payload], cap: int) -> bool:
    """Whether a loop with these sections is over."""
    return len(sections) >= cap or bool(sections and sections[-1]["is_complete"])


async def run_expand_loop(
    role: Role,
    depth: str,
    *,
    request: Callable[[Role, int, str | None], StageRequest],
    call: Callable[[StageRequest], Awaitable[StageResult]],
    accepted: Callable[[Role, int, Payload], Awaitable[None]],
    begun: Callable[[Role, int, int, str | None], None],
    done: Sequence[Payload] = (),
) -> list[Payload]:
    """Call one expand stage until it says that it is complete, or the cap is reached.

    `done` are sections that an interrupted set-up already had; they count. `begun` hears of every
    call (role, iteration from 1, cap, next focus), `accepted` of every payload before the next
    call. No call is repeated: raises StageRejectedError for the first that is not accepted.
    """
    cap = CAPS[depth][role]
    sections = list(done)
    while not finished(sections, cap):
        iteration = len(sections) + 1
        focus = next_focus(sections)
        begun(role, iteration, cap, focus)
        result = await call(request(role, iteration, focus))
        if not result.accepted or result.payload is None:
            raise StageRejectedError(result, iteration)
        sections.append(result.payload)
        await accepted(role, iteration, result.payload)
    return sections


def next_focus(sections: Sequence[Payload]) -> str | None:
    """What the last section said should come next; None where it said nothing."""
    text = str(sections[-1].get("next_focus") or "").strip() if sections else ""
    return text or None


_ADVICE = {
    Rejection.EXECUTION_FAILED: "Start it again to go on from here, or open an exercise of the "
    "library, which needs no model.",
    Rejection.SCHEMA_VALIDATION_FAILED: "The answer did not have the agreed form. Start it again "
    "to ask once more from here.",
    Rejection.POLICY_VIOLATION: "The answer broke a rule and was not used. Start it again to ask "
    "once more from here.",
    Rejection.INVALID_CONTEXT: "Please report this: the request itself was not in order.",
    Rejection.CANCELLED: "Start it again to go on from here.",
    Rejection.BUDGET: "Raise that limit in the settings and start it again to go on from here, or "
    "open an exercise of the library, which needs no model.",
}


def refusal(result: StageResult, iteration: int | None = None) -> TutorError:
    """The error that tells the learner which stage ended the set-up, why, and what to do."""
    kind = result.kind or Rejection.EXECUTION_FAILED
    where = result.role.value if iteration is None else f"{result.role.value} {iteration}"
    reason = result.reason.rstrip(".") or kind.value
    return TutorError(
        kind.value,
        f"The exercise could not be made, it stopped at {where}: {reason}. {_ADVICE[kind]}",
        stage=result.role.value,
        reason=result.reason,
        details=result.details,
    )
