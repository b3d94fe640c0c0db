"""The two calls for known mistakes, and what is kept of their answers."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tutor_lsp.authoring.mistakes.running import Ran, run_mistakes
from tutor_lsp.authoring.mistakes.telling import Told
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import LIMITS
from tutor_lsp.authoring.proof.trial import Trial, trial_of
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.ports import RunLimits, Toolchain
from tutor_lsp.core.stage import StageRequest, StageResult
from tutor_lsp.languages.registry import dialect
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.mistakes import Tried, mistakes_request, tags_request
from tutor_lsp.wire import to_wire

MOST = 8
"""Most mistakes of a unit; of more, the first are kept."""
PROMPT_BYTES = 400_000
"""Longest prompt: an exercise that is longer goes without."""
RUN_S = 90.0
"""Longest run of all mistakes, in seconds; after that the exercise goes without."""

Ask = Callable[[StageRequest], Awaitable[StageResult]]
Mistakes = Mapping[str, tuple[Mistake, ...]]


class _Without(Exception):  # noqa: N818 - says why there are none, not a defect
    """There are no known mistakes."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A mistake of a unit that is not kept, and why."""

    unit: str
    mistake: str
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """The mistakes that hold, by unit id; those that do not; why there are none at all."""

    kept: Mistakes
    dropped: tuple[Dropped, ...] = ()
    without: str = ""

    def data(self) -> dict[str, Any]:
        """For the event log."""
        kept = {unit: [each.name for each in known] for unit, known in self.kept.items()}
        return {"kept": kept, "dropped": to_wire(self.dropped), "without": self.without}


@dataclass(slots=True)
class Asking:
    """Asks for the mistakes of one exercise whose reference passes. `ask` runs a request."""

    candidate: Candidate
    conversation: Conversation
    toolchain: Toolchain
    ask: Ask
    limits: RunLimits = LIMITS
    scratch: Path | None = None

    async def found(self) -> Found:
        """What holds. Whatever goes wrong, there are none then; raises CancelledError alone."""
        dropped: list[Dropped] = []
        try:
            kept = await self._found(dropped)
        except _Without as none:
            return Found({}, tuple(dropped), str(none))
        except TimeoutError:
            return Found({}, tuple(dropped), f"they took longer than {RUN_S:g} s to run")
        except Exception as error:  # noqa: BLE001 - an exercise that is proven is not lost for them
            return Found({}, tuple(dropped), f"{type(error).__name__}: {error}")
        return Found(kept, tuple(dropped))

    async def _found(self, dropped: list[Dropped]) -> Mistakes:
        reference = self.candidate.solution
        answer = await self._asked(mistakes_request(self.conversation, reference))
        written = await asyncio.to_thread(self._read, answer, dropped)
        if not any(written.values()):
            return {}
        trial = await asyncio.to_thread(self._trial, replace(self.candidate, mistakes=written))
        async with asyncio.timeout(RUN_S):
            ran = await run_mistakes(trial, self.candidate, self.limits, self.scratch)
        dropped += [Dropped(r.unit.id, r.mistake.name, r.fault) for r in ran if r.fault]
        holding = [each for each in ran if not each.fault]
        return await self._tagged(holding, dropped) if holding else {}

    async def _asked(self, request: StageRequest) -> Mapping[str, Any]:
        prompt = request.prompt.text.encode() if request.prompt is not None else b""
        if len(prompt) > PROMPT_BYTES:
            raise _Without(f"the prompt has {len(prompt)} bytes, at most {PROMPT_BYTES}")
        result = await self.ask(request)
        if not result.accepted or result.payload is None:
            raise _Without(f"{request.role.value}: {result.reason}")
        return result.payload

    def _trial(self, candidate: Candidate) -> Trial:
        return trial_of(candidate, self.toolchain, dialect(candidate.language))

    def _read(self, answer: Mapping[str, Any], dropped: list[Dropped]) -> Mistakes:
        """What an answer holds, as far as it can be told. Blocks: parses."""
        told = Told(self._trial(self.candidate), self.candidate.solution)
        units = {unit.id: unit for unit in self.candidate.units}
        found: dict[str, dict[str, Mistake]] = {}
        for name, given in _given(answer):
            unit, known = units.get(name), found.setdefault(name, {})
            why = ""
            if unit is None:
                why = "there is no such unit"
            elif given.name in known:
                why = "its name is given twice"
            elif len(known) >= MOST:
                why = f"there are more than {MOST}"
            elif told.tells(unit, 1, f"{given.name}\n{given.says}", given.code):
                why = "its sentence tells the solution"
            if unit is None or why:
                dropped.append(Dropped(name, given.name, why))
                continue
            tells = told.tells(unit, 2, given.hint, given.code)
            known[given.name] = replace(given, hint="" if tells else given.hint)
        return {unit: tuple(known.values()) for unit, known in found.items() if known}

    async def _tagged(self, holding: Sequence[Ran], dropped: list[Dropped]) -> Mistakes:
        """Those whose tag is the same where code and behaviour alone are known."""
        tried = [
            Tried(number, each.unit.id, each.mistake.code, each.gives)
            for number, each in enumerate(holding, start=1)
        ]
        request = tags_request(self.conversation, self.candidate.solution, tried)
        answer = await self._asked(request)
        tags: dict[int, set[str | None]] = {}
        for each in answer["tags"]:
            tags.setdefault(each["number"], set()).add(each["tag"])
        kept: dict[str, tuple[Mistake, ...]] = {}
        for number, each in enumerate(holding, start=1):
            unit, mistake = each.unit.id, each.mistake
            if tags.get(number) == {mistake.tag}:
                kept[unit] = (*kept.get(unit, ()), mistake)
            else:
                other = " or ".join(sorted(map(str, tags.get(number, ())))) or "nothing"
                why = f"its tag {mistake.tag} is another one without its sentence: {other}"
                dropped.append(Dropped(unit, mistake.name, why))
        return kept


def _given(answer: Mapping[str, Any]) -> Iterator[tuple[str, Mistake]]:
    for unit in answer["units"]:
        for number, each in enumerate(unit["mistakes"], start=1):
            code = each["code"].strip("\n") + "\n"
            error, hint = each["error"] or "", each["hint"] or ""
            made = Mistake(each["name"], each["says"], code, each["tag"], error, hint, number)
            yield unit["unit_id"], made
