"""Wrong versions in Rust, each in a process of its own that the harness forks."""

import re
from collections.abc import Mapping, Sequence

from tutor_lsp.core.language.mutants import Assertion, Operators, Program, Tries
from tutor_lsp.core.language.syntax import Token
from tutor_lsp.core.ports import Files, FunctionSite, Toolchain
from tutor_lsp.languages.common.proof.versions import Harness, Switched, row_of
from tutor_lsp.languages.common.syntax import parse, partner, split_top
from tutor_lsp.languages.common.texts import harness_text, words
from tutor_lsp.languages.rust.proof.domain import RustGuards
from tutor_lsp.languages.rust.proof.grammar import GRAMMAR
from tutor_lsp.languages.rust.proof.wiring import WIRING

OPERATORS = Operators(
    swaps={
        "<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="),
        "==": ("!=",), "!=": ("==",),
        "+": ("-",), "-": ("+",), "*": ("+",), "/": ("*", "%"), "%": ("/",),
        "+=": ("-=", "="), "-=": ("+=", "="), "*=": ("+=",), "/=": ("*=",),
        "&&": ("||",), "||": ("&&",), "..": ("..=",), "..=": ("..",),
    },
    operations=words("binary_expression compound_assignment_expr range_expression"),
    compares=words("< <= > >= == !="),
    numbers=words("integer_literal float_literal"),
    texts=words("string_literal char_literal"),
    bounds=words("index_expression range_expression"),
    calls={"call_expression": "arguments"},
    named=frozenset(),
    siblings={
        "trim": ("trim_start", "trim_end"), "trim_start": ("trim",), "trim_end": ("trim",),
        "strip_prefix": ("strip_suffix",), "strip_suffix": ("strip_prefix",),
        "starts_with": ("ends_with", "contains"), "ends_with": ("starts_with",),
        "find": ("rfind",), "rfind": ("find",), "split_once": ("rsplit_once",),
        "rsplit_once": ("split_once",), "to_uppercase": ("to_lowercase",),
        "to_lowercase": ("to_uppercase",), "to_ascii_lowercase": ("to_lowercase",),
        "is_alphabetic": ("is_alphanumeric",), "is_numeric": ("is_alphanumeric",),
        "is_ascii_digit": ("is_ascii_alphanumeric",), "is_whitespace": ("is_ascii_punctuation",),
        "min": ("max",), "max": ("min",), "first": ("last",), "last": ("first",),
        "min_by_key": ("max_by_key",), "max_by_key": ("min_by_key",),
        "any": ("all",), "all": ("any",),
        "saturating_sub": ("wrapping_sub",), "saturating_add": ("wrapping_add",),
        "wrapping_sub": ("saturating_sub",), "wrapping_add": ("saturating_add",),
        "checked_add": ("checked_sub",), "checked_sub": ("checked_add",),
        "floor": ("ceil", "round"), "ceil": ("floor",), "round": ("floor", "trunc"),
        "is_some": ("is_none",), "is_none": ("is_some",),
        "is_ok": ("is_err",), "is_err": ("is_ok",), "skip": ("take",), "take": ("skip",),
        "skip_while": ("take_while",), "take_while": ("skip_while",),
        "sum": ("product",), "chars": ("bytes",), "union": ("intersection",),
    },
    rewrites=(
        ("call_expression", r"(?s)(.*\.iter\(\))", r"\1.rev()"),
        ("call_expression", r"(?s)(.*)\.rev\(\)", r"\1"),
        ("call_expression", r"(?s)(.*)\.unwrap_or\(.*\)", r"\1.unwrap_or_default()"),
        ("call_expression", r"(?s)(.*)\.saturating_sub\((.*)\)", r"(\1 - \2)"),
        ("call_expression", r"(?s)(.*)\.saturating_add\((.*)\)", r"(\1 + \2)"),
        ("call_expression", r"(?s)(.*)\.len\(\)", r"(\1.len() + 1)"),
        ("call_expression", r"(?s)(.*)\.trim_start\(\)", r"\1.trim_start_matches(' ')"),
        ("call_expression", r"(?s)(.*)\.trim(?:_start|_end)?\(\)", r"\1"),
        ("call_expression", r"(?s)(.*)\.to_(?:lower|upper)case\(\)", r"\1.to_string()"),
        ("call_expression", r"(?s)(.*)\.split_whitespace\(\)", r"\1.split(' ')"),
        ("call_expression", r"(?s)(.*)\.split\(' '\)", r"\1.split_whitespace()"),
        ("call_expression", r"(?s)(.*)\.chars\(\)\.count\(\)", r"\1.len()"),
        ("reference_expression", r"(?s)&(\w+)\[(.*)\]", r"\1[\2].trim()"),
        ("binary_expression", r"(?s)(.+) \* (.+) / (.+)", r"\1 / \3 * \2"),
    ),
    drops=words("expression_statement"),
    asks={"if_expression": "condition", "while_expression": "condition"},
    negated="!{}",
    never="false",
    loops=words("for_expression while_expression loop_expression"),
    leaves=";\nbreak;",
    others=words("else_clause"),
    ends=";",
    rounds=words("round floor ceil trunc"),
    symmetric=words("min max"),
    lists=r"vec!|&",
    signed=r"\b[if](?:8|16|32|64|128|size)\b",
    opposites={"true": "false", "false": "true", "break": "continue", "continue": "break"},
    mends=(
        ("", r"print(?:ln)?!\((.*)\);?", r"return format!(\1);"),
        ("", r"(\w+)(\.\w+\(.*\));", r"\1 = \1\2;"),
        ("index_expression", r"(\w+)\[(\w+)\]", r"\1[\2 - 1]"),
        ("index_expression", r"(\w+)\[(\w+)\]", r"\1[\2 + 1]"),
        ("binary_expression", r"(.+) [+-] 1", r"\1"),
        ("binary_expression", r"(.+) / (.+) \* (.+)", r"\1 * \3 / \2"),
        ("call_expression", r"(.*)\.trim_start_matches\(.*\)", r"\1.trim_start()"),
        ("call_expression", r"(.*)\.trim_end_matches\(.*\)", r"\1.trim_end()"),
        ("call_expression", r"(.*)\.trim_matches\(.*\)", r"\1.trim()"),
        ("call_expression", r"(.*)\.bytes\(\)", r"\1.chars()"),
        ("call_expression", r"(.*)\.len\(\)", r"\1.chars().count()"),
    ),
)  # fmt: skip
_ASSERTS = {"assert": 1, "assert_eq": 2, "assert_ne": 2}
_PANICS = r"#\[should_panic[^\]]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub\s+)?fn\s+{}\b"
_PLAIN = words("- ! ( ) [ ] , None Some Ok vec")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"(?!\.)')
_LIBRARY = "src/lib.rs"
_MODULE = "tests/tutor_mutants/mod.rs"
_GUARD = "src/tutor_guard.rs"
_FORBIDS = re.compile(r"^\s*#!\[(?:deny|forbid)\([^\n]*\)\]\n", re.MULTILINE)


