"""Several bodies of each stub in one program, for languages with one process per test. Pure.

Each body is a function of its own beside the stub, so that the compiler tells of each what is wrong
with it. The stub calls the one that was chosen; each test gets copies that choose before they call.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.core.language.variants import MARK, Merged, Place, Variant, merged_name
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.syntax import parameters_apart, parse

Parameters = Sequence[tuple[Token, ...]]
Inside = tuple[str, Mapping[int, str]]


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a language writes it. `call` is how a stub calls another function as it was called
    itself, with `{}` for that one's name; None where none can stand beside it. `head` is what such
    a function begins with, from the stub's signature under its name; `switch` are the calls by
    number, with the heads. `caller` is a test that chooses variant `number` and calls `site`;
    `prepared` adds to the files what both need. Where no function can stand beside a stub, `inside`
    gives what the stub begins with, which holds the bodies, and each of them as it stands there;
    None where they cannot."""

    call: Callable[[str, FunctionSite, Parameters], str | None]
    head: Callable[[str], str]
    switch: Callable[[Mapping[int, str], Sequence[str]], str]
    caller: Callable[[str, FunctionSite, str, int], str]
    prepared: Callable[[dict[str, str]], dict[str, str]]
    inside: Callable[[str, FunctionSite, Mapping[int, str]], Inside | None] | None = None


def wired(
    solved: Files,
    variants: Sequence[Variant],
    toolchain: Toolchain,
    grammar: Grammar,
    wiring: Wiring,
) -> Merged | None:
    """One exercise for all variants that are other bodies of a function that can have them; None
    where there are none, or a function cannot be found."""
    numbered = dict(enumerate(variants, start=1))
    bodies: dict[tuple[str, str], dict[int, str]] = {}
    for number, variant in numbered.items():
        if variant.unit is not None and variant.body is not None:
            place = (variant.unit.file, variant.unit.stub)
            bodies.setdefault(place, {})[number] = variant.body
    switched = with_bodies(solved, bodies, toolchain, grammar, wiring)
    if switched is None:
        return None
    files, copies, held = switched
    files = put_in(files, held)
    chosen = {number: numbered[number] for number in copies}
    names: dict[str, tuple[str, str]] = {}
    for path, text in solved.items():
        if path.startswith("tests/"):
            files[path] = _called(text, chosen, toolchain, wiring, names)
    if not names:
        return None
    whole = wiring.prepared(files)
    places = {
        numbered[number].key: Place.of(path, whole[path], copy)
        for number, (path, copy) in copies.items()
    }
    return Merged(whole, names, places=places)


def with_bodies(
    solved: Files,
    bodies: Mapping[tuple[str, str], Mapping[int, str]],
    toolchain: Toolchain,
    grammar: Grammar,
    wiring: Wiring,
) -> tuple[dict[str, str], dict[int, tuple[str, str]], dict[str, str]] | None:
    """The files with marks where further bodies of stubs (by file and name) are to be put in, the
    text that each gets with its file, and what stands for the marks: texts with many bodies are
    slow to read, so what else is to be done with them is done before. None if a function cannot
    be found. Stubs that can have no further bodies get none."""
    files, held = dict(solved), dict[str, str]()
    copies: dict[int, tuple[str, str]] = {}
    for (path, stub), each in bodies.items():
        text = files[path]
        site, alone = (site_of(toolchain, each, stub) for each in (text, solved[path]))
        if site is None or alone is None or site.body_end <= site.body_start:
            return None
        # what stands around it is read where no copies of others stand yet
        parameters = parameters_apart(parse(solved[path], grammar), alone)
        call = wiring.call(solved[path], alone, parameters)
        switch, bodies_here = f"/*{MARK}switch {len(held)}*/", f"/*{MARK}bodies {len(held)}*/"
        if call is None or "//" in site.signature:
            inside = wiring.inside(solved[path], alone, each) if wiring.inside else None
            if inside is not None:
                held[switch], within = inside
                files[path] = f"{text[: site.body_start]}{switch}{text[site.body_start :]}"
                copies |= {number: (path, copy) for number, copy in within.items()}
            continue
        heads = {number: wiring.head(_signature(site, number)) for number in each}
        made = {number: f"{heads[number]} {{\n{body}\n}}\n" for number, body in each.items()}
        calls = {number: call.format(merged_name(stub, number)) for number in each}
        held[switch] = wiring.switch(calls, list(heads.values()))
        held[bodies_here] = "".join(made.values())
        files[path] = (
            f"{text[: site.body_start]}{switch}{text[site.body_start : site.end]}\n"
            f"{bodies_here}{text[site.end :]}"
        )
        copies |= {number: (path, copy) for number, copy in made.items()}
    return files, copies, held


def put_in(files: Files, held: Mapping[str, str]) -> dict[str, str]:
    """The files with the marks replaced."""
    found = dict(files)
    for path, text in files.items():
        if MARK in text:
            for mark, said in held.items():
                text = text.replace(mark, said)
            found[path] = text
    return found


def _signature(site: FunctionSite, number: int) -> str:
    """That of a function under the name of its copy."""
    own = rf"\b{re.escape(site.name)}\b(?=\s*[(<])"
    return re.sub(own, merged_name(site.name, number), site.signature, count=1)


def _called(
    text: str,
    chosen: Mapping[int, Variant],
    toolchain: Toolchain,
    wiring: Wiring,
    names: dict[str, tuple[str, str]],
) -> str:
    tests = {site.name for site in toolchain.tests(text)}
    sites = [site for site in toolchain.functions(text) if site.name in tests]
    for site in reversed(sites):
        copies = []
        for number, variant in chosen.items():
            if variant.tests is None or site.name in variant.tests:
                name = merged_name(site.name, number)
                names[name] = (variant.key, site.name)
                copies.append(wiring.caller(text, site, name, number))
        text = text[: site.end] + "".join(copies) + text[site.end :]
    return text
