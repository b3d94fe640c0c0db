"""Writes tutor_lsp/locale/tutor_lsp.pot, the texts of the tutor for translators, and brings every
translation up to date, which is one file: `tutor_lsp/locale/<language>/LC_MESSAGES/tutor_lsp.po`.

    python scripts/catalogue.py             write them, and compile each .po to the .mo that is read
    python scripts/catalogue.py --new de    the same, and begin a translation
    python scripts/catalogue.py --check     fail where the template or a compiled file has drifted

Texts are what `t` and `marked` are called with, or what translates by itself, as `TutorError` and
`line` do. Babel reads no f-strings, so they are read from Python's tree: each expression is a
`{name}`. The VS Code extension's own texts are in it, too (editors/vscode/scripts/l10n.mjs collects
them), those of the plugins for Neovim and Emacs (`editor_texts.py`), and those of click that the
terminal's help shows.
"""

import argparse
import ast
import gettext
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from itertools import count
from pathlib import Path

import editor_texts
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tutor_lsp.core.text.translation import DOMAIN, EDITOR

ROOT = Path(__file__).parent.parent
POT = ROOT / "tutor_lsp" / "locale" / "tutor_lsp.pot"
TEXTS = ROOT / "tutor_lsp"
PLACES = {
    "n": (0, 1),
    "Verb": (1, 2),
    "Key": (0, 1),
    **dict.fromkeys(("TutorError", "_Trouble", "_Rejected", "remedy", "report"), (1,)),
    **dict.fromkeys(("flag", "heading"), (1,)),
    **dict.fromkeys(("BadParameter", "UsageError"), (0,)),
    **dict.fromkeys(("Action", "Failure", "_UnfitError", "ask_text", "choose"), (0,)),
    **dict.fromkeys(("BackendFailed", "_unusable", "_usable"), (0,)),
    **dict.fromkeys(("missing_cargo", "missing_cc", "not_ready"), (0,)),
    **dict.fromkeys(("marked", "message", "say_once", "t"), (0,)),
}
"""Which arguments of these are texts: they translate them. Those of `n` are one text."""
NAMED = {"Option": "help"}
"""The named argument of these that is one."""
PRINTS = frozenset({"line"})
"""All arguments of these are texts, or pairs of a style and a text."""
CLICK = (
    "Usage:",
    "Options",
    "Commands",
    "Show this message and exit.",
    "Show the version and exit.",
    "default: {default}",
    "Error: {message}",
    "Try '{command} {option}' for help.",
    "Invalid value: {message}",
    "Invalid value for {param_hint}: {message}",
    "No such option {name!r}.",
    "Option {name!r} does not take a value.",
    "Missing argument",
    "Missing option",
    "Choose from:\n\t{choices}",
    "{value} is not in the range {range}.",
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
)
"""What click says in help and of wrong usage, where it asks gettext for the same catalogue."""
VSCODE = ROOT / "editors" / "vscode"
EXTENSION = (VSCODE / "l10n" / "bundle.l10n.json", VSCODE / "package.nls.json")
PAGES = VSCODE / "media"
"""Of the VS Code extension: texts by their keys, and the pages of its walkthrough by paragraphs."""
HEAD = """# Texts of tutor-lsp.
# This file is under the same license as tutor-lsp, MIT."""
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed time of creation: the file says nothing that the texts do not."""


def template() -> Catalog:
    """All texts."""
    found = Catalog(project="tutor-lsp", header_comment=HEAD, creation_date=EPOCH)
    for path in sorted(TEXTS.rglob("*.py")):
        # Folders of the library hold exercises.
        if path.is_relative_to(TEXTS / "library") and path.parent != TEXTS / "library":
            continue
        for text in texts(ast.parse(path.read_text(encoding="utf-8"))):
            found.add(text, None, [(path.relative_to(ROOT).as_posix(), 0)])
    for path, text in of_data():
        found.add(text, None, [(path.relative_to(ROOT).as_posix(), 0)])
    for path in editor_texts.sources():
        for text in editor_texts.texts(path):
            if text.translated:
                found.add(text.text, None, [(path.relative_to(ROOT).as_posix(), 0)], context=EDITOR)
    for text in CLICK:
        found.add(text, None, [("click", 0)])
    for path in sorted(PAGES.glob("*.md")):
        for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
            found.add(block, None, [(path.relative_to(ROOT).as_posix(), 0)])
    return found


def of_data() -> Iterator[tuple[Path, str]]:
    """Texts in data files: what the languages' constructs are called, and the extension's own."""
    for path in sorted(TEXTS.glob("languages/*/practises.toml")):
        for construct in tomllib.loads(path.read_text(encoding="utf-8")).values():
            yield path, construct["name"]
            yield path, construct.get("one", "one")
    for path in EXTENSION:
        for text in json.loads(path.read_text(encoding="utf-8")).values():
            yield path, text


def written(found: Catalog) -> bytes:
    """A catalogue as translators read it."""
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
        at = PLACES.get(name, ())
        if name == "n" and len(node.args) > 1:
            yield tuple(form(node.args[place]) for place in at)
            continue
        given = [node.args[place] for place in at if place < len(node.args)]
        given += [each.value for each in node.keywords if each.arg == NAMED.get(name, "")]
        if name in PRINTS:
            given += map(unstyled, node.args)
        for found in (form(choice) for each in given for choice in choices(each)):
            if re.search(r"[^\W\d_]{2}", re.sub(r"{\w*}", "", found)):
                yield found


def unstyled(node: ast.expr) -> ast.expr:
    """What is printed of a part of a line: of a place and of code nothing is a text."""
    match node:
        case ast.Tuple(elts=[ast.Constant(value="place" | "code"), _]):
            return ast.Constant("")
        case ast.Tuple(elts=[_, said]):
            return said
    return node


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


def translations(texts: Catalog) -> dict[Path, Catalog]:
    """Every translation by its file, with these texts."""
    found = {}
    for path in sorted(POT.parent.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        with path.open("rb") as file:
            found[path] = read_po(file, locale=path.parents[1].name, domain=DOMAIN)
        found[path].update(texts)
    return found


def compiled(found: Catalog) -> bytes:
    """A translation as it is read when the tutor runs: what is fuzzy stays English."""
    out = BytesIO()
    write_mo(out, found)
    return out.getvalue()


def said(compiled_file: bytes) -> dict[object, str]:
    """All that a compiled file holds but its header, which names the version that wrote it."""
    held: dict[object, str] = vars(gettext.GNUTranslations(BytesIO(compiled_file)))["_catalog"]
    return {text: other for text, other in held.items() if text}


def begin(language: str) -> None:
    """An empty translation, unless there is one."""
    path = POT.parent / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    if not path.exists():
        new = Catalog(language, DOMAIN, HEAD, "tutor-lsp", creation_date=EPOCH, fuzzy=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(written(new))


def drifted() -> list[str]:
    """Files that do not hold what they should."""
    now = template()
    wrong = [] if POT.exists() and POT.read_bytes() == written(now) else [POT.name]
    for path, found in translations(now).items():
        made = path.with_suffix(".mo")
        if not made.exists() or said(made.read_bytes()) != said(compiled(found)):
            wrong.append(made.relative_to(POT.parent).as_posix())
    return wrong


def main(arguments: list[str]) -> None:
    """See above."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--new", metavar="LANGUAGE")
    options = parser.parse_args(arguments)
    if options.check:
        if wrong := drifted():
            sys.exit(f"{', '.join(wrong)} does not match the texts: run `make catalogue`")
        return
    now = template()
    POT.parent.mkdir(exist_ok=True)
    POT.write_bytes(written(now))
    if options.new:
        begin(options.new)
    for path, found in translations(now).items():
        path.write_bytes(written(found))
        path.with_suffix(".mo").write_bytes(compiled(found))


if __name__ == "__main__":
    main(sys.argv[1:])