class RustMutations:
    """See `core.language.mutants.Mutations`."""

    operators = OPERATORS

    def assertions(self, text: str, site: FunctionSite) -> list[Assertion] | None:
        tokens = parse(text, GRAMMAR).within(site.start, site.end)
        found = []
        for at, token in enumerate(tokens[:-2]):
            sides = _ASSERTS.get(token.text)
            if sides is None or tokens[at + 1].text != "!" or tokens[at + 2].text != "(":
                continue
            end = partner(tokens, at + 2)
            pieces = [p for p in split_top(tokens[at + 3 : end], {","}) if p][:sides]
            told = [piece for piece in pieces if not all(map(_is_plain, piece))]
            parts = tuple((piece[0].start, piece[-1].end) for piece in told or pieces)
            form = " ".join(
                f"tutor_record({{n{number}}}, &({{{number}}}));" for number in range(len(parts))
            )
            if end < len(tokens):
                found.append(Assertion(token.start, tokens[end].end, parts, f"{{{{ {form} }}}}"))
        return found

    def pick(self, number: int, texts: Sequence[str]) -> str:
        # those of one length have types of their own, and what a pick makes lives no longer than it
        slices = [f"&*vec!{text[1:]}.leak()" if text[:2] == "&[" else text for text in texts]
        arms = "".join(
            f"{at} => {text}, /*{number}:{at}*/\n" for at, text in enumerate(slices[1:], 1)
        )
        return f"(match tutor_pick({number}) {{\n{arms}_ => {slices[0]} }})"

    def constant(self, value: str, signature: str) -> str | None:
        _, _, kind = signature.partition("->")
        kind = kind.strip()
        if not kind or (value in ("true", "false") and kind != "bool"):
            return None
        if "String" in kind:
            value = _TEXT.sub(r"\g<0>.to_string()", value)
        return f"vec!{value}" if value.startswith("[") and kind.startswith("Vec") else value

    def program(
        self, solved: Files, tries: Sequence[Tries], accepts: Mapping[str, str], tools: Toolchain
    ) -> Program:
        switched = Switched(GRAMMAR, WIRING, RustGuards(), _HARNESS)
        return switched.program(solved, tries, accepts, tools)


