"""Several bodies of each stub in one program, for languages with one process per test. Pure.

Each body is a function of its own beside the stub, so that the compiler tells of each what is wrong
with it. The stub calls the one that was chosen; each test gets copies that choose before they call.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.core.language.syntax import Grammar, Token
from tutor_lsp.core.language.variants import Merged, Place, Variant, merged_name
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.syntax import parameters_apart, parse

Parameters = Sequence[tuple[Token, ...]]


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a language writes it. `call` is how a stub calls another function as it was called
    itself, with `{}` for that one's name; None where none can stand beside it. `head` is what such
    a function begins with, from the stub's signature under its name; `switch` are the calls by
    number, with the heads. `caller` is a test that chooses variant `number` and calls `site`;
    `prepared` adds to the files what both need."""

    call: Callable[[str, FunctionSite, Parameters], str | None]
    head: Callable[[str], str]
    switch: Callable[[Mapping[int, str], Sequence[str]], str]
    caller: Callable[[str, FunctionSite, str, int], str]
    prepared: Callable[[dict[str, str]], dict[str, str]]


def wired(
    solved: Files,
    variants: Sequence[Variant],
    toolchain: Toolchain,
    grammar: Grammar,
    wiring: Wiring,
) -> Merged | None:
    """One exercise for all variants that are other bodies of a function that can have them; None
    where there are none, or a function cannot be found."""
    files = dict(solved)
    chosen: dict[int, Variant] = {}
    copies: dict[str, tuple[str, str]] = {}
    bodies: dict[tuple[str, str], dict[int, Variant]] = {}
    for number, variant in enumerate(variants, start=1):
        if variant.unit is not None and variant.body is not None:
            place = (variant.unit.file, variant.unit.stub)
            bodies.setdefault(place, {})[number] = variant
    for (path, stub), each in bodies.items():
        text = files[path]
        site = site_of(toolchain, text, stub)
        if site is None or site.body_end <= site.body_start:
            return None
        call = wiring.call(text, site, parameters_apart(parse(text, grammar), site))
        if call is None or "//" in site.signature:
            continue
        chosen |= each
        heads = {number: wiring.head(_signature(site, number)) for number in each}
        made = {number: f"{heads[number]} {{\n{v.body}\n}}\n" for number, v in each.items()}
        calls = {number: call.format(merged_name(stub, number)) for number in each}
        begin = wiring.switch(calls, list(heads.values()))
        files[path] = (
            f"{text[: site.body_start]}{begin}{text[site.body_start : site.end]}\n"
            f"{''.join(made.values())}{text[site.end :]}"
        )
        copies |= {variant.key: (path, made[number]) for number, variant in each.items()}
    names: dict[str, tuple[str, str]] = {}
    for path, text in solved.items():
        if path.startswith("tests/"):
            files[path] = _called(text, chosen, toolchain, wiring, names)
    if not names:
        return None
    whole = wiring.prepared(files)
    places = {key: Place.of(path, whole[path], copy) for key, (path, copy) in copies.items()}
    return Merged(whole, names, places=places)


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
