"""Which section of which loop a finding is about. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.authoring.merge import tidy, unit_of_section
from tutor_lsp.authoring.proof import STEPS
from tutor_lsp.authoring.repair.aims import Part, open_parts
from tutor_lsp.authoring.repair.pieces import can_stand_alone, naming, pieces
from tutor_lsp.core.exercise.exercise import LESSON, Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.library.markdown import headings

Sections = Mapping[Role, Sequence[Mapping[str, Any]]]


@dataclass(slots=True)
class Damage:
    """A section (by role and its 0-based place in the loop) and what is wrong with it."""

    role: Role
    index: int
    findings: list[ProofFinding] = field(default_factory=list)
    functions: tuple[str, ...] = ()
    """The functions of the section that all of it is about; none if it is about more."""

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sort key: the earlier the step and the role, the sooner it is repaired."""
        step = min(STEPS.index(finding.step) for finding in self.findings)
        return (step, EXPAND_ROLES.index(self.role), self.index)


@dataclass(frozen=True, slots=True)
class Made:
    """The products of a set-up: its sections, the resulting files, its units."""

    sections: Sections
    files: Mapping[str, str]
    units: Sequence[Unit]
    planned: Sequence[Mapping[str, Any]]
    toolchain: Toolchain
    since: int = 0
    """The first section of the lesson that findings may be about."""


def damaged(findings: Sequence[ProofFinding], made: Made) -> list[Damage]:
    """Every section that a finding is about, in order of repair."""
    found: dict[tuple[Role, int], Damage] = {}
    for finding in findings:
        for role, index in _places(finding, made):
            found.setdefault((role, index), Damage(role, index)).findings.append(finding)
    for damage in found.values():
        damage.functions = _functions(damage, made)
    return sorted(found.values(), key=lambda damage: damage.rank)


def _functions(damage: Damage, made: Made) -> tuple[str, ...]:
    if damage.role is Role.LESSON:
        return ()
    opened = open_parts(damage.role, damage.findings)
    if Part.ORDER in opened or Part.STUB_NAME in opened:
        return ()
    text = tidy(str(made.sections[damage.role][damage.index]["content"]))
    there = [each.name for each in pieces(text, made.toolchain)]
    found: dict[str, None] = {}
    for finding in damage.findings:
        names = [name for name in _about(damage.role, finding, made) if name in there]
        if not names:
            return ()
        found |= dict.fromkeys(names)
    if Part.TEST_NAME in opened:  # who lists a test names it
        for name in list(found):
            found |= dict.fromkeys(naming(text, name, made.toolchain))
    names = [name for name in there if name in found]
    alone = can_stand_alone(text, names, made.toolchain)
    return tuple(names) if alone and len(names) < len(there) else ()


def _about(role: Role, finding: ProofFinding, made: Made) -> list[str]:
    """The functions that a finding is about: those that it names, or the one at its line."""
    text = made.files.get(finding.file or "", "")
    at = (finding.line or 0) - 1
    here = [p.name for p in pieces(text, made.toolchain) if p.first <= at < p.end]
    if role is Role.STARTER and finding.step == "builds":
        return here
    if finding.message.startswith(_CONSTANT):
        return []
    return _names(role, finding, made)[:1] or here


def _places(finding: ProofFinding, made: Made) -> Iterator[tuple[Role, int]]:
    role = _role(finding, made)
    index = _index(role, finding, made)
    if index is not None:
        yield role, index
    if finding.step == "reference" and role is Role.STARTER and finding.unit:
        # what only the test knew must be added to the lesson too
        told = _lesson_index(finding, made, by_unit=True)
        if told is not None:
            yield Role.LESSON, told


_CONSTANT = "The tests compare with "


def _role(finding: ProofFinding, made: Made) -> Role:
    file = finding.file or ""
    if finding.message.startswith(_CONSTANT):  # which the starter is to have
        return Role.STARTER
    if finding.step == "units" and finding.message.endswith("has no test."):
        return Role.TEST
    if finding.message.startswith("LESSON.md has no section"):
        planned = [str(p["lesson_heading"]) for p in made.planned if p["unit_id"] == finding.unit]
        return Role.LESSON if any(f'"{h}"' in finding.message for h in planned) else Role.STARTER
    if file == LESSON:
        return Role.LESSON
    if file.startswith("tests/"):
        return Role.TEST
    if file.startswith("src/"):
        return Role.STARTER
    if finding.step in ("stubs", "stable", "reference", "mistakes"):
        return Role.TEST
    return Role.LESSON if finding.step == "lesson" else Role.STARTER


def _index(role: Role, finding: ProofFinding, made: Made) -> int | None:
    sections = made.sections.get(role, ())
    if not sections:
        return None
    if role is Role.LESSON:
        by_unit = finding.line is None or finding.file != LESSON
        return _lesson_index(finding, made, by_unit=by_unit)
    base = "src/" if role is Role.STARTER else "tests/"
    mine = [
        index
        for index, section in enumerate(sections)
        if not (finding.file or "").startswith(base)
        or made.toolchain.normalise_path(role, str(section["file_path"])) == finding.file
    ] or list(range(len(sections)))
    for name in _names(role, finding, made):
        for index in mine:
            if re.search(rf"\b{re.escape(name)}\b\s*\(", str(sections[index]["content"])):
                return index
    told = _with_line(mine, sections, finding, made)
    return mine[-1] if told is None else told


def _names(role: Role, finding: ProofFinding, made: Made) -> list[str]:
    """Functions that the finding is about, as they may appear in a section."""
    quoted = re.findall(r"`(\w+)`", finding.message)
    if role is Role.TEST:
        return [name for name in quoted if name.startswith("test")]
    unit = next((unit for unit in made.units if unit.id == finding.unit), None)
    return [unit.stub] if unit else []


def _with_line(
    candidates: Sequence[int],
    sections: Sequence[Mapping[str, Any]],
    finding: ProofFinding,
    made: Made,
) -> int | None:
    at = (finding.line or 0) - 1
    lines = made.files.get(finding.file or "", "").split("\n")
    if not 0 <= at < len(lines) or not lines[at].strip():
        return None
    hits = [i for i in candidates if lines[at] in str(sections[i]["content"]).split("\n")]
    return hits[0] if len(hits) == 1 else None


def _lesson_index(finding: ProofFinding, made: Made, *, by_unit: bool) -> int | None:
    sections = made.sections.get(Role.LESSON, ())
    if not sections:
        return None
    new = list(enumerate(sections))[made.since :]
    if len(new) == 1:
        return made.since
    if not by_unit:
        found = _with_line([index for index, _ in new], sections, finding, made)
        if found is not None:
            return found
        marks = [mark for mark in headings(made.files.get(LESSON, "")) if mark.level == 2]
        above = [mark.text for mark in marks if mark.line <= (finding.line or 1)]
        for index, section in new:
            if above and above[-1] in [m.text for m in headings(str(section["content"]))]:
                return index
    for index, section in new:
        unit = unit_of_section(section, headings(str(section["content"])), made.planned)
        if unit is not None and unit["unit_id"] == finding.unit:
            return index
    return made.since
