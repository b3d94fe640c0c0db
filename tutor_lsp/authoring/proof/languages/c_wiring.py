"""Several bodies of each stub in one C program. Pure."""

from collections.abc import Sequence

from tutor_lsp.authoring.proof.switchboard import Wiring
from tutor_lsp.core.ports import FunctionSite

_CHOICE = "src/tutor_choice.c"
_VARIABLE = "int tutor_choice_;\n"


def _chosen(bodies: Sequence[tuple[int, str]]) -> str:
    cases = "".join(f"    case {number}: {{ {body} break; }}\n" for number, body in bodies)
    return f"extern int tutor_choice_;\n    switch (tutor_choice_) {{\n{cases}    }}\n    "


def _caller(text: str, site: FunctionSite, name: str, number: int) -> str:
    choose = f"extern int tutor_choice_;\n    tutor_choice_ = {number};"
    return f"\n\nvoid {name}(void)\n{{\n    {choose}\n    {site.name}();\n}}"


def _prepared(files: dict[str, str]) -> dict[str, str]:
    from tutor_lsp.toolchains.c_files import complete

    return complete({**files, _CHOICE: _VARIABLE})


WIRING = Wiring(_chosen, _caller, _prepared)
