"""Wrong versions in C, each in a process of its own that the harness forks."""

import re
from collections.abc import Mapping, Sequence

from tutor_lsp.core.language.mutants import Assertion, Operators, Program, Tries
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.c.proof.domain import CGuards
from tutor_lsp.languages.c.proof.grammar import GRAMMAR
from tutor_lsp.languages.c.proof.wiring import WIRING
from tutor_lsp.languages.c.source import functions
from tutor_lsp.languages.common.proof.versions import TEST, Harness, Switched, row_of
from tutor_lsp.languages.common.texts import harness_text, words
from tutor_lsp.languages.common.treesitter import Source, field, walk

OPERATORS = Operators(
    swaps={
        "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="),
        "==": ("!=", "<="), "!=": ("==",),
        "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*", "%"), "%": ("/",),
        "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("+=",), "/=": ("*=",),
        "++": ("--",), "--": ("++",), "&&": ("||",), "||": ("&&",), "&": ("|",), "|": ("&",),
    },
    operations=words("binary_expression assignment_expression update_expression"),
    compares=words("< <= > >= == !="),
    numbers=words("number_literal"),
    texts=words("string_literal char_literal"),
    bounds=words("subscript_expression"),
    calls={"call_expression": "arguments"},
    named=frozenset(),
    siblings={
        "isspace": ("isblank",), "isblank": ("isspace",), "isalpha": ("isalnum",),
        "isdigit": ("isalnum", "isxdigit"), "isalnum": ("isalpha",), "isupper": ("isalpha",),
        "islower": ("isalpha",), "toupper": ("tolower",), "tolower": ("toupper",),
        "strchr": ("strrchr",), "strrchr": ("strchr",), "strcmp": ("strcoll",),
        "memcpy": ("memmove",), "floor": ("ceil",), "ceil": ("floor",), "round": ("floor", "trunc"),
        "fmin": ("fmax",), "fmax": ("fmin",), "calloc": ("malloc",),
    },
    rewrites=(
        ("update_expression", r"(\w+)\+\+", r"++\1"),
        ("update_expression", r"\+\+(\w+)", r"\1++"),
        ("update_expression", r"(\w+)--", r"--\1"),
        ("pointer_expression", r"\*(\w+)\+\+", r"(*\1)++"),
        ("update_expression", r"\(\*(\w+)\)\+\+", r"*\1++"),
        ("call_expression", r"(?s)strlen\((.*)\)", r"(strlen(\1) - 1)"),
        ("call_expression", r"(?s)strlen\((.*)\)", r"(strlen(\1) + 1)"),
        ("call_expression", r"(?s)strlen\((\w+)\)", r"sizeof(\1)"),
        ("call_expression", r"(?s)strcmp\((.+), (.+)\)", r"strncmp(\1, \2, strlen(\2))"),
        ("call_expression", r"(?s)is(?:space|blank)\((?:\([a-z ]+\))?\s*(.+)\)", r"(\1 == ' ')"),
        ("call_expression", r"(?s)to(?:upper|lower)\((?:\([a-z ]+\))?\s*(.+)\)", r"(\1)"),
        ("binary_expression", r"(?s)(.+) == ' '", r"(\1 == ' ' || \1 == '\\t')"),
        ("binary_expression", r"(?s)(.+) != ' '", r"(\1 != ' ' && \1 != '\\t')"),
        ("binary_expression", r"(?s)(.+) \* (.+) / (.+)", r"\1 / \3 * \2"),
        ("sizeof_expression", r"(?s)sizeof (\*\w+|\w+\[0\])", r"sizeof(char *)"),
    ),
    drops=words("expression_statement"),
    asks={
        "if_statement": "condition", "while_statement": "condition", "for_statement": "condition",
    },
    negated="!{}",
    never="0",
    loops=words("for_statement while_statement do_statement"),
    leaves=";\nbreak;",
    others=words("else_clause"),
    ends=";",
    rounds=words("round floor ceil trunc lround"),
    symmetric=words("fmin fmax"),
    lists=r"\((?:const\s+)?(?:struct\s+)?\w+[\s*]*\[\d*\]\)\s*",
    opposites={"true": "false", "false": "true"},
    nothing=";",
    mends=(
        ("", r'printf\("%[a-z]+(?:\\n)?", (.*)\);', r"return \1;"),
        ("", r"(\w+ = )?malloc\((.*)\);", r"\1malloc(\2 + 1);"),
        ("", r"free\(\w+\);", r";"),
        ("subscript_expression", r"(\w+)\[(\w+)\]", r"\1[\2 - 1]"),
        ("subscript_expression", r"(\w+)\[(\w+)\]", r"\1[\2 + 1]"),
        ("binary_expression", r"(.+) [+-] 1", r"\1"),
        ("binary_expression", r"(.+) / (.+) \* (.+)", r"\1 * \3 / \2"),
        ("call_expression", r"strncmp\((.*), (.*), .*\)", r"strcmp(\1, \2)"),
        ("sizeof_expression", r"sizeof\((\w+)\)", r"strlen(\1)"),
    ),
)  # fmt: skip
_TRYING = re.compile(rf"^void ({TEST}_\d+)\(", re.MULTILINE)
_SUMMARY = re.compile(r"^[ \t]*(?:return\s+)?TEST_SUMMARY\s*\(", re.MULTILINE)
_FORMS = {
    "TEST_ASSERT": "TUTOR_RECORD_TRUTH_({n0}, {0})",
    "TEST_ASSERT_EQ": "TUTOR_RECORD_({n1}, {0}, {1})",
    "TEST_ASSERT_STR_EQ": "TUTOR_RECORD_TEXT_({n1}, {1})",
}


