"""Step `giveaway`: nothing in lesson or starter solves a stub if put in its place. Pure."""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.proof.literals import named_values
from tutor_lsp.authoring.proof.reading.blocks import Block
from tutor_lsp.authoring.proof.reading.definitions import Definitions
from tutor_lsp.authoring.proof.trial import EXECUTED, Trial
from tutor_lsp.core.exercise.declared import declares
from tutor_lsp.core.exercise.exercise import LESSON, Unit
from tutor_lsp.core.exercise.files import below
from tutor_lsp.core.exercise.parts import text_of, with_code
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.exercise.report import RawReport, TestOutcome
from tutor_lsp.core.language.language import Lines
from tutor_lsp.core.language.syntax import Parsed, Token
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.proof.splice import with_body, with_definition, with_names
from tutor_lsp.languages.common.syntax import (
    body_of,
    is_call,
    is_constant,
    mentioned,
    normal_form,
    parameter_names,
    parameters_of,
    parse,
    split_top,
)

TELLING = 3
SIGN = re.compile(r"[-+*/%<>=!&|^]=?|//|\*\*|<<|>>|&&|\|\||\b(?:and|or|not|in)\b")


@dataclass(frozen=True, slots=True)
class Suspect:
    """A definition that may solve a unit; `files` are all files solved, with it in the stub's
    place. `what` says where it comes from."""

    unit: Unit
    file: str
    line: int
    what: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Found:
    """A function somewhere in lesson or starter; `own` are all functions there, `methods` those
    that take a receiver, `values` those of constants."""

    file: str
    line: int
    text: str
    parsed: Parsed
    site: FunctionSite
    own: frozenset[str]
    methods: frozenset[str]
    values: Mapping[str, str]


def suspects(trial: Trial, solved: Mapping[str, str], blocks: Sequence[Block]) -> list[Suspect]:
    """Every definition of a stub's own name, and every one with the form of a reference.

    `solved` are all files with the reference in place."""
    found: list[Suspect] = []
    values = constants(trial, solved)
    places = [*_in_lesson(trial, blocks, values), *_in_starter(trial, values)]
    for unit in trial.units:
        mine = trial.solved_site(unit, solved)
        if mine is None:
            continue
        if unit.asks_for_tests:
            found += _tested(trial, unit, solved, blocks)
            continue
        if unit.aside is not None:
            if unit.aside.predicts:  # its values are looked for
                continue
            found += _declared(trial, unit, solved, blocks)
            continue
        text = solved[unit.file]
        parsed = parse(text, trial.dialect.grammar)
        for place in places:
            what = f"a definition of `{unit.stub}`"
            if place.site.name != unit.stub:
                what = f"`{place.site.name}`, which is `{unit.stub}` with other names,"
            for new in _spliced(place, unit, text, parsed, mine, values):
                files = {**solved, unit.file: new}
                found.append(Suspect(unit, place.file, place.line, what, files))
        found += _assigned(trial, unit, solved, mine, blocks)
        found += _commented(trial, unit, solved, mine)
    return found


def _declared(
    trial: Trial, unit: Unit, solved: Mapping[str, str], blocks: Sequence[Block]
) -> Iterator[Suspect]:
    """Code of the lesson that declares what a unit asks for, or has the form of its reference, and
    given files that declare it too."""
    text, shared = solved[unit.file], bool(trial.sharing(unit))
    mine = text_of(text, unit.id, trial.lines) if shared else text
    wanted = _form(trial, mine or "")
    places = [(LESSON, block.line, textwrap.dedent(block.code)) for block in blocks]
    given = trial.candidate.under("src").items()
    places += [(file, 1, text) for file, text in given if file != unit.file]
    for file, line, code in places:
        named = declares(code, unit.stub, trial.lines)
        if not named and _form(trial, code) != wanted:
            continue
        what = f"a declaration of `{unit.stub}`"
        if not named:
            what = f"the solution of `{unit.stub}` under other names"
        made = [code if named else text]
        if named and shared and (part := with_code(text, unit.id, code, trial.lines)) is not None:
            made.append(part)
        for each in made:
            yield Suspect(unit, file, line, what, {**solved, unit.file: each})


def _tested(
    trial: Trial, unit: Unit, solved: Mapping[str, str], blocks: Sequence[Block]
) -> Iterator[Suspect]:
    """Tests of the stub in the lesson and in given test files."""
    places = [(LESSON, block.line, textwrap.dedent(block.code)) for block in blocks]
    given = trial.candidate.under("tests").items()
    places += [(file, 1, text) for file, text in given if file != unit.file]
    for file, line, code in places:
        if trial.toolchain.tests(code) and unit.stub in mentioned(
            parse(code, trial.dialect.grammar).tokens
        ):
            files = {**solved, unit.file: code}
            yield Suspect(unit, file, line, f"a test of `{unit.stub}`", files)


