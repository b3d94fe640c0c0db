"""Whether a model's hint may be shown, and how: it must not solve the stub, and must have a
ground."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.core.text.plain_text import unescaped
from tutor_lsp.languages.common.proof.splice import put_back, site_of, with_definition
from tutor_lsp.languages.common.syntax import body_of, parameter_names, parameters_of, parse
from tutor_lsp.languages.registry import dialect
from tutor_lsp.stages.reveal import reveals, solution_lines
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.shadow_copies import ShadowCopies
from tutor_lsp.tutor.hinting.coach.claims import without_claims
from tutor_lsp.tutor.hinting.coach.declared import passes_in_file
from tutor_lsp.tutor.hinting.coach.forms import (
    SHORT,
    Form,
    copies,
    form_of,
    gives_away,
    share_of_lines,
)
from tutor_lsp.tutor.hinting.coach.pieces import blocks, pairs, pieces, readable, statements
from tutor_lsp.tutor.hinting.coach.predicted import tells_value
from tutor_lsp.tutor.hinting.coach.prose import dictates
from tutor_lsp.tutor.hinting.coach.running import Green, Known, green
from tutor_lsp.tutor.hinting.coach.splices import Target, Version, changed, reads, versions

LAST = 3
MOST_VERSIONS = 40
"""Maximum number of versions of a stub to run."""
MOST_CHANGED = 16
"""Maximum number of versions to run in which a part of the learner's line is another one."""
ALIKE = 0.5
"""Share of another unit's reference from which code is tried as its solution."""
STEP = 1.5
"""Maximum size of one step, relative to the reference's largest statement."""
LEAK_S = 14.0
"""Time limit for running the versions of a hint, in seconds."""
NOT_TRIED = "the code of the hint could not be tried out in time; show less of it"


@dataclass(frozen=True, slots=True)
class HintFault:
    """Why a hint is not shown: `leak`, `leak-form`, `leak-prose`, `code-at-level-1`,
    `contradiction`, `unfounded`, `unchecked` or `other-words`. The reason may be sent to the
    model: it reveals nothing of the solution."""

    rule: str
    reason: str


WORD_FOR_WORD = HintFault("leak-form", "its text holds the solution word for word")


async def leak(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    level: int,
    text: str,
    code: str | None,
    texts: Mapping[str, str],
    known: Known | None = None,
) -> HintFault | None:
    """Whether a hint gives the solution of a unit away, by its form, by its words, and by what
    happens when its code is put into the stub.

    At levels 1 and 2 it must not make any test of the unit pass; at level 3 not all of them, unless
    it is one statement. `known` caches results for texts that are checked one after another.
    """
    text = unescaped(text)
    told = await asyncio.to_thread(tells_value, opened, f"{text}\n{code or ''}")
    if told is not None:
        return HintFault("leak-value", f"it tells what `{told}` asks for")
    mine = texts.get(unit.file, "")
    if await asyncio.to_thread(_holds_solution, opened, unit, level, text, code, mine):
        return WORD_FOR_WORD
    if unit.kind is UnitKind.PREDICT:
        return None
    read = await asyncio.to_thread(_Reading.of, opened, unit, level, texts)
    stubs = {each.stub for each in opened.exercise.units}
    bare = await asyncio.to_thread(without_claims, text, stubs, read.grammar)
    found = await asyncio.to_thread(pieces, bare, code)
    fault = await asyncio.to_thread(read.fault_of_form, found, text, code)
    if fault is None and unit.aside is not None:
        return await _in_its_file(trials, opened, read, found, texts)
    if fault is not None or read.target is None:
        return fault
    made = (await asyncio.to_thread(versions, read.target, found))[:MOST_VERSIONS]
    if level == LAST:
        made = [each for each in made if not read.is_one_step(each.piece)]
    else:
        made += (await asyncio.to_thread(_changed, read.target, bare))[:MOST_CHANGED]
    if not made:
        return None
    try:
        return await _by_execution(trials, opened, read, read.target, made, known)
    except TutorError as error:
        return HintFault(
            "unchecked", f"the code of the hint could not be tried out: {error.message}"
        )


def leak_of_form(
    opened: OpenExercise,
    unit: Unit,
    level: int,
    text: str,
    code: str | None,
    texts: Mapping[str, str],
    *,
    by_author: bool,
) -> HintFault | None:
    """Whether words and code of a hint are the reference's; runs nothing. Authors may say what code
    does, which of a small function is most of what there is to say. Blocks: parses."""
    read = _Reading.of(opened, unit, level, texts)
    return read.fault_of_form(pieces(text, code), text, code, words=not by_author)


