"""Whether a model's hint may be shown: it must not solve the stub, and must have a ground."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import TestOutcome
from tutor_lsp.core.text.plain_text import unescaped
from tutor_lsp.languages.common.proof.splice import put_back, site_of, with_definition
from tutor_lsp.languages.common.syntax import body_of, parameter_names, parameters_of, parse
from tutor_lsp.languages.registry import dialect
from tutor_lsp.tutor.hinting.coach import grounds
from tutor_lsp.tutor.hinting.coach.asking import Coached
from tutor_lsp.tutor.hinting.coach.disguise import gathered, plain
from tutor_lsp.tutor.hinting.coach.forms import LEAST, Form, form_of, gives_away
from tutor_lsp.tutor.hinting.coach.holes import Called, calls_of, filled
from tutor_lsp.tutor.hinting.coach.pieces import Piece, blocks, pieces, readable, spans, statements
from tutor_lsp.tutor.hinting.coach.prose import dictates
from tutor_lsp.tutor.hinting.coach.running import Green, Known, green
from tutor_lsp.tutor.hinting.coach.shown import shown
from tutor_lsp.tutor.hinting.coach.splices import Target, Version, exchanged, reads, versions

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
    from tutor_lsp.tutor.exercise.shadow_copies import Trials
    from tutor_lsp.tutor.hinting.coach.asking import Wanted

LAST = 3
MOST_VERSIONS, MOST_CLOSED = 40, 12
"""Most versions that are run, and most of those whose gaps were filled."""
STEP = 1.5
"""How much larger than the largest statement of the reference one step may be."""
LEAK_S, FIX_S = 14.0, 10.0
"""Longest that the versions of a hint, and its fix, may run, in seconds."""
NOT_TRIED = "the code of the hint could not be tried out in time; show less of it"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a hint is not shown: `leak`, `leak-form`, `leak-prose`, `code-at-level-1`,
    `contradiction`, `unfounded` or `unchecked`. The reason may be told to the model: it holds
    nothing of the solution."""

    rule: str
    reason: str


async def check(
    app: "App", opened: "OpenExercise", wanted: "Wanted", payload: Mapping[str, Any]
) -> Coached | Fault:
    """The hint as it may be shown, or why it may not. Runs code; never shows its fix."""
    unit = opened.unit(wanted.unit)
    texts = dict(wanted.context.texts)
    text, code = str(payload["text"]), payload["code"]
    stages = await app.load("tutor_lsp.stages.tutoring")
    tutoring = stages.coach_request(wanted.context, unit.id, wanted.level).packet["tutoring"]
    seen = grounds.evidence(tutoring)
    if wanted.level == 1 and grounds.shows_code(text, seen):
        return Fault("code-at-level-1", "a hint of level 1 shows no code, not even inline")
    fault = await leak(app.trials, opened, unit, wanted.level, text, code, texts)
    if fault is not None:
        return fault
    if grounds.contradicts(text, failing=True):
        return Fault("contradiction", "the hint speaks against the tests or their outcome")
    tags = tuple(payload.get("tags") or ())
    if await fixes(app.trials, opened, unit, payload["fix"], texts):
        text, code = await asyncio.to_thread(shown, text, code, opened.exercise.language)
        return Coached(text, code, verified=True, tags=tags)
    names = {name for each in opened.exercise.units for name in each.tests}
    said = grounds.supported(text, seen, names)
    if not said:
        return Fault("unfounded", "no fix passed a test, and the facts do not support the text")
    # The last hint's code is about the learner's own lines: without a ground it is a guess.
    code = None if wanted.level == LAST else code
    said, code = await asyncio.to_thread(shown, said, code, opened.exercise.language)
    return Coached(said, code, verified=False, tags=tags)


