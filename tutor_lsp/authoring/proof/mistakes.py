"""Step `mistakes`: every known mistake is put in place beside the other units' reference, and a
test of its own unit has to notice it. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from textwrap import dedent, indent

from tutor_lsp.authoring.merge import import_statements
from tutor_lsp.authoring.proof.spelled import spells_out
from tutor_lsp.authoring.proof.trial import EXECUTED, Trial, test_output
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import BuildError, RawReport, RunOutcome, TestOutcome
from tutor_lsp.core.language.variants import Variant
from tutor_lsp.core.ports import FunctionSite, SourceReader
from tutor_lsp.languages.common.proof.splice import site_of, with_body, with_definition
from tutor_lsp.stages.reveal import reveals, solution_lines

STEP = "mistakes"


def key_of(unit: Unit, number: int) -> str:
    """What the version with a unit's mistake is called among other versions."""
    return f"{unit.id} mistake {number}"


def variants(trial: Trial, solved: Mapping[str, str]) -> Iterator[Variant]:
    """The solved exercise with each mistake, and the tests that it is judged by; those that name
    nothing of their unit are left out."""
    tests: tuple[str, ...] = ()
    for unit in trial.units:
        tests += unit.tests
        for number, mistake in enumerate(trial.candidate.mistakes.get(unit.id, ())):
            found = put_in_place(trial, solved, unit, mistake)
            if found is not None:
                text, body = found
                files = trial.toolchain.complete({**solved, unit.file: text})
                alone = unit if body is not None or unit.aside is not None else None
                yield Variant(key_of(unit, number), files, tests, alone, body)


def unbuilt(trial: Trial) -> set[str]:
    """The keys of the versions that are not to build."""
    return {
        key_of(unit, number)
        for unit in trial.units
        for number, mistake in enumerate(trial.candidate.mistakes.get(unit.id, ()))
        if mistake.error
    }


def put_in_place(
    trial: Trial, solved: Mapping[str, str], unit: Unit, mistake: Mistake
) -> tuple[str, str | None] | None:
    """The unit's file with the mistake in it, and its body if only that differs from the
    reference; None if the mistake does not define what the unit asks for."""
    text, site = solved.get(unit.file, ""), trial.solved_site(unit, solved)
    if unit.aside is not None:
        return mistake.code, None
    theirs = site_of(trial.toolchain, mistake.code, unit.stub, site)
    if site is None or not re.search(rf"\b{re.escape(unit.stub)}\b", mistake.code):
        return None
    if theirs is None or trial.toolchain.syntax_error(unit.file, mistake.code) is not None:
        return with_definition(text, site, mistake.code), None
    rest = mistake.code[: theirs.start] + mistake.code[theirs.end :]
    if not rest.strip() and _flat(theirs.signature) == _flat(site.signature):
        body = _body(mistake.code, theirs)
        return with_body(text, site, body), body
    return _with_all(trial, text, site, mistake.code, theirs), None


def _body(code: str, site: FunctionSite) -> str:
    """A function's body, its lines indented among each other alone."""
    line = code.rfind("\n", 0, site.body_start) + 1
    if code[line : site.body_start].strip():
        return code[site.body_start : site.body_end]
    return dedent(code[line : site.body_end])


def _flat(signature: str) -> str:
    return "".join(signature.split())


def _with_all(trial: Trial, text: str, site: FunctionSite, code: str, theirs: FunctionSite) -> str:
    """The text with a function replaced by another, and with what that brings along: imports on
    top, helpers before it, or at the end where it belongs to a type."""
    reader: SourceReader = trial.toolchain
    rest = (code[: theirs.start] + code[theirs.end :]).split("\n")
    taken = import_statements(reader, rest)
    rows = text.split("\n")
    there = {"\n".join(rows[a:b]) for a, b in import_statements(reader, rows)}
    brought = ["\n".join(rest[first:last]) for first, last in taken]
    imports = [each for each in brought if each not in there]
    in_imports = {row for first, last in taken for row in range(first, last)}
    helpers = "\n".join(row for at, row in enumerate(rest) if at not in in_imports).strip("\n")
    margin = text[text.rfind("\n", 0, site.start) + 1 : site.start]
    margin = margin if margin.isspace() else ""
    definition = indent(dedent(code[theirs.start : theirs.end]), margin)[len(margin) :]
    made = text[: site.start] + definition + text[site.end :]
    if helpers and margin:
        made = f"{made.rstrip()}\n\n{helpers}\n"
    elif helpers:
        line = site.comment_line - 1 if site.comment_line else text.count("\n", 0, site.start)
        line = min(line, text.count("\n", 0, site.start))
        rows = made.split("\n")
        made = "\n".join([*rows[:line], helpers, "", *rows[line:]])
    if not imports:
        return made
    rows = made.split("\n")
    known = import_statements(reader, rows)
    above = takewhile(lambda row: row.startswith(trial.lines.comment), rows)
    at = known[-1][1] if known else len(list(above))
    return "\n".join([*rows[:at], *imports, *rows[at:]])


@dataclass(frozen=True, slots=True)
class Judged:
    """What is wrong with a mistake, "" for nothing, and the output that shows it."""

    unit: Unit
    mistake: Mistake
    key: str
    said: str
    output: str = ""


