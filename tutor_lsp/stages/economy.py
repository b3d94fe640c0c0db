"""The cost of a session's calls: bytes, how many of them a provider's cache can reuse, and tokens.

Also a session's limit. Only calls that sent a prompt count; the library sends none.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.session import Session
from tutor_lsp.core.stage import EXPAND_ROLES
from tutor_lsp.core.text.translation import marked

STAGE_EVENTS = ("stage-accepted", "stage-rejected")
SENT_EVENT = "stage-sent"
"""A prompt is about to leave. A call that nothing more is known of is under way, or was killed."""
STARTED = "session-started"
_LOOPS = frozenset(role.value for role in EXPAND_ROLES)
_REMEMBERED = 64

Row = Mapping[str, Any]
"""An entry of the event log: `id`, `kind`, `session`, `data`."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of calls, of their prompts' bytes, and of bytes shared with the start of the prompt
    before."""

    calls: int = 0
    bytes: int = 0
    shared: int = 0

    @classmethod
    def of(cls, calls: Sequence[Row]) -> "Tally":
        """The totals of these calls."""
        return cls(
            len(calls),
            sum(call["data"]["promptBytes"] for call in calls),
            sum(call["data"]["sharedPrefixBytes"] for call in calls),
        )

    def wire(self) -> dict[str, Any]:
        """The JSON form; `share` is from 0 to 1, rounded to four places."""
        share = round(self.shared / self.bytes, 4) if self.bytes else 0.0
        counted = {"calls": self.calls, "bytes": self.bytes, "sharedPrefixBytes": self.shared}
        return {**counted, "share": share}


def model_calls(rows: Iterable[Row]) -> list[Row]:
    """The entries of an event log that are calls with a prompt, those without an end included."""
    known = list(rows)
    ended = [row for row in known if row["kind"] in STAGE_EVENTS and row["data"].get("promptBytes")]
    return sorted([*ended, *in_flight(known)], key=lambda row: int(row["id"]))


def in_flight(rows: Sequence[Row]) -> list[Row]:
    """The calls that were sent and whose end is not known."""
    ended = {row["data"].get("call") for row in rows if row["kind"] in STAGE_EVENTS}
    sent = (row for row in rows if row["kind"] == SENT_EVENT)
    return [row for row in sent if row["data"].get("call") not in ended]


def economy(rows: Iterable[Row]) -> dict[str, Any]:
    """Totals of the calls in an event log: of all, by stage, of the loops and of the others, of
    repairs, of what was asked again for its form, and of calls without an end."""
    known = list(rows)
    calls = model_calls(known)
    by_stage: dict[str, list[Row]] = {}
    for call in calls:
        by_stage.setdefault(str(call["data"]["role"]), []).append(call)
    loops = [call for call in calls if call["data"]["role"] in _LOOPS]
    rest = [call for call in calls if call["data"]["role"] not in _LOOPS]
    kinds = {"input": "inputTokens", "cachedInput": "cachedInputTokens", "output": "outputTokens"}
    return {
        **Tally.of(calls).wire(),
        "perStage": {name: Tally.of(part).wire() for name, part in by_stage.items()},
        "loops": Tally.of(loops).wire(),
        "other": Tally.of(rest).wire(),
        "repairs": Tally.of([call for call in calls if call["data"].get("repair")]).wire(),
        "askedAgain": Tally.of([call for call in calls if call["data"].get("again")]).wire(),
        "inFlight": Tally.of(in_flight(known)).wire(),
        "providerTokens": {
            name: sum(call["data"].get(kind, 0) for call in calls) for name, kind in kinds.items()
        },
    }


def session_rows(session: Session, sessions: Iterable[Session], rows: Sequence[Row]) -> list[Row]:
    """The calls of one session: for its hints and reviews, and for the set-ups that led to it.

    An interrupted or refused set-up counts towards the next session with the same node, language,
    depth and backend. `rows` are in order and include the starts of sessions.
    """
    wanted = _key(session)
    alike = {other.id for other in sessions if _key(other) == wanted} | {session.id}
    started = {row["session"]: row["id"] for row in rows if row["kind"] == STARTED}
    end = started.get(session.id, 0)
    before = [at for name, at in started.items() if name in alike and at < end]
    begin = max(before, default=0)

    def belongs(row: Row) -> bool:
        if row["session"] is not None:
            return bool(row["session"] == session.id)
        return begin < row["id"] < end and tuple(map(row["data"].get, _KEY)) == wanted

    kinds = (*STAGE_EVENTS, SENT_EVENT)
    return [row for row in rows if row["kind"] in kinds and belongs(row)]


_KEY = ("node", "language", "depth", "backend")


def _key(session: Session) -> tuple[str, ...]:
    return tuple(getattr(session, name) for name in _KEY)


@dataclass(frozen=True, slots=True)
class SentPrompt:
    """A prompt as sent: to which backend, in which role, for which contract."""

    backend: str
    role: str
    iteration: int
    contract: str
    text: str


@dataclass(frozen=True, slots=True)
class Allowance:
    """Maximum number of a session's calls, and of all their prompts' bytes."""

    calls: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Excess:
    """Why a call is not made; `details` is JSON data."""

    reason: str
    details: Mapping[str, Any]


class Budget:
    """Keeps a session's calls within its allowance. Thread-safe.

    A set-up counts its own calls, so a resumed one has the whole allowance again. `spent` returns
    what a session has used so far, including its set-up; it may block.
    """

    def __init__(self, allowance: Allowance, spent: Callable[[str], Tally]) -> None:
        self._allowance = allowance
        self._spent = spent
        self._set_ups: OrderedDict[str, Tally] = OrderedDict()
        self._lock = threading.Lock()

    def excess(self, packet: Mapping[str, Any], prompt_bytes: int) -> Excess | None:
        """Why one more call with that many bytes is too much, or None, and then it is counted."""
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
                    said = marked(
                        f"the limit of {most} {unit} to a model for one session is reached"
                    )
                    details = {"setting": name, "limit": most, "calls": before.calls}
                    return Excess(f"{said} ({name})", details | {"bytes": before.bytes})
            if session is None and set_up is not None:
                after = Tally(before.calls + 1, before.bytes + prompt_bytes)
                self._set_ups[str(set_up)] = after
                while len(self._set_ups) > _REMEMBERED:
                    self._set_ups.popitem(last=False)
        return None