async def fixes(
    trials: "Trials",
    opened: "OpenExercise",
    unit: Unit,
    fix: Sequence[Mapping[str, str]] | None,
    texts: Mapping[str, str],
) -> bool:
    """Whether a fix, put into the learner's files, turns a test of the unit green that is not
    green without it."""
    allowed = set(opened.exercise.starter)
    files = {path: each["content"] for each in fix or () if (path := _known(each, allowed))}
    if not files:
        return False
    try:
        async with asyncio.timeout(FIX_S):
            before = await trials.run(opened, tests=unit.tests, texts=texts)
            after = await trials.run(opened, files, unit.tests, texts=texts)
    except TimeoutError:
        return False
    was = {t.name for t in before.tests if t.outcome is TestOutcome.PASSED}
    now = {t.name for t in after.tests if t.outcome is TestOutcome.PASSED and t.unit == unit.id}
    return bool(now - was)


def _known(file: Mapping[str, str], allowed: set[str]) -> str | None:
    path = file["file_path"]
    return next((p for p in (path, f"src/{path}") if p in allowed), None)


async def leak(
    trials: "Trials",
    opened: "OpenExercise",
    unit: Unit,
    level: int,
    text: str,
    code: str | None,
    texts: Mapping[str, str],
    known: Known | None = None,
) -> Fault | None:
    """Whether a hint gives the solution of a unit away, by its form, by its words, and by what
    happens when its code is put into the stub.

    At levels 1 and 2 no test of the unit may turn green by it; at level 3 not all of them, unless
    it is one statement. `known` spares texts that are looked at one after the other the versions
    that they have in common.
    """
    text = unescaped(text)
    read = await asyncio.to_thread(_Reading.of, opened, unit, texts)
    found = await asyncio.to_thread(pieces, text, code, read.grammar)
    gaps = await asyncio.to_thread(filled, text, code, read.calls, read.grammar)
    fault = await asyncio.to_thread(_by_form, read, level, [*found, *gaps], text, code)
    if fault is not None or read.target is None:
        return fault
    made = await asyncio.to_thread(versions, read.target, found)
    if level < LAST:
        made = [*await asyncio.to_thread(exchanged, read.target, spans(text)), *made]
    closed = await asyncio.to_thread(versions, read.target, gaps)
    made = [*made[:MOST_VERSIONS], *closed[:MOST_CLOSED]]
    if level == LAST:
        made = [each for each in made if not _one_step(read, each.piece)]
    if not made:
        return None
    try:
        return await _by_execution(trials, opened, unit, level, read, read.target, made, known)
    except TutorError as error:
        return Fault("unchecked", f"the code of the hint could not be tried out: {error.message}")


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a hint is compared with. `target` is None where the stub cannot be found."""

    grammar: Any
    reference: Any
    body: Sequence[Any]
    calls: Sequence[Called]
    parameters: Sequence[str]
    target: Target | None
    solved: Mapping[str, str]

    @classmethod
    def of(cls, opened: "OpenExercise", unit: Unit, texts: Mapping[str, str]) -> "_Reading":
        """Blocks: parses."""
        grammar = dialect(opened.exercise.language).grammar
        reader = opened.toolchain
        starter = opened.exercise.starter.get(unit.file, "")
        solution = opened.vault.solution.get(unit.file, "")
        stub = site_of(reader, starter, unit.stub)
        theirs = site_of(reader, solution, unit.stub, stub)
        body: Sequence[Any] = ()
        calls: Sequence[Called] = ()
        parameters: Sequence[str] = ()
        if theirs is not None:
            parsed = parse(solution, grammar)
            body = body_of(parsed, theirs)
            calls = calls_of(solution, body)
            parameters = parameter_names(parameters_of(parsed, theirs))
        reference = form_of(body, frozenset({unit.stub}))
        blank = put_back(reader, solution or starter, starter, unit.stub)
        target = None
        if blank is not None:
            mine = _with_mine(reader, blank, texts.get(unit.file, ""), starter, unit)
            target = Target(reader, grammar, unit.stub, blank, mine)
        return cls(grammar, reference, body, calls, parameters, target, opened.vault.solution)


def _with_mine(reader: Any, blank: str, text: str, starter: str, unit: Unit) -> str | None:
    """The blank file with the learner's function in it, None where that is as it was given."""
    site = site_of(reader, text, unit.stub)
    place = site_of(reader, blank, unit.stub)
    given = site_of(reader, starter, unit.stub)
    if site is None or place is None or given is None:
        return None
    mine = text[site.start : site.end]
    if mine.split() == starter[given.start : given.end].split():
        return None
    return with_definition(blank, place, mine)


