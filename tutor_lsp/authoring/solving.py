"""Requesting a reference: first blind, then once more with the tests and failures."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tutor_lsp.authoring.assembly import overlay
from tutor_lsp.authoring.content import content_hash
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.report import RawReport, TestOutcome
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.stage import StageRequest
from tutor_lsp.core.text.plain_text import clip_bytes
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.tutoring import solution_request

FAILED_BYTES = 6000
"""Most bytes of failures in the second call."""

Ask = Callable[[StageRequest, str], Awaitable[Mapping[str, Any]]]
Known = Callable[[str], Mapping[str, Any] | None]


@dataclass(slots=True)
class StageSolver:
    """Writes references by the stage `solution`. `files` are the assembled ones, with a lesson or
    without, `starter` tells their starter apart from others; `ask` runs a request about something
    and returns the accepted payload, or raises whatever ends the set-up; `answered` gives what was
    answered before."""

    conversation: Conversation
    files: Mapping[str, str]
    starter: str
    toolchain: Toolchain
    ask: Ask
    answered: Known
    limit_s: float
    accepts: Mapping[str, str] = field(default_factory=dict)
    """The domains that came with the last reference, by unit id."""

    @property
    def shown(self) -> dict[str, str]:
        """The files that the learner sees besides tests: lesson and starter."""
        return {p: t for p, t in self.files.items() if p == LESSON or p.startswith("src/")}

    def known(self) -> Mapping[str, str] | None:
        """The last one from this starter alone, if there is one. Raises as `blind`."""
        for again in (True, False):
            payload = self.answered(self._about("alone", again=again))
            if payload is not None:
                return self.placed(payload)
        return None

    async def blind(self, report: RawReport | None = None) -> Mapping[str, str]:
        """From starter, and lesson if there is one: the full text of each stub file. `report` is
        that of an earlier one which did not build: only the compiler's messages are used from it.

        Raises TutorError `POLICY_VIOLATION`, and what `ask` raises."""
        errors = None if report is None else failures_text(replace(report, tests=()))
        kind = "blind" if LESSON in self.files else "alone"
        about = self._about(kind, again=report is not None)
        return await self._call(self.shown, errors, about, {"tests": []})

    async def informed(self, report: RawReport) -> Mapping[str, str]:
        """Once more, with the tests and the results of the blind solution. Raises as `blind`."""
        given = self.toolchain.complete({})  # of a harness, what tests say is enough
        tests = {p: t for p, t in below(self.files, "tests").items() if p not in given}
        shown = {**self.shown, **tests}
        return await self._call(shown, failures_text(report), self._about("informed"), {})

    def _about(self, kind: str, *, again: bool = False) -> str:
        """What a call is about: comments of the starter are mended once there is a lesson."""
        texts = {
            "alone": {"starter": self.starter},
            "blind": self.shown,
            "informed": self.files,
        }[kind]
        digest = content_hash(self.conversation.language, texts, {})
        return f"{kind}{' again' if again else ''} {digest}"

    async def _call(
        self,
        texts: Mapping[str, str],
        failed: str | None,
        about: str,
        without: Mapping[str, Any],
    ) -> Mapping[str, str]:
        request = solution_request(self.conversation, texts, limit_s=self.limit_s)
        prompt = request.prompt
        if prompt is not None and failed is not None:
            said = f"\n\n# What became of an earlier solution\n{failed}"
            prompt = replace(prompt, entries=(*prompt.entries, said))
        request = replace(request, packet={**request.packet, **without}, prompt=prompt)
        return self.placed(await self.ask(request, about))

    def placed(self, payload: Mapping[str, Any]) -> Mapping[str, str]:
        """The files of a solution, keyed by the starter file that each replaces.

        Raises TutorError `POLICY_VIOLATION`.
        """
        self.accepts = domains(payload)
        return overlay(below(self.files, "src"), payload, self.toolchain)


def domains(payload: Mapping[str, Any]) -> dict[str, str]:
    """A solution's domains by unit id; of duplicates the last."""
    return {each["unit_id"]: each["content"] for each in payload.get("accepts") or ()}


def failures_text(report: RawReport) -> str:
    """The failures, one or two lines per test."""
    lines = [f"{e.file}:{e.line}: {e.message}" for e in report.build_errors]
    for test in report.tests:
        if test.outcome is not TestOutcome.PASSED:
            sides = f": {test.left} / {test.right}" if test.left is not None else ""
            error = f": {test.error}" if test.error else ""
            lines.append(f"{test.name} {test.outcome.value}{sides}{error}")
    if not lines:
        lines = [report.reason or report.outcome.value]
    return clip_bytes("\n".join(lines), FAILED_BYTES)
