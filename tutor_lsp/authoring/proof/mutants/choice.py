"""Which wrong versions of a unit are tried, of every kind and from every place. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tutor_lsp.authoring.proof.mutants.edits import Edit, edits
from tutor_lsp.authoring.proof.trial import TestPlace, Trial
from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.language.mutants import Mutations
from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.languages.common.syntax import split_top
from tutor_lsp.languages.common.treesitter import Source

MOST = 40
"""Most versions of one unit."""
CONSTANTS = 5
"""Most of them that only return what a test expects."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong version of a unit: its file with the change, the stub's body there, and what the
    change is. `constant` is what one returns that does nothing else."""

    unit: Unit
    text: str
    body: str
    says: str
    line: int
    constant: str | None = None


def mutants(
    trial: Trial,
    solved: Mapping[str, str],
    unit: Unit,
    mutations: Mutations,
    most: int = MOST,
    *,
    valued: bool = True,
) -> list[Mutant]:
    """At most so many versions of a unit, in the order of its text; those that only return a value
    come first, if any are wanted (`valued`)."""
    text, site = solved.get(unit.file, ""), trial.solved_site(unit, solved)
    if site is None or site.body_end <= site.body_start:
        return []
    grammar = trial.dialect.grammar
    first = constant_versions(trial, solved, unit, mutations) if valued else []
    found = {each.body: each for each in first}
    made = edits(text, site, grammar.name, mutations.operators)
    original = text[site.body_start : site.body_end]
    found[original] = Mutant(unit, text, original, "", site.line)
    room = most - len(found) + 1
    for edit in _evenly(made, len(made)):
        if room <= 0:
            break
        changed = edit.applied(text)
        body = changed[site.body_start : site.body_end + len(changed) - len(text)]
        if body in found or Source(grammar.name, changed).root.has_error:
            continue
        found[body] = Mutant(unit, changed, body, edit.says, edit.line)
        room -= 1
    del found[original]
    return sorted(found.values(), key=lambda each: (each.constant is None, each.line))


def constant_versions(
    trial: Trial, solved: Mapping[str, str], unit: Unit, mutations: Mutations
) -> list[Mutant]:
    """Those of a unit that only return a value which its tests expect."""
    text, site = solved.get(unit.file, ""), trial.solved_site(unit, solved)
    if site is None or site.body_end <= site.body_start or unit.aside is not None:
        return []
    told = (mutations.constant(each, site.signature) for each in constants(trial, unit))
    found: dict[str, Mutant] = {}
    for value in list(dict.fromkeys(each for each in told if each))[:CONSTANTS]:
        body = trial.dialect.grammar.gives.format(value)
        whole = text[: site.body_start] + body + text[site.body_end :]
        says = f"`{value}` for every input"
        found.setdefault(body, Mutant(unit, whole, body, says, site.line, value))
    found.pop(text[site.body_start : site.body_end], None)
    return list(found.values())


def parts(trial: Trial, solved: Mapping[str, str], unit: Unit) -> list[Unit]:
    """What wrong versions of a unit are made of: its stub, or each function of a declaration or
    program, as a unit of its own. Of several of one name only the first can be found again."""
    if unit.aside is None:
        return [unit]
    whole = trial.solved_site(unit, solved)
    if whole is None or not (unit.kind.unbuilt or unit.kind.given_broken):
        return []
    sites = trial.toolchain.functions(solved.get(unit.file, ""))
    mine = [each for each in sites if whole.start <= each.start and each.end <= whole.end]
    outer = {
        each.name: each
        for each in reversed(mine)
        if not any(o.body_start <= each.start and each.end <= o.body_end for o in mine)
    }
    first = {each.name: each for each in reversed(sites)}
    return [
        replace(unit, id=f"{unit.id}:{name}", stub=name, kind=UnitKind.BODY)
        for name, site in reversed(outer.items())
        if first[name] is site
    ]


def changed(unit: Unit, before: str, text: str) -> Mutant:
    """A version of a whole file with one line changed."""
    old, new = before.split("\n"), text.split("\n")
    line = next((at for at, row in enumerate(old) if new[at : at + 1] != [row]), 0)
    says = f"`{new[line].strip()}` for `{old[line].strip()}`"
    return Mutant(unit, text, "", says, line + 1)


def _evenly(made: Sequence[Edit], count: int) -> Iterator[Edit]:
    """Kind by kind in turn; within a kind first those that are far apart."""
    kinds: dict[str, list[Edit]] = {}
    for edit in made:
        kinds.setdefault(edit.operator, []).append(edit)
    queues = [_spread(each) for each in kinds.values()]
    while queues:
        for queue in list(queues):
            if queue:
                yield queue.pop(0)
            else:
                queues.remove(queue)


def _spread(made: Sequence[Edit]) -> list[Edit]:
    """In an order whose beginnings are spread over the whole: halves, quarters, and so on."""
    order: list[int] = []
    step = 1
    while step < len(made):
        step *= 2
    while step >= 1:
        order += [at for at in range(0, len(made), step) if at not in order]
        step //= 2
    return [made[at] for at in order]


def constants(trial: Trial, unit: Unit) -> list[str]:
    """The values that the unit's tests compare with, as code, the most frequent first."""
    seen: dict[str, int] = {}
    for name in unit.tests:
        place = trial.tests.get(name)
        for tokens in (tokens for _, tokens in place.assertions) if place else ():
            for value in _compared(tokens, place, trial.dialect.grammar, unit.stub):
                seen[value] = seen.get(value, 0) + 1
    return sorted(seen, key=lambda value: -seen[value])


def _compared(
    tokens: Sequence[Token], place: TestPlace | None, grammar: Grammar, stub: str
) -> Iterator[str]:
    """The sides of an assertion that are values alone."""
    if place is None or not any(token.text == stub for token in tokens):
        return
    opening = next((at for at in (1, 2) if tokens[at : at + 1] and tokens[at].kind == "("), None)
    if opening is not None and (opening == 1 or tokens[1].kind == "!"):
        pieces = split_top(tokens[opening + 1 : -1], {",", "=="})
    else:
        pieces = split_top(tokens[1:], {"==", "is"})
    if len(pieces) == 1:
        yield from grammar.words.truth
    for piece in pieces:
        if piece and all(is_value(token, grammar) for token in piece):
            yield "".join(token.text + " " * (token.kind == ",") for token in piece)


def is_value(token: Token, grammar: Grammar) -> bool:
    """Whether a token may be a part of a value that is written out."""
    return (
        token.kind in ("literal", "-", "[", "]", "(", ")", ",", "{", "}", ":")
        or token.text in grammar.words.nothing
        or token.text in grammar.words.wraps
        or token.kind in (".", "!", "::")
        or (token.kind in ("id", "type") and token.text[:1].isupper())
    )
