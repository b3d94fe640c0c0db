"""Building a Rust exercise without cargo, by the calls of rustc that cargo made before.

Cargo takes as long to start and look around as rustc to compile a small library. What it makes of
an exercise without dependencies changes with the manifest, the settings and the names of files
alone (`setup.plan_key`), so the calls are learnt once (`plan`) and made again. All that
they make lies in a folder of this run; from the one before there is what rustc keeps for itself.
Anything out of the ordinary is left to cargo.
"""

import contextlib
import hashlib
import os
import shlex
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.languages.common.build_cache import put_file, sign
from tutor_lsp.languages.common.output import json_object
from tutor_lsp.languages.rust.direct.linker import Around, Waiting
from tutor_lsp.languages.rust.direct.plan import BuildPlan, Call, plan_text, read_plan
from tutor_lsp.languages.rust.events import LAST, Build
from tutor_lsp.languages.rust.refresh import ENVIRONMENT, dep_info
from tutor_lsp.process.run import LineFeed

KEPT = 64
"""How many plans are kept: one for each folder that is worked in, and more."""
REFUSED = 1  # what rustc ends with if the code is wrong; a fault of its own is another number
_CHUNK = 1024 * 1024
_FAILED = "failed"
_STOPPED = '[ -e "$failed" ]'
_ENDED = b"ended "
_METADATA = b'"emit":"metadata"'
_FIRST, _LIBRARY, _BEGIN, _GATE = range(4)


class Plans:
    """The plans of this process by their keys; the ones unused for longest go first.

    With a folder for them, later processes know them, too."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is made when it is needed. Nothing that runs may write there."""
        self._folder = folder
        self._plans: OrderedDict[str, tuple[BuildPlan | None, tuple[int, ...]]] = OrderedDict()

    def get(self, key: str, *, lasting: bool = False) -> BuildPlan | None:
        """The plan, if its compiler is still the same; with `lasting` also one that an earlier
        process has kept. Blocks for microseconds."""
        if lasting and key not in self._plans and self._folder is not None:
            known = read_plan(self._folder / _file(key), key)
            if known is not None:
                self._keep(key, known)
        plan, compiler = self._plans.get(key, (None, ()))
        if plan is None or _compiler(plan) != compiler:
            return None
        self._plans.move_to_end(key)
        return plan

    def unfit(self, key: str) -> bool:
        """Whether it was tried in vain."""
        return key in self._plans and self._plans[key][0] is None

    def put(self, key: str, plan: BuildPlan | None, *, lasting: bool = False) -> None:
        """Keep it, with `lasting` for later processes too; None leaves the build to cargo for good.
        Blocks for a millisecond or so."""
        self._keep(key, (plan, () if plan is None else _compiler(plan)))
        if self._folder is None or not (lasting or plan is None):
            return
        with contextlib.suppress(OSError):  # what is not kept is learnt anew
            file = self._folder / _file(key)
            if plan is None:
                file.unlink(missing_ok=True)
                return
            put_file(self._folder.parent, file, plan_text(key, plan, _compiler(plan)).encode())
            for old in sorted(self._folder.glob("*.json"), key=_age)[KEPT:]:
                old.unlink()

    def _keep(self, key: str, known: tuple[BuildPlan | None, tuple[int, ...]]) -> None:
        self._plans[key] = known
        self._plans.move_to_end(key)
        while len(self._plans) > KEPT:
            self._plans.popitem(last=False)


def _file(key: str) -> str:
    return f"{hashlib.blake2b(key.encode(), digest_size=16).hexdigest()}.json"


def _age(file: Path) -> int:
    return -file.stat().st_mtime_ns


def _compiler(plan: BuildPlan) -> tuple[int, ...]:
    try:
        return sign(Path(plan.library.command[0]))
    except OSError:
        return ()


