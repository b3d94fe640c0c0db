"""The state of an open exercise: its session, current texts, and their parses."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.declared import file_site
from tutor_lsp.core.exercise.exercise import LESSON, Exercise, Unit, UnitKind
from tutor_lsp.core.exercise.mistakes import Mistake
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.exercise.snapshot import affects_runs
from tutor_lsp.core.exercise.standing import Early
from tutor_lsp.core.exercise.units import Stubs, files_hash
from tutor_lsp.core.learner.recommendation import Advice
from tutor_lsp.core.ports import FunctionSite, Toolchain
from tutor_lsp.core.session import Session, Vault
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.exercise.cases import with_cases
from tutor_lsp.tutor.exercise.folder.files import given_text, plain_text, read_text, same_text
from tutor_lsp.tutor.exercise.folder.saved_texts import SavedFiles, SavedTexts
from tutor_lsp.tutor.exercise.turns import Turns

Buffer = Callable[[Path], str | None]
CACHED_TEXTS = 64
"""Number of parsed texts kept per exercise."""
GIVEN_FILES = ("tests/", LESSON)
PATIENCE_S = 0.3
"""How long results count as current after a save whose check is on its way, in seconds: most checks
end sooner, and marks that come and go with each save would only disturb."""


def saved_at(path: Path) -> float:
    """When a file was saved, by `time.monotonic`, at most `PATIENCE_S` ago: while a server starts,
    a save waits before anybody hears of it."""
    now = time.monotonic()
    try:
        ago = time.time() - path.stat().st_mtime
    except OSError:
        return now
    return now - min(max(ago, 0.0), PATIENCE_S)


class ExerciseState:
    """The state of one open exercise, without what follows from it (`OpenExercise`).

    `session` is the newest state that this process knows; the store is the truth. Texts are read
    anew every time: the editor's buffer where the file is open, else the disk.
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
        self.hinting = Turns()
        self.trusting = asyncio.Lock()
        self.exercise = exercise
        self.vault = vault
        self.toolchain = toolchain
        self._made = exercise, vault  # without the cases of the session
        self._session = session
        self.last_edited: str | None = None
        self._unparsed: tuple[str, BuildError] | None = None  # with the hash of what was saved
        self.ran_texts: Mapping[str, str] = {}
        self.seen_texts: dict[str, str] = {}  # each file as last seen, deleted or not
        self.next_title: str | None = None
        self.was_reset: frozenset[str] = frozenset()
        self.refusal: str | None = None  # why no run can be made here, until one is made
        self.pending: Callable[[], bool] = lambda: False
        self.saves = 0
        self.caught_up = False  # whether what was saved and not run was looked for
        # What the run under way has found, with the hash of the texts it runs on.
        self.early: tuple[str, Early] | None = None
        self._expected: float | None = None
        self._files: SavedFiles
        self._take_cases()
        self._looked = ""
        self.linked_texts: Mapping[str, str] = vault.originals
        # Known mistakes by unit, once somebody looked for them.
        self.mistakes: Mapping[str, tuple[Mistake, ...]] | None = None
        self.beside: dict[str, Any] = {}  # what is found out beside all else, by who looks
        self.easier: Advice | None = None
        self.asks = False  # whether a model would answer a question, as far as known
        self._buffer = buffer
        self.functions = lru_cache(CACHED_TEXTS)(lambda text: self.toolchain.functions(text))
        self.test_sites = lru_cache(CACHED_TEXTS)(lambda text: self.toolchain.tests(text))
        self.lines = languages()[exercise.language].lines
        self._definitions: dict[str, dict[str, str]] = {}

    @property
    def session(self) -> Session:
        """The newest state that this process knows."""
        return self._session

    @session.setter
    def session(self, session: Session) -> None:
        before, self._session = self._session, session
        if session.cases != before.cases:
            self._take_cases()

    def _take_cases(self) -> None:
        """Exercise and given files with the session's cases as tests."""
        self.exercise, self.vault = self._made
        cases = self._session.cases
        if cases:
            self.exercise, self.vault = with_cases(*self._made, cases, self.toolchain)
        given = self.vault.originals
        self._files = SavedFiles(self.root, self.exercise, given, self.toolchain)

    def path(self, file: str) -> Path:
        """Absolute path of a workspace file. Raises TutorError `BAD_PATH` if it leaves it."""
        path = self.root / file
        inside = os.path.realpath(path).startswith(self._real_root + os.sep)
        if ".." in Path(file).parts or Path(file).is_absolute() or not inside:
            raise TutorError(
                "BAD_PATH",
                f"{path} leads out of the exercise, so it is left alone. Remove the link, or "
                "start the exercise again.",
            )
        return path

    def relative(self, path: Path) -> str | None:
        """Path of a file relative to the exercise with `/`, None if it lies outside."""
        if path.is_relative_to(self.root):
            return path.relative_to(self.root).as_posix()
        real = Path(os.path.realpath(path))
        inside = real.is_relative_to(self._real_root)
        return real.relative_to(self._real_root).as_posix() if inside else None

    def edited(self, path: Path) -> None:
        """Record where the learner is."""
        file = self.relative(path)
        if file is not None and (file.startswith("src/") or file in self.exercise.starter):
            self.last_edited = self._changed_unit(file) or self.last_edited

    def _changed_unit(self, file: str) -> str | None:
        """The unit of a file whose definition differs from when this was last asked, the
        first time from what is saved."""
        saved = self.saved().texts.get(file)
        before = self._definitions.get(file) or self._defined(file, saved)
        now = self._definitions[file] = self._defined(file, self.text(file))
        for unit in self.exercise.units:
            if unit.file == file and before and now.get(unit.stub) != before.get(unit.stub):
                return unit.id
        return None

    def _defined(self, file: str, text: str | None) -> dict[str, str]:
        text = text or ""
        own = [u for u in self.exercise.units if u.file == file and u.kind is not UnitKind.BODY]
        if len(own) == 1:
            return {own[0].stub: text}
        if own:
            sites = ((u, file_site(u.stub, text, self.lines, shared=u.id)) for u in own)
            return {u.stub: s.signature + text[s.start : s.end] for u, s in sites if s is not None}
        return {site.name: text[site.start : site.end] for site in self.functions(text)}

    def take_over(self, session: Session) -> bool:
        """The session as another program stored it; True if it differs from what is known here."""
        before, self.session = self.session, session
        known, report = before.last_report, session.last_report
        if report is not None and (known is None or known.run_id != report.run_id):
            # It ran on what is saved: what was found here before is no longer the newest.
            self.has_run({})
        return session != before

    def has_run(self, texts: Mapping[str, str]) -> None:
        """A run was made: what was found here before is no longer the newest."""
        self._unparsed, self.ran_texts, self.refusal, self.early = None, texts, None, None

    def expect_results(self, asked: float) -> None:
        """Something was saved whose check is about to be on its way; `asked` is when, by
        `time.monotonic`. Where others are on their way already they are not waited for longer."""
        if not (self.saves or self.pending()):
            self._expected = asked

    def expect_none(self) -> None:
        """No more results are expected."""
        self._expected = self.early = None

    @property
    def results_pending(self) -> bool:
        """Whether results of what was saved last may still come without being late."""
        if self._expected is None or not (self.saves or self.pending()):
            return False
        return time.monotonic() - self._expected < PATIENCE_S

    def known_state(self) -> tuple[object, ...]:
        """What a view depends on besides the texts; equal while none of it changed."""
        return (
            self.exercise,
            self.toolchain,
            self._session,
            self.results_pending,
            self.early,
            self.last_edited,
            self._unparsed,
            self.ran_texts,
            self.next_title,
            self.was_reset,
            self.refusal,
            self.easier,
            self.asks,
        )

    def parses(self) -> bool:
        """Whether the saved text parses; if not, its first error is shown until it changes."""
        saved = self.saved()
        error = self.first_syntax_error(saved.texts)
        self._unparsed = None if error is None else (saved.check_hash, error)
        return error is None

    def first_syntax_error(self, texts: Mapping[str, str] | None = None) -> BuildError | None:
        """The first place in the learner's files that does not parse, or None. Files that a run
        can do without are its own business."""
        aside = {each.file for each in self.exercise.aside}
        for file in self.stub_files():
            if file in aside:
                continue
            text = self.text(file) if texts is None else texts.get(file)
            error = None if text is None else self.toolchain.syntax_error(file, text)
            if error is not None:
                return error
        return None

    def saved(self) -> SavedTexts:
        """The texts as they are saved now."""
        return self._files.look()

    def saved_elsewhere(self) -> bool:
        """Whether other texts are saved than when this was last asked."""
        before, now = self._looked, self.saved().check_hash
        self._looked = now
        return before not in ("", now)

    def text(self, file: str) -> str | None:
        """Current text: the buffer's, else the disk's, None if there is neither."""
        text = self._buffer_of(file)
        return self.saved().texts.get(file) if text is None else text

    def texts(self, saved: SavedTexts | None = None) -> dict[str, str]:
        """Current texts of the learner-visible files that exist, buffers before disk."""
        on_disk = (saved or self.saved()).texts
        texts = {}
        for file in self.exercise.files:
            buffer = self._buffer_of(file)
            text = on_disk.get(file) if buffer is None else buffer
            if text is not None:
                texts[file] = text
        self.seen_texts.update(texts)
        return texts

    def _buffer_of(self, file: str) -> str | None:
        try:
            return self._buffer(self.path(file))
        except TutorError:
            return None

    def stub_files(self) -> tuple[str, ...]:
        """Files that hold stubs, in the order of the units."""
        return tuple(dict.fromkeys(unit.file for unit in self.exercise.units))

    def unsaved(self) -> tuple[str, ...]:
        """Files whose buffer differs from the disk: a run would not test what is seen."""
        files = (file for file in self.exercise.files if file != LESSON)
        return tuple(
            file for file in files if self.shown_otherwise(file, read_text(self.path(file)) or "")
        )

    def shown_otherwise(self, file: str, text: str) -> bool | None:
        """Whether the editor shows another text of a file than this one; None if it shows none."""
        buffer = self._buffer(self.path(file))
        # Editors normalise line ends and hide a byte order mark: neither is an edit.
        return None if buffer is None else not same_text(buffer, text)

    def changed_files(self, texts: Mapping[str, str]) -> tuple[str, ...]:
        """Tests and lesson that were edited or deleted, and what else was given, matters to a run,
        has no stub and is gone; in order."""
        given = self.vault.originals
        return tuple(
            file
            for file in given
            if (
                given_text(texts.get(file)) != given_text(given[file])
                if file.startswith(GIVEN_FILES) and file not in self.exercise.starter
                else file not in texts
                and file not in self.exercise.starter
                and affects_runs(file, self.toolchain)
            )
        )

    def stubs(self, texts: Mapping[str, str]) -> Stubs:
        """Where the stubs are in these texts."""
        return Stubs(self.exercise, texts, self.functions, self.lines)

    def as_checked(self, texts: Mapping[str, str]) -> Exercise:
        """The exercise as a check of these texts judges it: without cases of the session whose
        tests are not in them, so that nobody can see them there. Attempts run those anyway."""
        if not self.session.cases:
            return self.exercise
        tests = (self.test_sites(text) for file, text in texts.items() if file.startswith("tests/"))
        known = {site.name for sites in tests for site in sites}
        known.update(test for unit in self._made[0].units for test in unit.tests)
        units = (
            replace(unit, tests=tuple(test for test in unit.tests if test in known))
            for unit in self.exercise.units
        )
        return replace(self.exercise, units=tuple(units))

    def starter_site(self, unit: Unit) -> FunctionSite | None:
        """The stub of a unit as it was given."""
        return self.stubs(self.exercise.starter).site(unit.id)

    def text_hash(self, texts: Mapping[str, str] | None = None) -> str:
        """Identifies the learner's text of all stub files."""
        texts = texts if texts is not None else self.texts()
        return files_hash({file: texts.get(file, "") for file in self.stub_files()})

    def started(self, saved: SavedTexts | None = None) -> bool:
        """Whether a stub file, as it is seen or `saved`, differs from what was given, line ends
        aside."""
        texts = self.texts() if saved is None else saved.texts
        starter = self.exercise.starter
        return any(
            plain_text(texts.get(f)) != plain_text(starter.get(f)) for f in self.stub_files()
        )

    def unit(self, unit_id: str) -> Unit:
        """The unit by id or by its stub's name. Raises TutorError `NO_UNIT`."""
        for unit in self.exercise.units:
            if unit_id in (unit.id, unit.stub):
                return unit
        names = ", ".join(f"{unit.id} ({unit.stub})" for unit in self.exercise.units)
        raise TutorError("NO_UNIT", f"There is no unit {unit_id} here. Units: {names}.")
