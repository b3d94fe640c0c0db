"""An exercise that is open in this process: current texts, caches, and its view."""

import asyncio
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import LESSON, Exercise, Unit, UnitState
from tutor_lsp.core.ladder import hint_test, is_stuck, ladder_of
from tutor_lsp.core.ports import FunctionSite, TestSite, Toolchain
from tutor_lsp.core.positions import LineIndex, normalise_line_ends
from tutor_lsp.core.report import BuildError, RunOutcome, TestReport
from tutor_lsp.core.session import Hint, Review, Session, Vault
from tutor_lsp.core.units import Stubs, files_hash, focus, unit_states
from tutor_lsp.library.markdown import headings
from tutor_lsp.tutor.files import read_text
from tutor_lsp.tutor.ide.view import UnitView, View

if TYPE_CHECKING:
    from tutor_lsp.tutor.advice import Advice

Buffer = Callable[[Path], str | None]
_LINK_LINE = re.compile(r"(\]\([^)\s#]+#)L\d+(?:C\d+)?(?:-L\d+(?:C\d+)?)?")
T = TypeVar("T")
CACHED_TEXTS = 64
"""Parsed texts that are kept per exercise."""
GIVEN_FILES = ("tests/", LESSON)


class OpenExercise:
    """Everything about one exercise in this process. Use from the loop's thread only.

    `session` is the newest state that this process knows; the store is the truth. Texts are read
    anew for every view: the editor's buffer where the file is open, else the disk.
    """

    def __init__(
        self,
        root: Path,
        exercise: Exercise,
        vault: Vault,
        session: Session,
        toolchain: Toolchain,
        buffer: Buffer,
    ) -> None:
        self.root = root
        self._real_root = os.path.realpath(root)
        self.hinting = asyncio.Lock()
        self.trusting = asyncio.Lock()
        self.exercise = exercise
        self.vault = vault
        self.session = session
        self.toolchain = toolchain
        self.last_edited: str | None = None
        self.parse_error: BuildError | None = None
        self.ran_texts: Mapping[str, str] = {}
        self.next_title: str | None = None
        self.was_reset: frozenset[str] = frozenset()
        self.refusal: str | None = None  # why no run can be made here, until one is made
        self.pending: Callable[[], bool] = lambda: False
        self.saves = 0
        self._overtaken: tuple[object, frozenset[str]] = (None, frozenset())
        self.linked_texts: Mapping[str, str] = vault.originals
        self.easier: Advice | None = None
        self._buffer = buffer
        self._functions: dict[str, tuple[FunctionSite, ...]] = {}
        self._tests: dict[str, tuple[TestSite, ...]] = {}
        self._definitions: dict[str, dict[str, str]] = {}

    def path(self, file: str) -> Path:
        """Absolute path of a workspace file. Raises TutorError `BAD_PATH` if it leaves it."""
        path = self.root / file
        inside = os.path.realpath(path).startswith(self._real_root + os.sep)
        if ".." in Path(file).parts or Path(file).is_absolute() or not inside:
            raise TutorError(
                "BAD_PATH",
                f"{path} leads out of the exercise, so it is not touched. Remove the link, or "
                "start the exercise again.",
            )
        return path

    def relative(self, path: Path) -> str | None:
        """Path of a file relative to the exercise with `/`, None if it lies outside."""
        for place, root in ((path, self.root), (Path(os.path.realpath(path)), self._real_root)):
            try:
                return place.relative_to(root).as_posix()
            except ValueError:
                continue
        return None

    def edited(self, path: Path) -> None:
        """Take note of where the learner is."""
        file = self.relative(path)
        if file is not None and file.startswith("src/"):
            self.last_edited = self._changed_unit(file) or self.last_edited

    def take_over(self, session: Session) -> bool:
        """The session as another program stored it; True if it differs from what is known here."""
        before, self.session = self.session, session
        known, report = before.last_report, session.last_report
        if report is not None and (known is None or known.run_id != report.run_id):
            # It ran on what is saved: what was found here before is no longer the newest.
            self.parse_error, self.ran_texts, self.refusal = None, {}, None
        return session != before

    def first_syntax_error(self) -> BuildError | None:
        """The first place in the learner's files that does not parse, or None."""
        for file in self.stub_files():
            text = self.text(file)
            if text is not None:
                error = self.toolchain.syntax_error(file, text)
                if error is not None:
                    return error
        return None

    def text(self, file: str) -> str | None:
        """Current text: the buffer's, else the disk's, None if there is neither."""
        try:
            path = self.path(file)
        except TutorError:
            return None
        text = self._buffer(path)
        return text if text is not None else read_text(path)

    def texts(self) -> dict[str, str]:
        """Current texts of the learner-visible files that exist."""
        found = {file: self.text(file) for file in self.exercise.files}
        return {file: text for file, text in found.items() if text is not None}

    def stub_files(self) -> tuple[str, ...]:
        """Files that hold stubs, in the order of the units."""
        return tuple(dict.fromkeys(unit.file for unit in self.exercise.units))

    def unsaved(self) -> tuple[str, ...]:
        """Files whose buffer differs from the disk: a run would not test what is seen."""
        found = []
        for file in self.exercise.files:
            if file == LESSON:
                continue
            path = self.path(file)
            buffer = self._buffer(path)
            # Editors normalise line ends and hide a byte order mark: neither is an edit.
            if buffer is not None and _normal(buffer) != _normal(read_text(path) or ""):
                found.append(file)
        return tuple(found)

    def changed_files(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Given files (tests, lesson) that were edited or deleted, in order."""
        return tuple(
            file
            for file, original in self.vault.originals.items()
            if file.startswith(GIVEN_FILES) and _given(texts.get(file)) != _given(original)
        )

    def functions(self, text: str) -> tuple[FunctionSite, ...]:
        """Functions of a text, parsed once per text."""
        found = self._functions.get(text)
        if found is None:
            found = self.toolchain.functions(text)
            _remember(self._functions, text, found)
        return found

    def test_sites(self, text: str) -> tuple[TestSite, ...]:
        """Tests of a text, parsed once per text."""
        found = self._tests.get(text)
        if found is None:
            found = self.toolchain.tests(text)
            _remember(self._tests, text, found)
        return found

    def stubs(self, texts: Mapping[str, str]) -> Stubs:
        """Where the stubs are in these texts."""
        return Stubs(self.exercise, texts, self.functions)

    def starter_site(self, unit: Unit) -> FunctionSite | None:
        """The stub of a unit as it was given."""
        text = self.exercise.starter.get(unit.file, "")
        return next((site for site in self.functions(text) if site.name == unit.stub), None)

    def text_hash(self, texts: Mapping[str, str] | None = None) -> str:
        """Identifies the learner's text of all stub files."""
        texts = texts if texts is not None else self.texts()
        return files_hash({file: texts.get(file, "") for file in self.stub_files()})

    def started(self) -> bool:
        """Whether a stub file differs from what was given, line ends aside."""
        texts = self.texts()
        starter = self.exercise.starter
        return any(_normal(texts.get(f)) != _normal(starter.get(f)) for f in self.stub_files())

    def unit(self, unit_id: str) -> Unit:
        """The unit by id or by its stub's name. Raises TutorError `NO_UNIT`."""
        for unit in self.exercise.units:
            if unit_id in (unit.id, unit.stub):
                return unit
        names = ", ".join(f"{unit.id} ({unit.stub})" for unit in self.exercise.units)
        raise TutorError("NO_UNIT", f"There is no unit {unit_id} here. Units: {names}.")

    def view(self) -> View:
        """A snapshot of now."""
        texts = self.texts()
        stubs = self.stubs(texts)
        counting = self._counting_report()
        states = unit_states(self.exercise, counting, stubs)
        # After a build error everything is stale already but the units that it stands in.
        built = counting is not None and counting.outcome is not RunOutcome.BUILD_ERROR
        for unit_id in self._overtaken_units() if built else ():
            states[unit_id] = UnitState.STALE if stubs.touched(unit_id) else UnitState.TODO
        here = focus(self.exercise, states, self.last_edited)
        units = tuple(self._unit_view(unit, stubs, states, here) for unit in self.exercise.units)
        report = self.session.last_report
        return View(
            root=self.root,
            exercise=self.exercise,
            session=self.session,
            units=units,
            texts=texts,
            build_error=self._standing_error(texts),
            not_run=report.reason if report is not None and report.outcome == "not_run" else None,
            refusal=self.refusal,
            report=report,
            changed_files=self.changed_files(texts),
            test_lines=self._test_lines(texts),
            heading_lines=_heading_lines(texts.get(LESSON, "")),
            review=self._standing_review(texts),
            next_title=self.next_title,
            easier=self.easier,
        )

    def _overtaken_units(self) -> frozenset[str]:
        """Units whose saved text is not the one that the results belong to.

        Typing does not count, nor a save here: its check is on its way. So these were changed
        elsewhere, or saved where saving does not run the tests.
        """
        ran = self.session.result_texts
        if not ran or self.saves or self.pending():
            return frozenset()
        found = {file: self._disk_text(file) for file in self.stub_files()}
        texts = {file: text for file, text in found.items() if text is not None}
        if self._overtaken[0] != (ran, texts):
            saved = self.stubs(texts)
            units = (unit.id for unit in self.exercise.units)
            overtaken = frozenset(
                unit for unit in units if ran.get(unit) not in (None, saved.text_hash(unit))
            )
            self._overtaken = ((ran, texts), overtaken)
        return self._overtaken[1]

    def disk_texts(self) -> dict[str, str]:
        """Texts as they are on the disk: what a run sees. Blocks."""
        found = {file: self._disk_text(file) for file in self.exercise.files}
        return {file: text for file, text in found.items() if text is not None}

    def _disk_text(self, file: str) -> str | None:
        try:
            return read_text(self.path(file))
        except TutorError:
            return None

    def standing_report(self) -> TestReport | None:
        """What is known of the texts as they are now, unsaved ones included: the results that
        count, or that the code does not parse."""
        error = self.first_syntax_error()
        if error is None:
            return self.session.last_results
        before = self.session.last_results or TestReport("", RunOutcome.BUILD_ERROR)
        return replace(before, outcome=RunOutcome.BUILD_ERROR, build_errors=(error,))

    def _counting_report(self) -> TestReport | None:
        """The results that count now: those before a text that does not parse are stale."""
        results = self.session.last_results
        if self.parse_error is None:
            return results
        broken = (self.parse_error,)
        if results is None:
            return TestReport("", RunOutcome.BUILD_ERROR, build_errors=broken)
        return replace(results, outcome=RunOutcome.BUILD_ERROR, build_errors=broken)

    def ladder_hint(self, unit: Unit) -> Hint | None:
        """The highest hint of the unit's present ladder, or None."""
        session = self.session
        report = self._counting_report()
        ladder = ladder_of(hint_test(unit, report, session.progress.get(unit.id)), report)
        mine = [hint for hint in session.hints if (hint.unit, hint.test) == (unit.id, ladder)]
        # The order of giving decides among equals, not the clock, which may go backwards.
        return max(reversed(mine), key=lambda hint: hint.level, default=None)

    def _unit_view(
        self, unit: Unit, stubs: Stubs, states: Mapping[str, UnitState], here: str | None
    ) -> UnitView:
        results = self.session.last_results
        needed = self.exercise.proof.needs.get(unit.id, ())
        return UnitView(
            unit=unit,
            state=states[unit.id],
            focus=here == unit.id,
            site=stubs.site(unit.id),
            results=tuple(
                result for result in (results.tests if results else ()) if result.unit == unit.id
            ),
            waits_for=tuple(
                other
                for other in self.exercise.units
                if other.id in needed and states[other.id] is not UnitState.PASSING
            ),
            hint=(hint := self.ladder_hint(unit)),
            unchanged=hint is not None and hint.text_hash == stubs.text_hash(unit.id),
            stuck=is_stuck(self.session.progress.get(unit.id)),
            was_reset=unit.id in self.was_reset and not stubs.touched(unit.id),
        )

    def _changed_unit(self, file: str) -> str | None:
        """The unit of a file whose definition differs from when this was last asked."""
        text = self.text(file) or ""
        before = self._definitions.get(file, {})
        now = {site.name: text[site.start : site.end] for site in self.functions(text)}
        self._definitions[file] = now
        for unit in self.exercise.units:
            if unit.file == file and before and now.get(unit.stub) != before.get(unit.stub):
                return unit.id
        return None

    def _test_lines(self, texts: Mapping[str, str]) -> dict[str, tuple[str, int]]:
        return {
            site.name: (file, site.line)
            for file, text in texts.items()
            if file.startswith("tests/")
            for site in self.test_sites(text)
        }

    def _standing_error(self, texts: Mapping[str, str]) -> BuildError | None:
        if self.parse_error is not None:
            return self.parse_error
        report = self.session.last_report
        if report is None or not report.build_errors:
            return None
        mine = [e for e in report.build_errors if e.file in self.exercise.starter]
        error = (mine or list(report.build_errors))[0]
        now, then = texts.get(error.file), self.ran_texts.get(error.file)
        if now is None:
            return None
        if then is None:
            same = self.session.last_report_hash == self.text_hash(texts)
        else:
            line_now, line_then = (LineIndex(text).line(error.line) for text in (now, then))
            same = line_now.strip() == line_then.strip()
        return error if same else None

    def _standing_review(self, texts: Mapping[str, str]) -> Review | None:
        last = self.session.attempts[-1] if self.session.attempts else None
        if last is None or last.review is None or last.files_hash != self.text_hash(texts):
            return None
        return last.review


def _remember(cache: dict[str, T], text: str, value: T) -> None:
    if len(cache) >= CACHED_TEXTS:
        del cache[next(iter(cache))]
    cache[text] = value


def _normal(text: str | None) -> str | None:
    if text is None:
        return None
    return normalise_line_ends(text.removeprefix("\ufeff")).rstrip("\n")


def _given(text: str | None) -> str | None:
    """A given file's text without what the tutor itself keeps true in it."""
    return None if text is None else _LINK_LINE.sub(r"\1L", _normal(text) or "")


def _heading_lines(text: str) -> dict[str, int]:
    """The line of each heading, of the first one where several are the same."""
    marks = reversed(list(headings(normalise_line_ends(text))))
    return {mark.text: mark.line for mark in marks}
