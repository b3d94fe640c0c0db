"""Step `stubs`: every test completes on the stubs and fails for the right reason. Pure."""

from collections.abc import Collection, Iterator, Sequence

from tutor_lsp.authoring.proof.kinds import repaired
from tutor_lsp.authoring.proof.reading.compare import keeps, settles, watches
from tutor_lsp.authoring.proof.trial import TestPlace, Trial, not_executed
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, RawTest, TestOutcome
from tutor_lsp.languages.common.syntax import mentioned, parameter_names, parameters_of, parse
from tutor_lsp.languages.registry import languages

FAILED = frozenset({TestOutcome.FAILED, TestOutcome.TODO})


def failed(test: RawTest) -> bool:
    """Whether a test failed as it should: by an assertion, or since it could not be built."""
    return test.outcome in FAILED or test.broken is not None


def codes(trial: Trial, stubs: RawReport | None) -> dict[str, tuple[str, ...]]:
    """For each unit that is not built on the starter, the codes of what the build says."""
    errors = stubs.aside_errors if stubs is not None else ()
    said = {
        unit.id: tuple(dict.fromkeys(e.code or "error" for e in errors if e.file in _of(unit)))
        for unit in trial.units
        if unit.aside is not None and not unit.aside.predicts
    }
    return {unit: codes for unit, codes in said.items() if codes}


def _of(unit: Unit) -> tuple[str, str]:
    return unit.file, unit.test_file


def check_declared(trial: Trial, stubs: RawReport) -> Iterator[ProofFinding]:
    """Without a declaration the unit's tests are not built, because of missing names alone."""
    for unit in trial.units:
        if not unit.kind.unbuilt:
            continue
        for error in stubs.aside_errors:
            said = error.labelled
            if error.file in _of(unit) and not trial.dialect.missing_name.search(said):
                text = (
                    f"The tests of {unit.id} are not built on the starter, but not because "
                    f"`{unit.stub}` is missing: {said}."
                )
                yield ProofFinding("stubs", text, error.file, error.line, unit.id)


def written(trial: Trial) -> Iterator[ProofFinding]:
    """Stubs that work on what they are given, in which something is left to write at most."""
    language = languages()[trial.dialect.language]
    for unit in trial.units:
        site = trial.stub_site(unit) if unit.kind is UnitKind.BODY else None
        text = trial.candidate.files.get(unit.file, "")
        if site is None or language.is_unwritten(text[site.body_start : site.body_end]):
            continue
        parsed = parse(text, trial.dialect.grammar)
        given = parameter_names(parameters_of(parsed, site))
        used = mentioned(parsed.within(site.body_start, site.body_end))
        if used.intersection(given):
            said = f"`{unit.stub}` has code already: a stub has its stub body alone."
            yield trial.at_stub("stubs", said, unit)


def check(trial: Trial, stubs: RawReport) -> list[ProofFinding]:
    """Every test must be collected, and fail by its assertion or the stub's "not implemented"."""
    found = not_executed("stubs", "the stubs", stubs)
    collected = {test.name for test in stubs.tests}
    if not collected:
        return [*found, ProofFinding("stubs", "No test was collected.")]
    found += [
        trial.at_test("stubs", f"The test `{name}` was not collected.", name)
        for unit in trial.units
        for name in unit.tests
        if name not in collected
    ]
    found += check_declared(trial, stubs)
    found += repaired.check_starter(trial, stubs)
    for test in stubs.tests:
        unit = trial.owner(test.name)
        if unit is None:
            continue  # a test without a stub is reported as such
        if unit.kind.given_broken:
            continue  # looked at as a whole
        if unit.kind.unbuilt:
            if test.broken is None and test.outcome is not TestOutcome.PASSED:
                text = f"The test `{test.name}` runs though `{unit.stub}` is not declared yet."
                found.append(trial.at_test("stubs", text, test.name, test))
            if test.outcome is not TestOutcome.PASSED or trial.begun(unit):
                continue
        message = _wrong(test, trial.tests.get(test.name), trial.dialect.grammar.words.failed)
        if message and not (test.outcome is TestOutcome.NOT_RUN and found):
            found.append(trial.at_test("stubs", message, test.name, test))
    return found


def _wrong(test: RawTest, place: TestPlace | None, failed: tuple[str, ...]) -> str | None:
    if test.outcome is TestOutcome.PASSED:
        return f"The test `{test.name}` passes although nothing is written yet."
    if test.outcome is TestOutcome.TIMEOUT:
        return f"The test `{test.name}` does not end on the stubs: {test.error}."
    if test.outcome is TestOutcome.NOT_RUN:
        return f"The test `{test.name}` is skipped: {test.error or 'no reason given'}."
    if test.outcome not in FAILED:
        return f"The test `{test.name}` crashes on the stubs: {test.error or 'no reason given'}."
    if not fails_properly(test, place, failed):
        return (
            f"The test `{test.name}` fails on the stubs, but not because something is "
            f"missing: {_first(test.error)}."
        )
    return None


