"""Asking for a reference: first blind, then once more with the tests and what failed."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

from tutor_lsp.authoring.assembly import overlay
from tutor_lsp.authoring.model import LESSON
from tutor_lsp.core.exercise.report import RawReport, TestOutcome
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.stage import StageRequest
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.subject import clip
from tutor_lsp.stages.tutoring import solution_request

FAILED_BYTES = 6000
"""Most bytes of failures that the second call is told."""

Ask = Callable[[StageRequest], Awaitable[Mapping[str, Any]]]


class StageSolver:
    """`proof.Solver` by the stage `solution`. `files` are the assembled ones; `ask` runs a request
    and gives the accepted payload, or raises what ends the set-up."""

    def __init__(
        self,
        conversation: Conversation,
        files: Mapping[str, str],
        toolchain: Toolchain,
        ask: Ask,
        limit_s: float,
    ) -> None:
        self._conversation = conversation
        self._files = files
        self._toolchain = toolchain
        self._ask = ask
        self._limit_s = limit_s
        self._calls = 0
        self._accepts: Mapping[str, str] = {}

    @property
    def accepts(self) -> Mapping[str, str]:
        """The domains that came with the last reference, by the unit's id."""
        return self._accepts

    @property
    def shown(self) -> dict[str, str]:
        """What the learner sees before any test: lesson and starter."""
        return {p: t for p, t in self._files.items() if p == LESSON or p.startswith("src/")}

    async def blind(self, report: RawReport | None = None) -> Mapping[str, str]:
        """Raises TutorError `POLICY_VIOLATION`, and what `ask` raises."""
        errors = None if report is None else told(replace(report, tests=()))
        return await self._call(self.shown, errors, {"tests": []})

    async def informed(self, report: RawReport) -> Mapping[str, str]:
        """Raises TutorError `POLICY_VIOLATION`, and what `ask` raises."""
        tests = {p: t for p, t in self._files.items() if p.startswith("tests/")}
        return await self._call({**self.shown, **tests}, told(report), {})

    async def _call(
        self, texts: Mapping[str, str], failed: str | None, without: Mapping[str, Any]
    ) -> Mapping[str, str]:
        self._calls += 1
        request = solution_request(self._conversation, texts, limit_s=self._limit_s)
        packet = {**request.packet, **without, "iteration": self._calls}
        prompt = request.prompt
        if prompt is not None and failed is not None:
            said = f"\n\n# What became of an earlier solution\n{failed}"
            prompt = replace(prompt, entries=(*prompt.entries, said))
        request = replace(request, iteration=self._calls, packet=packet, prompt=prompt)
        return self.placed(await self._ask(request))

    def placed(self, payload: Mapping[str, Any]) -> Mapping[str, str]:
        """The files of a solution, keyed by the starter file that each replaces.

        Raises TutorError `POLICY_VIOLATION`.
        """
        self._accepts = domains(payload)
        src = {path: text for path, text in self._files.items() if path.startswith("src/")}
        return overlay(src, payload, self._toolchain)


def domains(payload: Mapping[str, Any]) -> dict[str, str]:
    """The domains of a solution by the unit's id; of two the last."""
    return {each["unit_id"]: each["content"] for each in payload.get("accepts") or ()}


def told(report: RawReport) -> str:
    """What failed, one line or two for each test."""
    lines = [f"{e.file}:{e.line}: {e.message}" for e in report.build_errors]
    for test in report.tests:
        if test.outcome is not TestOutcome.PASSED:
            sides = f": {test.left} / {test.right}" if test.left is not None else ""
            error = f": {test.error}" if test.error else ""
            lines.append(f"{test.name} {test.outcome.value}{sides}{error}")
    if not lines:
        lines = [report.reason or report.outcome.value]
    return clip("\n".join(lines), FAILED_BYTES)