async def leak_of_another(
    trials: ShadowCopies,
    opened: OpenExercise,
    unit: Unit,
    text: str,
    code: str | None,
    texts: Mapping[str, str],
    known: Known | None = None,
) -> HintFault | None:
    """Whether a hint that is for another unit gives this one's solution away. What is said here may
    be like it by chance: a short form, or code that passes some of its tests, is no leak."""
    if unit.kind is not UnitKind.BODY:
        return None
    read = await asyncio.to_thread(_Reading.of, opened, unit, LAST - 1, texts)
    found = await asyncio.to_thread(pieces, unescaped(text), code)
    named = re.search(rf"\b{re.escape(unit.stub)}\b", f"{text}\n{code or ''}") is not None
    if named or len(read.reference.shapes) >= SHORT:
        fault = await asyncio.to_thread(partial(read.fault_of_form, found, text, code, words=named))
        if fault is not None:
            return fault
    if read.target is None:
        return None
    likely = [piece for piece in found if named or read.resembles(piece)]
    made = (await asyncio.to_thread(versions, read.target, likely))[:MOST_VERSIONS]
    made = [each for each in made if not each.renamed or named]
    if not made:
        return None
    try:
        every = replace(read, level=LAST)
        return await _by_execution(trials, opened, every, read.target, made, known)
    except TutorError:
        return None


def _changed(target: Target, text: str) -> list[Version]:
    return changed(target, pairs(text))


def _holds_solution(
    opened: OpenExercise, unit: Unit, level: int, text: str, code: str | None, mine: str
) -> bool:
    starter, solution = opened.exercise.starter, opened.vault.solution
    files = (starter.get(unit.file, ""), solution.get(unit.file, ""))
    mended = unit.kind.given_broken
    lines = solution_lines(opened.exercise.language, *files, unit.stub, mended=mended)
    return reveals({"text": text, "code": code}, level, lines, mine)


async def _in_its_file(
    trials: ShadowCopies,
    opened: OpenExercise,
    read: "_Reading",
    found: Sequence[str],
    texts: Mapping[str, str],
) -> HintFault | None:
    last = read.level == LAST
    try:
        passes = await passes_in_file(
            trials,
            opened,
            read.unit,
            found,
            texts,
            every=last,
            is_step=lambda piece: last and read.is_one_step(piece),
            limit_s=LEAK_S,
        )
    except TutorError as error:
        said = f"the code of the hint could not be tried out: {error.message}"
        return HintFault("unchecked", said)
    if passes is None:
        return HintFault("unchecked", NOT_TRIED)
    said = "all tests pass with its code" if last else "a test passes with its code"
    return HintFault("leak", said) if passes else None


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a hint of a `level` for a unit is compared with. `target` is None where the stub cannot
    be found, `seen` is the learner's own file, and `own` what they have written of the unit."""

    unit: Unit
    level: int
    seen: str
    grammar: Any
    reference: Form
    body: Sequence[Token]
    parameters: Sequence[str]
    target: Target | None
    own: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, opened: OpenExercise, unit: Unit, level: int, texts: Mapping[str, str]
    ) -> "_Reading":
        """Blocks: parses."""
        grammar = dialect(opened.exercise.language).grammar
        reader, seen = opened.toolchain, texts.get(unit.file, "")
        starter = opened.exercise.starter.get(unit.file, "")
        solution = opened.vault.solution.get(unit.file, "")
        theirs = site_of(reader, solution, unit.stub, site_of(reader, starter, unit.stub))
        if unit.aside is not None:
            theirs = opened.stubs({unit.file: solution}).site(unit.id)
        body: Sequence[Token] = ()
        parameters: Sequence[str] = ()
        if theirs is not None:
            parsed = parse(solution, grammar)
            body = body_of(parsed, theirs)
            parameters = parameter_names(parameters_of(parsed, theirs))
        reference = form_of(body, grammar.words, frozenset({unit.stub}))
        blank = put_back(reader, solution or starter, starter, unit.stub)
        target = None
        if blank is not None and unit.aside is None:
            mine = _with_mine(reader, blank, seen, starter, unit)
            target = Target(reader, grammar, unit.stub, blank, mine)
        own = _own(reader, grammar, seen, starter, unit)
        return cls(unit, level, seen, grammar, reference, body, parameters, target, own)

    def fault_of_form(
        self, found: Sequence[str], text: str, code: str | None, *, words: bool = True
    ) -> HintFault | None:
        """Why a hint gives the reference away, in code of the same form or in `words`, or None;
        `found` are its pieces of code."""
        last = self.level == LAST
        for piece in found:
            forms = () if last and self.is_one_step(piece) else self._forms(piece)
            if any(gives_away(self.reference, each) for each in forms):
                return HintFault("leak-form", "its code is the solution with other names or values")
        if copies(self.body, f"{text}\n{code or ''}", self.seen, least=2 if last else 1):
            return WORD_FOR_WORD
        # Code that cannot run (a slip, another language) is read as words.
        broken = [block for block in blocks(text, code) if not readable(block, self.grammar)]
        said = () if last or not words else (text, *(f"return {block}" for block in broken))
        if any(dictates(each, self.body, self.parameters, self.own) for each in said):
            return HintFault("leak-prose", "its words say every step of the solution; say less")
        return None

    def resembles(self, piece: str) -> bool:
        """Whether a good part of the reference stands in a piece."""
        return any(share_of_lines(self.reference, form) >= ALIKE for form in self._forms(piece))

    def is_one_step(self, piece: str) -> bool:
        """Whether a piece is one statement, and no larger than those of the reference: several of
        them in one expression are several steps."""
        if statements(piece, self.grammar) > 1:
            return False
        sizes = Counter(self.reference.lines).values()
        size = len(form_of(parse(piece, self.grammar).tokens, self.grammar.words).shapes)
        return size <= STEP * max(sizes, default=size)

    def _forms(self, piece: str) -> Iterator[Form]:
        """The form of each function's body in a piece; of the piece itself where it has none."""
        sites = self.target.reader.functions(piece) if self.target is not None else ()
        parsed = parse(piece, self.grammar)
        own = frozenset(site.name for site in sites)
        if not sites:
            yield form_of(parsed.tokens, self.grammar.words)
        for site in sites:
            yield form_of(body_of(parsed, site), self.grammar.words, own)

    def needed(self, version: Version) -> int:
        """How many of the unit's tests must pass, one of them newly, to make it a leak: one for
        code that is inserted as it is, more for code about something else under our names, which
        may be right once by chance."""
        every = len(self.unit.tests)
        if self.level == LAST:
            return every
        return every // 2 + 1 if version.renamed else 1


