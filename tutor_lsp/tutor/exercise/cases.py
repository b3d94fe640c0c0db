"""Inputs that a review found, as tests of the session: given like the exercise's own tests.

They stand at the end of the exercise's own test file and are run by every check and attempt. They
are kept as what they are (`Session.cases`), and the tests are made anew from that, so the stored
exercise stays as it was made. Resetting the whole exercise takes them out again.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.ports import SourceReader
from tutor_lsp.core.session import CounterExample, Session, Vault
from tutor_lsp.tutor.exercise.files import read_text, replace_text, same_text

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise

MOST = 10
"""Most cases that a session keeps; of more the oldest go."""
LONGEST, LONGEST_WHOLE = 2000, 8000
"""Bytes of one statement or expression of a case, and of all: longer ones are not parsed."""


def with_cases(
    exercise: Exercise, vault: Vault, cases: Sequence[CounterExample], reader: SourceReader
) -> tuple[Exercise, Vault]:
    """The exercise with these cases as tests of their units, and its vault. One that cannot be
    written as a test any more is left out. Parses: blocks for some milliseconds."""
    from tutor_lsp.languages.probe import Probe, ProbeRefused, with_probe

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
            text, _ = with_probe(exercise.language, originals[file], probe, stub, name)
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
    """What the test of a session's case is called."""
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


async def place_tests(app: "App", opened: "OpenExercise", before: Mapping[str, str]) -> None:
    """Put the given tests into the learner's folder where they stand as they were given `before`.

    A test file that the learner changed, saved or not, stays as it is; attempts run on the given
    ones anyway. It is written to the disk, as an edit would leave an open buffer unsaved.
    """
    for file, text in opened.vault.originals.items():
        old = before.get(file)
        if not file.startswith("tests/") or old == text:
            continue
        try:
            if old is not None and not opened.shown_otherwise(file, old):
                await asyncio.to_thread(_replace, opened.path(file), old, text)
        except (OSError, TutorError) as error:
            app.frontend.message(
                f"{opened.root / file} could not get the case that the review found ({error}); "
                "attempts run it all the same.",
                warning=True,
            )


def _replace(path: Path, old: str, text: str) -> None:
    """Replace a file whose text still is `old`, keeping its line ends. At once, since its learner
    may save it meanwhile. Raises OSError. Blocks."""
    there = read_text(path)
    if same_text(there, old):
        replace_text(path, text.replace("\n", "\r\n") if "\r\n" in (there or "") else text)


async def change_cases(
    app: "App",
    opened: "OpenExercise",
    change: Callable[[tuple[CounterExample, ...]], tuple[CounterExample, ...]],
) -> None:
    """Give the session other cases, of which it keeps the last `MOST`, and show their tests."""
    before = dict(opened.vault.originals)
    await app.change_session(
        opened, lambda session: replace(session, cases=change(session.cases)[-MOST:])
    )
    await place_tests(app, opened, before)
    app.frontend.exercise_changed(opened)
