"""The wrong versions of a reference that are tried, and what their runs say. Pure."""

from collections.abc import Collection, Mapping, Sequence

from tutor_lsp.authoring.proof import giveaway, spelled, stable, stubs, unit_map
from tutor_lsp.authoring.proof.reading.blocks import Block
from tutor_lsp.authoring.proof.trial import EXECUTED, Trial
from tutor_lsp.authoring.proof.variants import mutants
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport
from tutor_lsp.languages.common.proof.merge import Variant
from tutor_lsp.languages.common.proof.splice import put_back, site_of, with_body


class Wrongs:
    """Wrong versions of `files`, the solved exercise (or the starter where there is no
    reference). Tests in `told` were found to pass on the stubs already."""

    def __init__(
        self,
        trial: Trial,
        files: Mapping[str, str],
        told: Collection[str] = (),
        stubs: RawReport | None = None,
    ) -> None:
        self._trial = trial
        self._stubs = [] if stubs is None else [stubs]
        self._files = files
        self._told = told
        self._values: dict[str, str] = {}
        self._put_back: dict[str, Unit] = {}
        self._suspects: dict[str, giveaway.Suspect] = {}

    def all(self, blocks: Sequence[Block]) -> list[Variant]:
        """Every version; `blocks` are the lesson's code in the exercise's language."""
        return [*self.put_back(), *self.neutral(), *self.giveaways(blocks)]

    def put_back(self) -> list[Variant]:
        """One stub each in its place again; those that cannot be found are left out."""
        found: list[Variant] = []
        for unit in self._trial.units:
            starter = self._trial.candidate.files.get(unit.file, "")
            solved = self._files.get(unit.file, "")
            text = put_back(self._trial.toolchain, solved, starter, unit.stub)
            site = self._trial.stub_site(unit)
            if text is None or site is None:
                continue
            key = f"{unit.id} put back"
            self._put_back[key] = unit
            body = starter[site.body_start : site.body_end]
            # a stub may need an include that the reference could do without
            files = self._trial.toolchain.complete({**self._files, unit.file: text})
            found.append(Variant(key, files, None, unit, body))
        return found

    def neutral(self) -> list[Variant]:
        """Each stub giving back a neutral value, else wrong in one thing each."""
        trial = self._trial
        found: list[Variant] = []
        for unit in trial.units:
            text = self._files.get(unit.file, "")
            site = site_of(trial.toolchain, text, unit.stub, trial.stub_site(unit))
            if site is None or not unit.tests:
                continue
            src = {path: each for path, each in self._files.items() if path.startswith("src/")}
            body = trial.dialect.neutral(src, unit.file, site)
            if body is not None:
                key = f"{unit.id} neutral"
                self._values[key] = body
                files = {**self._files, unit.file: with_body(text, site, body)}
                found.append(Variant(key, files, unit.tests, unit, body))
            else:
                found += self.mutants(unit)
        return found

    def mutants(self, unit: Unit) -> list[Variant]:
        """The unit's function with one thing wrong each."""
        trial = self._trial
        text = self._files.get(unit.file, "")
        site = site_of(trial.toolchain, text, unit.stub, trial.stub_site(unit))
        if site is None:
            return []
        return [
            Variant(f"{unit.id} wrong {number}", {**self._files, unit.file: mutant}, unit.tests)
            for number, mutant in enumerate(mutants(text, site, trial.dialect.grammar))
        ]

    def giveaways(self, blocks: Sequence[Block]) -> list[Variant]:
        """What lesson and starter define, in the place of a stub."""
        found: list[Variant] = []
        suspects = giveaway.suspects(self._trial, self._files, blocks)
        suspects += spelled.suspects(self._trial, self._files)
        for number, suspect in enumerate(suspects):
            key = f"{suspect.unit.id} given {number}"
            self._suspects[key] = suspect
            found.append(Variant(key, suspect.files, suspect.unit.tests))
        return found

    def unsettled(self, reports: Mapping[str, RawReport]) -> list[Variant]:
        """What is to be tried where a neutral value does not build: its mutants."""
        found: list[Variant] = []
        for unit in self._trial.units:
            report = reports.get(f"{unit.id} neutral")
            if report is not None and report.outcome not in EXECUTED:
                found += self.mutants(unit)
        return found

    def judge(
        self, reports: Mapping[str, RawReport], runs: Sequence[RawReport]
    ) -> tuple[list[ProofFinding], Mapping[str, tuple[str, ...]]]:
        """What all of it says; `runs` are those of the reference."""
        trial = self._trial
        found = stable.check(trial, runs)
        back = {unit.id: reports[key] for key, unit in self._put_back.items() if key in reports}
        needs: Mapping[str, tuple[str, ...]] = {}
        if self._put_back:
            mapped, needs = unit_map.check(trial, self._files, back)
            found += mapped
            found += unit_map.targets(trial, [*self._stubs, *back.values()])
        for unit in trial.units:
            found += self._vacuous(unit, reports)
        for key, suspect in self._suspects.items():
            if key in reports:
                found += giveaway.check(suspect, reports[key])
        return found, needs

    def _vacuous(self, unit: Unit, reports: Mapping[str, RawReport]) -> list[ProofFinding]:
        key = f"{unit.id} neutral"
        if key in reports and reports[key].outcome in EXECUTED:
            return stubs.check_neutral(
                self._trial, unit, reports[key], self._values[key], self._told
            )
        wrong = [
            report
            for name, report in reports.items()
            if name.startswith(f"{unit.id} wrong ") and report.outcome in EXECUTED
        ]
        return stubs.check_mutants(self._trial, unit, wrong)