def _is_plain(token: Token) -> bool:
    return token.kind == "literal" or token.text in _PLAIN


def _watched(code: str, test: str, name: str) -> str:
    own = re.sub(rf"\b{re.escape(test)}\b", name, code, count=1)
    return f"{own}\n"


def _table(
    number: int, each: Tries, versions: Sequence[int], names: Sequence[str], text: str
) -> str:
    tests = ", ".join(f"(|| {t}().is_fine(), {_panics(text, t)})" for t in each.unit.tests)
    watched = ", ".join(f"|| {{ let _ = {name}(); }}" for name in names)
    return (
        f"\nstatic TUTOR_UNIT_{number}: tutor_mutants::Unit = "
        "tutor_mutants::Unit {\n"
        f'    unit: "{each.unit.id}",\n'
        f"    versions: &[{', '.join(map(str, versions))}],\n"
        f"    tests: &[{tests}],\n    watched: &[{watched}],\n"
        f'    cases: "{row_of(each) if names else ""}",\n'
        f"    fails: {str(each.fails).lower()},\n}};\n"
    )


def _panics(text: str, test: str) -> str:
    return "true" if re.search(_PANICS.format(re.escape(test)), text) else "false"


def _trying(name: str, units: Sequence[int]) -> str:
    calls = "".join(f"    tutor_mutants::look(&TUTOR_UNIT_{at});\n" for at in units)
    return f"\n#[test]\nfn {name}() {{\n{calls}}}\n"


def _added(text: str, added: str) -> str:
    used = "use tutor_mutants::{pick as tutor_pick, record as tutor_record, Ending as _};"
    return f"{text}\nmod tutor_mutants;\n{used}\n{added}"


def _prepared(files: dict[str, str]) -> dict[str, str]:
    root = _FORBIDS.sub("", files.get(_LIBRARY, ""))
    harness = harness_text(__file__, "mutants.rs")
    found = {**files, _LIBRARY: root}
    if _GUARD in files:
        anybody = '\npub fn anybody() {\n    seen(|seen| seen.unit = "?".to_string());\n}\n'
        found[_GUARD] = files[_GUARD] + anybody
        harness = harness.replace("// guard", "exercise::tutor_guard::anybody();")
    return {**found, _MODULE: harness}


_HARNESS = Harness(_watched, _table, _trying, _added, _prepared)
