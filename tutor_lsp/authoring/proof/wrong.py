"""The wrong versions of a reference to try, and the conclusions from their runs. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from tutor_lsp.authoring.predict.checks import others
from tutor_lsp.authoring.proof import giveaway, spelled, stable, stubs, unit_map
from tutor_lsp.authoring.proof.kinds import shared
from tutor_lsp.authoring.proof.mutants.choice import Mutant, changed
from tutor_lsp.authoring.proof.mutants.trying import Found, Survivor
from tutor_lsp.authoring.proof.mutants.variants import mutants
from tutor_lsp.authoring.proof.reading.blocks import Block
from tutor_lsp.authoring.proof.trial import EXECUTED, Trial
from tutor_lsp.core.exercise.exercise import LESSON, Unit, UnitKind
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, TestOutcome
from tutor_lsp.core.language.variants import Variant
from tutor_lsp.languages.common.proof.splice import put_back, with_body


@dataclass(slots=True)
class Wrongs:
    """Wrong versions of `files`, the solved exercise (or the starter if there is no
    reference). Tests in `told` are known to pass on the stubs already."""

    _trial: Trial
    _files: Mapping[str, str]
    _told: Collection[str]
    _stubs: Sequence[RawReport] = ()
    _values: dict[str, str] = field(default_factory=dict)
    _put_back: dict[str, Unit] = field(default_factory=dict)
    _suspects: dict[str, giveaway.Suspect] = field(default_factory=dict)
    _versions: dict[str, Mutant] = field(default_factory=dict)
    signs: list[ProofFinding] = field(default_factory=list)
    """That tests are not about their stub, as far as their texts tell; known once it is judged."""

    def all(self, blocks: Sequence[Block]) -> list[Variant]:
        """Every version; `blocks` are the lesson's code in the exercise's language."""
        return [*self.put_back(), *self.neutral(), *self.giveaways(blocks)]

    def put_back(self) -> list[Variant]:
        """One stub put back each; stubs that cannot be located are left out."""
        found: list[Variant] = []
        for unit in self._trial.units:
            starter = self._trial.candidate.files.get(unit.file, "")
            solved = self._files.get(unit.file, "")
            if unit.aside is None:
                text = put_back(self._trial.toolchain, solved, starter, unit.stub)
            elif self._trial.sharing(unit):
                text = shared.with_put_back(self._trial, self._files, unit)
            else:
                text = starter
            site = self._trial.stub_site(unit)
            if text is None or site is None or self._trial.begun(unit):
                continue
            key = f"{unit.id} put back"
            self._put_back[key] = unit
            body = starter[site.body_start : site.body_end]
            # a stub may need an include that the reference could do without
            files = self._trial.toolchain.complete({**self._files, unit.file: text})
            found.append(Variant(key, files, None, unit, body))
        return found

    def neutral(self) -> list[Variant]:
        """Each stub returning a neutral value, or if there is none (as for what is to be declared),
        with one thing wrong each."""
        trial = self._trial
        found: list[Variant] = []
        for unit in trial.units:
            site = trial.solved_site(unit, self._files)
            if site is None or not unit.tests or unit.asks_for_tests:
                continue  # tests of one's own are tried on wrong programs instead
            if unit.kind is UnitKind.PREDICT:
                found += self._others(unit)
                continue
            if unit.aside is not None:
                found += self.mutants(unit)
                continue
            body = trial.dialect.neutral(below(self._files, "src"), unit.file, site)
            if body is not None:
                key = f"{unit.id} neutral"
                self._values[key] = body
                text = with_body(self._files[unit.file], site, body)
                files = {**self._files, unit.file: text}
                found.append(Variant(key, files, unit.tests, unit, body))
            else:
                found += self.mutants(unit)
        return found

    def _others(self, unit: Unit) -> list[Variant]:
        """Versions with another value in one answer each; the reference itself is one, so that a
        test that takes any answer passes on two at least."""
        texts = [self._files.get(unit.file, "")]
        texts += others(self._trial, unit, texts[0])
        return [
            Variant(f"{unit.id} wrong {n}", {**self._files, unit.file: text}, unit.tests, unit)
            for n, text in enumerate(texts)
        ]

    def mutants(self, unit: Unit) -> list[Variant]:
        """Versions of the unit's function, or of all that it declares, with one thing wrong
        each."""
        trial = self._trial
        site = trial.solved_site(unit, self._files)
        if site is None:
            return []
        texts = list(mutants(self._files[unit.file], site, trial.dialect.grammar))
        whole = unit if unit.aside is not None else None
        if whole is not None:
            made = (changed(unit, self._files[unit.file], text) for text in texts)
            self._versions |= {f"{unit.id} wrong {at}": each for at, each in enumerate(made)}
        return [
            Variant(
                f"{unit.id} wrong {number}", {**self._files, unit.file: text}, unit.tests, whole
            )
            for number, text in enumerate(texts)
        ]

    def whole(self, reports: Mapping[str, RawReport]) -> list[Found]:
        """What came of versions of whole files."""
        found: dict[str, Found] = {}
        for key, version in self._versions.items():
            report, unit = reports.get(key), version.unit
            mine = [test for test in report.tests if test.name in unit.tests] if report else []
            if not mine or any(test.broken for test in mine):
                continue  # it does not build
            each = found.setdefault(unit.id, Found(unit))
            each.tried += 1
            if any(test.outcome is not TestOutcome.PASSED for test in mine):
                each.killed += 1
            else:
                each.survivors.append(Survivor(version))
        return list(found.values())

    def giveaways(self, blocks: Sequence[Block], since: int = 0) -> list[Variant]:
        """Definitions from lesson and starter in place of a stub; from a line of the lesson on,
        those of the lesson alone."""
        found: list[Variant] = []
        suspects = giveaway.suspects(self._trial, self._files, blocks)
        suspects += spelled.suspects(self._trial, self._files)
        if since:
            suspects = [each for each in suspects if each.file == LESSON and each.line >= since]
        for number, suspect in enumerate(suspects):
            key = f"{suspect.unit.id} given {number}"
            self._suspects[key] = suspect
            whole = suspect.unit if suspect.unit.aside is not None else None
            found.append(Variant(key, suspect.files, suspect.unit.tests, whole))
        return found

    def unsettled(self, reports: Mapping[str, RawReport]) -> list[Variant]:
        """What to try if a neutral value does not build, or passes a test that may well notice
        something else: the unit's mutants."""
        found: list[Variant] = []
        for unit in self._trial.units:
            report = reports.get(f"{unit.id} neutral")
            if report is not None and (
                report.outcome not in EXECUTED or self._vacuous(unit, reports)
            ):
                found += self.mutants(unit)
        return found

    def judge(
        self,
        reports: Mapping[str, RawReport],
        runs: Sequence[RawReport],
        elsewhere: Sequence[RawReport] = (),
    ) -> tuple[list[ProofFinding], Mapping[str, tuple[str, ...]]]:
        """The conclusions from all reports; `runs` are those of the reference, also `elsewhere`."""
        trial = self._trial
        found = stable.check(trial, runs, elsewhere)
        back = {unit.id: reports[key] for key, unit in self._put_back.items() if key in reports}
        needs: Mapping[str, tuple[str, ...]] = {}
        if self._put_back:
            mapped, needs = unit_map.check(trial, self._files, back, self._told)
            found += mapped
            self.signs = list(unit_map.targets(trial, [*self._stubs, *back.values()]))
        for unit in trial.units:
            found += self._vacuous(unit, reports)
        return [*found, *self.given(reports)], needs

    def given(self, reports: Mapping[str, RawReport]) -> list[ProofFinding]:
        """What the reports say of definitions from lesson and starter."""
        tried = ((s, reports[key]) for key, s in self._suspects.items() if key in reports)
        return [found for suspect, report in tried for found in giveaway.check(suspect, report)]

    def _vacuous(self, unit: Unit, reports: Mapping[str, RawReport]) -> list[ProofFinding]:
        key = f"{unit.id} neutral"
        wrong = [
            report
            for name, report in reports.items()
            if name.startswith(f"{unit.id} wrong ") and report.outcome in EXECUTED
        ]
        if key in reports and reports[key].outcome in EXECUTED:
            notice = stubs.noticing(self._trial, wrong)
            return stubs.check_neutral(
                self._trial, unit, reports[key], self._values[key], self._told, notice
            )
        if unit.kind.unbuilt or unit.kind.given_broken:
            return stubs.check_file_mutants(self._trial, unit, wrong)
        return stubs.check_mutants(self._trial, unit, wrong)
