"""What the calls of a session cost: bytes, how many of them a provider's cache can reuse, tokens.

Also the limit of a session. Only calls that sent a prompt count; the library sends none.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.session import Session
from tutor_lsp.core.stage import EXPAND_ROLES

STAGE_EVENTS = ("stage-accepted", "stage-rejected")
STARTED = "session-started"
_LOOPS = frozenset(role.value for role in EXPAND_ROLES)
_REMEMBERED = 64

Row = Mapping[str, Any]
"""A line of the event log: `id`, `kind`, `session`, `data`."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Calls, the bytes of their prompts, and how many of these began as the prompt before did."""

    calls: int = 0
    bytes: int = 0
    shared: int = 0

    @classmethod
    def of(cls, calls: Sequence[Row]) -> "Tally":
        """The sum over calls."""
        return cls(
            len(calls),
            sum(call["data"]["promptBytes"] for call in calls),
            sum(call["data"]["sharedPrefixBytes"] for call in calls),
        )

    def wire(self) -> dict[str, Any]:
        """The JSON form; `share` is a fraction of 1, to four places."""
        share = round(self.shared / self.bytes, 4) if self.bytes else 0.0
        return {
            "calls": self.calls,
            "bytes": self.bytes,
            "sharedPrefixBytes": self.shared,
            "share": share,
        }


def model_calls(rows: Iterable[Row]) -> list[Row]:
    """The calls among the lines of an event log that sent a prompt."""
    return [row for row in rows if row["kind"] in STAGE_EVENTS and row["data"].get("promptBytes")]


def economy(rows: Iterable[Row]) -> dict[str, Any]:
    """Totals of the calls in an event log, by stage, and apart for the loops and the rest."""
    calls = model_calls(rows)
    by_stage: dict[str, list[Row]] = {}
    for call in calls:
        by_stage.setdefault(str(call["data"]["role"]), []).append(call)
    loops = [call for call in calls if call["data"]["role"] in _LOOPS]
    rest = [call for call in calls if call["data"]["role"] not in _LOOPS]
    return {
        **Tally.of(calls).wire(),
        "perStage": {name: Tally.of(part).wire() for name, part in by_stage.items()},
        "loops": Tally.of(loops).wire(),
        "other": Tally.of(rest).wire(),
        "providerTokens": {
            "input": sum(call["data"].get("inputTokens", 0) for call in calls),
            "cachedInput": sum(call["data"].get("cachedInputTokens", 0) for call in calls),
            "output": sum(call["data"].get("outputTokens", 0) for call in calls),
        },
    }


def session_rows(session: Session, sessions: Iterable[Session], rows: Sequence[Row]) -> list[Row]:
    """The calls of one session: its hints and reviews, and the set-ups that led to it.

    A set-up that was interrupted or refused counts towards the next session of the same node,
    language, depth and backend. `rows` are in order and hold the starts of sessions too.
    """
    alike = {other.id for other in sessions if _key(other) == _key(session)} | {session.id}
    started = {row["session"]: row["id"] for row in rows if row["kind"] == STARTED}
    end = started.get(session.id, 0)
    before = [at for name, at in started.items() if name in alike and at < end]
    begin = max(before, default=0)
    wanted = _key(session)
    return [
        row
        for row in rows
        if row["kind"] in STAGE_EVENTS
        and (
            row["session"] == session.id
            or (
                row["session"] is None
                and begin < row["id"] < end
                and tuple(row["data"].get(name) for name in _KEY) == wanted
            )
        )
    ]


_KEY = ("node", "language", "depth", "backend")


def _key(session: Session) -> tuple[str, ...]:
    return (session.node, session.language, session.depth, session.backend)


@dataclass(frozen=True, slots=True)
class SentPrompt:
    """A prompt as it left: to which backend, in which role, for which contract."""

    backend: str
    role: str
    iteration: int
    contract: str
    text: str


@dataclass(frozen=True, slots=True)
class Allowance:
    """Most calls of one session, and most bytes of their prompts together."""

    calls: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Excess:
    """Why a call is not made; `details` is JSON data."""

    reason: str
    details: Mapping[str, Any]


class Budget:
    """Keeps the calls of a session within its allowance. Thread-safe.

    A set-up counts its own calls, so that one that goes on after a stop has the whole allowance
    again. `spent` tells what a session has spent so far, set-up included; it may block.
    """

    def __init__(self, allowance: Allowance, spent: Callable[[str], Tally]) -> None:
        self._allowance = allowance
        self._spent = spent
        self._set_ups: OrderedDict[str, Tally] = OrderedDict()
        self._lock = threading.Lock()

    def excess(self, packet: Mapping[str, Any], prompt_bytes: int) -> Excess | None:
        """Why one more call with that many bytes is too much, or None: then it is counted."""
        session = (packet.get("tutoring") or {}).get("session_id")
        set_up = packet.get("setup_id")
        allowance = self._allowance
        with self._lock:
            if session is not None:
                before = self._spent(str(session))
            else:
                before = self._set_ups.get(str(set_up), Tally())
            for name, most, would in (
                ("limits.sessionCalls", allowance.calls, before.calls + 1),
                ("limits.sessionBytes", allowance.bytes, before.bytes + prompt_bytes),
            ):
                if would > most:
                    unit = "calls" if name.endswith("Calls") else "bytes"
                    said = f"the limit of {most} {unit} to a model for one session is reached"
                    details = {"setting": name, "limit": most, "calls": before.calls}
                    return Excess(f"{said} ({name})", details | {"bytes": before.bytes})
            if session is None and set_up is not None:
                after = Tally(before.calls + 1, before.bytes + prompt_bytes)
                self._set_ups[str(set_up)] = after
                while len(self._set_ups) > _REMEMBERED:
                    self._set_ups.popitem(last=False)
        return None
