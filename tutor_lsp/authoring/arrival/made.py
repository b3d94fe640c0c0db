"""What the documents of a set-up come to so far. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.authoring.assembly import Assembly, assemble
from tutor_lsp.authoring.index import Index, build_index
from tutor_lsp.authoring.model import Candidate, Stages
from tutor_lsp.authoring.repair.mend import fenced, mend
from tutor_lsp.authoring.repair.sections import Made
from tutor_lsp.core.exercise.exercise import LESSON, UnitKind
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.languages.practises import kept
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.plain_lesson import harmless_lesson


@dataclass(frozen=True, slots=True)
class SoFar:
    """The exercise as it is, without a reference; `made` says which section wrote what of it,
    `merged` is what was written before code mended it."""

    candidate: Candidate
    index: Index
    made: Made
    merged: Mapping[str, str]


def assembled(
    conversation: Conversation,
    toolchain: Toolchain,
    there: Collection[Role] = EXPAND_ROLES,
    *,
    since: int = 0,
    ends: bool = True,
) -> SoFar:
    """Assemble and mend what a model wrote. `there` are the loops that are over; of the lesson,
    which `ends` or goes on, sections from `since` (0-based) on are new. Raises as `assemble`."""
    sections, scaffold = conversation.sections, conversation.scaffold or {}
    lesson = [{**s, "content": fenced(str(s["content"]))} for s in sections[Role.LESSON]]
    stages = Stages(scaffold, sections[Role.STARTER], sections[Role.TEST], lesson)
    authored = dict(assemble(stages, toolchain, conversation.node.title).authored)
    authored[LESSON] = harmless_lesson(authored.get(LESSON, ""))
    units = scaffold.get("units")
    planned = units and [
        {**unit, "practises": _practised(conversation.language, unit)} for unit in units
    ]
    mended = mend(authored, planned, toolchain, ends=ends)
    if not sections[Role.LESSON]:
        del mended[LESSON]
    whole = Assembly(mended, toolchain.complete(mended))
    index = build_index(whole.files, planned, toolchain, there=there)
    candidate = Candidate(conversation.language, whole.authored, whole.files, {}, index.units)
    made = Made(sections, whole.authored, index.units, units or (), toolchain, since)
    return SoFar(candidate, index, made, authored)


def _practised(language: str, unit: Mapping[str, Any]) -> list[str]:
    return kept(language, unit.get("practises") or (), UnitKind(unit.get("kind") or UnitKind.BODY))
