"""The call that repairs one section. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.authoring.repair.aims import goal
from tutor_lsp.authoring.repair.sections import Damage
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import CONTRACTS, Prompt, Role, StageRequest
from tutor_lsp.core.text.plain_text import clip_bytes
from tutor_lsp.stages.conversation import Conversation

TOLD_BYTES = 8000
"""Most bytes of findings and output in a repair call."""
OUTPUT_BYTES = 1200

_RULES = {
    Role.STARTER: "No stub gets a solution.",
    Role.TEST: "The contract in the starter is right unless it contradicts itself.",
    Role.LESSON: "What the section teaches stays.",
}


@dataclass(frozen=True, slots=True)
class Earlier:
    """A repair of before: which section it was of, and for what."""

    role: Role
    index: int
    findings: Sequence[ProofFinding] = ()


def repair_request(
    conversation: Conversation, damage: Damage, earlier: Sequence[Earlier] = ()
) -> StageRequest:
    """Ask the loop that wrote a section for what is wrong with it again, with what was executed and
    how it failed, and what came of `earlier` repairs of it."""
    role, number = damage.role, damage.index + 1
    section = conversation.sections[role][damage.index]
    mine = [each for each in earlier if (each.role, each.index) == (role, damage.index)]
    focus = directive(section, damage, mine)
    packet = conversation.packet(role, number, focus)
    prompt = None
    if conversation.prompts:
        tail = (
            f"\n\n# Now\nYou are: {role.value}. Answer with one {CONTRACTS[role]} document.\n"
            f"{packet['at']}\n{focus}\n"
        )
        prompt = Prompt(conversation.head, conversation.entries, tail)
    return StageRequest(
        role, packet, prompt, iteration=number, limit_s=conversation.limit_s, repairs=True
    )


def directive(section: Mapping[str, Any], damage: Damage, earlier: Sequence[Earlier] = ()) -> str:
    """What to repair, in words: file, section, findings with their output, what may change, and
    what came of `earlier` repairs of the section."""
    where = section.get("file_path") or "LESSON.md"
    said = clip_bytes(_list(damage.findings), TOLD_BYTES)
    names = ", ".join(f"`{name}`" for name in damage.functions)
    again = "Write that section again, whole: it replaces the earlier one"
    if names:
        again = (
            f"Write {names} again, and of that section nothing else in `content`: each whole, with "
            "all that stands above it, after imports that it needs besides: it replaces the "
            "earlier one"
        )
    return (
        f"This is a repair. Everything was executed, and section {section['section_id']} of "
        f"{where} does not hold. {again}, all else stays. {goal(damage.role, damage.findings)} "
        f"{_RULES[damage.role]}\n{_outcome(damage, earlier)}"
        f"What was found:\n{said}"
    )


def _outcome(damage: Damage, earlier: Sequence[Earlier]) -> str:
    """What the last repair of the section did not come to."""
    if not earlier:
        return ""
    now = {(finding.step, finding.message) for finding in damage.findings}
    was = [finding for finding in earlier[-1].findings if (finding.step, finding.message) in now]
    if was:
        return (
            "It was repaired before, and what was found then is still so: "
            f"{clip_bytes('; '.join(f.message for f in was), OUTPUT_BYTES)} "
            "The document above is that answer: do something else this time.\n"
        )
    before = "; ".join(finding.message for finding in earlier[-1].findings)
    said = f" That was about: {clip_bytes(before, OUTPUT_BYTES)}" if before else ""
    return f"It was repaired before, and does not hold yet.{said}\n"


def _list(findings: Sequence[ProofFinding]) -> str:
    lines = []
    for finding in findings:
        place = ":".join(str(part) for part in (finding.file, finding.line) if part)
        lines.append(f"- [{finding.step}] {place} {finding.message}".replace("  ", " "))
        if finding.output.strip():
            lines.append(clip_bytes(finding.output.strip(), OUTPUT_BYTES))
    return "\n".join(lines)
