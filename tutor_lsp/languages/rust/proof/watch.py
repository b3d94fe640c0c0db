"""How Rust looks at what code comes to."""

import re
from collections.abc import Collection, Sequence

from tutor_lsp.languages.common.proof.watch import TreeWatch
from tutor_lsp.languages.common.texts import harness_text
from tutor_lsp.languages.rust.proof.grammar import GRAMMAR

_SAID = (
    "{{ use tutor_watch::{{Hidden as _, InOrder as _, Shown as _}}; "
    "(&&tutor_watch::Told(&({0}))).said() }}"
)
_LENT = re.compile(r"&mut\s+(\w+)\b(?!\s*[.(\[:])")
_CALLED_ON = re.compile(r"\A(\w+)\s*\.")


def _changed(setup: str, call: str, names: Collection[str]) -> Sequence[str]:
    """What is lent to be changed, and what a method is called on that may change it."""
    found = set(_LENT.findall(call))
    called_on = _CALLED_ON.match(call)
    if called_on is not None and re.search(rf"\blet\s+mut\s+{called_on[1]}\b", setup):
        found.add(called_on[1])
    return [name for name in names if name in found]


def _put(text: str, cases: str, tests: str) -> str:
    return f"{text}\n{harness_text(__file__, 'watch.rs')}\n{cases}{tests}"


WATCH = TreeWatch(
    grammar=GRAMMAR,
    see=f"tutor_watch::see(Box::new(|| {_SAID}));",
    after=f'tutor_watch::after("{{0}}", Box::new(|| {_SAID}));',
    quiet="let _ = {};",
    function="\n#[allow(unused)]\nfn {name}() {{\n{body}\n}}\n",
    test="\n#[test]\nfn {name}() {{\n    tutor_watch::watch(&[{cases}]);\n}}\n",
    changed=_changed,
    put=_put,
)
