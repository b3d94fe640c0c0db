"""Which sentences of a hint or review are consistent with the run and the code that it is about.
Pure.

A sentence falls if it speaks against the tests, says of a test or of all of them what the run does
not, tells as a fact a value or piece of code that was neither executed nor stands anywhere, or
praises code that is not there.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from tutor_lsp.core.exercise.report import RunOutcome, TestOutcome, TestReport
from tutor_lsp.core.exercise.verdict import count_passed, is_green
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.hinting.coach import grounds
from tutor_lsp.tutor.hinting.coach.sentences import says

AGAINST_TESTS = "it contradicts the tests"
CONSTRUCTS = "constructs.toml"
"""The text of a language that says what its constructs are called."""
_INLINE = re.compile(r"`([^`\n]+)`")
_WORD = re.compile(r"[^\W\d]\w+")
_VALUE = frozenset({"true", "false", "null"})
_PARTS = re.compile(r"[;:；：]\s*")
_NAME = re.compile(r"[^\W\d][.\w:]*(?:\(\)|!)?")
_LINES = re.compile(
    r"(?i)\b(?:lines?|zeilen?|lignes?|líneas?)\s+\d+(?:\s*(?:-|–|to|and|bis|und|à|et|y|a)\s*\d+)?"
)
_LITERAL = re.compile(r"-?\d[\d_.]*|\"[^\"]*\"|'[^']*'")
_BARE = re.compile(r"(?<![\w.,])-?\d+(?:\.\d+)?(?![\w%]|\.\d)")
_TEST = re.compile(r"\btest_\w+")
_COUNT = re.compile(
    r"(?i)\b(?P<some>\d+)(?: (?:of|out of|von|sur|de)(?: the)? (?P<whole>\d+))?"
    r"(?: of)?(?: the| your)? (?:tests?|pruebas?)\b(?P<rest>[^.!?]{0,30})"
)
_NOT_BUILT = re.compile(r"(?i)\bdo(?:es)?(?: not|n.t) (?:build|compile)\b")
_ONE_FAILS = re.compile(r"(?i)\btests? (?:still )?(?:fails?|do(?:es)?(?: not|n.t) pass)\b")
_RECURSION = re.compile(r"(?i)\b(?:recurs\w+|rekursi\w+|récursi\w+)\b")
_ASKS = re.compile(r"(?i)(?:then |now |next,? )?(?:use|try|look|think|write|put|let|nimm|nutze)\b")
_ERROR = re.compile(r"\w*(?:Error|Exception|Iteration|Exit)")


@cache
def _constructs(language: str) -> Sequence[tuple[re.Pattern[str], frozenset[str]]]:
    """What constructs are called, the longest names first, and the nodes that they are."""
    named = tomllib.loads(languages()[language].text(CONSTRUCTS) or "")
    return tuple(
        (re.compile(rf"(?i)\b(?:{names})\b"), frozenset(kinds)) for names, kinds in named.items()
    )


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts that a hint or review is checked against: the run, everything that the learner can
    see as one text (`seen`), their own files, the names of the exercise's tests, the node types of
    their code, and whether a function of theirs calls itself. `by_test` is what a test says, with
    what the run told of it, `run` are the values that the run told, `nothing` the language's words
    for no value. `true` and `false` are sentences of which execution has shown that."""

    language: str
    report: TestReport
    seen: str
    own: str
    tests: frozenset[str]
    nodes: frozenset[str]
    recursive: bool
    by_test: Mapping[str, str] = field(default_factory=dict)
    nothing: frozenset[str] = frozenset()
    run: frozenset[str] = frozenset()
    true: frozenset[str] = frozenset()
    false: frozenset[str] = frozenset()


def fault(said: str, facts: Facts, *, suggests: bool = False, is_hint: bool = False) -> str | None:
    """Why one sentence does not stand, None if it does. `suggests`: it may name code that is to
    be written, as that of a hint may where it does not praise."""
    green = is_green(facts.report)
    if said in facts.false:
        return "it says that a call does what it did not do when run"
    if grounds.contradicts(said, failing=False):
        return AGAINST_TESTS
    if not green and (_all_is_well(said) or grounds.contradicts(said, failing=True)):
        return "it says that all is well although tests fail"
    if why := next(_of_tests(said, facts), None):
        return why
    if suggests or said in facts.true:
        return None
    if not _stands(said, facts):
        return "it states as fact what was never executed and is written nowhere"
    praised = not is_hint or says("praise").search(said)
    if praised and _praises_absent(said, facts):
        return "it mentions code that is not there"
    return None


