"""What a learner's code comes to on the inputs that tell known mistakes apart, and what those are.

For the bundled library they are shipped; for other exercises they are made beside all else once
they are set up, or when they are first asked for, and kept in the home by content. They never leave
it.
"""

import asyncio
import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from tutor_lsp import __version__
from tutor_lsp.authoring.content import candidate_hash
from tutor_lsp.authoring.model import Candidate
from tutor_lsp.authoring.signatures.candidates import Inputs
from tutor_lsp.authoring.signatures.learned import beside_reference
from tutor_lsp.authoring.signatures.making import signatures_for
from tutor_lsp.authoring.signatures.running import Watched, watched
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.mistakes import Mistake, Place
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.core.exercise.signatures import Signature, Signatures
from tutor_lsp.core.language.watching import NoWatch
from tutor_lsp.core.ports import Files, RunLimits
from tutor_lsp.languages.registry import dialect
from tutor_lsp.library.loader import shipped_signatures
from tutor_lsp.tutor.exercise.folder.files import replace_text
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.diagnosis.located import place_in
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.wire import from_wire, to_wire

FOLDER = Path(".cache", "signatures")
LIMIT_S = 10.0
"""Longest look at a learner's code, in seconds; after that nothing is known of it."""
LIMITS = RunLimits(total_s=LIMIT_S, test_s=LIMIT_S, output_bytes=256 * 1024)

Known = Mapping[str, Signatures]
Mistakes = Mapping[str, tuple[Mistake, ...]]


class SignatureRuns:
    """What is known of exercises, and looks at their learners' code. One for an exercise."""

    def __init__(self, services: Services, trials: ShadowCopies) -> None:
        self._services = services
        self._trials = trials
        self._known: dict[str, Known | None] = {}
        self._making: set[str] = set()

    async def known(self, opened: OpenExercise, mistakes: Mistakes) -> Known:
        """The signatures of an exercise by unit, as far as they are known by now: where they have
        to be made first, that is begun."""
        candidate = _candidate(opened, mistakes)
        key = await asyncio.to_thread(_digest, candidate)
        if key not in self._known:
            self._known[key] = await asyncio.to_thread(self._read, opened, key)
        found = self._known[key]
        if found is None and mistakes and opened.session.trusted and key not in self._making:
            self._making.add(key)
            work = self._make(opened, candidate, key)
            self._services.tasks.spawn(work, "signatures of known mistakes", lasts=True)
        return found or {}

    def _read(self, opened: OpenExercise, key: str) -> Known | None:
        """Those that were made once, which may be none; None if nobody has tried."""
        shipped = shipped_signatures(opened.exercise.content_hash)
        if shipped:
            return shipped
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            kept = json.loads(self._path(key).read_bytes())
            return {unit: from_wire(Signatures, each) for unit, each in kept.items()}
        return None

    async def _make(self, opened: OpenExercise, candidate: Candidate, key: str) -> None:
        with contextlib.suppress(TutorError):
            found = await signatures_for(candidate, opened.toolchain)
            self._known[key] = found
            await asyncio.to_thread(self._write, key, found)

    def _write(self, key: str, found: Known) -> None:
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_text(path, json.dumps(to_wire(found)))

    def _path(self, key: str) -> Path:
        return self._services.home / FOLDER / f"{key}.json"

    async def signature_of(
        self,
        opened: OpenExercise,
        unit: Unit,
        texts: Files,
        known: Signatures,
        *,
        beside_own: bool = False,
    ) -> Signature | None:
        """What the learner's code of a unit comes to beside the reference's other units, or
        `beside_own`; None where that cannot be seen: it does not build, takes too long, or is not
        to be run. Raises TutorError `TOOLCHAIN_MISSING`, `HOME`."""
        if not opened.session.trusted or unit.file not in texts:
            return None
        placed = await asyncio.to_thread(_placed, opened, unit, texts, known, beside_own)
        if placed is None:
            return None
        files, look = placed
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LIMIT_S), self._trials.holding(opened, files) as folder:
                toolchain = opened.toolchain
                report = await toolchain.run(folder, tests=look.names(unit.id), limits=LIMITS)
            if report.outcome is not RunOutcome.BUILD_ERROR:
                outputs = {test.name: test.output for test in report.tests}
                return look.signature(unit.id, outputs, dialect(opened.exercise.language).watch)
        return None

    async def place(
        self,
        opened: OpenExercise,
        unit: Unit,
        texts: Files,
        known: Signatures,
        mistakes: Mistakes,
    ) -> Place | None:
        """See `place_in`."""
        candidate = _candidate(opened, mistakes)
        return await place_in(self._trials, opened, unit, texts, candidate, known)


def _placed(
    opened: OpenExercise, unit: Unit, texts: Files, known: Signatures, beside_own: bool
) -> tuple[Files, Watched] | None:
    """The files to run, and how what they print is read. Blocks: parses."""
    toolchain, units = opened.toolchain, opened.exercise.units
    if toolchain.syntax_error(unit.file, texts[unit.file]) is not None:
        return None
    solved = {**opened.vault.originals, **opened.vault.solution}
    tests = {
        path: {site.name for site in toolchain.tests(text)}
        for path, text in solved.items()
        if path.startswith("tests/")
    }
    place = next((path for path, names in tests.items() if names & set(unit.tests)), None)
    if place is None:
        return None
    files = beside_reference(units, unit, texts, solved, toolchain)
    if beside_own:
        apart = {each.file for each in units if each.aside is not None}
        own = {path: text for path, text in below(texts, "src").items() if path not in apart}
        files = toolchain.complete({**solved, **own})
    inputs = Inputs(unit, place, list(known.inputs), 0)
    with contextlib.suppress(NoWatch):
        look = watched(
            files,
            [inputs],
            dialect(opened.exercise.language).watch,
            [path for path, names in tests.items() if names],
        )
        return look.files, look
    return None


def _candidate(opened: OpenExercise, mistakes: Mistakes) -> Candidate:
    vault, exercise = opened.vault, opened.exercise
    return Candidate(
        exercise.language,
        vault.originals,
        vault.originals,
        vault.solution,
        exercise.units,
        vault.accepts,
        mistakes,
        vault.programs,
    )


def _digest(candidate: Candidate) -> str:
    given = to_wire((__version__, candidate_hash(candidate), candidate.units))
    return hashlib.sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()[:32]
