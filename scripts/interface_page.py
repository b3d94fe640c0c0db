"""Writes docs/interface.md and the types of the VS Code extension from the dataclasses of the
interface; `--check` fails where they have drifted.
"""

import ast
import dataclasses
import inspect
import itertools
import operator
import sys
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from tutor_lsp.tutor.commands.dispatch import USE_CASES
from tutor_lsp.tutor.commands.names import BY_NAME
from tutor_lsp.tutor.interface.notifications import Notification
from tutor_lsp.tutor.interface.place import Arguments, Text
from tutor_lsp.tutor.interface.results import Say
from tutor_lsp.tutor.voice.say import WORDS
from tutor_lsp.wire import camel

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "interface.md"
TYPES = ROOT / "editors" / "vscode" / "src" / "interface"
HEAD = """# Interface

This page is generated from the dataclasses in `tutor_lsp/tutor/interface/` by `make interface`;
`docs/adding-an-editor.md` says how to use it.

Every command (`workspace/executeCommand`) takes no argument or one object; unknown keys are
refused. A result that is an object also has `say` (see Say), and so has every notification but
`tutor/texts`.
Unless a field says otherwise, files are relative to the workspace with `/`, lines and columns are
1-based.
"""
TYPES_HEAD = """// Made from the dataclasses of the server by `make interface`. Do not edit.
"""


@cache
def documented(kind: type) -> Mapping[str, str]:
    """What the text below each field says, of its bases too."""
    found: dict[str, str] = {}
    for base in (*reversed(kind.__mro__), kind):
        if base.__module__.startswith("tutor_lsp"):
            found |= _docs(base)
    return found


@cache
def _docs(kind: type) -> Mapping[str, str]:
    # To find a class in its source takes longer than all the rest.
    found = {}
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    body = typing.cast("ast.ClassDef", node).body
    for field, after in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            text = after.value if isinstance(after, ast.Expr) else None
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                found[field.target.id] = " ".join(text.value.split())
    return found


def meaning(kind: type) -> str:
    """What a type is, with its fields called as in JSON."""
    text = " ".join((kind.__doc__ or "").split())
    for name in fields(kind):
        text = text.replace(f"`{name}`", f"`{wire(name)}`")
    return text


def fields(kind: type) -> Mapping[str, tuple[Any, bool]]:
    """Type of every field, and whether it may be left out."""
    hints = typing.get_type_hints(kind, include_extras=True)
    if dataclasses.is_dataclass(kind):
        gone = dataclasses.MISSING
        return {
            field.name: (
                hints[field.name],
                field.default is not gone or field.default_factory is not gone,
            )
            for field in dataclasses.fields(kind)
        }
    return {
        name: (_bare(hint), typing.get_origin(hint) is typing.NotRequired)
        for name, hint in hints.items()
    }


def _bare(hint: Any) -> Any:
    return typing.get_args(hint)[0] if typing.get_origin(hint) is typing.NotRequired else hint


def named(kind: Any) -> bool:
    """Whether a type has a name of its own in the interface."""
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or typing.is_typeddict(kind))


def typescript(kind: Any) -> str:
    """A type as TypeScript has it."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind is None or kind is type(None):
        return "null"
    if origin is typing.Annotated:
        return typescript(inner[0])
    if origin in (typing.Union, types.UnionType):
        return " | ".join(dict.fromkeys(typescript(each) for each in inner))
    if origin is typing.Literal:
        return " | ".join(f'"{each}"' for each in inner)
    if origin in (tuple, list):
        item = typescript(inner[0])
        return f"({item})[]" if " | " in item else f"{item}[]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Record<string, {typescript(inner[1])}>"
    if named(kind):
        return str(kind.__name__)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " | ".join(f'"{each.value}"' for each in kind)
    plain = {str: "string", int: "number", float: "number", bool: "boolean"}
    return plain.get(kind, "unknown")


def reached(kind: Any, found: dict[str, type]) -> None:
    """Every named type that a type leads to, in the order in which they are met."""
    if named(kind):
        known = found.setdefault(kind.__name__, kind)
        if known is not kind:
            sys.exit(f"two types of the interface are called {kind.__name__}")
        for hint, _ in fields(kind).values():
            if _leads_on(hint, found):
                reached(hint, found)
        return
    for inner in typing.get_args(kind):
        if not isinstance(inner, Text):
            reached(inner, found)


def _leads_on(hint: Any, found: Mapping[str, type]) -> bool:
    return not (named(hint) and hint.__name__ in found)


def result_of(name: str) -> Any:
    """The type of a command's result."""
    use_case: Any = USE_CASES[name].load()
    # Only what is returned: the other annotations name what is imported for the type checker alone.
    returned: Any = inspect.get_annotations(use_case)["return"]
    return returned


