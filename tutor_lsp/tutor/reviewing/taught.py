"""Reviews that teach what was taught: at most one remark takes something that the learner has not
been shown, and says so; none talks them out of what the exercise's last hint says."""

import asyncio
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, Unit
from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.exercise.review_check import Dropped
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.session import Finding, Place, Review
from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.common.treesitter import Source, walk
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.library.loader import Library
from tutor_lsp.library.markdown import code_blocks, inline_code
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.reviewing.leaks import open_units
from tutor_lsp.tutor.reviewing.verify_review import COUNTS, REMARK
from tutor_lsp.tutor.services.services import Services

CONSTRUCTS = "constructs.toml"
"""The text of a language that says what its constructs are called."""
LEAST = 3
"""Characters of a piece of code by which it is known again."""
MOST_TOPICS = 40
"""Passed topics that are looked into."""
_NAME = re.compile(r"[^\W\d]\w+")
_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'")
_PLAIN = frozenset({"true", "false", "null"})
Texts = Mapping[str, str]
Constructs = Sequence[tuple[re.Pattern[str], Collection[str]]]


async def passed_topics(services: Services, language: str) -> tuple[str, ...]:
    """The topics of a language that the learner passed or knows."""
    found = await services.db(lambda tx: tx.nodes(language))
    return tuple(node for node, record in found.items() if record.mastery or record.claimed)


async def as_taught(
    review: Review,
    report: TestReport,
    opened: OpenExercise,
    texts: Texts,
    library: Library,
    passed: Iterable[str],
) -> tuple[Review, tuple[Dropped, ...]]:
    """The review with what was taught, at most one thing that is new, and what was left out."""
    return await asyncio.to_thread(_as_taught, review, report, opened, texts, library, passed)


async def with_the_last_hint(
    review: Review, report: TestReport, opened: OpenExercise, texts: Texts
) -> Review:
    """A review without an improvement that is against the last hint on a unit that passes."""
    against = await asyncio.to_thread(_LastHints, opened, report, texts)
    at = review.improvement_at
    if review.improvement and against.speaks(review.improvement, at, changes=True):
        return replace(review, improvement=None, improvement_at=None)
    return review


def _as_taught(
    review: Review,
    report: TestReport,
    opened: OpenExercise,
    texts: Texts,
    library: Library,
    passed: Iterable[str],
) -> tuple[Review, tuple[Dropped, ...]]:
    last = _LastHints(opened, report, texts)
    seen = _Seen(opened, report, texts, library, passed)
    dropped: list[Dropped] = []
    introduced = False

    def stands(what: str, said: str, at: Place | Finding | None, *, changes: bool) -> str | None:
        """What is said with it: nothing for what was taught. None where it is left out."""
        nonlocal introduced
        if last.speaks(said, at, changes=changes):
            dropped.append(Dropped(what, "it is against the last hint on these lines"))
            return None
        new = seen.new_in(said)
        if new is None:
            return ""
        if introduced:
            dropped.append(Dropped(what, f"nothing has shown {new} yet"))
            return None
        introduced = True
        name = languages()[opened.exercise.language].name
        if re.search(rf"{re.escape(name)}\s+\w+\s*also|{re.escape(name)} also", said):
            return ""
        return t(f"{name} also has {new}, which is new here.") + " "

    improvement, at = review.improvement, review.improvement_at
    if improvement is not None:
        before = stands("improvement", improvement, at, changes=True)
        improvement = None if before is None else before + improvement
    findings = []
    for each in review.findings:
        before = ""
        if each.evidence not in (COUNTS, REMARK):  # an input, which was run
            said = f"{each.claim}\n\n{each.evidence}"
            before = stands("finding", said, each, changes=False)
        if before is not None:
            findings.append(replace(each, claim=before + each.claim))
    kept = replace(
        review,
        improvement=improvement,
        improvement_at=None if improvement is None else at,
        findings=tuple(findings),
    )
    return kept, tuple(dropped)


