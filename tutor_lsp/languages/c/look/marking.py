"""A C test that tells its calls: each is put into an expression that does, on its own line."""

from collections.abc import Collection, Iterator, Sequence

from tutor_lsp.core.exercise.report import RawTest
from tutor_lsp.core.ports import Files
from tutor_lsp.languages.c.explain import explain
from tutor_lsp.languages.c.files import harness
from tutor_lsp.languages.c.reading import Reader
from tutor_lsp.languages.c.source import calls as calls_in
from tutor_lsp.languages.c.source import definitions, function_name, is_test
from tutor_lsp.languages.common.look.marks import BEGUN, END, ENDED, MOST, SEP, VALUE_LIMIT, Calls
from tutor_lsp.languages.common.predict.insert import Insertions
from tutor_lsp.languages.common.treesitter import Node, Source, field, walk

HELPERS = "src/look_calls.c"
_KINDS = (
    ("_Bool", "truth"), ("char", "char"), ("signed char", "int"), ("short", "int"), ("int", "int"),
    ("long", "int"), ("long long", "int"), ("unsigned char", "uint"), ("unsigned short", "uint"),
    ("unsigned", "uint"), ("unsigned long", "uint"), ("unsigned long long", "uint"),
    ("float", "real"), ("double", "real"), ("const char *", "text"),
)  # fmt: skip
_WHICH = ", ".join(f"{type_}: look_{kind}_" for type_, kind in _KINDS)
_HEAD = "\n".join(
    [
        "void look_begun_(const char *); void look_ended_(const char *); void look_end_(void);",
        "void look_done_(const char **);",
        "void look_int_(const char *, long long); void look_truth_(const char *, _Bool);",
        "void look_uint_(const char *, unsigned long long); void look_char_(const char *, char);",
        "void look_real_(const char *, double); void look_text_(const char *, const char *);",
        "void look_other_(const char *, ...);",
        f"#define LOOK_SEEN(name, value) _Generic((value), {_WHICH}, default: look_other_)"
        "(name, value)",
        # What the code gave is told with its text: a test that crashes so is left as it was.
        f"#define LOOK_GAVE(value) _Generic((value), {_WHICH}, char *: look_text_,"
        ' default: look_other_)("", value)',
        # What it gives may be nothing, or of no type that is known here.
        "#define LOOK_CALL(place, seen, call) __extension__({ const char *look_place_"
        " __attribute__((cleanup(look_done_))) = place;"
        " look_begun_(place), seen, look_end_(); call; })",
        "#define LOOK_VALUE(place, seen, call) (look_begun_(place), seen, look_end_(),"
        " __extension__({ __auto_type look_value_ = (call); look_ended_(place);"
        " LOOK_GAVE(look_value_); look_end_(); look_value_; }))",
        "#line 1",
        "",
    ]
)
_STEPS = ("field_expression", "subscript_expression")
_MOVING = ("call_expression", "update_expression", "assignment_expression")


def lacks(test: RawTest, files: Files, stubs: Sequence[str]) -> bool:
    """See `Marker`."""
    return Reader.of(test, files, stubs).lacks(test, explain(test, files, stubs))


def helpers() -> Files:
    """See `Marker`."""
    text = harness("look.c").replace("MOST", str(MOST)).replace("LIMIT", str(VALUE_LIMIT))
    for name, mark in {"BEGUN": BEGUN, "ENDED": ENDED, "SEP": SEP, "END": END}.items():
        octal = "".join(f"\\{ord(each):03o}" if each < " " else each for each in mark)
        text = text.replace(name, octal)
    return {HELPERS: text}


def marked(
    file: str,
    files: Files,
    stubs: Collection[str],
    tests: Collection[str],
    without: Collection[int],
) -> tuple[str, Calls]:
    """See `Marker`."""
    source = Source("c", files[file])
    silent = {name for text in files.values() for name in _without_value(text)}
    put, calls = Insertions(source), dict[tuple[int, int], str]()
    for function in _functions(source, tests, without):
        for name, node in calls_in(source, function):
            place = source.line(node), source.column(node.start_byte)
            if name not in stubs or place in calls or _is_constant(node):
                continue
            own = field(node, "function")
            is_own = own is not None and source.text_of(own) == name
            macro = "LOOK_VALUE" if is_own and name not in silent else "LOOK_CALL"
            seen = "".join(f'LOOK_SEEN("{each}", {each}), ' for each in _values(source, node))
            shown = f"({seen.removesuffix(', ')})" if seen else "(void)0"
            put.before(node.start_byte, f'{macro}("{place[0]}:{place[1]}", {shown}, ')
            put.after(node.end_byte, ")")
            calls[place] = source.text_of(node)
    return _HEAD + put.text(), calls


def _without_value(text: str) -> Iterator[str]:
    """The functions of a text that give nothing."""
    source = Source("c", text)
    for node in definitions(source):
        kind, name, declarator = field(node, "type"), function_name(node), field(node, "declarator")
        if kind is None or name is None or declarator is None:
            continue
        if source.text_of(kind) == "void" and declarator.type == "function_declarator":
            yield source.text_of(name)


def _functions(source: Source, tests: Collection[str], without: Collection[int]) -> Iterator[Node]:
    """The bodies of these tests, and of what helps them."""
    for node in definitions(source):
        name, body = function_name(node), field(node, "body")
        if name is None or body is None:
            continue
        if any(source.line(node) <= line <= source.end_line(node) for line in without):
            continue
        if source.text_of(name) in tests or not is_test(source, node, name):
            yield body


def _is_constant(node: Node) -> bool:
    """Whether a call stands where its value is not computed, or has to be a constant."""
    above = node.parent
    while above is not None and not above.type.endswith("_statement"):
        if above.type in ("sizeof_expression", "array_declarator"):
            return True
        above = above.parent
    return False


def _values(source: Source, call: Node) -> list[str]:
    """What a call is given by name, each once: `n`, `cases[i].year`. What a name only gives the
    address of may have no value yet."""
    found: dict[str, None] = {}
    arguments = field(call, "arguments")
    if arguments is None:
        return []
    for node in walk(arguments, lambda each: each.type != "sizeof_expression"):
        if node.type != "identifier":
            continue
        above = node.parent
        while above is not None and above.type in _STEPS and above.children[0] == node:
            node, above = above, above.parent
        if above is None or above.type in ("sizeof_expression", "type_descriptor"):
            continue
        if above.type == "pointer_expression" or field(above, "function") == node:
            continue
        text = source.text_of(node)
        moves = any(each.type in _MOVING for each in walk(node))
        if not moves and not text.isupper() and not {'"', "\\", "\n"} & {*text}:
            found[text] = None
    return [*found]