class LibraryRefused(Exception):  # noqa: N818 - says what is the case, not a defect
    """The library's compiler has ended, with `code`, and made nothing."""

    def __init__(self, code: int) -> None:
        super().__init__(f"ended with {code}")
        self.code = code


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told of a build before it has ended: that the library is `made`, or is `wrong`."""

    made: Callable[[], object] = lambda: None
    wrong: Callable[[Sequence[BuildError]], object] = lambda _: None


class Compiling:
    """One build by a plan: a program for the shell, and what it waits for.

    The library's compiler begins at once and waits for its arguments, which `begin` gives it; so
    the program can be started before anybody knows the texts. The compiler of the first test begins
    with that, and waits for its own until there is what it needs. With `linking` that is the
    library's metadata, as for cargo, and only its linker waits for the library; without, it is the
    library itself. The other tests are made beside and after it. None begins after one has failed.
    The program leaves in `out` what they say; what the library's compiler says goes to `take`, line
    by line.
    """

    def __init__(
        self,
        plan: BuildPlan,
        out: Path,
        jobs: int,
        linking: Waiting | None,
        workspace: str,
    ) -> None:
        """Use as `with Compiling(…) as compiling`."""
        self.build = Build()
        self._plan = plan
        self._out = out
        self._jobs = jobs
        self._linking = linking
        self._workspace = workspace
        self._told = Told()
        self._pipes: list[tuple[int, int]] = []

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as opened:
            for _ in range(4):
                ends = os.pipe()
                self._pipes.append(ends)
                for end in ends:
                    opened.callback(os.close, end)
            opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        for number, (read, _write) in enumerate(self._pipes):
            self._close(number)
            os.close(read)

    @property
    def fds(self) -> tuple[int, ...]:
        """The descriptors that the program needs, with their numbers."""
        return tuple(read for read, _ in self._pipes)

    def begin(self, told: "Told", around: Around | None = None) -> None:
        """Build the texts as they are now; `out` is an empty folder, `around` what is known of the
        usual linker. Raises OSError."""
        self._told = told
        if self._linking is not None:
            self._linking.put(around)
        self._say(_LIBRARY, self._plan.library.words(str(self._out))[1:])
        self._say(_BEGIN, ["go"])

    def script(self) -> str:
        """The program. It ends with the worst that a compiler of a test ended with."""
        out, linking = self._out, self._linking
        first, library, begin, gate = (read for read, _ in self._pipes)
        tests = [_line(number, call, out) for number, call in enumerate(self._plan.tests, 1)]
        *side, last = [
            [f"{_STOPPED} || {each} || fail" for each in tests[1:][n :: self._jobs]]
            for n in range(self._jobs)
        ]
        test, made = self._plan.tests[0], self._plan.library
        return "\n".join(
            [
                f"failed={shlex.quote(str(out / _FAILED))}",
                'fail() { echo "$?" >>"$failed"; }',
                "(",
                f"{_call(made, out, (made.command[0], _words(library)))} 2>&1 >/dev/null",
                f'echo "{_ENDED.decode()}$?"',
                linking.go_on(len(tests)) if linking else ":",
                ") &",
                f"read -r go </dev/fd/{begin} || exit",
                linking.begin(self.fds) if linking else ":",
                "exec >/dev/null",
                *(
                    "\n".join(["(", f"read -r go </dev/fd/{gate}", *lane, ") &"])
                    for lane in side
                    if lane
                ),
                f"{_line(1, test, out, (test.command[0], _words(first)))} || fail",
                *last,
                "wait",
                'worst=0; [ -e "$failed" ] || exit 0',
                'while read -r code; do [ "$code" -lt "$worst" ] || worst=$code; done <"$failed"',
                'exit "$worst"',
                "",
            ]
        )

    def take(self, line: bytes) -> None:
        """Take what the program says of the library. Raises LibraryRefused where it is not made, so
        that nobody waits for the rest, and OSError."""
        if line.startswith(_ENDED):
            if code := int(line.removeprefix(_ENDED)):
                raise LibraryRefused(code)
            self._begin_tests()
            self._told.made()
        elif self._linking is not None and _METADATA in line:
            library = self._plan.library
            self._linking.stand_in(*(self._out / name for name in library.made))
            self._begin_tests()
        else:
            all_said = _diagnostic(line, self.build, self._workspace)
            if all_said and self.build.errors:
                self._told.wrong(self.build.errors)
                raise LibraryRefused(REFUSED)

    def _begin_tests(self) -> None:
        self._say(_FIRST, self._plan.tests[0].words(str(self._out))[1:])
        self._close(_GATE)

    def _say(self, number: int, words: Sequence[str]) -> None:
        """Say the last words to whoever waits there; nothing if they were said."""
        if self._pipes[number][1] >= 0:
            os.write(self._pipes[number][1], "".join(f"{word}\n" for word in words).encode())
            self._close(number)

    def _close(self, number: int) -> None:
        read, write = self._pipes[number]
        if write >= 0:
            os.close(write)
            self._pipes[number] = (read, -1)

    def told(self, code: int) -> Build | None:
        """What came of it, as cargo would have said it, where the program or else the library's
        compiler ended with `code`; None where cargo has to say it. Blocks. Raises OSError."""
        build, out = self.build, self._out
        calls = (self._plan.library, *self._plan.tests)
        wrong = bool(build.errors or build.unplaced)
        if not wrong:  # else what tests say is of no interest, as for cargo
            for number in range(1, len(calls)):
                if _said(out, number).exists():
                    _read(_said(out, number), build, self._workspace)
        if self._linking is not None:
            build.unplaced = [self._linking.usual(text) for text in build.unplaced]
        for call in calls:
            if any(name not in call.environment for name in _asked(call, out)):
                return None
        wrong = bool(build.errors or build.unplaced)
        if code == 0:
            files = [out / name for call in calls for name in call.made]
            build.made = [str(file) for file in files if file.is_file()]
            build.programs = {call.source: str(out / call.made[0]) for call in self._plan.tests}
            build.finished = True
            return build if len(build.made) == len(files) and not wrong else None
        build.finished = False
        return build if code == REFUSED and wrong else None


def _line(number: int, call: Call, out: Path, words: Sequence[str] | None = None) -> str:
    return f"{_call(call, out, words)} >/dev/null 2>{shlex.quote(str(_said(out, number)))}"


def _call(call: Call, out: Path, words: Sequence[str] | None = None) -> str:
    values = [f"{name}={shlex.quote(value)}" for name, value in call.environment.items()]
    return " ".join([*values, shlex.join(words or call.words(str(out)))])


def _words(fd: int) -> str:
    """The argument that has a compiler read the others."""
    return f"@/dev/fd/{fd}"


def _said(out: Path, number: int) -> Path:
    return out / f"{number}.said"


def _read(file: Path, build: Build, workspace: str) -> None:
    def take(line: bytes) -> None:
        _diagnostic(line, build, workspace)

    lines = LineFeed(take)
    with file.open("rb") as read:
        while data := read.read(_CHUNK):
            lines.feed(data)
    lines.finish()


def _diagnostic(line: bytes, build: Build, workspace: str) -> bool:
    """Take a message of a compiler; whether it says that all errors have been told."""
    message = json_object(line)
    if "spans" not in message:
        return False
    build.diagnostic(message, workspace)
    return bool(message["level"] == "error" and message["message"].startswith(LAST))


def _asked(call: Call, out: Path) -> Iterator[str]:
    """Variables of the environment that the code asked for: cargo may give more of them."""
    told = dep_info(out / call.made[0])
    if told.is_file():
        for line in told.read_text(encoding="utf-8").splitlines():
            if line.startswith(ENVIRONMENT):
                yield line.removeprefix(ENVIRONMENT).partition("=")[0]
