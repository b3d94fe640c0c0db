"""Guards in C: a function of the stub's name that calls the one that was there."""

import re
from collections.abc import Sequence

from tutor_lsp.core.language.guards import Guarded, Items, NoGuard
from tutor_lsp.core.ports import Files, FunctionSite, SourceReader
from tutor_lsp.languages.c.mains import before_main
from tutor_lsp.languages.c.proof.grammar import GRAMMAR
from tutor_lsp.languages.common.proof.guard import renamed
from tutor_lsp.languages.common.syntax import parameters_of, parse, split_top
from tutor_lsp.languages.common.texts import harness_text

_TEST = re.compile(r"^void (\w+)\(void\)$", re.MULTILINE)
"""The head of a test, as `CGuards.looking` writes it; the cases are static."""


class CGuards:
    """See `guard.Guards`. A domain is a source file of its own, which sees the headers."""

    def around(self, stub: Guarded) -> dict[str, str]:
        text, site, unit = stub.text, stub.site, stub.unit
        parameters = parameters_of(parse(text, GRAMMAR), site)
        pieces = [p for p in split_top(parameters, {","}) if p and [t.text for t in p] != ["void"]]
        given = [
            next((t.text for t in reversed(piece) if t.kind == "id"), None) for piece in pieces
        ]
        if None in given or any(token.text == "..." for token in parameters):
            raise NoGuard(f"{unit.stub} has a parameter without a name")
        accepts, real = f"domain_accepts_{stub.tag}", f"domain_real_{unit.stub}_"
        at = re.search(rf"\b{re.escape(unit.stub)}\s*\(", site.signature)
        if at is None:
            raise NoGuard(f"the signature of {unit.stub} cannot be read")
        listed = ", ".join(str(each) for each in given)
        between = f"({', '.join(text[p[0].start : p[-1].end] for p in pieces) or 'void'})"
        gives = site.signature[: at.start()].strip()
        nothing = re.sub(r"\b(?:static|inline|extern)\b", "", gives).strip() == "void"
        call = f"{real}({listed})"
        keep = f"{call};" if nothing else f"__auto_type domain_gave_ = {call};"
        give = "" if nothing else "\n    return domain_gave_;"
        around = (
            f"\n\n_Bool {accepts}{between};\n\n{site.signature}\n{{\n"
            f'    if (domain_ask_("{unit.id}"))\n'
            f'        domain_answer_("{unit.id}", {accepts}({listed}));\n'
            f"    {keep}\n    domain_leave_();{give}\n}}\n"
        )
        definition = renamed(text, site, real)
        changed = text[: site.start] + definition + around + text[site.end :]
        if "domain_guard.h" not in changed:
            changed = f'#include "domain_guard.h"\n{changed}'
        domain = f"#define accepts {accepts}\n{stub.accepts}"
        return {unit.file: changed, f"src/domain_accepts_{stub.tag}.c": domain}

    def prepared(self, files: dict[str, str]) -> dict[str, str]:
        return {
            **files,
            "src/domain_guard.h": harness_text(__file__, "guard.h"),
            "src/domain_guard.c": harness_text(__file__, "guard.c"),
            "tests/domain_cases.h": harness_text(__file__, "cases.h"),
        }

    def case(self, text: str, site: FunctionSite, name: str) -> str:
        return f"static {renamed(text, site, name)}\n"

    def looking(self, unit_id: str, name: str, cases: Sequence[str]) -> str:
        listed = ", ".join(cases)
        return (
            f'#include "domain_guard.h"\nvoid {name}(void)\n{{\n'
            f"    static void (*const cases[])(void) = {{{listed}}};\n"
            f'    domain_look_("{unit_id}", cases, {len(cases)});\n}}\n\n'
        )

    def with_tests(self, text: str, added: str) -> str:
        added = f'#include "domain_cases.h"\n{added}'
        return before_main(text, added, _TEST.findall(added))

    def definitions(self, text: str, sources: Files, reader: SourceReader) -> Items:
        return {}
