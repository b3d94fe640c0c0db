"""A Python test that tells its calls: each is put into one that does, on its own line."""

from collections.abc import Collection, Iterator, Sequence
from textwrap import dedent

from tutor_lsp.core.exercise.report import RawTest, TestOutcome
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.common.look.marks import BEGUN, END, ENDED, MOST, SEP, VALUE_LIMIT, Calls
from tutor_lsp.languages.common.predict.insert import Insertions
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk
from tutor_lsp.languages.python.explain import explain
from tutor_lsp.languages.python.reading import Reader

_MODULE = "look_calls"
_HELPERS = dedent(f"""
    import os, time

    BEGAN = time.monotonic()
    told = 0

    def shown(value):
        try:
            text = repr(value)
        except Exception:
            return ""
        if " at 0x" in text:
            return ""
        text = "".join(each if each >= " " else " " for each in text)
        return text if len(text) <= {VALUE_LIMIT} else text[:{VALUE_LIMIT}] + "…"

    def say(text):
        if told <= {MOST}:
            os.write(2, (text + {END!r} + "\\n").encode("utf-8", "replace"))

    def begun(place, *names):
        global told
        told += 1
        since = int((time.monotonic() - BEGAN) * 1000)
        named = "".join({SEP!r} + name + {SEP!r} + shown(value) for name, value in names)
        say({BEGUN!r} + place + {SEP!r} + str(since) + named)

    def gave(place, pair):
        say({ENDED!r} + place + {SEP!r} + shown(pair[1]))
        return pair[1]
    """)
_APART = (
    "lambda", "list_comprehension", "set_comprehension", "dictionary_comprehension",
    "generator_expression", "string",
)  # fmt: skip
_DECORATED = ("decorator", "default_parameter", "typed_default_parameter")


def lacks(test: RawTest, files: Files, stubs: Sequence[str]) -> bool:
    """See `Marker`."""
    error = test.error or ""
    own = error and not error.startswith(("AssertionError", "Failed: ", "NameError"))
    raised = own and test.left is None and test.raised_at is None
    if raised and test.outcome is TestOutcome.FAILED:  # by the test, with what a call gave it
        return True
    return Reader.of(test, files, stubs).lacks(test, explain(test, files, stubs))


def helpers() -> Files:
    """See `Marker`."""
    return {f"tests/{_MODULE}.py": _HELPERS}


def marked(
    file: str,
    files: Files,
    stubs: Collection[str],
    tests: Collection[str],
    without: Collection[int],
) -> tuple[str, Calls]:
    """See `Marker`."""
    source = Source("python", files[file])
    put, calls = Insertions(source), dict[tuple[int, int], str]()
    for function in _functions(source, tests, without):
        for node in walk(function, lambda each: each.type not in _DECORATED):
            name = _called(source, node)
            place = source.line(node), source.column(node.start_byte)
            if name is None or name not in stubs or place in calls:
                continue
            at = f'"{place[0]}:{place[1]}"'
            shown = "".join(f', ("{each}", {each})' for each in _values(source, node))
            module = f'__import__("{_MODULE}")'
            put.before(node.start_byte, f"{module}.gave({at}, ({module}.begun({at}{shown}), ")
            put.after(node.end_byte, "))")
            calls[place] = source.text_of(node)
    return put.text(), calls


def _called(source: Source, node: Node) -> str | None:
    function = field(node, "function") if node.type == "call" else None
    if function is not None and function.type == "attribute":
        function = field(function, "attribute")
    is_name = function is not None and function.type == "identifier"
    return source.text_of(function) if is_name and function is not None else None


def _functions(source: Source, tests: Collection[str], without: Collection[int]) -> Iterator[Node]:
    """The bodies of these tests, and of what helps them."""
    for node in walk(source.root):
        name, body = field(node, "name"), field(node, "body")
        if node.type != "function_definition" or name is None or body is None:
            continue
        if any(source.line(node) <= line <= source.end_line(node) for line in without):
            continue
        own = source.text_of(name)
        if own in {test.rpartition("::")[2] for test in tests} or not own.startswith("test"):
            yield body


def _values(source: Source, call: Node) -> list[str]:
    """What a call is given by name, each once: `n`, `case.year`."""
    found: dict[str, None] = {}
    for node in walk(call, lambda each: each.type not in _APART):
        above = node.parent
        if node.type != "identifier" or above is None:
            continue
        if above.type == "keyword_argument" and field(above, "name") == node:
            continue
        if above.type == "attribute" and field(above, "attribute") == node:
            continue
        while above is not None and above.type in ("attribute", "subscript"):
            outer = above.parent
            called = outer is not None and field(outer, "function") == above
            if called or above.children[0] != node:
                break
            node, above = above, outer
        if above is not None and field(above, "function") == node:
            continue
        text = source.text_of(node)
        simple = not any(each.type in ("call", "named_expression") for each in walk(node))
        if simple and not {'"', "\\", "\n"} & {*text}:
            found[text] = None
    return [*found]