def fails_properly(test: RawTest, place: TestPlace | None, failed: tuple[str, ...]) -> bool:
    """Whether a failing test failed by "not implemented" or by one of its assertions, whose
    messages begin with one of `failed`."""
    if test.not_implemented or test.left is not None or test.error is None:
        return True
    if test.error.startswith(failed):
        return True
    named = test.error.split(":")[0].rpartition(".")[2]
    if named.endswith(("Error", "Exception", "Exit")) and named.isidentifier():
        return False
    if place is None or test.location is None:
        return False
    line = test.location.line
    return any(
        span.line <= line <= max((token.line for token in tokens), default=span.line)
        for span, tokens in place.assertions
    )


def noticing(trial: Trial, wrong: Sequence[RawReport]) -> frozenset[str]:
    """The tests that fail on a wrong version by an assertion of their own."""
    words = trial.dialect.grammar.words.failed
    return frozenset(
        test.name
        for report in wrong
        for test in report.tests
        if test.outcome is TestOutcome.FAILED
        and not test.not_implemented
        and fails_properly(test, trial.tests.get(test.name), words)
    )


def check_neutral(
    trial: Trial,
    unit: Unit,
    neutral: RawReport,
    value: str,
    told: Collection[str] = (),
    notice: Collection[str] = (),
) -> list[ProofFinding]:
    """The tests of a unit that pass although its stub only returns `value`, except those in
    `told`, and where another test notices, those that say themselves what it returns or leaves,
    or `notice` another wrong version."""
    does = f"only returns {_shown(value)}" if _shown(value) else "does nothing"
    mine = [test for test in neutral.tests if test.name in unit.tests]
    noticed = any(test.outcome is not TestOutcome.PASSED for test in mine)
    return [
        trial.at_test(
            "stubs",
            f"The test `{test.name}` passes even if `{unit.stub}` {does}: it must also check for "
            "something else.",
            test.name,
        )
        for test in mine
        if test.outcome is TestOutcome.PASSED
        and test.name not in told
        and not (noticed and (test.name in notice or _says(trial, unit, test.name, value)))
    ]


def _says(trial: Trial, unit: Unit, test: str, value: str) -> bool:
    """Whether a test says itself what its stub returns, or what is left of what it was given: where
    the stub returns something, that this is as it was before."""
    place = trial.tests.get(test)
    if place is None:
        return False
    if settles(place, unit.stub, trial.dialect.grammar):
        return True
    nothing = _shown(value) in ("", "`None`")
    return watches(place, unit.stub) if nothing else keeps(place, unit.stub)


def check_mutants(trial: Trial, unit: Unit, reports: Sequence[RawReport]) -> list[ProofFinding]:
    """The tests of a unit that pass on every wrong version of its reference."""
    ended = [(test.name, test.outcome) for report in reports for test in report.tests]
    outcomes = {name: [how for of, how in ended if of == name] for name in unit.tests}
    return [
        trial.at_test(
            "stubs",
            f"The test `{name}` passes on {len(seen)} wrong versions of `{unit.stub}`: it does "
            "not check what the function does.",
            name,
        )
        for name, seen in outcomes.items()
        if len(seen) > 1 and all(outcome is TestOutcome.PASSED for outcome in seen)
    ]


def check_file_mutants(
    trial: Trial, unit: Unit, reports: Sequence[RawReport]
) -> list[ProofFinding]:
    """Whether all tests of a unit whose reference is a whole file pass on every wrong version of it
    that builds. Some of its tests may well need no more than that something is declared.
    """
    mine = ([test for test in report.tests if test.name in unit.tests] for report in reports)
    built = [tests for tests in mine if not any(test.broken for test in tests)]
    noticed = any(test.outcome is not TestOutcome.PASSED for tests in built for test in tests)
    if len(built) < 2 or noticed:
        return []
    said = (
        f"The tests of {unit.id} pass on {len(built)} wrong versions of `{unit.stub}`: none checks "
        "what it does."
    )
    return [trial.at_test("stubs", said, unit.tests[0])]


def _shown(body: str) -> str:
    text = body.strip().removeprefix("return").strip().rstrip(";")
    return f"`{text}`" if text else ""


def _first(error: str | None) -> str:
    return (error or "no reason given").strip().splitlines()[0].rstrip(".")
