"""C that serves nothing but to change what its tests say: in the text, and in what was compiled.

A preprocessor can hide a name in a text, so objects are looked at too: what they define, what they
need, and which of their sections run code. Where objects are no ELF files (macOS) only texts are.
The same signs tell whether a program may fork for its tests.
"""

import ctypes
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from tutor_lsp.languages.c.elf import Object, object_at
from tutor_lsp.languages.common.tampering import Tampering
from tutor_lsp.languages.common.texts import words

_HINT = re.compile(
    r"tutor_|test\.h|construct|destruct|section|asm|ifunc|alias|pragma|_Pragma|TEST_|RUN_TEST"
    r"|/proc/|_address|TUTOR_"
)
_TRIGRAPHS = {"??=": "#", "??/": "\\", "%:": "#"}
_DEFINED = re.compile(
    r"^[ \t]*#[ \t]*(?:define|undef)[ \t]+"
    r"(tutor_\w*|TUTOR_(?!STUB_H\b)\w*|TEST_ASSERT\w*|TEST_SUMMARY|RUN_TEST)"
)
_INCLUDED = re.compile(r"^[ \t]*#[ \t]*include\b.*\btest\.h[\">]")
_PRAGMA = re.compile(
    r"(?:^[ \t]*#[ \t]*pragma|_Pragma\s*\(\s*\")\s*(weak|redefine_extname|init|fini)\b"
)
_PROCESS = re.compile(r"/proc/(?:self|thread-self|%d|%i)/(?:mem|fd|environ|maps|task|exe)\b")
_WORDS = {
    r"\b(?:__)?(?:con|de)structor(?:__)?\b(?=\s*[()])": "runs code of its own before or after "
    "the tests",
    r"\b(?:__)?(?:ifunc|alias|weakref)(?:__)?\s*\(\s*\"?": "gives a function another one's name",
    r"\b(?:__)?section(?:__)?\s*\(": "chooses a section of the program by itself",
    r"\b(?:asm|__asm|__asm__)\b\s*(?:volatile|__volatile__|goto|inline|\()": "holds machine code "
    "(`asm`)",
    r"\b__builtin_(?:frame|return|extract_return)_address\b": "reaches into the functions that "
    "call it",
    r"\btutor_(?!stub_\b|on_stub_\b)\w+": "uses what belongs to the tests (`tutor_…`)",
}
_LITERAL = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)',
    re.DOTALL,
)
_LINE = re.compile(r"(?:[^\\\n]|\\.)++", re.DOTALL)
_ESCAPED = re.compile(r"\\.", re.DOTALL)

_PLAIN = re.compile(
    r"\.(?:text|l?data|l?rodata|l?bss|tbss|tdata|s?data|s?bss|eh_frame|gcc_except_table|note"
    r"|gnu\.linkonce|ARM|comment|llvm_addrsig|data\.rel|group)(?:\.|$|_)|(?!\.)"
)
_OF_THE_SANITIZER = re.compile(r"\.(?:init|fini)_array(?:\.0*99|\.0*1)$")
_ITS_CODE = re.compile(r"_sub_[ID]_00099_\d+$|asan\.module_[cd]tor")
_RUNTIME = re.compile(r"__(?:asan|ubsan|lsan|sanitizer|interceptor|interception|real|wrap|libc)_")
_KNOWN = frozenset({"tutor_on_stub_"})
_NEVER_NEEDED = words(
    "dlsym dlvsym dlopen dlmopen dladdr dl_iterate_phdr mprotect pkey_mprotect ptrace "
    "process_vm_readv process_vm_writev backtrace getcontext setcontext makecontext swapcontext "
    "__libc_start_main _start __bss_start _edata edata _end __executable_start __ehdr_start "
    "_etext etext __data_start data_start _DYNAMIC __init_array_start"
)
_NEVER_FORKED = words(
    "mmap mmap64 mq_open shm_open prlimit prlimit64 setrlimit setrlimit64 setpriority nice "
    "syscall getppid ptrace process_vm_readv process_vm_writev process_madvise unshare setns "
    "mount umount umount2 pivot_root chroot sethostname setdomainname bind "
    "dlsym dlvsym dlopen dlmopen"
)
"""What changes something for the next test that no program sees, or tells a fork from a program."""
_SCHEDULING = "sched_set"
_MEMORY = words(
    "malloc calloc realloc reallocarray free cfree memalign aligned_alloc posix_memalign valloc "
    "pvalloc malloc_usable_size"
)
"""What a program calls before `main`, be it by the names of the C library alone."""
_ARRAYS = (".init_array", ".fini_array")


def look(file: str, text: str) -> list[Tampering]:
    """What is found in a text, in order."""
    for written, meant in _TRIGRAPHS.items():
        text = text.replace(written, meant)
    text = _joined(text)
    if not _HINT.search(text):
        return []
    text = _LINE.sub(_closed, text)
    code = _LITERAL.sub(_blanked, text)
    found: list[Tampering] = []
    for number, (line, bare) in enumerate(zip(text.split("\n"), code.split("\n"), strict=True), 1):
        found += [Tampering(file, number, what) for what in _line(line, bare)]
    return found


