"""Rules of writing for bundled exercises, read from their texts alone. Pure.

They keep authors to the format; whether an exercise works is for the proof.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.model import LESSON, ProofFinding
from tutor_lsp.core.curriculum import Curriculum
from tutor_lsp.core.exercise import Unit
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.library.loader import BundledExercise
from tutor_lsp.library.markdown import headings, split_at
from tutor_lsp.toolchains.comments import parse_stub_comment

UNITS = (3, 5)
TESTS_PER_UNIT = (2, 4)
SECTION_WORDS = 250
LESSON_WORDS: Mapping[str, int] = {"D1": 1200, "D2": 2000, "D3": 2800}
HINT_WORDS = (40, 90, 90)
HINT_CODE_LINES = 8

_FENCE = re.compile(r"^```[^\n]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"\[`?(\w+)`?\]\(([^)\s]+)\)\s*\Z")
_BODY = {
    "python": re.compile(r'\Araise NotImplementedError\("(\w+)"\)\Z'),
    "rust": re.compile(r'\A(?:let _ = [^;]+;\s*)?todo!\("(\w+)"\);?\Z'),
}


def check_format(
    exercise: BundledExercise,
    units: Sequence[Unit],
    curriculum: Curriculum,
    toolchain: Toolchain,
) -> list[ProofFinding]:
    """Every rule of writing that the exercise does not keep. `units` are those of its index."""
    return [
        *_entry(exercise, curriculum),
        *_stubs(exercise, toolchain),
        *_tests(exercise, toolchain),
        *_lesson(exercise, units),
        *_hints(exercise),
    ]


def _entry(exercise: BundledExercise, curriculum: Curriculum) -> Iterator[ProofFinding]:
    entry = exercise.entry
    node = curriculum.node(entry.node)
    if node is None or node.language != entry.language:
        yield ProofFinding("shape", f"The curriculum has no {entry.language} node {entry.node}.")
    elif node.depth != entry.depth:
        yield ProofFinding("shape", f"Its depth is {entry.depth}, that of its node {node.depth}.")
    if not UNITS[0] <= len(entry.units) <= UNITS[1]:
        yield ProofFinding(
            "shape", f"It has {len(entry.units)} units, not {UNITS[0]} to {UNITS[1]}."
        )
    for unit in entry.units:
        if not TESTS_PER_UNIT[0] <= len(unit.tests) <= TESTS_PER_UNIT[1]:
            said = f"{unit.id} has {len(unit.tests)} tests, not 2 to 4."
            yield ProofFinding("shape", said, unit=unit.id)


def _stubs(exercise: BundledExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    form = _BODY.get(exercise.entry.language)
    stubs = {unit.stub: unit.id for unit in exercise.entry.units}
    for path, text in exercise.src.items():
        for site in toolchain.functions(text):
            comment = parse_stub_comment(site.comment or "")
            if site.name not in stubs or comment is None:
                continue
            unit = stubs[site.name]
            body = text[site.body_start : site.body_end].strip().strip("{}").strip()
            found = form.match(body) if form else None
            if form and (found is None or found[1] != site.name):
                said = f"The body of `{site.name}` does not have the fixed form."
                yield ProofFinding("shape", said, path, site.line, unit, body)
            if not comment.complete or not comment.contract:
                said = f"The stub comment of `{site.name}` is not complete."
                yield ProofFinding("references", said, path, site.comment_line, unit)
            if re.search(r"\b(?:learner|you) must\b", site.comment or "", re.IGNORECASE):
                said = f"The stub comment of `{site.name}` orders instead of orienting."
                yield ProofFinding("references", said, path, site.comment_line, unit)


def _tests(exercise: BundledExercise, toolchain: Toolchain) -> Iterator[ProofFinding]:
    owner = {test: unit for unit in exercise.entry.units for test in unit.tests}
    order: list[str] = []
    for path, text in exercise.tests.items():
        for site in toolchain.tests(text):
            unit = owner.get(site.name)
            if unit is None:
                continue
            order.append(site.name)
            if not site.name.startswith(f"test_{unit.stub}_"):
                said = f"`{site.name}` is not named test_{unit.stub}_…."
                yield ProofFinding("references", said, path, site.line, unit.id)
            if unit.stub not in site.calls:
                said = f"`{site.name}` does not call `{unit.stub}`."
                yield ProofFinding("references", said, path, site.line, unit.id)
    if order != [test for test in owner if test in order]:
        yield ProofFinding("references", "The tests do not stand in the order of the stubs.")


def _lesson(exercise: BundledExercise, units: Sequence[Unit]) -> Iterator[ProofFinding]:
    marks = list(headings(exercise.lesson))
    if not marks or marks[0].level != 1 or sum(mark.level == 1 for mark in marks) != 1:
        yield ProofFinding("lesson", "The lesson must begin with one `# ` title.", LESSON, 1)
    pieces = split_at(exercise.lesson, 2)
    by_heading = {unit.lesson_heading: unit for unit in units}
    lines = {mark.text: mark.line for mark in marks if mark.level == 2}
    for piece in pieces:
        heading = next((mark.text for mark in headings(piece) if mark.level == 2), "")
        unit, line = by_heading.get(heading), lines.get(heading)
        words = _words(piece)
        if words > SECTION_WORDS:
            said = f'"{heading}" has {words} words beside code, at most {SECTION_WORDS}.'
            yield ProofFinding("lesson", said, LESSON, line)
        link = _LINK.search(piece.rstrip())
        stubs = {other.stub: other.file for other in units}
        if link is None or stubs.get(link[1]) != link[2]:
            said = f'"{heading}" does not end with a link to its stub.'
            yield ProofFinding("references", said, LESSON, line)
        if not any(f"`{name}`" in piece for name in stubs):
            said = f'"{heading}" names no stub in backticks.'
            yield ProofFinding("references", said, LESSON, line)
        if unit is not None and (link is None or link[1] != unit.stub or not _FENCE.search(piece)):
            said = f'"{heading}" must have a worked example and lead to `{unit.stub}`.'
            yield ProofFinding("lesson", said, LESSON, line, unit.id)
    total, limit = _words(exercise.lesson), LESSON_WORDS[exercise.entry.depth]
    if total > limit:
        yield ProofFinding("lesson", f"The lesson has {total} words, at most {limit}.", LESSON)


def _hints(exercise: BundledExercise) -> Iterator[ProofFinding]:
    for unit, texts in exercise.hints.items():
        file = f"hints/{unit}.md"
        for level, (text, limit) in enumerate(zip(texts, HINT_WORDS, strict=True), start=1):
            fences = _FENCE.findall(text)
            if (words := _words(text)) > limit or not words:
                said = f"L{level} has {words} words, at most {limit}."
                yield ProofFinding("giveaway", said, file, None, unit)
            if level != 2 and fences:
                yield ProofFinding("giveaway", f"L{level} has a code block.", file, None, unit)
            if len(fences) > 1 or any(len(f.splitlines()) > HINT_CODE_LINES for f in fences):
                said = f"L{level} has more code than {HINT_CODE_LINES} lines in one block."
                yield ProofFinding("giveaway", said, file, None, unit)


def _words(text: str) -> int:
    return len(_FENCE.sub("", text).split())
