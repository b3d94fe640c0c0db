"""Building a Rust exercise without cargo, by the calls of rustc that cargo made before.

Cargo takes as long to start and look around as rustc to compile a small library. What it makes of
an exercise without dependencies changes with the manifest, the settings and the names of files
alone (`setup.plan_key`), so the calls are learnt once (`plan`) and made again. All that
they make lies in a folder of this run; from the one before there is what rustc keeps for itself.
Where anything is out of the ordinary, cargo has the word.
"""

import contextlib
import hashlib
import os
import shlex
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Self

from tutor_lsp.languages.common.build_cache import put_file, sign
from tutor_lsp.languages.common.output import json_object
from tutor_lsp.languages.rust.events import Build
from tutor_lsp.languages.rust.linker import Waiting
from tutor_lsp.languages.rust.refresh import ENVIRONMENT, dep_info
from tutor_lsp.languages.rust.without_cargo.plan import Call, Plan, plan_text, read_plan
from tutor_lsp.process.run import Lines

KEPT = 64
"""How many plans are kept: one for each folder that is worked in, and more."""
REFUSED = 1  # what rustc ends with if the code is wrong; a fault of its own is another number
_CHUNK = 1024 * 1024
_FAILED = "failed"
_STOPPED = '[ -e "$failed" ]'
_ENDED = b"ended "
_METADATA = b'"emit":"metadata"'


class Plans:
    """The plans of this process by their keys; the ones unused for longest go first.

    With a folder for them, later processes know them, too."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is made when it is needed. Nothing that runs may write there."""
        self._folder = folder
        self._plans: OrderedDict[str, tuple[Plan | None, tuple[int, ...]]] = OrderedDict()

    def get(self, key: str, *, lasting: bool = False) -> Plan | None:
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

    def put(self, key: str, plan: Plan | None, *, lasting: bool = False) -> None:
        """Keep it, with `lasting` for later processes, too; None where cargo has the word for good.
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

    def _keep(self, key: str, known: tuple[Plan | None, tuple[int, ...]]) -> None:
        self._plans[key] = known
        self._plans.move_to_end(key)
        while len(self._plans) > KEPT:
            self._plans.popitem(last=False)


def _file(key: str) -> str:
    return f"{hashlib.blake2b(key.encode(), digest_size=16).hexdigest()}.json"


def _age(file: Path) -> int:
    return -file.stat().st_mtime_ns


def _compiler(plan: Plan) -> tuple[int, ...]:
    try:
        return sign(Path(plan.library.command[0]))
    except OSError:
        return ()


class LibraryRefused(Exception):  # noqa: N818 - says what is the case, not a defect
    """The library's compiler has ended, with `code`, and made nothing."""

    def __init__(self, code: int) -> None:
        super().__init__(f"ended with {code}")
        self.code = code


