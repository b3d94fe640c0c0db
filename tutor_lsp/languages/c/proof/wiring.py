"""Several bodies of each stub in one C program. Pure."""

import re
from collections.abc import Mapping, Sequence

from tutor_lsp.core.ports import FunctionSite
from tutor_lsp.languages.c.headers import complete
from tutor_lsp.languages.common.proof.switchboard import Inside, Parameters, Wiring

_CHOICE = "src/variant_choice.c"
_VARIABLE = "int variant_choice_;\n"
_TRAP = "__builtin_trap();"


def _call(text: str, site: FunctionSite, parameters: Parameters) -> str | None:
    """None for functions that cannot be declared within another of their form: static ones, and
    those with a parameter that hides a type."""
    given = [next((t.text for t in piece if t.kind == "id"), None) for piece in parameters]
    if [[token.text for token in piece] for piece in parameters] == [["void"]]:
        given = []
    if None in given or site.signature.startswith("static"):
        return None
    if any(len(re.findall(rf"\b{name}\b", site.signature)) > 1 for name in given):
        return None
    return f"{{}}({', '.join(str(each) for each in given)})"


def _switch(calls: Mapping[int, str], heads: Sequence[str]) -> str:
    declared = "".join(f"{head};\n    " for head in heads)
    cases = "".join(f"    case {number}: return {call};\n" for number, call in calls.items())
    chosen = f"extern int variant_choice_;\n    switch (variant_choice_) {{\n{cases}    }}\n    "
    return declared + chosen


def _inside(text: str, site: FunctionSite, bodies: Mapping[int, str]) -> Inside | None:
    # without a value the end of a body is an end like others, else a mistake
    after = "return;" if re.search(rf"\bvoid\s+{site.name}\b", site.signature) else _TRAP
    cases = {
        number: f"    if (variant_choice_ == {number}) {{\n{body}\n{after}\n}}\n"
        for number, body in bodies.items()
    }
    return f"extern int variant_choice_;\n{''.join(cases.values())}    ", cases


def _caller(text: str, site: FunctionSite, name: str, number: int) -> str:
    choose = f"extern int variant_choice_;\n    variant_choice_ = {number};"
    return f"\n\nvoid {name}(void)\n{{\n    {choose}\n    {site.name}();\n}}"


def _prepared(files: dict[str, str]) -> dict[str, str]:
    return complete({**files, _CHOICE: _VARIABLE})


WIRING = Wiring(_call, str, _switch, _caller, _prepared, _inside)
