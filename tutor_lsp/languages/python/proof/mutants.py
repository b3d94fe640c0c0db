"""Wrong versions in Python: the code object of a stub is replaced by another one."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from textwrap import dedent

from tutor_lsp.core.language.mutants import Assertion, Operators, Program, Tries
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.guard import guarded
from tutor_lsp.languages.common.proof.splice import site_of
from tutor_lsp.languages.common.texts import harness_text, words
from tutor_lsp.languages.python.proof.domain import PythonGuards
from tutor_lsp.languages.python.proof.names import module_of
from tutor_lsp.languages.python.trees import parse

TEST = "test_tutor_mutants"

OPERATORS = Operators(
    swaps={
        "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="),
        "==": ("!=", "<="), "!=": ("==",), "is": ("is not",), "is not": ("is",),
        "in": ("not in", "=="), "not in": ("in", "!="),
        "+": ("-",), "-": ("+",), "*": ("+",), "/": ("//", "*"), "//": ("/", "%"), "%": ("//",),
        "**": ("*",), "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("+=",), "//=": ("/=", "%="),
        "and": ("or",), "or": ("and",),
    },
    operations=words(
        "comparison_operator boolean_operator binary_operator augmented_assignment"
    ),
    compares=words("< <= > >= == !=") | {"is not", "not in"},
    numbers=words("integer float"),
    texts=words("string"),
    bounds=words("subscript slice"),
    calls={"call": "arguments"},
    named=words("keyword_argument list_splat dictionary_splat generator_expression"),
    siblings={
        "strip": ("rstrip", "lstrip"), "rstrip": ("strip",), "lstrip": ("strip",),
        "removeprefix": ("lstrip",), "removesuffix": ("rstrip",),
        "split": ("splitlines",), "rsplit": ("split",), "partition": ("rpartition",),
        "rpartition": ("partition",), "find": ("rfind",), "rfind": ("find",),
        "index": ("count",), "lower": ("upper", "casefold"), "upper": ("lower", "title"),
        "title": ("capitalize",), "capitalize": ("title",), "startswith": ("endswith",),
        "endswith": ("startswith",), "isdigit": ("isalnum",), "isalpha": ("isalnum",),
        "round": ("int",), "floor": ("ceil",), "ceil": ("floor",),
        "min": ("max",), "max": ("min",), "any": ("all",), "all": ("any",),
        "append": ("extend",), "extend": ("append",), "add": ("discard",),
        "values": ("keys",), "keys": ("values",), "sorted": ("list", "set"),
        "update": ("setdefault",), "get": ("pop",), "pop": ("get",), "remove": ("discard",),
        "union": ("intersection",), "intersection": ("union",), "enumerate": ("list",),
        "abs": ("int",),
    },
    rewrites=(
        ("call", r"(?s)sorted\((\w+)\)", r"list(\1)"),
        ("call", r"(?s)reversed\((.*)\)", r"(\1)"),
        ("call", r"(?s)range\((.+), (.+)\)", r"range(\1, \2 + 1)"),
        ("call", r"(?s)range\(([^,]+)\)", r"range(1, \1)"),
        ("call", r"(?s)sum\((.*)\)", r"len(\1)"),
        ("call", r"(?s)len\((.*)\)", r"(len(\1) - 1)"),
        ("call", r"(?s)(\w+)\.copy\(\)", r"\1"),
        ("call", r"(?s)(?:list|dict|set)\((\w+)\)", r"\1"),
        ("call", r"(?s)(.*)\.split\(\)", r'\1.split(" ")'),
        ("call", r'(?s)(.*)\.split\(" "\)', r"\1.split()"),
        ("call", r"(?s)(.*)\.(?:lower|upper|strip|rstrip|lstrip|casefold)\([^()]*\)", r"\1"),
        ("subscript", r"(?s)(\w+)\[:\]", r"\1"),
        ("subscript", r"(?s)(.*)\[-1\]", r"\1[0]"),
        ("subscript", r"(?s)(.*)\[0\]", r"\1[-1]"),
        ("binary_operator", r"(?s)(.+) \* (.+) // (.+)", r"\1 // \3 * \2"),
        ("comparison_operator", r'(?s)(.+) == (".*")', r"\1 in \2"),
        ("keyword_argument", r"reverse=True", "reverse=False"),
    ),
    drops=words("expression_statement"),
    asks={
        "if_statement": "condition", "while_statement": "condition", "elif_clause": "condition",
    },
    negated="not {}",
    never="False",
    loops=words("for_statement while_statement"),
    leaves="\nbreak",
    filters=words(
        "list_comprehension set_comprehension dictionary_comprehension generator_expression "
        "for_statement while_statement try_statement"
    ),
    others=words("else_clause elif_clause if_clause"),
    rounds=words("round int floor ceil trunc"),
    symmetric=words("min max gcd lcm isclose"),
    opposites={"True": "False", "False": "True", "break": "continue", "continue": "break"},
    nothing="pass",
    mends=(
        ("", r"print\((.*)\)", r"return \1"),
        ("", r"yield (.*)", r"return \1"),
        ("", r"return (.*)", r"yield \1"),
        ("", r"return (\w+)", r"return sorted(\1)"),
        ("", r"(\w+)\.sort\((.*)\)", r"\1 = sorted(\1, \2)"),
        ("", r"return (.+)\.(?:sort|append|reverse)\(.*\)", r"return \1"),
        ("", r"(\w+(?:\.\w+)+\(.*\)|\w+\(.*\))", r"return \1"),
        ("", r"(\w+) = \1\.(sort|append|reverse|extend|update|add)\((.*)\)", r"\1.\2(\3)"),
        ("", r"(\w+)(\.\w+\(.*\))", r"\1 = \1\2"),
        ("subscript", r"(\w+)\[(\w+)\]", r"\1[\2 - 1]"),
        ("subscript", r"(\w+)\[(\w+)\]", r"\1[\2 + 1]"),
        ("call", r"range\((len\(\w+\)|\w+)\)", r"range(\1 - 1)"),
        ("binary_operator", r"(.+) [+-] 1", r"\1"),
        ("binary_operator", r"(.+) // (.+) \* (.+)", r"\1 * \3 // \2"),
        ("call", r"range\((len\(\w+\)|\w+)\)", r"range(\1 + 1)"),
        ("call", r"range\((.+), (.+)\)", r"range(\1, \2 - 1)"),
        ("call", r"int\((.+) / (.+)\)", r"\1 // \2"),
        ("call", r"list\((.+)\)", r"sorted(\1)"),
    ),
)  # fmt: skip


class PythonMutations:
    """See `core.language.mutants.Mutations`."""

    operators = OPERATORS

    def assertions(self, text: str, site: FunctionSite) -> list[Assertion] | None:
        code = text[site.start : site.end]
        margin = _margin(text, site)
        try:
            tree = parse(dedent(margin + code)) if not margin else None
        except (SyntaxError, ValueError, RecursionError):
            return None
        if tree is None or not tree.body or not isinstance(tree.body[0], ast.FunctionDef):
            return None
        place = _Places(code, site.start)
        found = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert):
                parts = [place.of(each) for each in _looked_at(node.test)]
                form = "; ".join(f"tutor_record({{n{at}}}, ({{{at}}}))" for at in range(len(parts)))
                start, end = place.of(node)
                found.append(Assertion(start, end, tuple(parts), form))
            elif isinstance(node, ast.With):
                for item in node.items:
                    called = item.context_expr
                    if isinstance(called, ast.Call) and ast.unparse(called.func).endswith("raises"):
                        start, end = place.of(called)
                        body = (place.of(node.body[0])[0], place.of(node.body[-1])[1])
                        found.append(Assertion(start, end, (body,), "tutor_raising({n0})"))
        return found

    def pick(self, number: int, texts: Sequence[str]) -> str:
        return f"(tutor_pick({number}, {', '.join(texts)},))"

    def constant(self, value: str, signature: str) -> str | None:
        return value

    def program(
        self, solved: Files, tries: Sequence[Tries], accepts: Mapping[str, str], tools: Toolchain
    ) -> Program:
        units = [each.unit for each in tries]
        files = guarded(solved, units, accepts, tools, PythonGuards()) if accepts else dict(solved)
        told = [_told(solved, each, tools) for each in tries]
        files |= {
            "tests/tutor_mutants.json": json.dumps(told),
            f"tests/{TEST}.py": harness_text(__file__, "mutants.py"),
        }
        return Program(files, (TEST,))


def _margin(text: str, site: FunctionSite) -> str:
    line = text.rfind("\n", 0, site.start) + 1
    before = text[line : site.start]
    return before if before.isspace() else ""


def _looked_at(test: ast.expr) -> list[ast.expr]:
    """What an assertion looks at: the sides of a comparison that are no plain values."""
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Eq | ast.Is | ast.NotEq):
        sides = [test.left, *test.comparators]
        told = [side for side in sides if not _is_plain(side)]
        return told or sides[:1]
    return [test]


def _is_plain(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


class _Places:
    """Offsets of nodes in a text that is part of another."""

    def __init__(self, code: str, start: int) -> None:
        self._start = start
        self._lines = code.split("\n")
        self._at = [0]
        for line in self._lines:
            self._at.append(self._at[-1] + len(line) + 1)

    def of(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """From which offset to which."""
        first = self._offset(node.lineno, node.col_offset)
        last = self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return first, last

    def _offset(self, line: int, column: int) -> int:
        data = self._lines[line - 1].encode("utf-8")[:column]
        return self._start + self._at[line - 1] + len(data.decode("utf-8"))


def _told(solved: Files, each: Tries, tools: Toolchain) -> dict[str, object]:
    """What the harness has to know about a unit."""
    text = solved[each.unit.file]
    site = site_of(tools, text, each.unit.stub)
    versions: dict[int, str] = {}
    if site is not None:
        margin = _margin(text, site)
        for number, body in each.bodies.items():
            if each.anew:
                versions[number] = text[: site.body_start] + body + text[site.body_end :]
                continue
            whole = text[site.start : site.body_start] + body + text[site.body_end : site.end]
            versions[number] = re.sub(rf"(?m)^{margin}", "", margin + whole) if margin else whole
    return {
        "unit": each.unit.id,
        "module": module_of(each.unit.file),
        "stub": each.unit.stub,
        "anew": each.anew,
        "fails": each.fails,
        "tests": each.unit.tests,
        "versions": [[number, code] for number, code in versions.items()],
        "watched": [[w.test, w.code] for w in each.watched],
        "cases": [[test, *map(list, picks)] for test, picks in each.cases],
    }
