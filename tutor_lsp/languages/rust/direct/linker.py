"""A faster linker for Rust's test programs than the usual one, if one is installed and works."""

import asyncio
import contextlib
import os
import re
import shlex
import shutil
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from tutor_lsp.languages.rust.direct.plan import BuildPlan
from tutor_lsp.languages.rust.environment import rust_environment
from tutor_lsp.process.run import run
from tutor_lsp.process.scratch import scratch_folder
from tutor_lsp.process.spec import ProgramNotFound, Spec

LINKERS = ("mold", "lld")
"""Fastest first; some versions of rustc take the second of themselves. None is required."""
TRIAL_S = 20.0
_OWN = ("linker", "link-arg=-fuse-ld", "link-args=")
USUAL = "cc"
"""What rustc links with; the name also says what kind of linker it is."""
NEWLINE = "\\n"
_LLD = "-fuse-ld=lld"
_HASTY = "-Wl,-O0,--threads=1"
"""Takes a fifth of the work from it: programs that run once need not be small, and all processors
are busy with other tests."""
_KNOWN = ("-m64", "-fuse-ld=lld", "-pie", "-nodefaultlibs")
"""What rustc tells the usual linker beside what that only passes on, in this order."""
_GO_ON = "library-is-there"
_WENT_ON = "linking"
_WAITS = re.compile(rf"`[^`]*/{USUAL}`")
_TRIAL = "fn main() {}\n"


Around = tuple[tuple[str, ...], tuple[str, ...]]
"""What the usual linker puts before and after the files of a program."""


class FastLinker:
    """Looks for one in the background when first asked, and anew for another compiler."""

    def __init__(self) -> None:
        self._rustc = ""
        self._finding: asyncio.Future[tuple[str, ...]] | None = None
        self._asking: asyncio.Task[Around | None] | None = None

    @property
    def around(self) -> Around | None:
        """See `Around`; None as long as it is not known. Asked once."""
        if self._asking is None:
            self._asking = asyncio.create_task(usual_call(), name="usual linker")
        known = self._asking.done() and not self._asking.cancelled()
        return self._asking.result() if known else None

    def flags(self, plan: BuildPlan) -> tuple[str, ...]:
        """What to add to the calls for tests; nothing as long as it is not known, or where the
        plan itself names a linker. Microseconds."""
        if names_linker(plan):
            return ()
        rustc = plan.library.command[0]
        if self._finding is None or self._rustc != rustc:
            self._rustc = rustc
            self._finding = asyncio.create_task(find(rustc), name="linker")
        found = self._finding
        return found.result() if found.done() and not found.cancelled() else ()

    def leave(self) -> None:
        """Use none any more."""
        self._finding = asyncio.get_running_loop().create_future()
        self._finding.set_result(())


def names_linker(plan: BuildPlan) -> bool:
    """Whether the calls of a plan say themselves what links the tests."""
    return any(word.removeprefix("-C").startswith(_OWN) for word in plan.tests[0].command)


_STRAIGHT = """\
straight() {{
  lld= flags=
  for each; do
    shift
    case $each in
      -Wl,*) IFS=,; set -- "$@" ${{each#-Wl,}}; unset IFS ;;
      -B*/gcc-ld) lld=${{each#-B}}/../rust-lld ;;
      -m*|-f*|-pie|-no*|-static*|-shared*) flags="$flags $each" ;;
      -o|-[lL]*|[!-]*) set -- "$@" "$each" ;;
      *) return 1 ;;
    esac
  done
  [ -x "$lld" ] && [ "$flags" = " {known}" ] && "$lld" -flavor gnu {before} "$@" {after}
}}
set -f
straight "$@" >/dev/null 2>&1 && exit
"""
"""Where it fails or there is more to it, the usual linker does it and says why."""


