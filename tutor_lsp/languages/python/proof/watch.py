"""How Python looks at what code comes to, many versions in one process."""

import json
import re
from collections.abc import Collection, Sequence

from tutor_lsp.core.language.variants import Merged, Variant, merged_name
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.proof.watch import TreeWatch
from tutor_lsp.languages.common.texts import harness_text
from tutor_lsp.languages.python.proof.copies import PACKAGE
from tutor_lsp.languages.python.proof.grammar import GRAMMAR
from tutor_lsp.languages.python.proof.names import module_of

_ROOT, _TEXTS, _TESTS = (
    f"src/{PACKAGE}/",
    "tests/tutor_versions.json",
    "tests/test_tutor_versions.py",
)


def _changed(setup: str, call: str, names: Collection[str]) -> Sequence[str]:
    return tuple(names)


def _put(text: str, cases: str, tests: str) -> str:
    return f"{text}\n{harness_text(__file__, 'watch.py')}\n{cases}{tests}"


def _merged(files: Files, variants: Sequence[Variant]) -> Merged | None:
    """One process, in which the package is each version in turn."""
    names: dict[str, tuple[str, str]] = {}
    versions: dict[str, dict[str, str]] = {}
    tests: list[str] = []
    asked = {test for each in variants for test in each.tests or ()}
    where = {test: path for test in asked for path, text in files.items() if f"def {test}(" in text}
    for number, variant in enumerate(variants, start=1):
        changed = {path: text for path, text in variant.files.items() if files.get(path) != text}
        if any(not path.startswith(_ROOT) or not path.endswith(".py") for path in changed):
            continue
        versions[str(number)] = {module_of(path): text for path, text in changed.items()}
        for test in variant.tests or ():
            name = merged_name(test, number)
            names[name] = (variant.key, test)
            tests.append(f"def {name}():\n    run({str(number)!r}, {where[test]!r}, {test!r})\n")
    watching = {path: files[path] for path in set(where.values())}
    texts = {"package": PACKAGE, "versions": versions, "files": watching}
    added = {
        _TEXTS: json.dumps(texts),
        _TESTS: "\n\n".join([harness_text(__file__, "versions.py"), *tests]),
    }
    kept = {path: text for path, text in files.items() if path not in watching}
    return Merged({**kept, **added}, names) if names else None


WATCH = TreeWatch(
    grammar=GRAMMAR,
    see="_tutor_see(lambda: ({}))",
    after='_tutor_after("{0}", lambda: {0})',
    quiet="with _contextlib.suppress(Exception):\n    {}",
    function="\n\ndef {name}():\n{body}\n",
    test="\n\ndef {name}():\n    _tutor_watch([{cases}])\n",
    changed=_changed,
    put=_put,
    worded=re.compile(r"\bmatch\s*="),
    see_words="_tutor_see(lambda: ({}), words=True)",
    merges=_merged,
)
