"""Running versions of units on inputs: as one program where they can, else in copies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.proof.executor import together
from tutor_lsp.authoring.proof.trial import Trial
from tutor_lsp.authoring.signatures.candidates import Inputs
from tutor_lsp.authoring.signatures.versions import Version, variant
from tutor_lsp.core.exercise.report import BuildError, RawReport, RunOutcome
from tutor_lsp.core.exercise.signatures import CRASH, UNKNOWN, Signature
from tutor_lsp.core.language.guards import tag_of
from tutor_lsp.core.language.variants import Merged, Place, Variant
from tutor_lsp.core.language.watching import Watch
from tutor_lsp.core.ports import Files, RunLimits
from tutor_lsp.languages.common.proof.bench import Bench

AT_ONCE = 40
"""Inputs of one test: where its process ends before its time, those after are not known."""
ROUNDS = 6
"""How often to leave out what does not build: a compiler does not report everything at once."""
APART = 8
"""Most versions of a unit that are run in copies of their own, the first of them."""
LIMITS = RunLimits(total_s=240.0, test_s=30.0, output_bytes=256 * 1024)


@dataclass(frozen=True, slots=True)
class Watched:
    """Files that look at the inputs of units. `cases` are the names of a unit's cases, `tests` the
    cases of each of its tests; `places` is where each case is."""

    files: Files
    cases: Mapping[str, tuple[str, ...]]
    tests: Mapping[str, Mapping[str, tuple[str, ...]]]
    places: Mapping[str, Place]

    def names(self, unit: str) -> tuple[str, ...]:
        """The tests of a unit."""
        return tuple(self.tests[unit])

    def signature(self, unit: str, outputs: Mapping[str, str], watch: Watch) -> Signature:
        """A unit's signature, from what its tests printed by their names."""
        found: list[str] = []
        for test, cases in self.tests[unit].items():
            told = watch.outcomes(outputs.get(test, ""))
            # those that one took along ended with it, each time it does
            after = told[max(told)] if told else UNKNOWN
            missing = CRASH if after == CRASH else UNKNOWN
            found += [told.get(number, missing) for number in range(len(cases))]
        return tuple(found)

    def broken(self, errors: Iterable[BuildError]) -> frozenset[str]:
        """The cases that contain a build error."""
        listed = list(errors)
        return frozenset(
            name
            for name, place in self.places.items()
            if any(e.file == place.file and place.first <= e.line <= place.last for e in listed)
        )


def watched(solved: Files, inputs: Sequence[Inputs], watch: Watch, tests: Iterable[str]) -> Watched:
    """These files without the exercise's own test files, of which `tests` are the names, and with
    those that look at the inputs in their place."""
    own = set(tests)
    files = {path: text for path, text in solved.items() if path not in own}
    all_cases: dict[str, tuple[str, ...]] = {}
    all_tests: dict[str, dict[str, tuple[str, ...]]] = {}
    places: dict[str, Place] = {}
    for path in dict.fromkeys(each.file for each in inputs):
        texts: dict[str, str] = {}
        here: dict[str, tuple[str, ...]] = {}
        for each in inputs:
            if each.file != path:
                continue
            tag = tag_of(each.unit.id)
            names = [f"tutor_probe_{tag}_{number}" for number in range(len(each.found))]
            texts |= {n: watch.case(i, n) for n, i in zip(names, each.found, strict=True)}
            parts = range(0, len(names), AT_ONCE)
            mine = {
                f"test_tutor_watch_{tag}_{at // AT_ONCE}": tuple(names[at : at + AT_ONCE])
                for at in parts
            }
            all_cases[each.unit.id], all_tests[each.unit.id] = tuple(names), mine
            here |= mine
        files[path] = watch.watching(solved[path], "".join(texts.values()), here)
        places |= {
            name: Place.of(path, files[path], text.strip("\n")) for name, text in texts.items()
        }
    return Watched(files, all_cases, all_tests, places)


class Runner:
    """Runs versions of one trial's units on a bench. Raises TutorError `TOOLCHAIN_MISSING`."""

    def __init__(self, trial: Trial, bench: Bench) -> None:
        self._trial = trial
        self._bench = bench
        self._tests = {place.file for place in trial.tests.values()}

    def watched(self, solved: Files, inputs: Sequence[Inputs]) -> Watched:
        """See the function."""
        return watched(solved, inputs, self._trial.dialect.watch, self._tests)

    async def run(self, files: Files, tests: Sequence[str]) -> RawReport:
        """These tests of these files."""
        async with self._bench.lane() as lane:
            await lane.put(files)
            return await self._bench.toolchain.run(lane.folder, tests=tests, limits=LIMITS)

    async def signatures(
        self, solved: Files, inputs: Sequence[Inputs], versions: Mapping[str, Sequence[Version]]
    ) -> dict[str, dict[str, Signature]]:
        """What each version of each unit comes to on the unit's inputs, by unit and key; versions
        that do not build are left out."""
        trial = self._trial
        look = self.watched(solved, inputs)
        wanted = {
            variant(each, look.files, look.names(unit)).key: (unit, each)
            for unit, listed in versions.items()
            if unit in look.tests
            for each in listed
        }
        made = {
            key: variant(each, look.files, look.names(unit)) for key, (unit, each) in wanted.items()
        }
        outputs = await self._merged(look.files, list(made.values()))
        merged = {wanted[key][0] for key in outputs}
        for each in inputs:
            alone = self.watched(solved, [each])
            mine = [version for unit, version in wanted.values() if unit == each.unit.id]
            left = [
                variant(version, alone.files, alone.names(each.unit.id))
                for version in mine
                if each.unit.id not in merged or version.body is None
            ]
            left = [v for v in left if v.key not in outputs][:APART]
            reports = await together(*(self.run(v.files, list(v.tests or ())) for v in left))
            for one, report in zip(left, reports, strict=True):
                if report.outcome is not RunOutcome.BUILD_ERROR:
                    outputs[one.key] = {test.name: test.output for test in report.tests}
        found: dict[str, dict[str, Signature]] = {unit: {} for unit in look.tests}
        for key, told in outputs.items():
            unit, version = wanted[key]
            found[unit][version.key] = look.signature(unit, told, trial.dialect.watch)
        return found

    async def _merged(self, files: Files, variants: Sequence[Variant]) -> dict[str, dict[str, str]]:
        """What the tests of each variant printed that one program has, by key and test."""
        dialect, left = self._trial.dialect, list(variants)
        for _ in range(ROUNDS):
            merged: Merged | None = dialect.watch.merged(files, left)
            if not dialect.watch.side_by_side:
                bodies = [each for each in left if each.body is not None]
                merged = dialect.merge(files, bodies, (), self._trial.toolchain) if bodies else None
            if merged is None:
                return {}
            report = await self.run(merged.files, merged.tests)
            if report.outcome is not RunOutcome.BUILD_ERROR:
                return _outputs(merged, report)
            broken = merged.broken(report)
            if not broken:
                return {}
            left = [each for each in left if each.key not in broken]
        return {}


def _outputs(merged: Merged, report: RawReport) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for test in report.tests:
        if test.name in merged.names:
            key, name = merged.names[test.name]
            found.setdefault(key, {})[name] = test.output
    return found
