"""Building a Rust exercise without cargo, by the calls of rustc that cargo made before.

Cargo takes as long to start and look around as rustc to compile a small library. What it makes of
an exercise without dependencies changes with the manifest, the settings and the names of files
alone (`setup.plan_key`), so the calls are learnt once (`plan`) and made again. All that
they make lies in a folder of this run; from the one before there is what rustc keeps for itself.
Where anything is out of the ordinary, cargo has the word.
"""

import json
import shlex
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path

from tutor_lsp.languages.common.build_cache import sign
from tutor_lsp.languages.rust.events import Build
from tutor_lsp.languages.rust.plan import Call, Plan
from tutor_lsp.languages.rust.refresh import ENVIRONMENT, dep_info
from tutor_lsp.process.run import Lines

KEPT = 64
"""How many plans are kept: one for each folder that is worked in, and more."""
REFUSED = 1  # what rustc ends with if the code is wrong; a fault of its own is another number
_CHUNK = 1024 * 1024
_FAILED = "failed"
_STOPPED = '[ -e "$failed" ]'
_ARGUMENTS = "@/dev/stdin"  # rustc reads arguments from a file line by line


class Plans:
    """The plans of this process by their keys; the ones unused for longest go first."""

    def __init__(self) -> None:
        self._plans: OrderedDict[str, tuple[Plan | None, tuple[int, ...]]] = OrderedDict()

    def get(self, key: str) -> Plan | None:
        """The plan, if its compiler is still the same. Blocks for microseconds."""
        plan, compiler = self._plans.get(key, (None, ()))
        if plan is None or _compiler(plan) != compiler:
            return None
        self._plans.move_to_end(key)
        return plan

    def unfit(self, key: str) -> bool:
        """Whether it was tried in vain."""
        return key in self._plans and self._plans[key][0] is None

    def put(self, key: str, plan: Plan | None) -> None:
        """Keep it; None where cargo has the word for good."""
        self._plans[key] = (plan, () if plan is None else _compiler(plan))
        self._plans.move_to_end(key)
        while len(self._plans) > KEPT:
            self._plans.popitem(last=False)


def _compiler(plan: Plan) -> tuple[int, ...]:
    try:
        return sign(Path(plan.library.command[0]))
    except OSError:
        return ()


def script(plan: Plan, out: Path, jobs: int) -> str:
    """A program for the shell that builds all: first the library, then the tests side by side.

    The compiler of the first test starts at once, and waits for its arguments until the library is
    there. None begins after one has failed. It ends with the worst that a call ended with, and
    leaves what each of them says in `out`.
    """
    lines = [_line(number, call, out) for number, call in enumerate(plan.tests, 1)][1:]
    *side, last = [
        [f"{_STOPPED} || {each} || fail" for each in lines[n::jobs]] for n in range(jobs)
    ]
    first, *rest = plan.tests[0].words(str(out))
    return "\n".join(
        [
            f"failed={shlex.quote(str(out / _FAILED))}",
            'fail() { echo "$?" >>"$failed"; }',
            "{",
            f"{_line(0, plan.library, out)} || fail",
            f"{_STOPPED} || printf '%s\\n' {shlex.join(rest)}",
            "exec >/dev/null",
            *("\n".join(["(", *lane, ") &"]) for lane in side if lane),
            "wait",
            "} | {",
            f"{_line(1, plan.tests[0], out, [first, _ARGUMENTS])} || fail",
            *last,
            "}",
            'worst=0; [ -e "$failed" ] || exit 0',
            'while read -r code; do [ "$code" -lt "$worst" ] || worst=$code; done <"$failed"',
            'exit "$worst"',
            "",
        ]
    )


def _line(number: int, call: Call, out: Path, words: Sequence[str] | None = None) -> str:
    values = [f"{name}={shlex.quote(value)}" for name, value in call.environment.items()]
    said = shlex.quote(str(_said(out, number)))
    command = shlex.join(words or call.words(str(out)))
    return " ".join([*values, command, f">/dev/null 2>{said}"])


def _said(out: Path, number: int) -> Path:
    return out / f"{number}.said"


def told(plan: Plan, out: Path, returncode: int, workspace: str) -> Build | None:
    """What came of it, as cargo would have said it; None where cargo has to say it. Blocks.
    Raises OSError."""
    build = Build()
    calls = (plan.library, *plan.tests)
    for number, call in enumerate(calls):
        if _said(out, number).exists():
            _read(_said(out, number), build, workspace)
        if any(name not in call.environment for name in _asked(call, out)):
            return None
    wrong = bool(build.errors or build.unplaced)
    if returncode == 0:
        files = [out / name for call in calls for name in call.made]
        build.made = [str(file) for file in files if file.is_file()]
        build.programs = {call.source: str(out / call.made[0]) for call in plan.tests}
        build.finished = True
        return build if len(build.made) == len(files) and not wrong else None
    build.finished = False
    return build if returncode == REFUSED and wrong else None


def _read(file: Path, build: Build, workspace: str) -> None:
    def take(line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return
        if isinstance(message, dict) and "spans" in message:
            build.diagnostic(message, workspace)

    lines = Lines(take)
    with file.open("rb") as read:
        while data := read.read(_CHUNK):
            lines.feed(data)
    lines.finish()


def _asked(call: Call, out: Path) -> Iterator[str]:
    """Variables of the environment that the code asked for: cargo may give more of them."""
    told = dep_info(out / call.made[0])
    if told.is_file():
        for line in told.read_text(encoding="utf-8").splitlines():
            if line.startswith(ENVIRONMENT):
                yield line.removeprefix(ENVIRONMENT).partition("=")[0]
