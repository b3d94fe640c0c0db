"""What a repair may change: what its findings are about, and nothing else. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum

from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.stage import Role


class Part(StrEnum):
    """A part of a section, in words."""

    STUB_NAME = "the names of stubs"
    SIGNATURE = "signatures"
    COMMENT = "the comments of stubs"
    STUB_BODY = "stub bodies"
    GIVEN = "given code (helpers, types, constants, imports)"
    ORDER = "the order of what is there"
    TEST_NAME = "the names of tests"
    NUMBER = "how many tests there are"
    TEST_BODY = "what tests do and expect"
    AROUND = "imports and helpers"
    HEADING = "headings"
    LINK = "the link at the end"
    EXAMPLE = "programs and the output that is shown"
    TEXT = "the text"


P = Part
PARTS: Mapping[Role, tuple[Part, ...]] = {
    Role.STARTER: (P.STUB_NAME, P.SIGNATURE, P.COMMENT, P.STUB_BODY, P.GIVEN, P.ORDER),
    Role.TEST: (P.TEST_NAME, P.NUMBER, P.TEST_BODY, P.AROUND, P.ORDER),
    Role.LESSON: (P.HEADING, P.LINK, P.EXAMPLE, P.TEXT),
}
"""The parts of a section of each loop."""
_OF_STEP: Mapping[tuple[Role, str], tuple[Part, ...]] = {
    (Role.STARTER, "builds"): (P.SIGNATURE, P.STUB_BODY, P.GIVEN),
    (Role.STARTER, "stubs"): (P.COMMENT, P.STUB_BODY, P.GIVEN),
    (Role.STARTER, "reference"): (P.COMMENT, P.GIVEN),
    (Role.STARTER, "references"): (P.COMMENT,),
    (Role.STARTER, "giveaway"): (P.COMMENT, P.STUB_BODY, P.GIVEN),
    (Role.STARTER, "units"): (P.SIGNATURE, P.COMMENT, P.STUB_BODY),
    (Role.TEST, "units"): (P.TEST_BODY,),
    (Role.TEST, "reference"): (P.TEST_BODY,),
    (Role.TEST, "references"): (P.TEST_BODY,),
    (Role.TEST, "mistakes"): (P.TEST_BODY, P.NUMBER),
    (Role.TEST, "stubs"): (P.TEST_BODY, P.AROUND),
    (Role.TEST, "builds"): (P.TEST_BODY, P.AROUND),
    (Role.TEST, "stable"): (P.TEST_BODY, P.AROUND),
    (Role.LESSON, "lesson"): (P.EXAMPLE,),
    (Role.LESSON, "giveaway"): (P.EXAMPLE, P.TEXT),
    (Role.LESSON, "reference"): (P.TEXT,),
    (Role.LESSON, "references"): (P.TEXT,),
}
_BY_WORDS: Sequence[tuple[Role, re.Pattern[str], tuple[Part, ...]]] = tuple(
    (role, re.compile(words), parts)
    for role, words, parts in (
        (Role.STARTER, r"^The starter has no stub|needs another file", (P.STUB_NAME,)),
        (Role.STARTER, r"^The tests compare with", (P.GIVEN,)),
        (Role.STARTER, r"is above the stub of", (P.ORDER,)),
        (Role.STARTER, r"does not belong to any unit", (P.STUB_NAME, P.GIVEN)),
        (Role.TEST, r"does not say in words|is not named|^Two tests are named", (P.TEST_NAME,)),
        (Role.TEST, r"make two tests of it", (P.TEST_NAME, P.NUMBER)),
        (Role.TEST, r"has no test\.|was not collected", (P.TEST_NAME, P.NUMBER)),
        (Role.TEST, r"targets no stub|is listed for|passes without", (P.TEST_NAME,)),
        (Role.TEST, r"or a test beside it", (P.TEST_BODY, P.NUMBER)),
        (Role.TEST, r"is not in the order", (P.ORDER,)),
        (Role.LESSON, r"must begin with one|no section", (P.HEADING,)),
        (Role.LESSON, r"words besides code|claims|as the text below", (P.TEXT,)),
        (Role.LESSON, r"link", (P.LINK,)),
        (Role.LESSON, r"has no worked example", (P.EXAMPLE,)),
    )
)
"""What some findings open besides the parts of their step."""


def open_parts(role: Role, findings: Iterable[ProofFinding]) -> tuple[Part, ...]:
    """The parts of a section that may change so that all these findings can be mended."""
    found: set[Part] = set()
    for finding in findings:
        found.update(_OF_STEP.get((role, finding.step), PARTS[role]))
        for of_role, words, parts in _BY_WORDS:
            if of_role is role and words.search(finding.message):
                found.update(parts)
    return tuple(part for part in PARTS[role] if part in found)


def goal(role: Role, findings: Iterable[ProofFinding]) -> str:
    """What may change and what stays, in words."""
    opened = open_parts(role, findings)
    kept = [part for part in PARTS[role] if part not in opened]
    said = f"Change only what is needed of {_listed(opened)}."
    return f"{said} Keep {_listed(kept)}." if kept else said


def _listed(parts: Sequence[Part]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