def _by_form(
    read: _Reading, level: int, found: Sequence[Piece], text: str, code: str | None
) -> Fault | None:
    for piece in found:
        one = level == LAST and _one_step(read, piece)
        if not one and any(gives_away(read.reference, each) for each in _forms(read, piece)):
            return Fault("leak-form", "its code is the solution with other names or values")
    if level == LAST:
        return None
    whole = "".join(token.text for token in read.body)
    if len(read.body) >= LEAST and _squeezed(whole) in _squeezed(f"{text}\n{code}"):
        return Fault("leak-form", "its text holds the solution word for word")
    # What cannot be run, for a slip or since it is of another language, is read as words.
    words = gathered(plain(text))
    shown = blocks(words, plain(code) if code else None)
    broken = [block for block in shown if not readable(block, read.grammar)]
    said = (words, *(f"return {block}" for block in broken))
    if any(dictates(each, read.body, read.parameters) for each in said):
        return Fault("leak-prose", "its words say every step of the solution; say less")
    return None


def _squeezed(text: str) -> str:
    """A text without blanks and line ends."""
    return "".join(gathered(plain(text)).split())


def _one_step(read: _Reading, piece: Piece) -> bool:
    """Whether a piece is one statement, and no larger than those of the reference: several of
    them in one expression are several steps."""
    if statements(piece.text, read.grammar) > 1:
        return False
    sizes = Counter(read.reference.lines).values()
    size = len(form_of(parse(piece.text, read.grammar).tokens).shapes)
    return size <= STEP * max(sizes, default=size)


def _forms(read: _Reading, piece: Piece) -> Iterator[Form]:
    """The form of each function's body in a piece; of the piece itself where it has none."""
    reader = read.target.reader if read.target is not None else None
    sites = reader.functions(piece.text) if reader is not None else ()
    parsed = parse(piece.text, read.grammar)
    own = frozenset(site.name for site in sites)
    if not sites:
        yield form_of(parsed.tokens)
    for site in sites:
        yield form_of(body_of(parsed, site), own)


def _needed(version: Version, unit: Unit, level: int) -> int:
    """How many of the unit's tests must be green, one of them newly so, for a leak. One where the
    code is put in as it is; but code about something else, under our names, or a mere part of
    some, may be right once by chance."""
    every = len(unit.tests)
    if level == LAST or version.piece.kind == "part":
        return every
    return every // 2 + 1 if version.renamed else 1


async def _by_execution(
    trials: "Trials",
    opened: "OpenExercise",
    unit: Unit,
    level: int,
    read: _Reading,
    target: Target,
    made: Sequence[Version],
    known: Known | None,
) -> Fault | None:
    own = []
    # What does not parse passes nothing, and would keep all versions from running as one program.
    if target.mine and reads(target, target.mine):
        own = [target.mine]
    files = [*own, *(version.text for version in made)]
    texts = {**opened.exercise.starter, **read.solved, unit.file: target.blank}

    def telling(results: Green) -> bool:
        before = results.get(0, frozenset()) if own else frozenset()
        return any(
            results[at] - before and len(results[at]) >= _needed(version, unit, level)
            for at, version in enumerate(made, start=len(own))
            if at in results and (not own or 0 in results)
        )

    results = await green(
        trials, opened, unit, texts, files, enough=telling, limit_s=LEAK_S, known=known
    )
    if not telling(results):
        # What was not run may leak: without an answer for each there is none for the hint.
        return None if len(results) == len(files) else Fault("unchecked", NOT_TRIED)
    if level == LAST:
        return Fault("leak", "its code does more than one step: all tests pass with it")
    return Fault("leak", "a test passes with its code in the stub")
