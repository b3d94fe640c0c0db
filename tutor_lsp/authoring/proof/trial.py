"""An exercise under proof, read once, for all steps to use. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.proof import STEPS
from tutor_lsp.core.exercise.declared import file_site
from tutor_lsp.core.exercise.exercise import Unit, UnitKind, sharing
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, RunOutcome
from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.language.syntax import Parsed, Span, Token
from tutor_lsp.core.ports import FunctionSite, TestSite, Toolchain
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.syntax import body_of, mentioned, parse
from tutor_lsp.languages.registry import languages

EXECUTED = frozenset({RunOutcome.PASSED, RunOutcome.FAILED})
OUTPUT_SHOWN = 2000


@dataclass(frozen=True, slots=True)
class TestPlace:
    """A test with its place; `body` are its tokens, `assertions` those of each assertion."""

    __test__ = False
    file: str
    site: TestSite
    body: tuple[Token, ...] = ()
    assertions: tuple[tuple[Span, tuple[Token, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """A candidate with its language, and each test by name, in file order."""

    candidate: Candidate
    toolchain: Toolchain
    dialect: Dialect
    tests: Mapping[str, TestPlace]

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units in their order."""
        return self.candidate.units

    @property
    def lines(self) -> Lines:
        """What lines of its language look like."""
        return languages()[self.dialect.language].lines

    @property
    def stubs(self) -> tuple[str, ...]:
        """The stubs in the order of their units."""
        return tuple(unit.stub for unit in self.units)

    def owner(self, test: str) -> Unit | None:
        """The unit that a test belongs to."""
        return next((unit for unit in self.units if test in unit.tests), None)

    def owned(self) -> Iterator[tuple[str, TestPlace, Unit]]:
        """Every test that belongs to a unit: its name, its place, the unit."""
        for name, place in self.tests.items():
            unit = self.owner(name)
            if unit is not None:
                yield name, place, unit

    def solved(self, solution: Mapping[str, str]) -> dict[str, str]:
        """All files with the reference in place."""
        return {**self.candidate.files, **solution}

    def asks(self, unit: Unit) -> tuple[str, ...]:
        """The names that the tests of a unit may be about: its stub, or the answers it asks for."""
        if unit.kind is not UnitKind.PREDICT:
            return (unit.stub,)
        found = self.dialect.predictions.answers(self.candidate.files.get(unit.file, "")).found
        return (unit.stub, *(each.name for each in found if each.name != unit.stub))

    def stub_site(self, unit: Unit) -> FunctionSite | None:
        """The stub in the starter."""
        if unit.aside is not None:
            return self._file_site(unit, self.candidate.files.get(unit.file))
        return site_of(self.toolchain, self.candidate.files.get(unit.file, ""), unit.stub)

    def sharing(self, unit: Unit) -> tuple[Unit, ...]:
        """The units that have the file of this one in common; none if it has it to itself."""
        return sharing(self.units, unit)

    def _file_site(self, unit: Unit, text: str | None) -> FunctionSite | None:
        shared = unit.id if self.sharing(unit) else ""
        return file_site(unit.stub, text, self.lines, shared=shared)

    def begun(self, unit: Unit) -> bool:
        """Whether the starter declares already what the unit asks to declare: a finding of its own,
        of which whatever its tests do is a consequence."""
        site = self.stub_site(unit) if unit.kind.unbuilt else None
        return site is not None and site.signature != ""

    def solved_site(self, unit: Unit, solved: Mapping[str, str]) -> FunctionSite | None:
        """The function that replaces the stub in solved files."""
        text = solved.get(unit.file, "")
        if unit.aside is not None:
            return self._file_site(unit, text)
        return site_of(self.toolchain, text, unit.stub, self.stub_site(unit))

    def at_test(
        self, step: str, message: str, name: str, raw: RawTest | None = None, output: str = ""
    ) -> ProofFinding:
        """A finding at a test; `raw` adds details of its run."""
        place = self.tests.get(name)
        unit = self.owner(name)
        file, line = (place.file, place.site.line) if place else (None, None)
        if raw is not None:
            output = output or test_output(raw)
            if raw.location is not None and raw.location.file.startswith("tests/"):
                file, line = raw.location.file, raw.location.line
        return ProofFinding(step, message, file, line, unit.id if unit else None, output)

    def at_stub(self, step: str, message: str, unit: Unit, output: str = "") -> ProofFinding:
        """A finding at a stub."""
        return ProofFinding(step, message, unit.file, unit.line, unit.id, output)


