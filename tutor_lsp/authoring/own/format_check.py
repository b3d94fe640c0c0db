"""Rules of the exercise format that only bundled and own exercises have to keep. Pure.

Whether an exercise works, and all that a generated one must keep too, is for the proof.
"""

import re
from collections.abc import Iterator

from tutor_lsp.authoring.proof.lesson import words
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.learner.curriculum import Curriculum
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.languages.common.comments import parse_stub_comment
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import BundledExercise

UNITS = (3, 5)
TESTS_PER_UNIT = (2, 4)
HINT_WORDS = (40, 90, 90)
HINT_CODE_LINES = 8

NO_STUB_FORM = "does not have the fixed form of a stub."

_FENCE = re.compile(r"^```[^\n]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)


def check_format(
    exercise: BundledExercise, curriculum: Curriculum | None, toolchain: Toolchain
) -> list[ProofFinding]:
    """Every rule that the exercise does not keep. `curriculum` is the one that it belongs to,
    None for an exercise of one's own, which may have any node."""
    return [
        *_entry(exercise, curriculum),
        *_stubs(exercise, toolchain),
        *_hints(exercise),
    ]


def _entry(exercise: BundledExercise, curriculum: Curriculum | None) -> Iterator[ProofFinding]:
    entry, toml = exercise.entry, "exercise.toml"
    if curriculum is not None:
        node = curriculum.node(entry.node)
        if node is None or node.language != entry.language:
            said = f"The curriculum has no {entry.language} node {entry.node}."
            yield ProofFinding("shape", said, toml)
        elif node.depth != entry.depth:
            said = f"Its depth is {entry.depth}, that of its node {node.depth}."
            yield ProofFinding("shape", said, toml)
    if not UNITS[0] <= len(entry.units) <= UNITS[1]:
        said = f"It has {len(entry.units)} units, not {UNITS[0]} to {UNITS[1]}."
        yield ProofFinding("shape", said, toml)
    for unit in entry.units:
        if not TESTS_PER_UNIT[0] <= len(unit.tests) <= TESTS_PER_UNIT[1]:
            said = f"{unit.id} has {len(unit.tests)} tests, not 2 to 4."
            yield ProofFinding("shape", said, toml, None, unit.id)


def _stubs(exercise: BundledExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    form = dialect(exercise.entry.language).stub_body
    stubs = {unit.stub: unit.id for unit in exercise.entry.units}
    for path, text in exercise.src.items():
        for site in toolchain.functions(text):
            if site.name not in stubs or parse_stub_comment(site.comment or "") is None:
                continue
            body = text[site.body_start : site.body_end].strip().strip("{}").strip()
            found = form.match(body)
            if found is None or found[1] != site.name:
                said = f"The body of `{site.name}` {NO_STUB_FORM}"
                yield ProofFinding("shape", said, path, site.line, stubs[site.name], body)


def _hints(exercise: BundledExercise) -> Iterator[ProofFinding]:
    for unit, texts in exercise.hints.items():
        file = f"hints/{unit}.md"
        for level, (text, limit) in enumerate(zip(texts, HINT_WORDS, strict=True), start=1):
            fences = _FENCE.findall(text)
            if (count := words(text)) > limit or not count:
                said = f"L{level} has {count} words, at most {limit}."
                yield ProofFinding("giveaway", said, file, None, unit)
            if level != 2 and fences:
                yield ProofFinding("giveaway", f"L{level} has a code block.", file, None, unit)
            if len(fences) > 1 or any(len(f.splitlines()) > HINT_CODE_LINES for f in fences):
                said = f"L{level} has more code than {HINT_CODE_LINES} lines in one block."
                yield ProofFinding("giveaway", said, file, None, unit)
