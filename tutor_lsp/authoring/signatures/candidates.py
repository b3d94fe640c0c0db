"""Inputs on which a unit's versions may differ: those of its tests, and their neighbours. Pure."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.domain.inlining import inlined
from tutor_lsp.authoring.domain.neighbours import Neighbour, neighbours
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.signatures import Input
from tutor_lsp.core.language.dialect import Dialect
from tutor_lsp.core.ports import FunctionSite, Toolchain

MOST, BUILT = 200, 80
"""Most inputs of a unit that are tried, and of one that is built with each of them."""
_NEIGHBOURS = 400
_BELOW_ZERO = re.compile(r"(?<=[(\[,])(\s*)\((-[\d._]+)\)(?=\s*[,)\]])")
_LONGEST = 600
"""Characters of an input that may be shown and kept."""


@dataclass(slots=True)
class Inputs:
    """The inputs of one unit, its tests' own first, and the test file in which they make sense."""

    unit: Unit
    file: str
    found: list[Input]
    own: int


def inputs_of(
    unit: Unit,
    solved: Mapping[str, str],
    toolchain: Toolchain,
    dialect: Dialect,
    *,
    beyond: bool,
    seed: int = 0,
) -> Inputs | None:
    """The inputs of a unit's tests and, with `beyond`, of their neighbours; None if it has none.
    `seed` chooses other neighbours."""
    if unit.kind in (UnitKind.TEST, UnitKind.PREDICT):
        return None
    for file, text in below(solved, "tests").items():
        sites = [site for site in toolchain.functions(text) if site.name in unit.tests]
        if not sites:
            continue
        codes = [text[site.start : site.end] for site in sites]
        own = list(dict.fromkeys(_looked(codes, unit, dialect)))
        found = dict.fromkeys(own)
        if beyond:
            near = _near(unit, text, sites, solved, toolchain, dialect, seed)
            looked = list(_looked([each.code for each in near], unit, dialect))
            given = {each.setup for each in own}
            # what is passed to the stub itself before what is made of it before
            looked.sort(key=lambda each: each.setup not in given)
            found |= dict.fromkeys(looked)
        kept = [
            each
            for each in found
            if each.size <= _LONGEST
            and toolchain.syntax_error(file, dialect.watch.case(each, "tutor_case")) is None
        ]
        kept = kept[: MOST if dialect.watch.side_by_side else BUILT]
        return Inputs(unit, file, kept, sum(each in kept for each in own)) if kept else None
    return None


def _looked(codes: Sequence[str], unit: Unit, dialect: Dialect) -> Iterator[Input]:
    for code in codes:
        yield from dialect.watch.inputs(_plain(code), unit.stub)


def _plain(code: str) -> str:
    """A test in which no number that is below zero has brackets of its own for nothing."""
    return _BELOW_ZERO.sub(r"\1\2", code)


def _near(
    unit: Unit,
    text: str,
    sites: Sequence[FunctionSite],
    solved: Mapping[str, str],
    toolchain: Toolchain,
    dialect: Dialect,
    seed: int,
) -> list[Neighbour]:
    found = list(neighbours(text, sites, unit.stub, dialect.grammar, _NEIGHBOURS))
    items = dialect.guards.definitions(text, below(solved, "src"), toolchain)
    for site in sites:
        written = inlined(text, site, items, dialect.grammar)
        if written is not None:
            found += neighbours(written[0], [written[1]], unit.stub, dialect.grammar)
    random.Random(len(text) + seed).shuffle(found)  # noqa: S311 - the same each time
    return sorted(found, key=lambda each: each.far) if seed == 0 else found
