"""The expand loop, shared by starter, tests and lesson."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.stage import (
    Rejection,
    Role,
    StageRequest,
    StageResult,
    first_sections,
    section_count,
)
from tutor_lsp.core.text.translation import marked, t

Payload = Mapping[str, Any]
CAPS: Mapping[str, Mapping[Role, int]] = {
    "D1": {Role.STARTER: 6, Role.TEST: 8, Role.LESSON: 12},
    "D2": {Role.STARTER: 8, Role.TEST: 10, Role.LESSON: 15},
    "D3": {Role.STARTER: 9, Role.TEST: 12, Role.LESSON: 18},
}
"""Most calls, and most sections, of each loop, by depth target. Nothing is left out of an exercise
that is written already, which no calls make."""


class StageRejectedError(Exception):
    """A stage was rejected: the set-up ends here."""

    def __init__(self, result: StageResult, iteration: int) -> None:
        super().__init__(result.reason)
        self.result = result
        self.iteration = iteration


def finished(calls: Sequence[Payload], cap: int | None) -> bool:
    """Whether a loop with these calls is over; no call has less than a section."""
    capped = cap is not None and section_count(calls) >= cap
    return capped or bool(calls and calls[-1]["is_complete"])


async def run_expand_loop(
    role: Role,
    depth: str,
    *,
    request: Callable[[Role, int, str | None], StageRequest],
    call: Callable[[StageRequest], Awaitable[StageResult]],
    accepted: Callable[[Role, int, Payload], Awaitable[None]],
    begun: Callable[[Role, int, int, str | None], None],
    surplus: Callable[[Role, int, int], Awaitable[None]] | None = None,
    done: Sequence[Payload] = (),
    capped: bool = True,
) -> list[Payload]:
    """Call one expand stage until it reports completion or, if it is `capped`, the cap of calls and
    sections is reached.

    `done` are the answers that an interrupted set-up already had; they count. `begun` is called for
    every request (role, iteration from 1, cap, next focus), `accepted` for every payload before
    the next request, `surplus` with how many sections of a call are over the cap and left out. No
    request is repeated: raises StageRejectedError for the first rejection.
    """
    cap = CAPS[depth][role]
    calls = list(done)
    while not finished(calls, cap if capped else None):
        iteration = len(calls) + 1
        focus = next_focus(calls)
        begun(role, iteration, max(cap, iteration), focus)
        result = await call(request(role, iteration, focus))
        if not result.accepted or result.payload is None:
            raise StageRejectedError(result, iteration)
        payload = result.payload
        over = section_count([*calls, payload]) - cap if capped else 0
        if over > 0:
            payload = first_sections(payload, section_count([payload]) - over)
            if surplus is not None:
                await surplus(role, iteration, over)
        calls.append(payload)
        await accepted(role, iteration, payload)
    return calls


def next_focus(calls: Sequence[Payload]) -> str | None:
    """The last call's suggestion for the next; None if it made none."""
    text = str(calls[-1].get("next_focus") or "").strip() if calls else ""
    return text or None


_ADVICE = {
    Rejection.EXECUTION_FAILED: marked(
        "Start it again to go on from here, or open an exercise of the "
        "library, which needs no model."
    ),
    **dict.fromkeys(
        (Rejection.SCHEMA_VALIDATION_FAILED, Rejection.POLICY_VIOLATION),
        marked("Start it again to repeat the request from here."),
    ),
    Rejection.INVALID_CONTEXT: marked("Please report this: the request itself was invalid."),
    Rejection.CANCELLED: marked("Start it again to go on from here."),
    Rejection.BUDGET: marked(
        "Raise that limit in the settings and start it again to go on from here, or "
        "open an exercise of the library, which needs no model."
    ),
}


def refusal(result: StageResult, iteration: int | None = None) -> TutorError:
    """The error for the learner: which stage ended the set-up, why, and what to do. What another
    form than asked lacks is in its details."""
    kind = result.kind or Rejection.EXECUTION_FAILED
    where = result.role.value if iteration is None else f"{result.role.value} {iteration}"
    reason = result.reason.rstrip(".") or kind.value
    if kind is Rejection.SCHEMA_VALIDATION_FAILED:
        reason = t("the answer had another form than was asked for")
    return TutorError(
        kind.value,
        f"The exercise could not be made, it stopped at {where}: {reason}. {t(_ADVICE[kind])}",
        stage=result.role.value,
        reason=result.reason,
        details=result.details,
    )
