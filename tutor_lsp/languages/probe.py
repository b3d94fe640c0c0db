"""A call with the value that it shall give, as one more test in an exercise's own test file.

The file's imports and helpers serve; the call brings none of its own and cannot look at files,
clock or source text, so that what differs between two runs is what the code under test gives.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent

from tree_sitter import Node

from tutor_lsp.languages.c import mains
from tutor_lsp.languages.c import source as c_source
from tutor_lsp.languages.common.treesitter import Source, field, walk
from tutor_lsp.languages.python.contract import outside

_CALL, _EXPECTED = "tutor_call", "tutor_expected"


class ProbeRefused(Exception):  # noqa: N818 - says what is the case, not a defect
    """A probe that is not run; the text says why."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Statements, then one expression that calls a stub, then one for what it shall give."""

    setup: tuple[str, ...]
    call: str
    expected: str


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class _Words:
    """How a language writes it. `check` is a function whose last two statements hold the two
    expressions; `test` is the test; `names`, `nodes` and what `spelled` finds may not occur;
    nodes of `wrapped` are put into brackets, since they bind less than a comparison."""

    check: str
    test: str
    names: frozenset[str]
    nodes: frozenset[str]
    wrapped: frozenset[str] = frozenset()
    spelled: re.Pattern[str] | None = None


_PYTHON = _Words(
    check="def tutor_check():\n{setup}    tutor_call = {call}\n    tutor_expected = {expected}\n",
    test="\n\ndef {name}():\n{setup}    assert {call} == {expected}\n",
    names=_set(
        "open exec eval compile globals locals vars input breakpoint getattr setattr delattr exit "
        "quit inspect sys os io importlib builtins subprocess socket threading pathlib"
    ),
    nodes=_set(
        "import_statement import_from_statement future_import_statement global_statement "
        "nonlocal_statement expression_list yield"
    ),
    wrapped=_set(
        "boolean_operator comparison_operator not_operator conditional_expression lambda "
        "named_expression await"
    ),
)
_RUST = _Words(
    check="fn tutor_check() {{\n{setup}    let tutor_call = {call};\n"
    "    let tutor_expected = {expected};\n}}\n",
    test="\n#[test]\nfn {name}() {{\n{setup}    assert_eq!({call}, {expected});\n}}\n",
    names=_set("transmute type_name Instant SystemTime"),
    nodes=_set(
        "unsafe_block use_declaration mod_item extern_crate_declaration foreign_mod_item "
        "attribute_item"
    ),
    spelled=re.compile(
        r"\bstd\s*::\s*(?:fs|env|process|net|time|os|io|thread|any|backtrace)\b"
        r"|\b(?:include\w*|env|option_env|file|line|column|module_path|asm)\s*!(?!=)"
    ),
)
_C = _Words(
    check="void tutor_check(void)\n{{\n{setup}    tutor_call = {call};\n"
    "    tutor_expected = {expected};\n}}\n",
    test="void {name}(void)\n{{\n{setup}    TEST_ASSERT_EQ({expected}, {call});\n}}\n\n",
    names=_set(
        "system popen fopen freopen open fork vfork execv execve execl execlp execvp getenv "
        "setjmp longjmp kill abort exit asm dlopen dlsym"
    ),
    nodes=_set(
        "preproc_include preproc_def preproc_function_def preproc_if preproc_ifdef preproc_call "
        "gnu_asm_expression goto_statement"
    ),
)
_RETURNS = _set("return_statement return_expression")
_FUNCTIONS = _set("function_definition function_item closure_expression lambda")
_LANGUAGES: Mapping[str, _Words] = {"python": _PYTHON, "rust": _RUST, "c": _C}


def probe_name(stub: str) -> str:
    """What the test is called, so that its result is told as one of that stub."""
    return f"test_{stub}_in_this_case"


