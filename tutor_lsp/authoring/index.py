"""The exercise index: the units, read from stub comments and checked against everything else."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tutor_lsp.authoring.kinds import check_kinds
from tutor_lsp.core.exercise.declared import file_site
from tutor_lsp.core.exercise.exercise import (
    LESSON,
    Unit,
    UnitKind,
    plain_name,
    prefixes_of_tests,
    verdicts,
)
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.stub_comment import NO_COMMENT, StubComment, parse_stub_comment
from tutor_lsp.core.ports import FunctionSite, TestSite, Toolchain
from tutor_lsp.core.stage import EXPAND_ROLES, Role
from tutor_lsp.core.text.ascii_form import ascii_form
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.markdown import alike, headings

_Named = tuple[str, str]
"""The id of a unit, and what it asks for."""
_NONE: Mapping[str, tuple[_Named, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Index:
    """The units in order, and all inconsistencies."""

    units: tuple[Unit, ...]
    findings: tuple[ProofFinding, ...]


@dataclass(frozen=True, slots=True)
class Stub:
    """A stub as found in the starter; its comment is empty if it has no stub comment."""

    file: str
    site: FunctionSite
    comment: StubComment = NO_COMMENT

    @property
    def id(self) -> str:
        """The unit that the comment names, "" without one."""
        return self.comment.unit_id


def build_index(
    files: Mapping[str, str],
    planned: Sequence[Mapping[str, Any]] | None,
    toolchain: Toolchain,
    *,
    strict: bool = False,
    there: Collection[Role] = EXPAND_ROLES,
) -> Index:
    """The units of an exercise from its authored files.

    `planned` are the scaffold's units: the starter's comments must agree with them on stub,
    heading and tests. If null or empty, the units come from comments and tests alone. Every unit
    has one stub, an existing lesson heading and at least one test; every stub and every test
    belongs to one unit, and its line `Test:` names the first one, or more, in the older form.
    Every violation is a finding of step `units` (stubs and tests) or `references` (ids and
    headings). `strict` also requires comment and plan to agree word for word, apart from what
    ASCII cannot show. The proof checks for missing comments and comment lines. `there` are the
    loops that are over: what they have not written yet is not missing.
    """
    builder = _Builder(files, toolchain, strict, _declared(planned or ()), there)
    chosen = builder.planned(planned) if planned else builder.derived()
    return builder.index(chosen)


def _declared(planned: Sequence[Mapping[str, Any]]) -> dict[str, tuple[_Named, ...]]:
    """The files that are no bodies', each with what is asked for in it: one thing, or several
    declarations."""
    found: dict[str, tuple[_Named, ...]] = {}
    kinds: dict[str, UnitKind] = {}
    for plan in planned:
        file, kind = str(plan["file_path"]), _kind(plan)
        named = (str(plan["unit_id"]), str(plan["stub"]))
        if kind is UnitKind.DECLARE and kinds.get(file) is kind:
            found[file] = (*found[file], named)
        elif kind is not UnitKind.BODY:
            found[file], kinds[file] = (named,), kind
    return found


def commented_units(files: Mapping[str, str], toolchain: Toolchain) -> list[dict[str, str]]:
    """Id, stub and lesson heading of each unit named in a stub comment, ordered by id."""
    return [
        {"unit_id": stub.id, "stub": stub.site.name, "lesson_heading": stub.comment.heading}
        for stub in _marked(find_stubs(files, toolchain))
    ]


_OWN_FILE = frozenset(UnitKind) - {UnitKind.BODY}
_Chosen = tuple[str, Stub, Mapping[str, Any]]


def find_stubs(
    files: Mapping[str, str],
    toolchain: Toolchain,
    declared: Mapping[str, tuple[_Named, ...]] = _NONE,
) -> list[Stub]:
    """Every function of src/ that has a stub comment or is unwritten, in order. `declared` are the
    files that are a stub as a whole, or of which each unit has a part, with what is asked for."""
    stubs: list[Stub] = []
    language = languages()[toolchain.language]
    asked = {path: text for path, text in files.items() if path in declared}
    for path, text in {**below(files, "src"), **asked}.items():
        if path in declared:
            for unit, stub in declared[path]:
                shared = unit if len(declared[path]) > 1 else ""
                whole = file_site(stub, text, language.lines, shared=shared)
                if whole is not None:
                    said = parse_stub_comment(whole.comment or "")
                    stubs.append(Stub(path, whole, said or NO_COMMENT))
            continue
        for site in toolchain.functions(text):
            comment = parse_stub_comment(site.comment) if site.comment else None
            if comment is not None:
                stubs.append(Stub(path, site, comment))
            elif language.is_unwritten(text[site.body_start : site.body_end]):
                stubs.append(Stub(path, site))
    return stubs


class _Builder:
    """One index; `findings` collects what is wrong. `tests` has each test's file and place."""

    def __init__(
        self,
        files: Mapping[str, str],
        toolchain: Toolchain,
        strict: bool,
        declared: Mapping[str, tuple[_Named, ...]],
        there: Collection[Role],
    ) -> None:
        self.strict = strict
        self.there = there
        self.files = files
        self.declared = declared
        self.language = languages()[toolchain.language]
        self.lesson = headings(files.get(LESSON, ""))
        self.stubs = find_stubs(files, toolchain, declared)
        self.findings: list[ProofFinding] = []
        self.tests: dict[str, tuple[str, TestSite]] = {}
        for path, text in below(files, "tests").items():
            asked = declared.get(path, ())
            made = [TestSite(name, 1, 1, ()) for _, stub in asked for name in verdicts(stub)]
            for site in made or toolchain.tests(text):
                if site.name in self.tests:
                    said = f"Two tests are named `{site.name}`: one of them never runs."
                    self.findings.append(ProofFinding("units", said, path, site.line))
                self.tests.setdefault(site.name, (path, site))

    def index(self, chosen: list[_Chosen]) -> Index:
        given = [stub for _, stub, _ in chosen]
        for stub in self.stubs:
            if stub not in given:
                said = f"`{stub.site.name}` does not belong to any unit."
                self.findings.append(ProofFinding("units", said, stub.file, stub.site.line))
        assigned = self._assigned(chosen)
        units = tuple(self._unit(*each, assigned[each[0]]) for each in chosen)
        places = {name: file for name, (file, _) in self.tests.items()}
        if Role.TEST in self.there:
            self.findings += check_kinds(units, self.files, places, self.language)
        return Index(units, tuple(self.findings))

    def _found(self, stub: Stub, unit_id: str, said: str, step: str = "units") -> None:
        self.findings.append(ProofFinding(step, said, stub.file, stub.site.line, unit_id))

    def planned(self, planned: Sequence[Mapping[str, Any]]) -> list[_Chosen]:
        chosen: list[_Chosen] = []
        asked = {str(p["file_path"]): k.done for p in planned if (k := _kind(p)) in _OWN_FILE}
        for plan in planned:
            unit_id, name = str(plan["unit_id"]), str(plan["stub"])
            named = [stub for stub in self.stubs if stub.site.name == plain_name(name)]
            marked = [stub for stub in named if stub.id == unit_id]
            stub = next(iter(marked or named), None)
            if stub is None and Role.STARTER not in self.there:
                continue
            if stub is None:
                file = str(plan["file_path"])
                said = f"The starter has no stub `{name}`."
                if file in asked and name not in (given := [s for _, s in self.declared[file]]):
                    others = ", ".join(f"`{stub}`" for stub in given)
                    said = (
                        f"{file} is for {others} alone, which is to be {asked[file]} there: "
                        f"`{name}` needs another file."
                    )
                self.findings.append(ProofFinding("units", said, unit=unit_id))
                continue
            if stub.id and stub.id != unit_id:
                said = f"The stub comment of `{name}` says {stub.id}, not {unit_id}."
                self._found(stub, unit_id, said, "references")
            chosen.append((unit_id, stub, plan))
        return chosen

    def derived(self) -> list[_Chosen]:
        chosen: dict[str, _Chosen] = {}
        for stub in _marked(self.stubs):
            if stub.id in chosen:
                self._found(stub, stub.id, f"Two stubs are {stub.id}.")
            chosen.setdefault(stub.id, (stub.id, stub, {}))
        numbered = enumerate(self.stubs, start=1)
        return list(chosen.values()) or [(f"ex-{number}", stub, {}) for number, stub in numbered]

    def _assigned(self, chosen: list[_Chosen]) -> dict[str, tuple[str, ...]]:
        """The tests of each unit in file order: those named in comment or plan, otherwise by
        name."""
        owner: dict[str, str] = {}
        for unit_id, stub, plan in chosen if Role.TEST in self.there else ():
            planned = [str(name) for name in plan.get("test_names", ())]
            for name in dict.fromkeys([*stub.comment.tests, *planned]):
                if name not in self.tests:
                    if self.strict or name in stub.comment.tests:
                        told = name in stub.comment.tests
                        names = f"The line Test of `{stub.site.name}`" if told else unit_id
                        said = f"{names} names the test `{name}`, which no file of tests/ has."
                        self._found(stub, unit_id, said)
                elif owner.setdefault(name, unit_id) != unit_id:
                    said = f"The test `{name}` can have one target, and is one of {owner[name]}."
                    self._found(stub, unit_id, said)
                elif self.strict and planned and name not in planned:
                    said = f"The plan of {unit_id} does not name the test `{name}`."
                    self._found(stub, unit_id, said)
        self._assign_rest(chosen, owner)
        assigned = {
            unit_id: tuple(name for name in self.tests if owner.get(name) == unit_id)
            for unit_id, _, _ in chosen
        }
        for unit_id, stub, _ in chosen:
            first, named = assigned[unit_id][:1], stub.comment.tests
            if first and named and first[0] not in named:
                said = f"The line Test of `{stub.site.name}` does not name `{first[0]}`, its first."
                self._found(stub, unit_id, said)
        return assigned

    def _assign_rest(self, chosen: list[_Chosen], owner: dict[str, str]) -> None:
        """Assign tests named in no comment, by their name or by what they call."""
        by_stub = sorted(((stub.site.name, unit_id) for unit_id, stub, _ in chosen), key=_longest)
        for name, (file, site) in self.tests.items():
            if name in owner:
                continue
            own = plain_name(name)
            hits = [unit for stub, unit in by_stub if own.startswith(prefixes_of_tests(stub))]
            called = [unit for stub, unit in by_stub if stub in site.calls]
            if hits or len(called) == 1:
                owner[name] = (hits or called)[0]
            else:
                said = f"The test `{name}` targets no stub."
                self.findings.append(ProofFinding("units", said, file, site.line))

    def _unit(
        self, unit_id: str, stub: Stub, plan: Mapping[str, Any], tests: tuple[str, ...]
    ) -> Unit:
        comment = stub.comment
        if not tests and Role.TEST in self.there:
            self._found(stub, unit_id, f"`{stub.site.name}` has no test.")
        heading = comment.heading or str(plan.get("lesson_heading", ""))
        mark = next((m for m in self.lesson if m.level > 1 and alike(m.text, heading)), None)
        if comment.heading and mark is None and Role.LESSON in self.there:
            said = f'LESSON.md has no section "{comment.heading}".'
            self._found(stub, unit_id, said, "references")
        if self.strict and plan:
            for what, said, meant in (
                ("first principle", comment.first_principle, plan["first_principle"]),
                ("lesson heading", comment.heading, plan["lesson_heading"]),
                ("file", stub.file, plan["file_path"]),
            ):
                if said and ascii_form(said) != ascii_form(str(meant)):
                    text = f'The {what} is "{said}" here and "{meant}" in the plan.'
                    self._found(stub, unit_id, text, "references")
        return Unit(
            id=unit_id,
            stub=stub.site.name,
            file=stub.file,
            line=stub.site.line,
            first_principle=_as_planned(
                comment.first_principle, str(plan.get("first_principle", ""))
            ),
            lesson_heading=mark.text if mark else heading,
            lesson_line=mark.line if mark else 1,
            tests=tests,
            start_here=comment.start_here,
            practises=tuple(map(str, plan.get("practises") or ())),
            kind=_kind(plan),
            test_file="" if _kind(plan) is UnitKind.BODY or not tests else self.tests[tests[0]][0],
        )


def _kind(plan: Mapping[str, Any]) -> UnitKind:
    return UnitKind(plan.get("kind") or UnitKind.BODY)


def _as_planned(said: str, planned: str) -> str:
    """What a comment says, with the letters of the plan if the comment only lacks these."""
    return planned if not said or ascii_form(planned) == ascii_form(said) else said


def _marked(stubs: Sequence[Stub]) -> list[Stub]:
    """The stubs whose comments name a unit, ordered by its id."""
    return sorted((stub for stub in stubs if stub.id), key=lambda stub: _number(stub.id))


def _number(unit_id: str) -> tuple[int, str]:
    digits = re.search(r"\d+", unit_id)
    return (int(digits[0]) if digits else 0, unit_id)


def _longest(pair: tuple[str, str]) -> int:
    return -len(pair[0])