def _own(reader: Any, grammar: Any, text: str, starter: str, unit: Unit) -> frozenset[str]:
    """The tokens of the learner's function that it was not given with."""
    site = site_of(reader, text, unit.stub, site_of(reader, starter, unit.stub))
    given = site_of(reader, starter, unit.stub)
    if site is None or given is None:
        return frozenset()
    before = {token.text for token in body_of(parse(starter, grammar), given)}
    return frozenset(token.text for token in body_of(parse(text, grammar), site)) - before


def _with_mine(reader: Any, blank: str, text: str, starter: str, unit: Unit) -> str | None:
    """The blank file with the learner's function in it, None if that is unchanged."""
    site, place, given = (site_of(reader, each, unit.stub) for each in (text, blank, starter))
    if site is None or place is None or given is None:
        return None
    mine = text[site.start : site.end]
    if mine.split() == starter[given.start : given.end].split():
        return None
    return with_definition(blank, place, mine)


async def _by_execution(
    trials: ShadowCopies,
    opened: OpenExercise,
    read: _Reading,
    target: Target,
    made: Sequence[Version],
    known: Known | None,
) -> HintFault | None:
    # Code that does not parse would keep all versions from running as one program.
    own = [target.mine] if target.mine and reads(target, target.mine) else []
    files = [*own, *(version.text for version in made)]
    texts = {**opened.exercise.starter, **opened.vault.solution, read.unit.file: target.blank}

    def telling(results: Green) -> bool:
        if own and 0 not in results:
            return False
        before = results[0] if own else frozenset()
        return any(
            results[at] - before and len(results[at]) >= read.needed(version)
            for at, version in enumerate(made, start=len(own))
            if at in results
        )

    results = await green(
        trials, opened, read.unit, texts, files, enough=telling, limit_s=LEAK_S, known=known
    )
    if not telling(results):
        # A version that was not run may leak.
        return None if len(results) == len(files) else HintFault("unchecked", NOT_TRIED)
    if read.level == LAST:
        return HintFault("leak", "its code does more than one step: all tests pass with it")
    return HintFault("leak", "a test passes with its code in the stub")