def _form(trial: Trial, code: str) -> tuple[str, ...]:
    """The shape of a text, whatever names and values it has."""
    return normal_form((), parse(code, trial.dialect.grammar).tokens)


def check(suspect: Suspect, report: RawReport) -> list[ProofFinding]:
    """A finding if all tests of the suspect's unit pass with it."""
    ended = {test.outcome for test in report.tests if test.name in suspect.unit.tests}
    if report.outcome not in EXECUTED or ended != {TestOutcome.PASSED}:
        return []
    where = "The lesson" if suspect.file == LESSON else "The starter"
    said = f"{where} gives the solution away: {suspect.what} passes all tests of the stub."
    return [ProofFinding("giveaway", said, suspect.file, suspect.line, suspect.unit.id)]


def constants(trial: Trial, files: Mapping[str, str]) -> dict[str, str]:
    """The constants of an exercise's sources with their values."""
    return named_values("\n".join(below(files, "src").values()), trial.lines)


def _in_lesson(
    trial: Trial, blocks: Sequence[Block], values: Mapping[str, str]
) -> Iterator[_Found]:
    for block in blocks:
        values = {**values, **named_values(block.code, trial.lines)}
        yield from _functions(trial, LESSON, block.line, block.code, values)


def _in_starter(trial: Trial, values: Mapping[str, str]) -> Iterator[_Found]:
    stubs = {(unit.stub, unit.file) for unit in trial.units}
    for path, text in trial.candidate.under("src").items():
        for found in _functions(trial, path, 0, text, values):
            if (found.site.name, path) not in stubs:
                yield found


def _functions(
    trial: Trial, file: str, above: int, code: str, values: Mapping[str, str]
) -> Iterator[_Found]:
    text = textwrap.dedent(code)
    sites = trial.toolchain.functions(text)
    parsed = parse(text, trial.dialect.grammar)
    own = frozenset(site.name for site in sites)
    methods = frozenset(
        site.name for site in sites if "self" in parameter_names(parameters_of(parsed, site))[:1]
    )
    for site in sites:
        if site.body_end > site.body_start:
            yield _Found(file, above + site.line, text, parsed, site, own, methods, values)


def _spliced(
    place: _Found,
    unit: Unit,
    text: str,
    parsed: Parsed,
    mine: FunctionSite,
    values: Mapping[str, str],
) -> Iterator[str]:
    """The solved text with the definition in the stub's place; none if it isn't a suspect."""
    if place.site.name == unit.stub:
        names = _unknown(place, parsed)
        yield with_definition(text, mine, _indented(place, text, mine, names))
        # one that is private, or has other types, does what it does under the stub's header too
        under = _under_header(place, text, parsed, mine)
        if "".join(place.site.signature.split()) != "".join(mine.signature.split()) and under:
            yield under
        return
    theirs = body_of(place.parsed, place.site)
    ours = body_of(parsed, mine)
    same = normal_form(parameters_of(place.parsed, place.site), theirs) == normal_form(
        parameters_of(parsed, mine), ours
    )
    if same and len(ours) == len(theirs):
        body = _translated(text, ours, theirs, place, _unknown(place, parsed))
        yield text[: mine.body_start] + body + text[mine.body_end :]
        return
    used = reckoning(theirs, place.values)
    adopted = _under_header(place, text, parsed, mine)
    # it computes with the same operators and values, in another form
    if adopted is not None and len(used) >= TELLING and used == reckoning(ours, values):
        yield adopted


def _under_header(place: _Found, text: str, parsed: Parsed, mine: FunctionSite) -> str | None:
    """The solved text with the body of a function under the stub's own header; None if the two take
    another number of parameters."""
    before = parameter_names(parameters_of(place.parsed, place.site))
    after = parameter_names(parameters_of(parsed, mine))
    if before[:1] == ("self",) and len(before) == len(after) + 1:
        before = before[1:]
    if len(before) != len(after):
        return None
    names = {**_unknown(place, parsed), **dict(zip(before, after, strict=True))}
    body = with_names((place.site.body_start, place.site.body_end), place.parsed, names)
    column = place.site.body_start - place.text.rfind("\n", 0, place.site.body_start) - 1
    return with_body(text, mine, textwrap.dedent(" " * column + body))


