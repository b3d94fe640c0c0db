"""The call that repairs one section. Pure."""

from collections.abc import Sequence
from typing import Any

from tutor_lsp.authoring.repair.sections import Damage
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import CONTRACTS, Prompt, Role, StageRequest
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.subject import clip

TOLD_BYTES = 8000
"""Most bytes of findings and output in a repair call."""
OUTPUT_BYTES = 1200

_GOALS = {
    Role.STARTER: "Keep every stub, its name, signature, comment and the stub body; no solution.",
    Role.TEST: "Keep the names of the tests and what each is about; the contract in the starter "
    "is right unless it contradicts itself.",
    Role.LESSON: "Keep the heading, the link at the end and what the section teaches.",
}


def repair_request(conversation: Conversation, damage: Damage) -> StageRequest:
    """Ask the loop that wrote a section for the whole section again, with what was executed and
    how it failed."""
    role, number = damage.role, damage.index + 1
    section = conversation.sections[role][damage.index]
    focus = directive(section, damage)
    packet = conversation.packet(role, number, focus)
    prompt = None
    if conversation.prompts:
        tail = (
            f"\n\n# Now\nYou are: {role.value}. Answer with one {CONTRACTS[role]} document.\n"
            f"{packet['at']}\n{focus}\n"
        )
        prompt = Prompt(conversation.head, conversation.entries, tail)
    return StageRequest(
        role=role, packet=packet, prompt=prompt, iteration=number, limit_s=conversation.limit_s
    )


def directive(section: dict[str, Any] | Any, damage: Damage) -> str:
    """What to repair, in words: file, section, findings with their output."""
    where = section.get("file_path") or "LESSON.md"
    said = clip(_list(damage.findings), TOLD_BYTES)
    return (
        f"This is a repair. Everything was executed, and section {section['section_id']} of "
        f"{where} does not hold. Write that section again, whole: it replaces the earlier one, "
        f"all else stays. {_GOALS[damage.role]}\n"
        f"What was found:\n{said}"
    )


def _list(findings: Sequence[ProofFinding]) -> str:
    lines = []
    for finding in findings:
        place = ":".join(str(part) for part in (finding.file, finding.line) if part)
        lines.append(f"- [{finding.step}] {place} {finding.message}".replace("  ", " "))
        if finding.output.strip():
            lines.append(clip(finding.output.strip(), OUTPUT_BYTES))
    return "\n".join(lines)
