"""The request for a solution that does without what its exercise is about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.stage import Role, StageRequest
from tutor_lsp.languages.practises import constructs
from tutor_lsp.stages import evidence
from tutor_lsp.stages.conversation import Conversation
from tutor_lsp.stages.packet import files_of
from tutor_lsp.stages.prompts import head

LIMIT_S = 120.0
"""Longest call, in seconds: an exercise can do without the answer."""


def without_request(
    conversation: Conversation,
    reference: Mapping[str, str],
    tests: Mapping[str, str],
    asked: Mapping[str, Sequence[str]],
) -> StageRequest:
    """The `reference` once more, without the constructs that are `asked` by unit id."""
    known = constructs(conversation.language)
    focus = "Do without " + "; without ".join(
        f"{' and '.join(known[name].name for name in names)} in {unit}"
        for unit, names in asked.items()
    )
    entries = (
        evidence.shown("Tests", tests),
        evidence.shown("A solution", reference),
        f"\n\n# Wanted\n{focus}.",
    )
    said = head("without", conversation.language)
    files = files_of(reference)
    request = conversation.beside(Role.WITHOUT, said, entries, files=files, next_focus=focus)
    return replace(request, limit_s=min(request.limit_s, LIMIT_S))