def with_probe(
    language: str, tests: str, probe: Probe, stubs: Mapping[str, str], name: str | None = None
) -> tuple[str, str]:
    """The text of a test file with `probe` as one more test, and that test's name: `name`, else
    one after the stub that it calls.

    Raises ProbeRefused unless the call is one expression that calls one of `stubs` (directly, or
    through what the statements before it made), what it shall give is one that calls none, and
    nothing in it looks elsewhere than at the code under test. `stubs` maps names to signatures;
    where the language does not hold calls to those, literal arguments must keep to them.
    """
    words = _LANGUAGES.get(language)
    if words is None:
        raise ProbeRefused(f"there are no probes in {language}")
    call, expected = probe.call.strip(), probe.expected.strip()
    setup = "".join(f"{indent(each.strip(chr(10)), '    ')}\n" for each in probe.setup)
    source = Source(language, words.check.format(setup=setup, call=call, expected=expected))
    mine, wanted = _expressions(source, call, expected)
    names = set(_names(source, source.root))
    called = next((stub for stub in stubs if stub in names), None)
    if called is None:
        raise ProbeRefused("it calls no stub of the exercise")
    if set(_names(source, wanted)) & stubs.keys():
        raise ProbeRefused("what it shall give is computed by the code under test")
    if odd := sorted(name for name in names if name in words.names or name.startswith("__")):
        raise ProbeRefused(f"it uses {odd[0]}")
    if odd := sorted({node.type for node in walk(source.root)} & words.nodes):
        raise ProbeRefused(f"it holds a {odd[0].replace('_', ' ')}")
    if words.spelled is not None and (odd_text := words.spelled.search(source.text)):
        raise ProbeRefused(f"it uses {odd_text[0]}")
    if any(_ends_test(node) for node in walk(source.root)):
        raise ProbeRefused("it returns before the comparison")
    for stub in stubs if language == "python" else ():
        if odd_value := outside(stubs[stub], source.text):
            raise ProbeRefused(f"{stub} is not for {odd_value}")
    name = name or probe_name(called)
    test = words.test.format(
        name=name,
        setup=setup,
        call=f"({call})" if mine.type in words.wrapped else call,
        expected=f"({expected})" if wanted.type in words.wrapped else expected,
    )
    return (_into_c(tests, test) if language == "c" else tests + test), name


def _expressions(source: Source, call: str, expected: str) -> tuple[Node, Node]:
    """The two expressions, if the text is one function that ends with just them."""
    functions = source.root.named_children
    body = field(functions[0], "body") if len(functions) == 1 else None
    if body is None or source.root.has_error or len(body.named_children) < 2:
        raise ProbeRefused("it does not parse as statements and two expressions")
    found = []
    for node, name, text in zip(
        body.named_children[-2:], (_CALL, _EXPECTED), (call, expected), strict=True
    ):
        inner = node.named_children[0] if node.type == "expression_statement" else node
        left = field(inner, "left") or field(inner, "pattern")
        value = field(inner, "right") or field(inner, "value")
        if (
            left is None
            or value is None
            or (source.text_of(left), source.text_of(value))
            != (
                name,
                text,
            )
        ):
            raise ProbeRefused(f"{text} is not one expression")
        if value.type in ("assignment", "assignment_expression", "augmented_assignment"):
            raise ProbeRefused(f"{text} is not one expression")
        found.append(value)
    return found[0], found[1]


def _ends_test(node: Node) -> bool:
    """Whether a return is one of the test itself and not of a function within."""
    if node.type not in _RETURNS:
        return False
    above = node.parent
    while above is not None and above.type not in _FUNCTIONS:
        above = above.parent
    return above is None or above.parent is None or above.parent.parent is None


def _names(source: Source, node: Node) -> Iterator[str]:
    for each in walk(node):
        if each.type.endswith("identifier") and not each.named_children:
            yield source.text_of(each)


def _into_c(tests: str, test: str) -> str:
    """Before `main`, which then runs it too."""
    main = next((site for site in c_source.functions(tests) if site.name == "main"), None)
    at = len(tests) if main is None else main.start
    return mains.with_main(tests[:at] + test + tests[at:])