class Compiling:
    """One build by a plan: a program for the shell, and what it waits for.

    The compilers of the library and of the first test begin at once; that of the test waits for its
    arguments until there is what it needs. With `linking` that is the library's metadata, as for
    cargo, and only its linker waits for the library; without, it is the library itself. The other
    tests are made beside and after it. None begins after one has failed. The program leaves in
    `out` what they say; what the library's compiler says goes to `take`, line by line.
    """

    def __init__(
        self,
        plan: Plan,
        out: Path,
        jobs: int,
        linking: Waiting | None,
        tests_left: Callable[[], object] = lambda: None,
    ) -> None:
        """`out` is an empty folder; `tests_left` is called once the library is made. Use as
        `with Compiling(…) as compiling`."""
        self.build = Build()
        self._plan = plan
        self._out = out
        self._jobs = jobs
        self._linking = linking
        self._tests_left = tests_left
        self._words: tuple[int, int] = (-1, -1)
        self._gate: tuple[int, int] = (-1, -1)

    def __enter__(self) -> Self:
        self._words, self._gate = os.pipe(), os.pipe()
        if self._linking is not None:
            self._linking.put(self._out)
        return self

    def __exit__(self, *_: object) -> None:
        self._open_gates()
        os.close(self._words[0])
        os.close(self._gate[0])

    @property
    def fds(self) -> tuple[int, ...]:
        """The descriptors that the program needs, with their numbers."""
        return self._words[0], self._gate[0]

    def script(self) -> str:
        """The program. It ends with the worst that a compiler of a test ended with."""
        out, linking = self._out, self._linking
        tests = [_line(number, call, out) for number, call in enumerate(self._plan.tests, 1)]
        *side, last = [
            [f"{_STOPPED} || {each} || fail" for each in tests[1:][n :: self._jobs]]
            for n in range(self._jobs)
        ]
        words = [self._plan.tests[0].command[0], f"@/dev/fd/{self._words[0]}"]
        first = _line(1, self._plan.tests[0], out, words)
        return "\n".join(
            [
                f"failed={shlex.quote(str(out / _FAILED))}",
                'fail() { echo "$?" >>"$failed"; }',
                linking.begin(out, self.fds) if linking else ":",
                "(",
                f"{_call(self._plan.library, out)} 2>&1 >/dev/null",
                f'echo "{_ENDED.decode()}$?"',
                linking.go_on(len(tests)) if linking else ":",
                ") &",
                "exec >/dev/null",
                *(
                    "\n".join(["(", f"read -r go </dev/fd/{self._gate[0]}", *lane, ") &"])
                    for lane in side
                    if lane
                ),
                f"{first} || fail",
                *last,
                "wait",
                'worst=0; [ -e "$failed" ] || exit 0',
                'while read -r code; do [ "$code" -lt "$worst" ] || worst=$code; done <"$failed"',
                'exit "$worst"',
                "",
            ]
        )

    def take(self, line: bytes, workspace: str) -> None:
        """Take what the program says of the library. Raises LibraryRefused where it is not made, so
        that nobody waits for the rest, and OSError."""
        if line.startswith(_ENDED):
            if code := int(line.removeprefix(_ENDED)):
                raise LibraryRefused(code)
            self._begin_tests()
            self._tests_left()
        elif self._linking is not None and _METADATA in line:
            library = self._plan.library
            self._linking.stand_in(*(self._out / name for name in library.made))
            self._begin_tests()
        else:
            _diagnostic(line, self.build, workspace)

    def _begin_tests(self) -> None:
        if self._words[1] < 0:
            return
        said = "".join(f"{word}\n" for word in self._plan.tests[0].words(str(self._out))[1:])
        os.write(self._words[1], said.encode())
        self._open_gates()

    def _open_gates(self) -> None:
        for _, write in (self._words, self._gate):
            if write >= 0:
                os.close(write)
        self._words, self._gate = (self._words[0], -1), (self._gate[0], -1)

    def told(self, code: int, workspace: str) -> Build | None:
        """What came of it, as cargo would have said it, where the program or else the library's
        compiler ended with `code`; None where cargo has to say it. Blocks. Raises OSError."""
        build, out = self.build, self._out
        calls = (self._plan.library, *self._plan.tests)
        wrong = bool(build.errors or build.unplaced)
        if not wrong:  # else what tests say is of no interest, as for cargo
            for number in range(1, len(calls)):
                if _said(out, number).exists():
                    _read(_said(out, number), build, workspace)
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


def _said(out: Path, number: int) -> Path:
    return out / f"{number}.said"


def _read(file: Path, build: Build, workspace: str) -> None:
    lines = Lines(lambda line: _diagnostic(line, build, workspace))
    with file.open("rb") as read:
        while data := read.read(_CHUNK):
            lines.feed(data)
    lines.finish()


def _diagnostic(line: bytes, build: Build, workspace: str) -> None:
    message = json_object(line)
    if "spans" in message:
        build.diagnostic(message, workspace)


def _asked(call: Call, out: Path) -> Iterator[str]:
    """Variables of the environment that the code asked for: cargo may give more of them."""
    told = dep_info(out / call.made[0])
    if told.is_file():
        for line in told.read_text(encoding="utf-8").splitlines():
            if line.startswith(ENVIRONMENT):
                yield line.removeprefix(ENVIRONMENT).partition("=")[0]