class _Seen:
    """What the learner has been shown: this exercise, what its run said, and of passed topics what
    the library has. Parses and reads: blocks."""

    def __init__(
        self,
        opened: OpenExercise,
        report: TestReport,
        texts: Texts,
        library: Library,
        passed: Iterable[str],
    ) -> None:
        exercise = opened.exercise
        self._language = exercise.language
        self._library, self._passed = library, [*passed][:MOST_TOPICS]
        self._names = {*dialect(self._language).grammar.words.nothing}
        self._kinds: set[str] = set()
        self._prose: list[str] = []
        hints = (text for hints in opened.vault.hints.values() for text in hints)
        code = (text for file, text in texts.items() if file != LESSON)
        self._read([texts.get(LESSON, ""), *hints], [*code, *exercise.starter.values()])
        self._names |= {name for text in _told(report) for name in _NAME.findall(text)}
        for unit in exercise.units:
            self._names |= {unit.stub, *unit.tests, *_NAME.findall(unit.file)}

    def new_in(self, said: str) -> str | None:
        """The first thing in a text that was not shown, as it is called there."""
        found = self._unknown(said)
        while found is not None and self._passed:
            for entry in self._library.find(self._passed.pop()):
                try:
                    other = self._library.load(entry)
                except TutorError:  # not shown by what cannot be read
                    continue
                hints = (text for hints in other.hints.values() for text in hints)
                self._read([other.lesson, *hints], [*other.src.values(), *other.tests.values()])
            found = self._unknown(said)
        return found

    def _unknown(self, said: str) -> str | None:
        for code in inline_code(said):
            for name in _NAME.findall(_TEXT.sub("", code)):
                if name not in self._names and name.lower() not in _PLAIN:
                    return f"`{name}`"
        for pattern, kinds in _constructs(self._language):
            found = pattern.search(said)
            if (
                found
                and self._kinds.isdisjoint(kinds)
                and not any(map(pattern.search, self._prose))
            ):
                return found[0]
        return None

    def _read(self, prose: Iterable[str], code: Iterable[str]) -> None:
        for text in filter(None, prose):
            self._prose.append(text)
            self._names |= {*_NAME.findall(text)}
            for block in code_blocks(text):
                self._kinds |= _kinds(self._language, block.text)
        for text in code:
            self._names |= {*_NAME.findall(text)}
            self._kinds |= _kinds(self._language, text)


def _kinds(language: str, code: str) -> set[str]:
    return {node.type for node in walk(Source(language, code).root)}


def _constructs(language: str) -> Constructs:
    named = tomllib.loads(languages()[language].text(CONSTRUCTS) or "")
    return [(re.compile(rf"(?i)\b(?:{names})\b"), kinds) for names, kinds in named.items()]


def _told(report: TestReport) -> Iterator[str]:
    for error in report.build_errors:
        yield error.message
    for test in report.tests:
        yield " ".join(filter(None, (test.message, test.expected, test.actual, test.output)))


class _LastHints:
    """The code that the last hints on units that pass ask for, where the learner has it."""

    def __init__(self, opened: OpenExercise, report: TestReport, texts: Texts) -> None:
        left = open_units(opened.exercise.units, report)
        language, starter = opened.exercise.language, opened.exercise.starter
        given = {name for text in starter.values() for name in _NAME.findall(text)}
        own = [texts[file] for file in opened.stub_files() if file in texts]
        names = {name for text in own for name in _identifiers(language, text)} - given
        hints = opened.vault.hints
        self._units = [
            (unit, _rows(opened, unit, texts), [*_pieces(hints.get(unit.id, ()), names)])
            for unit in opened.exercise.units
            if unit not in left
        ]
        self._own = {name for text in own for name in _NAME.findall(text)}

    def speaks(self, said: str, at: Place | Finding | None, *, changes: bool) -> bool:
        """Whether a remark wants lines to be other than the last hint wants them. One that
        `changes` them does in any case, another one if it has code that is not there."""
        named = {name for code in inline_code(said) for name in _NAME.findall(code)}
        if not changes and named <= self._own:
            return False
        for unit, rows, pieces in self._units:
            if at is None:
                about = " ".join(inline_code(said))
            elif at.file == unit.file and at.line in rows:
                about = at.quote
            else:
                continue
            if any(_holds(about, piece) for piece in pieces):
                return True
        return False


def _rows(opened: OpenExercise, unit: Unit, texts: Texts) -> range:
    site = opened.stubs(texts).site(unit.id)
    if site is None or unit.file not in texts:
        return range(0)
    text = texts[unit.file]
    return range(text.count("\n", 0, site.start) + 1, text.count("\n", 0, site.end) + 2)


def _identifiers(language: str, text: str) -> Iterator[str]:
    source = Source(language, text)
    for node in walk(source.root):
        if not node.children and node.type.endswith("identifier"):
            yield source.text_of(node)


def _pieces(written: Sequence[str], names: Collection[str]) -> Iterator[str]:
    """The code in the last hint, each up to where it says that something stands there; of single
    words those that are `names` of the learner's own choice."""
    last = written[HIGHEST_LEVEL - 1] if len(written) >= HIGHEST_LEVEL else ""
    rows = (row for block in code_blocks(last) for row in block.text.split("\n"))
    for code in (*inline_code(last), *rows):
        piece = max(code.split("…"), key=len).strip()
        word = piece.rstrip("()")
        if _NAME.fullmatch(word):
            if word in names:
                yield word
        elif len("".join(piece.split())) >= LEAST:
            yield piece


def _holds(code: str, piece: str) -> bool:
    if _NAME.fullmatch(piece):
        return re.search(rf"\b{piece}\b", code) is not None
    return "".join(piece.split()) in "".join(code.split())
