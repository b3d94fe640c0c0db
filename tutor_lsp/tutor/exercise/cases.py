"""Inputs that a review found, as tests of the session: given like the exercise's own tests.

They stand at the end of the exercise's own test file and are run by every check and attempt. They
are kept as what they are (`Session.cases`), and the tests are rebuilt from that, so the stored
exercise stays as it was made. Resetting the whole exercise takes them out again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.language.probes import Probe, ProbeRefused
from tutor_lsp.core.ports import SourceReader
from tutor_lsp.core.session import CounterExample, Session, Vault
from tutor_lsp.languages.registry import probes

MOST = 10
"""Most cases that a session keeps; beyond that the oldest are dropped."""
LONGEST, LONGEST_WHOLE = 2000, 8000
"""Bytes of one statement or expression of a case, and of all: longer ones are not parsed."""


def with_cases(
    exercise: Exercise, vault: Vault, cases: Sequence[CounterExample], reader: SourceReader
) -> tuple[Exercise, Vault]:
    """The exercise with these cases as tests of their units, and its vault. One that can no
    longer be written as a test is left out. Parses: blocks for some milliseconds."""
    originals = dict(vault.originals)
    units = {unit.id: unit for unit in exercise.units}
    for number, case in enumerate(cases[-MOST:], start=1):
        unit = units.get(case.unit)
        file = test_file(originals, unit.tests, reader) if unit is not None else None
        if unit is None or file is None or not _is_short(case):
            continue
        stub = stub_signature(exercise, unit, reader)
        probe = Probe(case.setup, case.call, case.expected)
        name = case_name(unit.stub, number)
        try:
            text, _ = probes(exercise.language).added(originals[file], probe, stub, name)
        except (ProbeRefused, MemoryError, RecursionError, ValueError):
            continue
        originals[file] = text
        units[unit.id] = replace(unit, tests=(*unit.tests, name))
    changed = replace(exercise, units=tuple(units[unit.id] for unit in exercise.units))
    return changed, replace(vault, originals=originals)


def _is_short(case: CounterExample) -> bool:
    texts = (*case.setup, case.call, case.expected)
    sizes = [len(text.encode("utf-8", "surrogatepass")) for text in texts]
    return max(sizes) <= LONGEST and sum(sizes) <= LONGEST_WHOLE


def case_name(stub: str, number: int) -> str:
    """The name of the test of a session's case."""
    return f"test_{stub}_in_case_{number}_of_the_review"


def test_file(
    originals: Mapping[str, str], tests: Sequence[str], reader: SourceReader
) -> str | None:
    """The given test file that holds most of these tests, None if none holds any."""
    held = {
        file: sum(site.name in tests for site in reader.tests(text))
        for file, text in originals.items()
        if file.startswith("tests/")
    }
    best = max(held, key=lambda file: held[file], default=None)
    return best if best is not None and held[best] else None


def stub_signature(exercise: Exercise, unit: Unit, reader: SourceReader) -> dict[str, str]:
    """A unit's stub with its signature as it was given, "" where it cannot be read."""
    sites = reader.functions(exercise.starter.get(unit.file, ""))
    found = (site.signature for site in sites if site.name == unit.stub)
    return {unit.stub: next(found, "")}


def joined(session: Session, case: CounterExample | None) -> Session:
    """The session with one more case, unless it has it already."""
    if case is None or any(_same(case, each) for each in session.cases):
        return session
    return replace(session, cases=(*session.cases, case)[-MOST:])


def _same(one: CounterExample, other: CounterExample) -> bool:
    return (one.unit, one.setup, one.call) == (other.unit, other.setup, other.call)
