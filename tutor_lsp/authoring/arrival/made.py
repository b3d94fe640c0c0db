"""What the documents of a set-up come to so far. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.assembly import Assembly, assemble, replaced_imports
from tutor_lsp.authoring.index import Index, build_index
from tutor_lsp.authoring.model import Candidate, Stages
from tutor_lsp.authoring.repair.mend import fenced, mend
from tutor_lsp.authoring.repair.sections import Made
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.languages.practises import constructs
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.plain_lesson import harmless_lesson


@dataclass(frozen=True, slots=True)
class SoFar:
    """The exercise as it is, without a reference; `made` says which section wrote what of it,
    `merged` is what was written before code mended it, `imports` what was replaced
    of the imports of its tests."""

    candidate: Candidate
    index: Index
    made: Made
    merged: Mapping[str, str]
    imports: Sequence[ProofFinding] = ()


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
    given = assemble(stages, toolchain, conversation.node.title)
    authored = dict(given.authored)
    authored[LESSON] = harmless_lesson(authored.get(LESSON, ""))
    units = scaffold.get("units")
    known = constructs(conversation.language).keys()
    planned = units and [
        {**unit, "practises": [p for p in unit.get("practises") or () if p in known]}
        for unit in units
    ]
    mended = mend(authored, planned, toolchain, ends=ends)
    if not sections[Role.LESSON]:
        del mended[LESSON]
    whole = Assembly(mended, toolchain.complete(mended))
    index = build_index(whole.files, planned, toolchain, there=there)
    candidate = Candidate(conversation.language, whole.authored, whole.files, {}, index.units)
    made = Made(sections, whole.authored, index.units, units or (), toolchain, since)
    before = {**authored, **given.given}
    return SoFar(candidate, index, made, before, tuple(replaced_imports(given)))
