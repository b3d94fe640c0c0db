"""The texts of the plugins for Neovim and Emacs: those that are translated, and those that look as
if they were shown but are not.

Read by a small scanner for each language, which knows strings, comments and calls, no more. In Lua
a text is `t("…")`, parts joined by `..` included, in Emacs Lisp `(tutor-lsp-t "…")`; `marked` and
`tutor-lsp-marked` name one that is translated where it is shown.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EDITORS = Path(__file__).parent.parent / "editors"
NEOVIM, EMACS = EDITORS / "neovim" / "lua", EDITORS / "emacs"
LUA_CALLS = frozenset({"t", "marked"})
LISP_CALLS = frozenset({"tutor-lsp-t", "tutor-lsp-marked", "tutor-lsp-keys--item"})
PROSE = re.compile(r"[A-Za-z’']{2,}[,.:;…]? [(“`\"{]?[A-Za-z]{2,}|^[A-Z][a-z]+[.:…]?$")
"""Words that are read: several, or one with a capital, as a button has it."""


@dataclass(frozen=True)
class Text:
    """A text in a source, and whether it is translated."""

    line: int
    text: str
    translated: bool


def sources() -> list[Path]:
    """All sources of both plugins that may say something."""
    return sorted([*NEOVIM.rglob("*.lua"), *EMACS.glob("*.el")])


def texts(path: Path) -> list[Text]:
    """The texts of a source that are translated, and those that look as if they had to be."""
    source = path.read_text(encoding="utf-8")
    return list((lua if path.suffix == ".lua" else lisp)(source))


_LUA = re.compile(
    r"--\[(?P<c>=*)\[.*?\](?P=c)\]|--[^\n]*|\[(?P<l>=*)\[(?P<long>.*?)\](?P=l)\]"
    r'|"(?P<double>(?:\\.|[^"\\\n])*)"|\'(?P<single>(?:\\.|[^\'\\\n])*)\''
    r"|(?P<name>[A-Za-z_][\w.:]*)|(?P<mark>\.\.|[^\s\w])",
    re.DOTALL,
)
LUA_SILENT = re.compile(
    r"^(vim\.cmd.*|require|error|has|match|find|gsub|gmatch|startswith|endswith|nvim_create_augroup"
    r"|create_augroup|nvim_set_hl|.*\.(vim|fs|nvim_\w+|vim\.startswith|vim\.endswith|has)|debug\..*)$"
)
"""Calls whose strings are not for people."""


def lua(source: str) -> Iterator[Text]:
    """See `texts`."""
    tokens = [each for each in _LUA.finditer(source) if each["name"] or each["mark"] or _said(each)]
    calls: list[str] = []
    at = 0
    while at < len(tokens):
        each = tokens[at]
        before = tokens[at - 1] if at else None
        if each["mark"] == "(":
            calls.append((before["name"] or "") if before else "")
        elif each["mark"] == ")" and calls:
            calls.pop()
        said = _said(each)
        if said is not None:
            parts = [said]
            while at + 2 < len(tokens) and tokens[at + 1]["mark"] == "..":
                if (more := _said(tokens[at + 2])) is None:
                    break
                parts.append(more)
                at += 2
            call = calls[-1] if calls else ""
            opened = before is not None and before["mark"] == "("
            line = source.count("\n", 0, each.start()) + 1
            silent = any(LUA_SILENT.match(name) for name in calls)
            if call in LUA_CALLS and opened:
                yield Text(line, "".join(parts), translated=True)
            elif not silent and PROSE.search("".join(parts)):
                yield Text(line, "".join(parts), translated=False)
        at += 1


def _said(token: re.Match[str]) -> str | None:
    """The value of a string; None if the token is none."""
    if token["long"] is not None:
        return token["long"].removeprefix("\n")
    raw = token["double"] if token["double"] is not None else token["single"]
    return None if raw is None else re.sub(r"\\(.)", _unescaped, raw, flags=re.DOTALL)


def _unescaped(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "\n": ""}.get(match[1], match[1])


@dataclass(frozen=True)
class _String:
    line: int
    text: str


_LISP = re.compile(
    r';[^\n]*|"(?P<string>(?:\\.|[^"\\])*)"|(?P<open>[(\[])|(?P<close>[)\]])'
    r"|(?P<atom>\?\\?.|[^\s()\[\]\";]+)",
    re.DOTALL,
)
DOCUMENTED = {
    **dict.fromkeys(("defun", "defmacro", "defvar", "defvar-local", "defconst", "defcustom"), 3),
    **dict.fromkeys(("defface", "defgroup", "transient-define-prefix", "easy-menu-define"), 3),
    **dict.fromkeys(("tutor-lsp--defcommand", "define-minor-mode"), 2),
    "define-derived-mode": 4,
}
"""Where the documentation of a definition stands, which Emacs shows as it is written."""
LISP_SILENT = frozenset({"declare-function", "require", "rx", "error", "interactive"})


def lisp(source: str) -> Iterator[Text]:
    """See `texts`."""
    for form in _forms(source):
        yield from _of_form(form)


def _forms(source: str) -> list[Any]:
    """The source as lists, names and strings."""
    stack: list[list[Any]] = [[]]
    for token in _LISP.finditer(source):
        if token["open"]:
            stack.append([])
        elif token["close"]:
            closed = stack.pop()
            stack[-1].append(closed)
        elif token["string"] is not None:
            line = source.count("\n", 0, token.start()) + 1
            text = re.sub(r"\\(.)", _unescaped, token["string"], flags=re.DOTALL)
            stack[-1].append(_String(line, text))
        elif token["atom"] and (atom := token["atom"].lstrip("'`,#@")):
            stack[-1].append(atom)
    if len(stack) != 1:
        raise ValueError("unbalanced")
    return stack[0]


def _of_form(form: Sequence[Any]) -> Iterator[Text]:
    head = form[0] if form and isinstance(form[0], str) else ""
    if head in LISP_CALLS:
        if len(form) > 1 and isinstance(form[1], _String):
            yield Text(form[1].line, form[1].text, translated=True)
        yield from _of_parts(form[2:])
        return
    if head in LISP_SILENT:
        # Code in `interactive` is like any other; a string names what is read.
        yield from _of_parts(form[1:] if head == "interactive" else ())
        return
    parts = list(form)
    if head in DOCUMENTED and len(parts) > DOCUMENTED[head]:
        del parts[DOCUMENTED[head]]
    elif head == "cl-defmethod":
        at = next((at for at, part in enumerate(parts) if isinstance(part, _String)), None)
        if at is not None:
            del parts[at]
    for at in range(len(parts) - 1, 0, -1):
        if parts[at - 1] in (":documentation", ":doc", ":prefix", ":tag", ":name"):
            del parts[at]
    yield from _of_parts(parts)


def _of_parts(parts: Sequence[Any]) -> Iterator[Text]:
    for part in parts:
        if isinstance(part, list):
            yield from _of_form(part)
        elif isinstance(part, _String) and PROSE.search(part.text):
            yield Text(part.line, part.text, translated=False)
