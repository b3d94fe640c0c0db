"""The `main` of a C test file: made where it is missing, completed where it lacks a test. Pure."""

import re
from collections.abc import Sequence

from tutor_lsp.languages.c import source as c_source
from tutor_lsp.languages.common.treesitter import Source, walk

_SUMMARY = re.compile(r"^(?P<indent>[ \t]*)(?:return\s+)?TEST_SUMMARY\s*\(", re.MULTILINE)


def with_main(text: str) -> str:
    """The text of a test file with a `main` that runs every test in it.

    A file without tests, and one whose `main` runs all of them, comes out as it is; so does one
    whose `main` is of another kind.
    """
    names = [site.name for site in c_source.tests(text)]
    if not names:
        return text
    source = Source("c", text)
    mains = [
        node
        for node in c_source.definitions(source)
        if (name := c_source.function_name(node)) is not None and source.text_of(name) == "main"
    ]
    if not mains:
        lines = [f"    RUN_TEST({name});" for name in names]
        body = "\n".join(["int main(void)", "{", *lines, "    TEST_SUMMARY();", "}", ""])
        return f"{text.rstrip()}\n\n{body}"
    run = set(re.findall(r"\bRUN_TEST\s*\(\s*(\w+)", _code(source)))
    start, end = (source.offset(at) for at in (mains[0].start_byte, mains[0].end_byte))
    summary = _SUMMARY.search(text, start, end)
    forgotten = [name for name in names if name not in run]
    if summary is None or not forgotten:
        return text
    lines = [f"{summary['indent']}RUN_TEST({name});\n" for name in forgotten]
    return text[: summary.start()] + "".join(lines) + text[summary.start() :]


def before_main(tests: str, added: str, names: Sequence[str] | None = None) -> str:
    """The text of a test file with more of them before `main`, which then runs them too. Where
    their `names` are known, what is added is not read."""
    main = next((site for site in c_source.functions(tests) if site.name == "main"), None)
    at = len(tests) if main is None else main.start
    if names is None:
        return with_main(tests[:at] + added + tests[at:])
    held = "".join(f"void {name}(void)\n{{\n}}\n\n" for name in names)
    made = with_main(tests[:at] + held + tests[at:])
    return made[:at] + added + made[at + len(held) :]


def _code(source: Source) -> str:
    """The text without comments."""
    pieces, at = [], 0
    for node in walk(source.root):
        if node.type == "comment":
            pieces.append(source.slice(at, node.start_byte))
            at = node.end_byte
    return " ".join([*pieces, source.slice(at, len(source.data))])
