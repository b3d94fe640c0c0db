"""Guards in Rust: a value at the beginning of the stub's body that knows when it ends."""

import re
from collections.abc import Sequence

from tutor_lsp.core.language.guards import NAME, Guarded, Items, NoGuard
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.core.ports import Files, FunctionSite, SourceReader
from tutor_lsp.languages.common.proof.guard import renamed
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.syntax import parameters_apart, parse
from tutor_lsp.languages.common.texts import harness_text
from tutor_lsp.languages.rust.proof.grammar import GRAMMAR
from tutor_lsp.languages.rust.toolchain import RustToolchain

_ROOT = "src/lib.rs"
_MODULE = "src/tutor_guard.rs"
_FORBIDS = re.compile(r"^\s*#!\[(?:deny|forbid)\([^\n]*\)\]\n", re.MULTILINE)


class RustGuards:
    """See `guard.Guards`. A domain is a module within the stub's, so that it sees what that sees:
    private fields too. It has `pub fn accepts`, with the receiver, and whatever is no plain value,
    by shared reference."""

    def around(self, stub: Guarded) -> dict[str, str]:
        text, site, unit = stub.text, stub.site, stub.unit
        asked = site_of(RustToolchain(), stub.accepts, NAME)
        if asked is None:
            raise NoGuard(f"there is no `pub fn {NAME}`")
        mine = parameters_apart(parse(text, GRAMMAR), site)
        theirs = parameters_apart(parse(stub.accepts, GRAMMAR), asked)
        if len(mine) != len(theirs):
            raise NoGuard(f"`{NAME}` has {len(theirs)} parameters, `{unit.stub}` has {len(mine)}")
        given = [_argument(one, other) for one, other in zip(mine, theirs, strict=True)]
        if None in given:
            raise NoGuard(f"`{unit.stub}` takes a parameter apart in its signature")
        module = f"tutor_accepts_{stub.tag}"
        call = f"{module}::accepts({', '.join(str(each) for each in given)})"
        begin = f'let _tutor_guard = crate::tutor_guard::enter("{unit.id}", || {call});\n    '
        changed = text[: site.body_start] + begin + text[site.body_start :]
        domain = (
            f"\n#[allow(unused, missing_docs)]\nmod {module} {{\nuse super::*;\n{stub.accepts}}}\n"
        )
        return {unit.file: changed + domain}

    def prepared(self, files: dict[str, str]) -> dict[str, str]:
        root = _FORBIDS.sub("", files.get(_ROOT, ""))
        return {
            **files,
            _ROOT: f"{root}\npub mod tutor_guard;\n",
            _MODULE: harness_text(__file__, "guard.rs"),
        }

    def case(self, text: str, site: FunctionSite, name: str) -> str:
        return f"{renamed(text, site, name)}\n"

    def looking(self, unit_id: str, name: str, cases: Sequence[str]) -> str:
        listed = "".join(f"        || {{ let _ = {case}(); }},\n" for case in cases)
        call = f'exercise::tutor_guard::look("{unit_id}", &[\n{listed}    ]);'
        return f"\n#[test]\nfn {name}() {{\n    {call}\n}}\n"

    def with_tests(self, text: str, added: str) -> str:
        return f"{text}\n{added}"

    def definitions(self, text: str, sources: Files, reader: SourceReader) -> Items:
        tests = {site.name for site in reader.tests(text)}
        found = {
            site.name: text[site.start : site.end]
            for site in reader.functions(text)
            if site.name not in tests and text[: site.start].endswith("\n")
        }
        tokens = parse(text, GRAMMAR).tokens
        for at, token in enumerate(tokens[:-1]):
            if token.kind in ("const", "static") and text[: token.start].endswith("\n"):
                end = next((each.end for each in tokens[at:] if each.kind == ";"), None)
                if end is not None:
                    found[tokens[at + 1].text] = text[token.start : end]
        return found


def _argument(piece: Sequence[Token], asked: Sequence[Token]) -> str | None:
    """How a parameter is passed on to one of the domain; None for one that is taken apart."""
    said = [token.text for token in piece]
    if "self" in said and ":" not in said:
        return "&*self" if said[0] == "&" else "&self"
    names = [text for text in said[: said.index(":")] if text != "mut"] if ":" in said else []
    if len(names) != 1:
        return None
    mine, theirs = _type(piece), _type(asked)
    if mine[:1] == ["&"] and "mut" in mine[:3]:
        return f"&*{names[0]}"
    by_reference = theirs[:1] == ["&"] and mine[:1] != ["&"]
    return f"&{names[0]}" if by_reference else names[0]


def _type(piece: Sequence[Token]) -> list[str]:
    said = [token.text for token in piece]
    return said[said.index(":") + 1 :] if ":" in said else said
