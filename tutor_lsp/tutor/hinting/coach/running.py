"""Runs the versions of a stub's file, as many as possible in one program."""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.judge import names
from tutor_lsp.core.exercise.report import RawReport, TestOutcome
from tutor_lsp.core.language.variants import Variant
from tutor_lsp.core.ports import RunLimits
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies

LIMITS = RunLimits(total_s=15.0, test_s=1.0, output_bytes=64 * 1024)
"""Limits of one run: most versions are wrong, and some hang. Output includes all test names."""
Green = Mapping[int, frozenset[str]]
"""The tests that pass with each version, by the version's place."""
Known = dict[tuple[str, str], frozenset[str]]
"""The tests of a unit that pass with a version of its file, by the unit's id and that text."""


async def green(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    texts: Mapping[str, str],
    versions: Sequence[str],
    *,
    enough: Callable[[Green], bool],
    limit_s: float,
    known: Known | None = None,
) -> Green:
    """Which of the unit's tests pass with each of these versions of its file put onto `texts`,
    in which the unit's stub is as it was delivered.

    Versions that can coexist run as one program, without those that do not build and so pass
    nothing. The others run one after another until `enough` is true or `limit_s` seconds are over:
    versions not run by then are left out, as is everything in an untrusted folder. Results in
    `known`, for the same `texts`, are reused, and new ones are added to it. Raises TutorError as
    `ShadowCopies.run` does.
    """
    if not opened.session.trusted:
        return {}
    known = {} if known is None else known
    keys = [(unit.id, text) for text in versions]
    found = {at: known[key] for at, key in enumerate(keys) if key in known}
    if len(found) == len(keys) or enough(found):
        return found
    base = await trials.base(opened, texts)
    limit = asyncio.timeout(limit_s)
    try:
        async with limit:
            variants = await asyncio.to_thread(_variants, opened, unit, base, versions)
            left = [each for at, each in enumerate(variants) if at not in found]
            await _together(trials, opened, base, left, found)
            for at, variant in enumerate(variants):
                if enough(found):
                    break
                if at not in found:
                    raw = await trials.execute(opened, variant.files, unit.tests, LIMITS)
                    found[at] = _passed(raw, unit.tests)
    except TimeoutError:
        if not limit.expired():
            raise
    finally:
        known |= {keys[at]: tests for at, tests in found.items()}
    return found


def _variants(
    opened: OpenExercise, unit: Unit, base: Mapping[str, str], versions: Sequence[str]
) -> list[Variant]:
    """Each version, with its function's body if nothing else differs from `base`."""
    blank = base[unit.file]
    stub = site_of(opened.toolchain, blank, unit.stub)
    made = []
    for at, text in enumerate(versions):
        body = None
        site = site_of(opened.toolchain, text, unit.stub)
        if stub is not None and site is not None:
            before, after = blank[: stub.body_start], blank[stub.body_end :]
            if (text[: site.body_start], text[site.body_end :]) == (before, after):
                body = text[site.body_start : site.body_end]
        made.append(Variant(str(at), {**base, unit.file: text}, unit.tests, unit, body))
    return made


async def _together(
    trials: ShadowCopies,
    opened: OpenExercise,
    base: Mapping[str, str],
    variants: Sequence[Variant],
    found: dict[int, frozenset[str]],
) -> None:
    """Run as one program what can be; versions with a compiler error are left out of the next try.
    Adds nothing if the results of the program cannot be assigned to its versions."""
    language = dialect(opened.exercise.language)
    left = {each.key: each for each in variants}
    while len(left) > 1:
        merged = await asyncio.to_thread(
            language.merge, base, list(left.values()), (), opened.toolchain
        )
        if merged is None:
            return
        raw = await trials.execute(opened, merged.files, merged.tests, LIMITS)
        split = merged.split(raw)
        if split is not None:
            tests = {each.key: each.tests or () for each in variants}
            found |= {int(key): _passed(report, tests[key]) for key, report in split.items()}
            return
        broken = merged.broken(raw)
        if not broken:
            return
        for key in broken:
            del left[key]
            found[int(key)] = frozenset()


def _passed(raw: RawReport, tests: Collection[str]) -> frozenset[str]:
    """Tests that passed in all of their cases."""
    outcomes: dict[str, set[TestOutcome]] = {}
    for test in raw.tests:
        for name in names(test.name):
            outcomes.setdefault(name, set()).add(test.outcome)
    return frozenset(name for name in tests if outcomes.get(name) == {TestOutcome.PASSED})