def wire(name: str) -> str:
    """A field's key in JSON."""
    return camel(name.rstrip("_"))


def row(kind: type, name: str, hint: Any, *, optional: bool) -> str:
    """A line of a table."""
    text = documented(kind).get(name, "")
    shown = typescript(hint).replace("|", "\\|")
    return f"| `{wire(name)}{'?' * optional}` | `{shown}` | {text} |"


def page() -> str:
    """The text of docs/interface.md."""
    parts = [
        HEAD,
        "## Commands\n",
        "| command | what it does | argument | result |\n| --- | --- | --- | --- |",
    ]
    for name, use_case in USE_CASES.items():
        keys = ", ".join(
            f"`{wire(key)}{'?' * optional}: {typescript(hint)}`".replace("|", "\\|")
            for key, (hint, optional) in fields(use_case.arguments).items()
            if key not in fields(Arguments)
        )
        result = typescript(result_of(name)).replace("|", "\\|")
        parts.append(f"| `{name}` | {BY_NAME[name].title} | {keys or '—'} | `{result}` |")
    common = ", ".join(f"`{wire(key)}?`" for key in fields(Arguments))
    parts.append(f"\nAll take {common} as well, to select a session.\n")
    parts += ["## Notifications\n"]
    notifications = typing.get_args(Notification)
    for kind in notifications:
        parts += table(kind, f"### `{kind.METHOD}`")
    parts.append("## Types\n")
    for name, kind in all_types().items():
        if kind not in notifications and not issubclass(kind, Arguments):
            parts += table(kind, f"### {name}")
    return "\n".join(parts)


def table(kind: type, heading: str) -> Iterator[str]:
    """A type with its fields."""
    yield f"{heading}\n\n{meaning(kind)}\n"
    yield "| field | type | meaning |\n| --- | --- | --- |"
    for name, (hint, optional) in fields(kind).items():
        shown = optional and typing.is_typeddict(kind)
        yield row(kind, name, hint, optional=shown)
    yield ""


def all_types() -> dict[str, type]:
    """Every named type of the interface by name."""
    found: dict[str, type] = {}
    reached(Say, found)
    for name, use_case in USE_CASES.items():
        reached(use_case.arguments, found)
        reached(result_of(name), found)
    for kind in typing.get_args(Notification):
        reached(kind, found)
    return found


def bases(kind: type) -> list[type]:
    """The dataclasses that a dataclass extends."""
    return [base for base in kind.__bases__ if dataclasses.is_dataclass(base)]


def module(kind: type) -> str:
    """The generated file of a type: one for each module of the interface, and one for the core."""
    return kind.__module__.rpartition(".")[2] if ".tutor." in kind.__module__ else "core"


def own_fields(kind: type) -> Mapping[str, tuple[Any, bool]]:
    """The fields that its bases do not have."""
    return {
        name: hint
        for name, hint in fields(kind).items()
        if all(fields(base).get(name) != hint for base in bases(kind))
    }


def direct(hint: Any) -> Iterator[type]:
    """The named types that a type mentions."""
    if named(hint):
        yield hint
    elif not isinstance(hint, Text):
        for inner in typing.get_args(hint):
            yield from direct(inner)


def head(used: Iterable[type], here: str) -> Iterator[str]:
    """The import lines of a generated file, if it has any, and a blank line."""
    elsewhere = {(module(kind), kind.__name__) for kind in used if module(kind) != here}
    for file, names in itertools.groupby(sorted(elsewhere), key=operator.itemgetter(0)):
        listed = ", ".join(name for _, name in names)
        yield f'import type {{ {listed} }} from "./{file}.generated";'
    if elsewhere:
        yield ""


