"""Several bodies of each stub in one program, for languages with one process per test. Pure.

Each test gets copies that choose a variant before they call it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tutor_lsp.authoring.proof.merge import Merged, Variant, merged_name
from tutor_lsp.authoring.proof.splice import site_of
from tutor_lsp.core.ports import FunctionSite, Toolchain


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a language writes it: `chosen` the beginning of a stub's body from the number and text
    of each variant, `caller` a test that chooses variant `number` and calls `site`; `prepared`
    adds to the files what both need."""

    chosen: Callable[[Sequence[tuple[int, str]]], str]
    caller: Callable[[str, FunctionSite, str, int], str]
    prepared: Callable[[dict[str, str]], dict[str, str]]


def wired(
    solved: Mapping[str, str], variants: Sequence[Variant], toolchain: Toolchain, wiring: Wiring
) -> Merged | None:
    """One exercise for all variants that differ in one body; None where there is none, or where a
    function cannot be found."""
    files = dict(solved)
    variants = [each for each in variants if each.body is not None]
    bodies: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for number, variant in enumerate(variants, start=1):
        if variant.unit is None or variant.body is None:
            return None
        bodies.setdefault((variant.unit.file, variant.unit.stub), []).append((number, variant.body))
    for (path, stub), each in bodies.items():
        text = files[path]
        site = site_of(toolchain, text, stub)
        if site is None or site.body_end <= site.body_start:
            return None
        at = site.body_start
        files[path] = text[:at] + wiring.chosen(each) + text[at:]
    names: dict[str, tuple[str, str]] = {}
    for path, text in solved.items():
        if path.startswith("tests/"):
            files[path] = _called(text, variants, toolchain, wiring, names)
    if not names:
        return None
    return Merged(wiring.prepared(files), names)


def _called(
    text: str,
    variants: Sequence[Variant],
    toolchain: Toolchain,
    wiring: Wiring,
    names: dict[str, tuple[str, str]],
) -> str:
    tests = {site.name for site in toolchain.tests(text)}
    sites = [site for site in toolchain.functions(text) if site.name in tests]
    for site in reversed(sites):
        copies = []
        for number, variant in enumerate(variants, start=1):
            if variant.tests is None or site.name in variant.tests:
                name = merged_name(site.name, number)
                names[name] = (variant.key, site.name)
                copies.append(wiring.caller(text, site, name, number))
        text = text[: site.end] + "".join(copies) + text[site.end :]
    return text
