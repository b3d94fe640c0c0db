"""Versions of a unit that only hand back what they were given, or a value that its tests hold in a
variable. Pure.

They are tried beside the mutants and counted with none of them: there is one finding or nothing."""

from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.proof.mutants.choice import CONSTANTS, Mutant, is_value
from tutor_lsp.authoring.proof.reading.compare import answers, sides
from tutor_lsp.authoring.proof.reading.definitions import Definitions
from tutor_lsp.authoring.proof.trial import TestPlace, Trial
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.language.mutants import Mutations
from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.common.syntax import (
    mentioned,
    parameter_names,
    parameters_apart,
    parse,
    split_top,
)

_UNSAID = frozenset({"const", "static", "inline"})
"""Words beside a type that are no part of it."""


def plain_versions(
    trial: Trial,
    solved: Mapping[str, str],
    unit: Unit,
    mutations: Mutations,
    known: Sequence[Mutant],
) -> list[Mutant]:
    """The versions, without those that are `known` already."""
    text, site = solved.get(unit.file, ""), trial.solved_site(unit, solved)
    if site is None or site.body_end <= site.body_start or unit.aside is not None:
        return []
    grammar = trial.dialect.grammar
    bare = "{" if mutations.operators.lists else ""  # such a list is no expression there
    told = [each for each in _held(trial, unit) if not bare or not each.startswith(bare)]
    held = (mutations.constant(each, site.signature) for each in told)
    values = [*_given(text, site, grammar), *[each for each in held if each][:CONSTANTS]]
    bodies = {each.body for each in known if each.constant is not None}
    bodies.add(text[site.body_start : site.body_end].strip())
    found: list[Mutant] = []
    for value in dict.fromkeys(values):
        body = grammar.gives.format(value)
        if body not in bodies and value not in bodies:
            whole = text[: site.body_start] + body + text[site.body_end :]
            says = f"`{value}` for every input"
            found.append(Mutant(unit, whole, body, says, site.line, value))
    return found


def _given(text: str, site: FunctionSite, grammar: Grammar) -> Iterator[str]:
    """The parameters that have the type of the answer."""
    parsed = parse(text, grammar)
    _, arrow, after = site.signature.rpartition("->")
    wanted = after if arrow else site.signature.partition(site.name)[0]
    answer = [t.text for t in parse(wanted, grammar).tokens if t.text not in _UNSAID | {"{", ":"}]
    for piece in parameters_apart(parsed, site):
        names = parameter_names(piece)
        if [token.text for token in piece] == ["self"] and answer == ["Self"]:
            yield "self"
        if not names:
            continue
        said = [token.text for token in piece if token.text not in _UNSAID]
        kind = said[: said.index("=")] if "=" in said else said
        kind = kind[kind.index(":") + 1 :] if ":" in kind else _without(kind, names[0])
        if kind == answer or (not kind and not arrow):
            yield names[0]


def _without(words: Sequence[str], name: str) -> list[str]:
    return [word for word in words if word != name]


def _held(trial: Trial, unit: Unit) -> list[str]:
    """Values that the unit's tests compare with where a variable holds one of the sides."""
    grammar = trial.dialect.grammar
    found: dict[str, None] = {}
    for name in unit.tests:
        place = trial.tests.get(name)
        for value in _compared(place, unit.stub, grammar) if place is not None else ():
            found.setdefault(value)
    return list(found)


def _compared(place: TestPlace, stub: str, grammar: Grammar) -> Iterator[str]:
    held = {name for name, _ in answers(place, stub)}
    own = Definitions.of(place.body)
    for _, tokens in place.assertions:
        if not mentioned(tokens) & {stub, *held}:
            continue
        pair = sides(tokens)
        if not pair and mentioned(tokens) & held:
            yield from grammar.words.truth
        for side in pair:
            value = _value(side, own)
            if value and all(is_value(token, grammar) for token in value):
                yield "".join(token.text + " " * (token.kind == ",") for token in value)


def _value(side: Sequence[Token], own: Definitions) -> Sequence[Token]:
    """What a side is, through a variable that is assigned just once."""
    if len(side) != 1 or side[0].kind != "id" or side[0].text not in own.places:
        return side
    named = own.places[side[0].text]
    once = sum(token.text == side[0].text for token in named) == 1
    return split_top(named[1:], {";"})[0] if once and len(named) > 1 else ()