def judged(trial: Trial, reports: Mapping[str, RawReport]) -> Iterator[Judged]:
    """What the runs of `variants` show of each mistake, also of those that could not be put in
    place."""
    for position, unit in enumerate(trial.units):
        earlier = {name for other in trial.units[:position] for name in other.tests}
        for number, mistake in enumerate(trial.candidate.mistakes.get(unit.id, ())):
            key = key_of(unit, number)
            report = reports.get(key)
            if report is None:
                yield Judged(unit, mistake, key, f"does not define `{unit.stub}`")
            else:
                yield Judged(unit, mistake, key, *_fault(unit, mistake, report, earlier))


def late(trial: Trial, reports: Mapping[str, RawReport]) -> set[str]:
    """The keys of the versions that a test of an earlier unit was out of time for."""
    found: set[str] = set()
    for position, unit in enumerate(trial.units):
        earlier = {name for other in trial.units[:position] for name in other.tests}
        for number in range(len(trial.candidate.mistakes.get(unit.id, ()))):
            report = reports.get(key := key_of(unit, number))
            tests = () if report is None else report.tests
            if any(t.outcome is TestOutcome.TIMEOUT and t.name in earlier for t in tests):
                found.add(key)
    return found


def check(trial: Trial, reports: Mapping[str, RawReport]) -> Iterator[ProofFinding]:
    """The findings against mistakes."""
    for each in judged(trial, reports):
        if each.said:
            text = f"“{each.mistake.name}” {each.said}."
            file, line = f"mistakes/{each.unit.id}.md", each.mistake.line
            yield ProofFinding(STEP, text, file, line, each.unit.id, each.output)


def _fault(unit: Unit, mistake: Mistake, report: RawReport, earlier: set[str]) -> tuple[str, str]:
    """What is wrong with a mistake, and the output that shows it; "" for nothing."""
    errors = [e for e in (*report.build_errors, *report.aside_errors) if _is_of(e, unit)]
    broken = report.outcome is RunOutcome.BUILD_ERROR or bool(errors)
    if mistake.error:
        if not broken:
            return f"builds, though it names {mistake.error}", ""
        # What follows below in the file may be a consequence.
        first = min(errors, key=lambda error: (error.file, error.line), default=None)
        why = report.reason or "" if first is None else first.labelled
        if mistake.error.lower() not in why.lower():
            return (
                f"does not build because of {mistake.error}, but: {why or 'nothing said why'}",
                "",
            )
        return "", ""
    if broken:
        why = errors[0].labelled if errors else report.reason or "it does not build"
        return f"does not build ({why}): one that is to be so names its error, Error: …", ""
    if report.outcome not in EXECUTED and not report.tests:
        return f"could not be run: {report.reason or report.outcome.value}", ""
    failed = {test.name: test for test in report.tests if test.outcome is not TestOutcome.PASSED}
    if not failed.keys() & set(unit.tests):
        return f"passes all tests of {unit.id}: one of them has to notice it", ""
    if told := sorted(failed.keys() & earlier):
        return f"fails `{told[0]}`, a test of an earlier unit", test_output(failed[told[0]])
    return "", ""


def check_texts(trial: Trial, solved: Mapping[str, str]) -> Iterator[ProofFinding]:
    """Mistakes that are none of the unit's: they lack something that nothing defines; and sentences
    that give the reference away."""
    for unit in trial.units:
        own = set(trial.dialect.undefined(unit.file, solved.get(unit.file, "")))
        for mistake in trial.candidate.mistakes.get(unit.id, ()):
            file = f"mistakes/{unit.id}.md"
            made = put_in_place(trial, solved, unit, mistake)
            used = trial.dialect.undefined(unit.file, made[0]) if made is not None else ()
            # a name out of its scope is a mistake that people make, a helper that is not there none
            called = [name for name in used if re.search(rf"\b{name}\s*\(", mistake.code)]
            missing = [name for name in called if name not in own]
            if missing and not mistake.error:
                text = f"“{mistake.name}” uses `{missing[0]}`, which nothing defines."
                yield ProofFinding(STEP, text, file, mistake.line, unit.id)
            for what, said in (("name", mistake.name), ("sentence", mistake.says)):
                if spells_out(trial, unit, solved, said):
                    text = f"The {what} of “{mistake.name}” tells the solution of `{unit.stub}`."
                    yield ProofFinding(STEP, text, file, mistake.line, unit.id)
            if mistake.hint and _is_whole(trial, unit, solved, mistake.hint):
                text = f"The L2 of “{mistake.name}” has the whole solution of `{unit.stub}`."
                yield ProofFinding(STEP, text, file, mistake.line, unit.id)


def _is_whole(trial: Trial, unit: Unit, solved: Mapping[str, str], text: str) -> bool:
    starter = trial.candidate.files.get(unit.file, "")
    reference, whole = solved.get(unit.file, ""), unit.aside is not None
    language = trial.dialect.language
    lines = solution_lines(language, starter, reference, unit.stub, mended=whole)
    return reveals({"text": text, "code": None}, 2, lines)


def _is_of(error: BuildError, unit: Unit) -> bool:
    return not error.file or error.file in (unit.file, unit.test_file) or not unit.aside
