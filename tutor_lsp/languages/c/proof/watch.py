"""How C looks at what code comes to."""

import re
from collections.abc import Collection, Sequence

from tutor_lsp.languages.c.mains import before_main
from tutor_lsp.languages.c.proof.grammar import GRAMMAR
from tutor_lsp.languages.common.proof.watch import TreeWatch
from tutor_lsp.languages.common.texts import harness_text, words


def _changed(setup: str, call: str, names: Collection[str]) -> Sequence[str]:
    """Arrays of characters, and of numbers where each has one from the beginning."""
    kinds = r"(?:unsigned\s+|signed\s+)?(?:char|short|int|long|size_t|u?int\d+_t|float|double|bool)"
    return [
        name
        for name in names
        if re.search(rf"\bchar\s+{name}\s*\[", setup)
        or re.search(rf"\b{kinds}\s+{name}\s*\[[^=;]*\]\s*=", setup)
    ]


def _put(text: str, cases: str, tests: str) -> str:
    return before_main(text, f"{harness_text(__file__, 'watch.h')}\n{cases}\n{tests}\n")


WATCH = TreeWatch(
    grammar=GRAMMAR,
    see="TUTOR_SEE({});",
    after="TUTOR_AFTER({});",
    quiet="(void)({});",
    function="static void {name}(void)\n{{\n{body}\n}}\n\n",
    test="void {name}(void)\n{{\n    static void (*const cases[])(void) = {{{cases}}};\n"
    "    tutor_watch_(cases, {count});\n}}\n\n",
    changed=_changed,
    put=_put,
    compared=words("strcmp strncmp memcmp strcasecmp"),
)
