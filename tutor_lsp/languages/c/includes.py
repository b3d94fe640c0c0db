"""Mending the includes of a C test. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from tutor_lsp.languages.c import files, source
from tutor_lsp.languages.common.proof.imports import ImportRefusedError

_C17 = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal "
    "stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath "
    "threads time uchar wchar wctype"
)
_POSIX = (
    "dirent fcntl fnmatch ftw glob grp iconv langinfo libgen monetary netdb poll pthread pwd regex "
    "sched search semaphore spawn strings syslog termios unistd utime wordexp "
    "sys/mman sys/resource sys/select sys/socket sys/stat sys/statvfs sys/time sys/times sys/types "
    "sys/uio sys/un sys/utsname sys/wait arpa/inet net/if netinet/in netinet/tcp"
)
STANDARD = frozenset(f"{name}.h" for name in f"{_C17} {_POSIX}".split())
"""Headers of C17 and of POSIX."""

_LINE = re.compile(r"^(\s*#\s*include\s*)[<\"][^>\"\n]*[>\"](.*)$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINED = re.compile(
    r"^[^\S\n]*+\#[^\S\n]*+define[^\S\n]++(\w++)|\b(?:struct|union|enum)\s++(\w++)"
    r"|\btypedef\b(?P<typed>(?:(?!\btypedef\b)[^;{}])*+);|^\}\s*+(\w++)\s*+;"
    r"|^[^\S\n]*+([A-Z][A-Z0-9_]++)[^\S\n]*+(?:=[^,}\n]*+)?,?[^\S\n]*+(?://.*|/\*.*)?$",
    re.MULTILINE,
)
_GUARD = re.compile(r"^[^\S\n]*+\#[^\S\n]*+ifndef[^\S\n]++(\w++)", re.MULTILINE)
_BETWEEN = re.compile(r"\W++")


@dataclass(frozen=True, slots=True)
class Mended:
    """A test's text with one sentence per mend. `refused` is the first include, with its line,
    that is neither standard library nor exercise."""

    text: str
    notes: tuple[str, ...] = ()
    refused: tuple[int, str] | None = None


def mend_includes(text: str, src: Mapping[str, str], own: frozenset[str]) -> Mended:
    """The text of a test with includes that can be found: those of the exercise by the name that
    they have in src/, test.h and what it uses of the exercise added where they are missing.

    `own` are the names that may be included, see `Toolchain.own_names`.
    """
    mended = _checked(text, src, own)
    if mended.refused is not None or not source.tests(text):
        return mended
    names = files.included(mended.text)
    missing = [] if "test.h" in names else ["test.h"]
    if not any(name in own and name not in ("test.h", "stub.h") for name in names):
        missing += _used(text, src)
    if not missing:
        return mended
    notes = tuple(f'`#include "{name}"` was added.' for name in missing)
    return Mended(files.with_includes(mended.text, missing), (*mended.notes, *notes))


def _checked(text: str, src: Mapping[str, str], own: frozenset[str]) -> Mended:
    lines = text.split("\n")
    notes: list[str] = []
    for number, name in source.imports(text):
        if name in STANDARD or name in own:
            continue
        mine = _own_name(name, own)
        wanted = [mine] if mine is not None else _used(text, src) if name.endswith(".h") else []
        match = _LINE.match(lines[number - 1])
        if not wanted or match is None:
            return Mended(text, tuple(notes), (number, name))
        new = "\n".join(f'{match[1]}"{each}"{match[2]}' for each in wanted)
        shown = "`, `".join(new.split("\n"))
        notes.append(f"line {number}: `{lines[number - 1].strip()}` became `{shown}`.")
        lines[number - 1] = new
    return Mended("\n".join(lines), tuple(notes))


def _own_name(name: str, own: frozenset[str]) -> str | None:
    """The header of the exercise that a path or a source file's name stands for."""
    pure = PurePosixPath(name)
    for each in (pure.with_suffix(".h"), PurePosixPath(pure.name).with_suffix(".h")):
        if str(each) in own and pure.suffix in (".h", ".c"):
            return str(each)
    return None


def _used(text: str, src: Mapping[str, str]) -> list[str]:
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


def mend_tests(
    tests: Mapping[str, str], src: Mapping[str, str], own: frozenset[str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The tests with mended includes, and one sentence per mend; `own` are the headers of the
    exercise. Raises ImportRefusedError."""
    mended: dict[str, str] = {}
    notes: list[str] = []
    for path, text in tests.items():
        found = mend_includes(text, src, own)
        if found.refused is not None:
            raise ImportRefusedError(path, *found.refused)
        mended[path] = found.text
        notes += [f"{path}{'' if n.startswith('line') else ':'} {n}" for n in found.notes]
    return mended, tuple(notes)