def _joined(text: str) -> str:
    """The text with every line that goes on in the next ones as one line, as compilers read it:
    blanks may follow the backslash. Lines of their own keep their numbers."""
    lines: list[str] = []
    begun: list[str] = []
    for line in text.split("\n"):
        end = line.rstrip(" \t\r")
        if end.endswith("\\"):
            begun.append(end[:-1])
            continue
        lines += ["".join([*begun, line]), *[""] * len(begun)]
        begun = []
    if begun:
        lines += ["".join(begun), *[""] * (len(begun) - 1)]
    return "\n".join(lines)


def _closed(match: re.Match[str]) -> str:
    """A line without the escaped quotes that no other quote can close, so that each need not be
    looked for to the end of the line. The places of all else stay."""
    line = match[0]
    for quote in "\"'":
        if f"\\{quote}" in line:
            after = _ESCAPED.sub("  ", line).rfind(quote) + 1
            line = line[:after] + line[after:].replace(quote, " ")
    return line


def _line(line: str, bare: str) -> Iterator[str]:
    if defined := _DEFINED.match(bare):
        yield f"gives `{defined[1]}` of the tests another meaning"
    elif _INCLUDED.match(line) and bare.lstrip().startswith("#"):
        yield "includes test.h, which belongs to the tests"
    elif _PRAGMA.search(line) and ("pragma" in bare or "_Pragma" in bare):
        yield "gives a function another one's name (`#pragma`)"
    else:
        yield from (what for pattern, what in _WORDS.items() if re.search(pattern, bare))
        quoted = [each[0] for each in _LITERAL.finditer(line) if each[0][0] == '"']
        if path := _PROCESS.search(" ".join(quoted)):
            yield f"reaches into the running test program ({path[0]})"


def _blanked(match: re.Match[str]) -> str:
    """Strings and comments without their words; line ends stay."""
    return re.sub(r"[^\n]", " ", match[0])


def look_at_objects(
    sources: Mapping[str, Path], tests: Collection[Path], headers: Collection[str]
) -> list[Tampering]:
    """What is found in the objects of `sources` (by their files), linked with those of `tests`.

    `headers` are the texts of the exercise's headers: what they declare, the exercise itself asks
    for. Blocks. Unreadable objects are passed over: they do not link either.
    """
    read = {file: each for file, path in sources.items() if (each := object_at(path)) is not None}
    used: set[str] = set()
    for path in tests:
        each = object_at(path)
        used |= each.names(defined=False) if each else frozenset()
    given = {name for each in read.values() for name in each.names(defined=True)}
    found = []
    for file, each in read.items():
        said = _object_findings(each, used, given, headers)
        found += [Tampering(file, None, what) for what in said]
    return found


def _object_findings(
    each: Object, used: Collection[str], given: Collection[str], headers: Collection[str]
) -> Iterator[str]:
    yield from _sections(each)
    if any(symbol.indirect for symbol in each.symbols):
        yield "chooses a function while the program loads"
    defined, needed = each.names(defined=True), each.names(defined=False)
    for name in sorted(defined):
        if _RUNTIME.match(name) or (name in used and _in_libc(name) and not _asked(name, headers)):
            yield f"puts `{name}` in the place of the one that the tests use"
    for name in sorted(defined | needed):
        if name.startswith("tutor_") and name not in _KNOWN:
            yield f"uses `{name}`, which belongs to the tests"
    for name in sorted(needed & _NEVER_NEEDED - set(given)):
        yield f"reaches into the running test program (`{name}`)"


def _sections(each: Object) -> Iterator[str]:
    own = any(symbol.local and _ITS_CODE.match(symbol.name) for symbol in each.symbols)
    for name, size in each.sections:
        if _OF_THE_SANITIZER.match(name) and own and size <= each.pointer:
            continue
        if not _PLAIN.match(name):
            yield f"runs code of its own before or after the tests (section {name})"


def may_fork(each: Object, needed: Collection[str]) -> bool:
    """Whether a fork before `main` is to this object what a new program is, and nothing that it
    does can escape whoever looks at what is left; `needed` is what that one calls."""
    wanted = {name.lstrip("_") for name in each.names(defined=False)}
    arrays = (sum(size for name, size in each.sections if name.startswith(a)) for a in _ARRAYS)
    return not (
        each.names(defined=True) & {*needed, *_MEMORY}
        or wanted & _NEVER_FORKED
        or any(name.startswith(_SCHEDULING) for name in wanted)
        or any(symbol.indirect for symbol in each.symbols)
        or any(_sections(each))
        or any(size > each.pointer for size in arrays)
    )


def _asked(name: str, headers: Collection[str]) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\s*\(", text) for text in headers)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def _in_libc(name: str) -> bool:
    """Whether every program can call it."""
    return hasattr(_libc(), name)
