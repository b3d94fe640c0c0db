"""The exercise index: units, read from the stub comments and checked against everything else."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.authoring.model import LESSON
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import FunctionSite, TestSite, Toolchain
from tutor_lsp.languages.common.comments import parse_stub_comment
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.markdown import alike, headings


@dataclass(frozen=True, slots=True)
class Index:
    """Units in their order, and what does not fit together (empty where everything does)."""

    units: tuple[Unit, ...]
    findings: tuple[ProofFinding, ...]


@dataclass(frozen=True, slots=True)
class _Stub:
    """A stub as it stands in the starter; `id` is "" without a stub comment."""

    file: str
    site: FunctionSite
    id: str = ""
    first_principle: str = ""
    heading: str = ""
    tests: tuple[str, ...] = ()
    start_here: str = ""


def build_index(
    files: Mapping[str, str],
    planned: Sequence[Mapping[str, Any]] | None,
    toolchain: Toolchain,
    *,
    strict: bool = False,
) -> Index:
    """The units of an exercise from its authored files.

    `planned` are the scaffold's units: the starter's comments must agree with them on stub,
    heading and tests. Null or empty, the units come from comments and tests alone. Every unit has
    one stub, a lesson heading that is there and at least one test; every stub and every test
    belongs to one unit, and its line `Test:` says so: whatever is otherwise becomes a finding of
    step `units` (stubs and tests) or `references` (ids and headings). `strict` also demands that
    comment and plan agree word for word. That a comment or a line of it is missing is for the
    proof to say.
    """
    findings: list[ProofFinding] = []
    stubs = _stubs(files, toolchain)
    tests = _tests(files, toolchain, findings)
    chosen = _planned(planned, stubs, findings) if planned else _derived(stubs, findings)
    given = {id(stub) for _, stub, _ in chosen}
    findings.extend(
        ProofFinding(
            "units", f"`{stub.site.name}` is a stub of no unit.", stub.file, stub.site.line
        )
        for stub in stubs
        if id(stub) not in given
    )
    assigned = _assign(chosen, tests, findings, strict)
    lesson = files.get(LESSON, "")
    units = tuple(
        _unit(unit_id, stub, plan, assigned[unit_id], lesson, findings, strict)
        for unit_id, stub, plan in chosen
    )
    return Index(units, tuple(findings))


def commented_units(files: Mapping[str, str], toolchain: Toolchain) -> list[dict[str, str]]:
    """Id, stub and lesson heading of each unit that a stub comment names, in the order of ids."""
    stubs = sorted((s for s in _stubs(files, toolchain) if s.id), key=lambda s: _number(s.id))
    return [
        {"unit_id": stub.id, "stub": stub.site.name, "lesson_heading": stub.heading}
        for stub in stubs
    ]


_Chosen = tuple[str, _Stub, Mapping[str, Any]]


def _stubs(files: Mapping[str, str], toolchain: Toolchain) -> list[_Stub]:
    found: list[_Stub] = []
    language = languages()[toolchain.language]
    for path, text in files.items():
        if not path.startswith("src/"):
            continue
        for site in toolchain.functions(text):
            comment = parse_stub_comment(site.comment) if site.comment else None
            if comment is not None:
                found.append(
                    _Stub(
                        path,
                        site,
                        comment.unit_id,
                        comment.first_principle,
                        comment.heading,
                        tuple(comment.tests),
                        comment.start_here,
                    )
                )
            elif language.is_unwritten(text[site.body_start : site.body_end]):
                found.append(_Stub(path, site))
    return found


@dataclass(frozen=True, slots=True)
class _Test:
    """A test where it stands."""

    file: str
    site: TestSite


def _tests(
    files: Mapping[str, str], toolchain: Toolchain, findings: list[ProofFinding]
) -> dict[str, _Test]:
    found: dict[str, _Test] = {}
    for path, text in files.items():
        if not path.startswith("tests/"):
            continue
        for site in toolchain.tests(text):
            if site.name in found:
                said = f"There are two tests with the name `{site.name}`: one of them never runs."
                findings.append(ProofFinding("units", said, path, site.line))
            found.setdefault(site.name, _Test(path, site))
    return found


def _planned(
    planned: Sequence[Mapping[str, Any]], stubs: list[_Stub], findings: list[ProofFinding]
) -> list[_Chosen]:
    chosen: list[_Chosen] = []
    for plan in planned:
        unit_id, name = str(plan["unit_id"]), str(plan["stub"])
        named = [stub for stub in stubs if stub.site.name == name.rsplit(".")[-1].rsplit("::")[-1]]
        marked = [stub for stub in stubs if stub.id == unit_id]
        stub = next(iter([s for s in named if s in marked] or named), None)
        if stub is None:
            findings.append(
                ProofFinding("units", f"The starter has no stub `{name}`.", unit=unit_id)
            )
            continue
        if stub.id and stub.id != unit_id:
            said = f"The stub comment of `{name}` says {stub.id}, not {unit_id}."
            findings.append(_at(stub, unit_id, said))
        chosen.append((unit_id, stub, plan))
    return chosen


def _derived(stubs: list[_Stub], findings: list[ProofFinding]) -> list[_Chosen]:
    marked = sorted((stub for stub in stubs if stub.id), key=lambda stub: _number(stub.id))
    chosen: list[_Chosen] = []
    if not marked:
        return [(f"ex-{number}", stub, {}) for number, stub in enumerate(stubs, start=1)]
    for stub in marked:
        if any(unit_id == stub.id for unit_id, _, _ in chosen):
            findings.append(
                ProofFinding(
                    "units", f"Two stubs are {stub.id}.", stub.file, stub.site.line, stub.id
                )
            )
            continue
        chosen.append((stub.id, stub, {}))
    return chosen


def _number(unit_id: str) -> tuple[int, str]:
    digits = re.search(r"\d+", unit_id)
    return (int(digits[0]) if digits else 0, unit_id)


def _assign(
    chosen: list[_Chosen],
    tests: Mapping[str, _Test],
    findings: list[ProofFinding],
    strict: bool,
) -> dict[str, tuple[str, ...]]:
    """The tests of each unit in file order: those that comment or plan name, else by name."""
    owner: dict[str, str] = {}
    for unit_id, stub, plan in chosen:
        planned = [str(name) for name in plan.get("test_names", ())]
        for name in dict.fromkeys([*stub.tests, *planned]):
            if name not in tests:
                if strict or name in stub.tests:
                    said = f"The line Test of `{stub.site.name}` is wrong: there is no `{name}`."
                    findings.append(_at(stub, unit_id, said, "units"))
            elif owner.setdefault(name, unit_id) != unit_id:
                said = f"The test `{name}` is also one of {owner[name]}: it can have one target."
                findings.append(_at(stub, unit_id, said, "units"))
            elif strict and planned and name not in planned:
                said = f"The plan of {unit_id} does not name the test `{name}`."
                findings.append(_at(stub, unit_id, said, "units"))
    _assign_rest(chosen, tests, owner, findings)
    for unit_id, stub, _ in chosen:
        for name, other in owner.items():
            if other == unit_id and stub.tests and name not in stub.tests:
                said = f"The line Test of `{stub.site.name}` does not name `{name}`."
                findings.append(_at(stub, unit_id, said, "units"))
    return {
        unit_id: tuple(name for name in tests if owner.get(name) == unit_id)
        for unit_id, _, _ in chosen
    }


def _assign_rest(
    chosen: list[_Chosen],
    tests: Mapping[str, _Test],
    owner: dict[str, str],
    findings: list[ProofFinding],
) -> None:
    """Tests that no comment names, by their name or by what they call."""
    by_stub = sorted(((stub.site.name, unit_id) for unit_id, stub, _ in chosen), key=_longest)
    for name, test in tests.items():
        if name in owner:
            continue
        hits = [unit_id for stub, unit_id in by_stub if _plain(name).startswith(f"test_{stub}_")]
        called = [unit_id for stub, unit_id in by_stub if stub in test.site.calls]
        if not hits and len(called) != 1:
            said = f"The test `{name}` targets no stub."
            findings.append(ProofFinding("units", said, test.file, test.site.line))
            continue
        owner[name] = (hits or called)[0]


def _unit(
    unit_id: str,
    stub: _Stub,
    plan: Mapping[str, Any],
    tests: tuple[str, ...],
    lesson: str,
    findings: list[ProofFinding],
    strict: bool,
) -> Unit:
    if not tests:
        findings.append(_at(stub, unit_id, f"`{stub.site.name}` has no test.", "units"))
    heading = stub.heading or str(plan.get("lesson_heading", ""))
    line = next(
        (mark.line for mark in headings(lesson) if mark.level > 1 and alike(mark.text, heading)),
        None,
    )
    if stub.heading and line is None:
        findings.append(_at(stub, unit_id, f'LESSON.md has no section "{stub.heading}".'))
    if strict and plan:
        for what, said, meant in (
            ("first principle", stub.first_principle, plan["first_principle"]),
            ("lesson heading", stub.heading, plan["lesson_heading"]),
            ("file", stub.file, plan["file_path"]),
        ):
            if said and said != meant:
                findings.append(
                    _at(stub, unit_id, f'The {what} is "{said}" here and "{meant}" in the plan.')
                )
    return Unit(
        id=unit_id,
        stub=stub.site.name,
        file=stub.file,
        line=stub.site.line,
        first_principle=stub.first_principle or str(plan.get("first_principle", "")),
        lesson_heading=heading,
        lesson_line=line or 1,
        tests=tests,
        start_here=stub.start_here,
    )


def _at(stub: _Stub, unit_id: str, message: str, step: str = "references") -> ProofFinding:
    return ProofFinding(step, message, stub.file, stub.site.line, unit_id)


def _plain(test: str) -> str:
    """A test's own name: without the modules or classes around it."""
    return re.split(r"::|\.", test)[-1]


def _longest(pair: tuple[str, str]) -> int:
    return -len(pair[0])