class CMutations:
    """See `core.language.mutants.Mutations`."""

    operators = OPERATORS

    def assertions(self, text: str, site: FunctionSite) -> list[Assertion] | None:
        source, found = Source("c", text), []
        for node in walk(source.root):
            start = source.offset(node.start_byte)
            if node.type != "call_expression" or not site.start <= start < site.end:
                continue
            form = _FORMS.get(source.text_of(node).split("(")[0].strip())
            given = field(node, "arguments")
            if form is None or given is None:
                continue
            parts = tuple(
                (source.offset(each.start_byte), source.offset(each.end_byte))
                for each in given.named_children
                if each.type != "comment"
            )
            if f"{{{len(parts) - 1}}}" in form:
                found.append(Assertion(start, source.offset(node.end_byte), parts, form))
        return found

    def pick(self, number: int, texts: Sequence[str]) -> str:
        others = "".join(
            f"tutor_pick_({number}) == {at}\n? {text} : /*{number}:{at}*/\n"
            for at, text in enumerate(texts[1:], 1)
        )
        return f"({others}{texts[0]})"

    def constant(self, value: str, signature: str) -> str | None:
        return value

    def program(
        self, solved: Files, tries: Sequence[Tries], accepts: Mapping[str, str], tools: Toolchain
    ) -> Program:
        return Switched(GRAMMAR, WIRING, CGuards(), _HARNESS).program(solved, tries, accepts, tools)


def _watched(code: str, test: str, name: str) -> str:
    own = re.sub(rf"\b{re.escape(test)}\b", name, code, count=1)
    return f"static {own}\n"


def _table(
    number: int, each: Tries, versions: Sequence[int], names: Sequence[str], text: str
) -> str:
    name = f"tutor_unit_{number}"
    watched = ", ".join(names) or "NULL"
    return (
        f"static const int {name}_versions[] = {{{', '.join(map(str, versions))}}};\n"
        f"static void (*const {name}_tests[])(void) = {{{', '.join(each.unit.tests)}}};\n"
        f"static void (*const {name}_watched[])(void) = {{{watched}}};\n"
        f'static const struct tutor_unit_ {name} = {{"{each.unit.id}", {name}_versions, '
        f"{len(versions)}, {name}_tests, {len(each.unit.tests)}, {name}_watched, "
        f'{len(each.cases) if names else 0}, "{row_of(each) if names else ""}", '
        f"{int(each.fails)}}};\n"
    )


def _trying(name: str, units: Sequence[int]) -> str:
    calls = "".join(f"    tutor_try_(&tutor_unit_{number});\n" for number in units)
    return f"void {name}(void)\n{{\n{calls}}}\n"


def _added(text: str, added: str) -> str:
    main = next((site for site in functions(text) if site.name == "main"), None)
    at = len(text) if main is None else main.start
    runs = "".join(f"    RUN_TEST({name});\n" for name in _TRYING.findall(added))
    end = _SUMMARY.sub(lambda found: runs + found[0], text[at:], count=1)
    return f'{text[:at]}#include "tutor_mutants.h"\n{added}{end}'


def _prepared(files: dict[str, str]) -> dict[str, str]:
    return {**files, "tests/tutor_mutants.h": harness_text(__file__, "mutants.h")}


_HARNESS = Harness(_watched, _table, _trying, _added, _prepared)