class Waiting:
    """The usual linker of tests, which begins once the library is there.

    Tests are compiled from the library's metadata, as its compiler ends; that rustc, too, looks
    into the library itself for it, where it shall link in the end. It waits once: a rustc whose C
    compiler refuses a flag calls it again without.
    """

    def __init__(self, out: Path, *, chosen: bool = False) -> None:
        """In the folder `out`; `chosen` says that a flag names another one than rustc would
        take."""
        self._out = out
        self._chosen = chosen

    def put(self, around: Around | None) -> None:
        """Put it into its folder; with `around` it calls rustc's own lld as the usual linker does,
        without the three processes between. Raises OSError."""
        out = self._out
        os.mkfifo(out / _GO_ON)
        hasty = f'case "$*" in *{_LLD}*) set -- "$@" {_HASTY};; esac\n'
        own = "" if self._chosen else hasty
        if around is not None and not self._chosen:
            before, after = map(shlex.join, around)
            own += _STRAIGHT.format(known=" ".join(_KNOWN), before=before, after=after)
        waits = f"[ -e {self._quoted(_WENT_ON)} ] || read -r go <{self._quoted(_GO_ON)}"
        program = f'#!/bin/sh\n{waits}\n{own}exec {USUAL} "$@"\n'
        (out / USUAL).write_text(program, encoding="utf-8")
        (out / USUAL).chmod(0o755)

    def begin(self, taken: Collection[int]) -> str:
        """What the shell does before the first call that links; `taken` are its descriptors."""
        held = next(fd for fd in range(3, 10) if fd not in taken)
        return f"exec {held}<>{self._quoted(_GO_ON)}"

    def go_on(self, count: int) -> str:
        """What the shell does so that so many may link, once there is the library."""
        # the mark first, so that who is called again finds it and takes no other's line
        mark, lines = self._quoted(_WENT_ON), self._quoted(_GO_ON)
        return f"printf '' >{mark}; printf '{count * NEWLINE}' >{lines}"

    def _quoted(self, name: str) -> str:
        return shlex.quote(str(self._out / name))

    @staticmethod
    def flags(out: str) -> tuple[str, ...]:
        """What has rustc use it, where it is in that folder."""
        return (f"-Clinker={out}/{USUAL}",)

    def usual(self, text: str) -> str:
        """What the usual linker would have been called in a message."""
        return _WAITS.sub(f"`{USUAL}`", text)

    def stand_in(self, library: Path, metadata: Path) -> None:
        """Make a library of the metadata alone, unless the whole one is there. Raises OSError."""
        data = metadata.read_bytes()
        head = f"{'lib.rmeta/':16}{0:<12}{0:<6}{0:<6}{'100644':8}{len(data):<10}`\n"
        with contextlib.suppress(FileExistsError), library.open("xb") as file:
            file.write(b"".join([b"!<arch>\n", head.encode(), data, b"\n" * (len(data) % 2)]))


async def usual_call() -> Around | None:
    """What the usual linker adds where rustc calls it as it mostly does; None where it does not
    say."""
    try:
        async with scratch_folder("linker") as folder:
            file, program = folder / "in.o", folder / "out"
            file.touch()
            argv = (USUAL, *_KNOWN, "-###", str(file), "-o", str(program))
            said = await run(Spec(argv, folder, rust_environment({"LC_ALL": "C"}), TRIAL_S))
        lines = [shlex.split(line) for line in said.stderr.decode(errors="replace").splitlines()]
        words = next(line for line in reversed(lines) if line and line[0].endswith("/collect2"))
        at = words.index(str(file))
        return tuple(_ours(words[1:at])), tuple(_ours(words[at + 1 :]))
    except (OSError, ValueError, StopIteration, ProgramNotFound):
        return None


def _ours(words: Iterable[str]) -> Iterator[str]:
    """Without the program, which is named anyway, and plug-ins for other objects."""
    rest = iter(words)
    for word in rest:
        if word in ("-o", "-plugin"):
            next(rest, None)
        elif not word.startswith(("-plugin-opt", "-fuse-ld")):
            yield word


async def find(rustc: str) -> tuple[str, ...]:
    """The flag for the fastest linker with which the compiler makes a program that runs; none if
    that is the usual one."""
    search = rust_environment()["PATH"]
    there = [name for name in LINKERS if shutil.which(f"ld.{name}", path=search)]
    try:
        async with scratch_folder("linker") as folder:
            usual = await _linked(rustc, folder, "--print=link-args") if there else None
            for name in there if usual is not None else ():
                if f"-fuse-ld={name}" in (usual or ""):
                    break
                flag = f"-Clink-arg=-fuse-ld={name}"
                if await _linked(rustc, folder, flag) is not None:
                    return (flag,)
    except (OSError, ProgramNotFound):
        pass  # a temporary folder or a compiler that is gone: runs say so
    return ()


async def _linked(rustc: str, folder: Path, *flags: str) -> str | None:
    """What rustc says of a small program; None unless it is made and runs."""
    source, program = folder / "trial.rs", folder / "trial"
    source.write_text(_TRIAL, encoding="utf-8")
    environment = rust_environment({"TMPDIR": str(folder)})
    ended = None
    for argv in ((rustc, *flags, str(source), "-o", str(program)), (str(program),)):
        made = await run(Spec(argv, folder, environment, TRIAL_S))
        if made.returncode != 0:
            return None
        ended = ended or made
    return ended.stdout.decode(errors="replace") if ended else None