def declaration(kind: type) -> Iterator[str]:
    """A type as a TypeScript interface."""
    given = issubclass(kind, Arguments)
    extends = "".join(f" extends {base.__name__}" for base in bases(kind))
    yield f"/** {meaning(kind)} */"
    yield f"export interface {kind.__name__}{extends} {{"
    for field, (hint, optional) in own_fields(kind).items():
        text = documented(kind).get(field)
        yield from [f"  /** {text} */"] * bool(text)
        maybe = optional and (given or typing.is_typeddict(kind))
        yield f"  {wire(field)}{'?' * maybe}: {typescript(hint)};"
    yield "}\n"


def declarations() -> dict[str, str]:
    """The text of every TypeScript file by its name."""
    kinds = list(all_types().values())
    for kind in kinds:
        kinds += [base for base in bases(kind) if base not in kinds]
    files: dict[str, list[type]] = {}
    for kind in kinds:
        files.setdefault(module(kind), []).append(kind)
    texts = {"index": index(files)}
    for file, inside in files.items():
        used = [
            each
            for kind in inside
            for hint, _ in own_fields(kind).values()
            for each in direct(hint)
        ]
        used += [base for kind in inside for base in bases(kind)]
        lines = itertools.chain.from_iterable(map(declaration, inside))
        texts[file] = "\n".join([TYPES_HEAD, *head(used, file), *lines])
    return {f"{file}.generated.ts": text for file, text in texts.items()}


def index(files: Iterable[str]) -> str:
    """The file that has all names, with the commands and notifications."""
    notifications = typing.get_args(Notification)
    used = [Say, *notifications]
    out = []
    for name, use_case in USE_CASES.items():
        used += [use_case.arguments, *direct(result_of(name))]
        argument, result = use_case.arguments.__name__, said(result_of(name))
        out.append(f'  "{name}": {{ argument: {argument}; result: {result} }};')
    return "\n".join(
        [
            TYPES_HEAD,
            *head(used, "index"),
            *(f'export type * from "./{file}.generated";' for file in sorted(files)),
            "\n/** A result or notification with its words. */",
            "export type Said<T> = T & { say: Say };",
            "\n/** Every command with its argument and its result. */",
            "export interface Interface {",
            *out,
            "}\n\n/** Every notification of the server. */",
            "export interface Notifications {",
            *(f'  "{kind.METHOD}": {with_words(kind)};' for kind in notifications),
            "}\n",
        ]
    )


def with_words(notification: Any) -> str:
    """A notification as TypeScript has it, with its words if it has any."""
    name: str = notification.__name__
    return f"Said<{name}>" if notification.METHOD in WORDS else name


def said(result: Any) -> str:
    """A result as TypeScript has it, with its words if it is an object."""
    if typing.get_origin(result) in (tuple, list):
        return typescript(result)
    alone = [each for each in typing.get_args(result) or (result,) if each is not type(None)]
    words = f"Said<{' | '.join(typescript(each) for each in alone)}>"
    return words + " | null" * (type(None) in typing.get_args(result))


def undocumented() -> list[str]:
    """Fields without a word on what they are."""
    return [
        f"{name}.{field}"
        for name, kind in all_types().items()
        if not issubclass(kind, Arguments) and kind.__module__ != Arguments.__module__
        for field in fields(kind)
        if field not in documented(kind)
    ]


if __name__ == "__main__":
    if missing := undocumented():
        sys.exit(f"say what these are: {', '.join(missing)}")
    wanted = {PAGE: page(), **{TYPES / name: text for name, text in declarations().items()}}
    for path in (*wanted, *(path for path in TYPES.glob("*.generated.ts") if path not in wanted)):
        text = wanted.get(path)
        if "--check" not in sys.argv:
            path.unlink() if text is None else path.write_text(text, encoding="utf-8")
        elif text is None or not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} does not match the interface: run `make interface`")