def trial_of(candidate: Candidate, toolchain: Toolchain, dialect: Dialect) -> Trial:
    """Read the tests of a candidate."""
    tests: dict[str, TestPlace] = {}
    for path, text in candidate.under("tests").items():
        parsed = parse(text, dialect.grammar)
        for site in toolchain.tests(text):
            tests.setdefault(site.name, _test_place(path, site, parsed))
    return Trial(candidate, toolchain, dialect, tests)


def _test_place(path: str, site: TestSite, parsed: Parsed) -> TestPlace:
    body = tuple(t for t in parsed.tokens if site.line <= t.line <= site.end_line)
    spans = [span for span in parsed.assertions if site.line <= span.line <= site.end_line]
    outer = [
        span for span in spans
        if not any(o is not span and o.start <= span.start and span.end <= o.end for o in spans)
    ]  # fmt: skip
    return TestPlace(
        path, site, body, tuple((span, parsed.within(span.start, span.end)) for span in outer)
    )


def call_graph(trial: Trial, texts: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """For each function in `texts`, all functions that it uses, directly or indirectly."""
    direct: dict[str, set[str]] = {}
    bodies: list[tuple[str, frozenset[str]]] = []
    for text in texts.values():
        parsed = parse(text, trial.dialect.grammar)
        sites = trial.toolchain.functions(text)
        bodies += [(site.name, mentioned(body_of(parsed, site))) for site in sites]
    names = {name for name, _ in bodies}
    for name, words in bodies:
        direct.setdefault(name, set()).update((words & names) - {name})
    return {name: frozenset(_reached(name, direct)) for name in direct}


def _reached(name: str, direct: Mapping[str, set[str]]) -> Iterator[str]:
    seen: set[str] = set()
    waiting = list(direct.get(name, ()))
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            yield current
            waiting.extend(direct.get(current, ()))


def test_output(raw: RawTest) -> str:
    """A test's output and error, at a readable length."""
    sides = f"{raw.left} / {raw.right}" if raw.left is not None and raw.right is not None else ""
    text = "\n".join(part for part in (sides, raw.error, raw.output) if part)
    return clip(text, OUTPUT_SHOWN)


def why(raw: RawTest) -> str:
    """The end of a sentence on a test that did not pass: `: 3 against 4`, or its error."""
    if raw.left is not None and raw.right is not None:
        return f": {raw.left} against {raw.right}"
    if raw.said is not None:
        return f": {raw.said.message}"
    first = raw.error.strip().splitlines()[0] if raw.error and raw.error.strip() else ""
    return f": {first}" if first else ""


def not_executed(step: str, what: str, report: RawReport) -> list[ProofFinding]:
    """A finding if a run as a whole did not reach its tests, or did not complete them."""
    if report.outcome in EXECUTED:
        return []
    if report.outcome is RunOutcome.BUILD_ERROR:
        return build_errors(step, what, report)
    reason = report.reason or "no reason given"
    said_ = f"The tests did not complete on {what}: {report.outcome}, {reason}"
    return [ProofFinding(step, said_, output=report.command)]


def build_errors(step: str, what: str, report: RawReport) -> list[ProofFinding]:
    """A finding for each build error."""
    text = f"{what[:1].upper()}{what[1:]} does not build"
    if not report.build_errors:
        return [ProofFinding(step, f"{text}: {report.reason or 'no reason given'}")]
    return [
        ProofFinding(step, f"{text}: {error.message}", error.file or None, error.line)
        for error in report.build_errors
    ]


def ordered(findings: Sequence[ProofFinding]) -> tuple[ProofFinding, ...]:
    """The findings without duplicates, in step order."""
    unique = dict.fromkeys(findings)
    return tuple(sorted(unique, key=lambda finding: STEPS.index(finding.step)))
