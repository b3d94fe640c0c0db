"""What a file that was not given is to a run of a C exercise."""

from pathlib import PurePosixPath

from tutor_lsp.core.exercise.snapshot import TAKEN, UNSEEN, NewFile
from tutor_lsp.languages.c.files import PROGRAM, STUB_HEADER, TEST_HEADER
from tutor_lsp.languages.common.paths import BACKUP, GIVEN_TESTS, NO_SOURCE, in_place_of

_SOURCES = frozenset({".c", ".h", ".inc", ".def"})
_LOADED = _SOURCES | {"", ".gch", ".pch"}
"""Suffixes of what can be included; a link to a folder may have none."""
_C = """
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string tgmath
threads time uchar wchar wctype
"""
_POSIX = """
aio alloca cpio dirent dlfcn endian err error execinfo fcntl features fmtmsg fnmatch ftw getopt
glob grp iconv langinfo libgen libintl malloc memory monetary mqueue ndbm netdb nl_types poll
pthread pwd regex sched search semaphore spawn strings stropts syslog tar term termios trace
ulimit unistd utime utmp utmpx values varargs wordexp
"""
_INTERNAL = """
_ctype _locale _regex _stdio _stdlib _string _time _types _wctype alltypes availability
availabilitymacros gethostuuid printf runetype secure stdc-predef syslimits targetconditionals
xlocale
"""
HEADERS = frozenset(f"{name}.h" for name in (_C + _POSIX + _INTERNAL).split())
"""Headers of the standard library, of POSIX, and those that they include."""
FOLDERS = frozenset(
    {"sys", "bits", "gnu", "asm", "asm-generic", "linux", "arpa", "net", "netinet", "sanitizer"}
    | {"secure", "xlocale", "machine", "mach", "libkern", "i386", "arm", "_types", "os", "malloc"}
    | {"pthread", "rpc", "scsi"}
)
"""Folders of such headers."""


def is_standard(name: str) -> bool:
    """Whether it is a header of the standard library or of POSIX, or in a folder of those."""
    return name in HEADERS or (name.endswith(".h") and name.partition("/")[0] in FOLDERS)


def new_file(file: str) -> NewFile:
    """See `Toolchain.new_file`. Headers below `src/` are looked for before those of the system."""
    path = PurePosixPath(file.casefold())
    top = path.parts[0]
    if top not in ("src", "tests") or BACKUP.search(path.name):
        return UNSEEN
    if path.suffix not in _LOADED:
        return NO_SOURCE
    if top == "tests":
        return GIVEN_TESTS
    inner = path.parts[1:]
    own = {PurePosixPath(TEST_HEADER).name, PurePosixPath(STUB_HEADER).name}
    if "/".join(inner) in HEADERS | own or (len(inner) > 1 and inner[0] in FOLDERS):
        return in_place_of(f"the header <{'/'.join(inner)}>")
    if str(path) == PROGRAM:
        return NewFile(why="a program of its own is no part of the tests")
    return TAKEN if path.suffix in _SOURCES else NewFile(why="it is no source file")
