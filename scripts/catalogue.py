"""Writes tutor_lsp/locale/tutor_lsp.pot, the texts of the tutor for translators; `--check` fails
where it has drifted. A translation is `tutor_lsp/locale/<language>/LC_MESSAGES/tutor_lsp.mo`.

The VS Code extension's own texts are in it, too: editors/vscode/scripts/l10n.mjs collects them.
Texts are what `t` and `marked` are called with, or what translates by itself, as `TutorError` does.
Babel reads no f-strings, so they are read from Python's tree: each expression is a `{name}`.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from itertools import count
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

ROOT = Path(__file__).parent.parent
POT = ROOT / "tutor_lsp" / "locale" / "tutor_lsp.pot"
TEXTS = ROOT / "tutor_lsp"
PLACES = {
    "n": (0, 1),
    **dict.fromkeys(("TutorError", "_Trouble", "_Rejected", "remedy", "report"), (1,)),
    **dict.fromkeys(("Action", "Failure", "_UnfitError", "ask_text", "choose"), (0,)),
    **dict.fromkeys(("BackendFailed", "_unusable", "_usable"), (0,)),
    **dict.fromkeys(("missing_cargo", "missing_cc", "not_ready"), (0,)),
    **dict.fromkeys(("marked", "message", "say_once", "t"), (0,)),
}
"""Which arguments of these are texts: they translate them."""
VSCODE = ROOT / "editors" / "vscode"
EXTENSION = (VSCODE / "l10n" / "bundle.l10n.json", VSCODE / "package.nls.json")
PAGES = VSCODE / "media"
"""Of the VS Code extension: texts by their keys, and the pages of its walkthrough by paragraphs."""
HEAD = """# Texts of tutor-lsp.
# This file is under the same license as tutor-lsp, MIT."""
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed time of creation: the file says nothing that the texts do not."""


def catalogue() -> bytes:
    """The template's bytes."""
    found = Catalog(project="tutor-lsp", header_comment=HEAD, creation_date=EPOCH)
    for path in sorted(TEXTS.rglob("*.py")):
        # Folders of the library hold exercises.
        if path.is_relative_to(TEXTS / "library") and path.parent != TEXTS / "library":
            continue
        for text in texts(ast.parse(path.read_text(encoding="utf-8"))):
            found.add(text, None, [(path.relative_to(ROOT).as_posix(), 0)])
    for path in EXTENSION:
        for text in json.loads(path.read_text(encoding="utf-8")).values():
            found.add(text, None, [(path.relative_to(ROOT).as_posix(), 0)])
    for path in sorted(PAGES.glob("*.md")):
        for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
            found.add(block, None, [(path.relative_to(ROOT).as_posix(), 0)])
    out = BytesIO()
    write_po(out, found, width=100, sort_output=True, include_lineno=False)
    # Which version wrote it is no difference.
    lines = out.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b'"Generated-By:'))


def texts(tree: ast.AST) -> Iterator[str | tuple[str, ...]]:
    """The marked texts of a module: pairs for singular and plural."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
        at = PLACES.get(name)
        if at is None or len(node.args) <= at[-1]:
            continue
        if len(at) > 1:
            yield tuple(form(node.args[place]) for place in at)
            continue
        for found in map(form, choices(node.args[at[0]])):
            if re.search(r"[^\W\d_]{2}", re.sub(r"{\w*}", "", found)):
                yield found


def choices(node: ast.expr) -> Iterator[ast.expr]:
    """What an expression may be: the sides of `a if b else c` and of `a or b`."""
    match node:
        case ast.IfExp(body=one, orelse=other) | ast.BoolOp(op=ast.Or(), values=[one, other]):
            yield from (*choices(one), *choices(other))
        case _:
            yield node


def form(node: ast.expr) -> str:
    """A text with a `{name}` for every expression in it."""
    names: dict[str, str] = {}

    def part(each: ast.expr) -> str:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            return each.value.replace("{", "{{").replace("}", "}}")
        if isinstance(each, ast.JoinedStr):
            return "".join(map(part, each.values))
        if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Add):
            return part(each.left) + part(each.right)
        value = each.value if isinstance(each, ast.FormattedValue) else each
        said = ast.unparse(value)
        if said not in names:
            name = name_of(value)
            tries = (f"{name}_{at}" if at > 1 else name for at in count(1))
            names[said] = next(each for each in tries if each not in names.values())
        return f"{{{names[said]}}}"

    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return part(node)


def name_of(value: ast.expr) -> str:
    """What an expression is called in a form."""
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Call(func=ast.Name(id=name)):
            return name.strip("_").lower()
        case ast.Call(func=ast.Attribute(attr="join"), args=[of]):
            return name_of(of)
        case ast.GeneratorExp(elt=of) | ast.Subscript(value=of) | ast.Await(value=of):
            return name_of(of)
        case ast.BoolOp(values=[of, *_]) | ast.Call(args=[of, *_]):
            return name_of(of)
    return "text"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        POT.parent.mkdir(exist_ok=True)
        POT.write_bytes(catalogue())
    elif not POT.exists() or POT.read_bytes() != catalogue():
        sys.exit(f"{POT.name} does not match the texts: run `make catalogue`")