def _all_is_well(said: str) -> bool:
    """Whether a sentence says so, or one of its parts does without a word that takes it back."""
    all_well, not_so = says("all_well"), says("not_so")
    parts = [said, *_PARTS.split(said)]
    return any(
        all_well.search(each) and not not_so.search(all_well.sub(" ", each)) for each in parts
    )


def _of_tests(said: str, facts: Facts) -> Iterator[str]:
    outcomes = {test.name: test.outcome for test in facts.report.tests}
    fails, passes = says("fails").search(said), says("passes").search(said)
    for name in _TEST.findall(said):
        if name not in facts.tests:
            yield f"there is no test {name}"
        elif (fails is None) != (passes is None) and name in outcomes:
            passed_so = outcomes[name] is TestOutcome.PASSED
            yield from [f"it reports another outcome for {name}"] * (passed_so != (fails is None))
    yield from _values_of_test(said, facts)
    passed, total = count_passed(facts.report)
    for match in _COUNT.finditer(said):
        fails = says("fails").search(match["rest"])
        told = fails or says("passes").search(match["rest"])
        counted = int(match["some"]) == (total - passed if fails else passed)
        whole = int(match["whole"] or total)
        if (told and not counted) or (total and whole != total):
            yield "its count of tests differs from the run's"
    if facts.report.outcome is not RunOutcome.BUILD_ERROR and _NOT_BUILT.search(said):
        yield "it says that the code does not build"
    if is_green(facts.report) and _ONE_FAILS.search(said):
        yield "it says that a test does not pass"


def _values_of_test(said: str, facts: Facts) -> Iterator[str]:
    """Values that a sentence tells with one test, and that neither this has nor its run."""
    named = {name for name in _TEST.findall(said) if name in facts.by_test}
    if len(named) != 1 or said in facts.true or said.endswith(("?", "？")):
        return
    text = facts.by_test[named.pop()]
    bare = _LINES.sub(" ", _INLINE.sub(" ", _TEST.sub(" ", said)))
    told = [span for span in _INLINE.findall(said) if _LITERAL.fullmatch(span.strip())]
    for value in (*told, *_BARE.findall(bare)):
        if not re.search(rf"(?<![\w.]){re.escape(value.strip())}(?![\w.]*\w)", text):
            yield "it tells a value that this test has not"


def _stands(said: str, facts: Facts) -> bool:
    """`grounds.stands`, for values, calls and pieces of code: bare names and lines need none."""
    if not says("facts").search(said) and not _TEST.search(said):
        return True
    bare = _LINES.sub(" ", said)
    bare = _INLINE.sub(lambda m: m[1] if _is_name(m[1].strip(), facts) else m[0], bare)
    if any(_is_value(span, facts) and span not in facts.run for span in _INLINE.findall(bare)):
        return False  # they occur everywhere, which proves nothing
    return grounds.stands(bare, facts.seen, facts.tests)


def _is_value(span: str, facts: Facts) -> bool:
    return span.lower() in _VALUE or span in facts.nothing


def _is_name(span: str, facts: Facts) -> bool:
    value = _is_value(span, facts) or _ERROR.fullmatch(span)
    return not value and _NAME.fullmatch(span) is not None


def _praises_absent(said: str, facts: Facts) -> bool:
    asks = said.endswith("?") or _ASKS.match(said) is not None
    told = says("yours").search(said) or says("praise").search(said)
    if asks or not told or says("not_so").search(_INLINE.sub(" ", said)):
        return False
    words = set(_WORD.findall(facts.own)) | facts.tests
    if any(set(_WORD.findall(span)) - words for span in _INLINE.findall(said)):
        return True
    if _RECURSION.search(said) and not facts.recursive:
        return True
    bare = _INLINE.sub(" ", said)
    for names, kinds in _constructs(facts.language):
        if names.search(bare):
            return not kinds & facts.nodes
    return False