def reckoning(body: Sequence[Token], values: Mapping[str, str]) -> list[str]:
    """The operators and values in a body, in any order; `values` are those of constants, which
    count as what they stand for."""
    signs = (t.kind for t in body if SIGN.fullmatch(t.kind) and t.kind != "=")
    known = (t.text if t.kind == "literal" else values.get(t.text) for t in body)
    return sorted([*signs, *(value for value in known if value is not None)])


def _unknown(place: _Found, parsed: Parsed) -> dict[str, str]:
    """The constants at a place that are unknown in the file it is put into."""
    known = mentioned(parsed.tokens)
    return {name: value for name, value in place.values.items() if name not in known}


def _indented(place: _Found, text: str, mine: FunctionSite, names: Mapping[str, str]) -> str:
    """The definition as it would appear in place of ours, from the start of its line, so it can
    be dedented."""
    site = place.site
    first = place.text.rfind("\n", 0, site.start) + 1
    first = first if place.text[first : site.start].isspace() else site.start
    definition = textwrap.dedent(with_names((first, site.end), place.parsed, names))
    margin = text[text.rfind("\n", 0, mine.start) + 1 : mine.start]
    if not margin.isspace():
        return definition
    return textwrap.indent(definition, margin).removeprefix(margin)


def _translated(
    text: str,
    ours: Sequence[Token],
    theirs: Sequence[Token],
    place: _Found,
    unknown: Mapping[str, str],
) -> str:
    """Our body with their values and with the names they call: what remains of the difference
    is what the two functions really do. `unknown` are their constants that ours does not
    have."""
    pieces: list[str] = []
    at = ours[0].start if ours else 0
    for index, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        own = place.methods if index and theirs[index - 1].text in (".", "->") else place.own
        called = is_call(theirs, index) and other.text not in own
        value = is_constant(other) and mine.kind == "literal"
        keep = other.kind == "literal" or called or value
        said = unknown.get(other.text, other.text) if keep else mine.text
        pieces += [text[at : mine.start], said]
        at = mine.end
    return "".join(pieces)


def _assigned(
    trial: Trial,
    unit: Unit,
    solved: Mapping[str, str],
    mine: FunctionSite,
    blocks: Sequence[Block],
) -> Iterator[Suspect]:
    """A function without a definition of its own that the lesson gives the stub's name."""
    text = solved[unit.file]
    takes = parameter_names(parameters_of(parse(text, trial.dialect.grammar), mine))
    for block in blocks:
        code = textwrap.dedent(block.code)
        parsed = parse(code, trial.dialect.grammar)
        tokens = Definitions.of(parsed.tokens).places.get(unit.stub, ())
        if len(tokens) < 2 or tokens[1].kind != tokens[1].text or not tokens[1].text.isalpha():
            continue  # the value does not begin with a keyword, so it is no function
        if parameter_names(split_top(tokens[2:], {":"})[0]) and takes:
            new = with_definition(text, mine, code[tokens[0].start : tokens[-1].end])
            if not parse(new, trial.dialect.grammar).broken:
                files = {**solved, unit.file: new}
                what = f"a definition of `{unit.stub}`"
                yield Suspect(unit, LESSON, block.line, what, files)


def _commented(
    trial: Trial, unit: Unit, solved: Mapping[str, str], mine: FunctionSite
) -> Iterator[Suspect]:
    """Code in comments inside the stub."""
    starter = trial.candidate.files.get(unit.file, "")
    site = trial.stub_site(unit)
    if site is None:
        return
    # a trailing comment comes after the body and still belongs to the function
    inside = [
        comment
        for comment in parse(starter, trial.dialect.grammar).comments
        if site.start <= comment.start < site.end
        and (site.comment is None or not site.comment_line <= comment.line <= site.comment_end_line)
    ]
    said = "\n".join(_uncommented(comment.text, trial.lines) for comment in inside)
    body = textwrap.dedent(said).strip("\n")
    if not re.search(r"[-+*/%<>=&|.(;]", body):  # nothing like code
        return
    text = solved[unit.file]
    variants = [with_body(text, mine, body)]
    given = trial.dialect.grammar.gives.replace("{}", body)
    if given != body and "return" not in body:
        variants.append(with_body(text, mine, given))
    for variant in variants:
        if not parse(variant, trial.dialect.grammar).broken:
            files = {**solved, unit.file: variant}
            line = inside[0].line
            yield Suspect(unit, unit.file, line, f"code in a comment of `{unit.stub}`", files)


def _uncommented(text: str, language: Lines) -> str:
    if language.block and text.startswith(language.block[0]):
        inner = text.removeprefix(language.block[0]).removesuffix(language.block[1])
        return "\n".join(re.sub(r"^\s*\*? ?", "", line) for line in inner.split("\n"))
    return re.sub(rf"^(?:{language.marks})[/!]?\s?", "", text)
