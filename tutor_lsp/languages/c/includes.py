"""Mending the includes of a C test. Pure."""

import re
from pathlib import PurePosixPath

from tutor_lsp.core.ports import Files
from tutor_lsp.languages.c import files, source
from tutor_lsp.languages.c.new import is_standard
from tutor_lsp.languages.common.proof.test_imports import ImportRefusedError

_LINE = re.compile(r"^(\s*#\s*include\s*)[<\"][^>\"\n]*[>\"](.*)$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(
    r"^[^\S\n]*+\#[^\S\n]*+define[^\S\n]++(\w++)|\b(?:struct|union|enum)\s++(\w++)"
    r"|\btypedef\b(?P<typed>(?:(?!\btypedef\b)[^;{}])*+);|^\}\s*+(\w++)\s*+;"
    r"|^[^\S\n]*+([A-Z][A-Z0-9_]++)[^\S\n]*+(?:=[^,}\n]*+)?,?[^\S\n]*+(?://.*|/\*.*)?$",
    re.MULTILINE,
)
_GUARD = re.compile(r"^[^\S\n]*+\#[^\S\n]*+ifndef[^\S\n]++(\w++)", re.MULTILINE)
_PLAIN = re.compile(r"[^/]+\.h")
_BETWEEN = re.compile(r"\W++")


def mend_includes(path: str, text: str, src: Files, own: frozenset[str]) -> str:
    """The text of a test with includes that can be found: those of the exercise by the name that
    they have in src/, test.h and what it uses of the exercise added where they are missing.

    `own` are the names that may be included, see `Toolchain.own_names`. Raises ImportRefusedError
    for what is neither standard library nor exercise.
    """
    lines = text.split("\n")
    for number, name in source.imports(text):
        if is_standard(name) or name in own:
            continue
        mine = _own_name(name, own)
        wanted = [mine] if mine is not None else []
        match = _LINE.match(lines[number - 1])
        if mine is None and f'"{name}"' in lines[number - 1] and _PLAIN.fullmatch(name):
            wanted = used_headers(
                text, src
            )  # one in angle brackets or in a folder is another library's
        if not wanted or match is None:
            raise ImportRefusedError(path, number, name)
        lines[number - 1] = "\n".join(f'{match[1]}"{each}"{match[2]}' for each in wanted)
    mended = "\n".join(lines)
    if not source.tests(text):
        return mended
    names = files.included(mended)
    missing = [] if "test.h" in names else ["test.h"]
    if not any(name in own and name not in ("test.h", "stub.h") for name in names):
        missing += used_headers(text, src)
    return files.with_includes(mended, missing) if missing else mended


def _own_name(name: str, own: frozenset[str]) -> str | None:
    """The header of the exercise that a path or a source file's name stands for."""
    pure = PurePosixPath(name)
    for each in (pure.with_suffix(".h"), PurePosixPath(pure.name).with_suffix(".h")):
        if str(each) in own and pure.suffix in (".h", ".c"):
            return str(each)
    return None


def used_headers(text: str, src: Files) -> list[str]:
    """Headers of the modules that define a name which the text uses."""
    words = set(_WORD.findall(text))
    found: list[str] = []
    for path in sorted(src):
        if not path.endswith((".c", ".h")) or path in (files.PROGRAM, files.STUB_HEADER):
            continue
        header = str(PurePosixPath(path).with_suffix(".h").relative_to("src"))
        if header not in found and words & _names(src[path]):
            found.append(header)
    return found


def _names(text: str) -> set[str]:
    names = {site.name for site in source.functions(text)}
    for match in _DEFINED.finditer(text):
        if match["typed"] is not None:
            names.add(_BETWEEN.split(match["typed"].rstrip())[-1])
        else:
            names.update(filter(None, match.groups()))
    return names - {""} - set(_GUARD.findall(text))
