"""What cargo has rustc do for an exercise, learnt from what it says of a build."""

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tutor_lsp.languages.rust.events import Build, Unit

OUT = "\0"
"""Stands for the folder that the files are made in: no argument holds this character."""
_RUNNING = re.compile(r"^ +Running `(.*)`$", re.MULTILINE)
_SET = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.DOTALL)
_LIBRARY = (("lib",), ("rlib",))
_WHOLE = ("rlib", "rmeta")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of rustc in the exercise's folder. `source` is the file that it begins with, `made`
    are the names of the files that it must make, the one that is linked first."""

    source: str
    environment: Mapping[str, str]
    command: tuple[str, ...]
    made: tuple[str, ...]

    def words(self, out: str) -> list[str]:
        """The command, with its files in the folder `out`."""
        return [word.replace(OUT, out) for word in self.command]


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """All calls for an exercise: those for the test programs, which may be made in any order or at
    once, need what that for the library makes."""

    library: Call
    tests: tuple[Call, ...]

    def linked(self, flags: tuple[str, ...]) -> "BuildPlan":
        """The same with these flags for what links the tests."""
        tests = (replace(call, command=(*call.command, *flags)) for call in self.tests)
        return replace(self, tests=tuple(tests))

    def early(self) -> "BuildPlan | None":
        """The same with tests that can be compiled from the library's metadata alone, where some
        library of its name is there; None where there is no metadata, or more than that to it."""
        if len(self.library.made) != len(_WHOLE):
            return None
        if [name.rpartition(".")[2] for name in self.library.made] != [*_WHOLE]:
            return None
        library, metadata = (f"={OUT}/{name}" for name in self.library.made)
        tests = []
        for call in self.tests:
            at = [n for n, word in enumerate(call.command) if word.endswith(library)]
            if not at:
                return None
            named = call.command[at[0]].removesuffix(library)
            first = ("--extern", f"{named}{metadata}")
            command = (*call.command[: at[0] - 1], *first, *call.command[at[0] - 1 :])
            tests.append(replace(call, command=command))
        return replace(self, tests=tuple(tests))


def plan_text(key: str, plan: BuildPlan, compiler: tuple[int, ...]) -> str:
    """A plan as a file for `read_plan`, with its key and the sign of its compiler."""
    return json.dumps({"key": key, "compiler": compiler, "plan": asdict(plan)})


def read_plan(file: Path, key: str) -> tuple[BuildPlan, tuple[int, ...]] | None:
    """The plan of a file and the sign of its compiler; None unless it is whole and of that key.
    Blocks."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
        if known["key"] != key:
            return None
        library, *tests = [
            Call(each["source"], each["environment"], tuple(each["command"]), tuple(each["made"]))
            for each in (known["plan"]["library"], *known["plan"]["tests"])
        ]
        return BuildPlan(library, tuple(tests)), tuple(known["compiler"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def is_plain(manifest: str) -> bool:
    """Whether what cargo does with a manifest depends on no other package's."""
    try:
        return tomllib.loads(manifest).get("workspace") == {}
    except ValueError:
        return False


def learn(said: str, build: Build, target: Path, wrapper: str) -> BuildPlan | None:
    """The plan of a build from what `cargo -vv` said of it; None where there is more to it than a
    library and its tests, or where some of it was left from an earlier build.

    `target` is the build folder and `wrapper` cargo's `RUSTC_WRAPPER`.
    """
    if not build.finished or build.fresh or build.scripted or "\ufffd" in said:
        return None
    libraries = [unit for unit in build.units if unit.kinds in _LIBRARY]
    tests = sorted(
        (unit for unit in build.units if unit.kinds == ("test",)), key=lambda unit: unit.source
    )
    alone = len({unit.package for unit in build.units}) == 1
    if not alone or not tests or [len(libraries), len(tests)] != [1, len(build.units) - 1]:
        return None
    try:
        lines = [_Line(shlex.split(line), wrapper) for line in _RUNNING.findall(said)]
        named = {line.made(): line for line in lines}
        if len(lines) != len(build.units) or len(named) != len(lines):
            return None
        made = frozenset(_name(file) for file in libraries[0].files)
        library, *rest = [_call(unit, named, made, str(target)) for unit in [*libraries, *tests]]
    except (LookupError, ValueError):
        return None
    return BuildPlan(library, tuple(rest))


class _Line:
    """A call as cargo tells it. Raises ValueError or LookupError where it is not understood."""

    def __init__(self, words: Sequence[str], wrapper: str) -> None:
        self.environment: dict[str, str] = {}
        rest = list(words)
        while match := _SET.match(rest[0]):
            self.environment[match[1]] = match[2]
            rest.pop(0)
        if rest[0] == wrapper:
            rest.pop(0)
        if _name(rest[0]) != "rustc":
            raise ValueError(rest[0])
        self.command = rest

    def made(self) -> str:
        """What names the crate's files."""
        crate = self.command[self.command.index("--crate-name") + 1]
        extra = [word for word in self.command if word.startswith("extra-filename=")]
        return crate + "".join(extra).removeprefix("extra-filename=")


def _call(unit: Unit, lines: Mapping[str, _Line], library: frozenset[str], target: str) -> Call:
    names = sorted(map(_name, unit.files))  # .rlib before .rmeta
    linked = names[0]
    line = lines[linked[len("lib") : -len(".rlib")] if linked.endswith(".rlib") else linked]
    return Call(
        source=unit.source,
        environment=line.environment,
        command=tuple(_moved(line.command, library, target)),
        made=tuple(names),
    )


def _moved(command: Iterable[str], library: frozenset[str], target: str) -> Iterator[str]:
    """The command with its files in `OUT`. Raises ValueError for what has no place there."""
    option = ""
    for word in command:
        moved = _value(option, word, library, target)
        if word.startswith("@") or not word.isprintable():  # no arguments to read from a file
            raise ValueError(word)
        if target in moved and not moved.startswith("incremental="):
            raise ValueError(word)
        yield moved
        option = word


def _value(option: str, word: str, library: frozenset[str], target: str) -> str:
    if option == "--out-dir":
        return OUT
    if option == "-L" and word.startswith(f"dependency={target}"):
        return f"dependency={OUT}"
    if option == "--extern":
        name, _, file = word.partition("=")
        if _name(file) not in library:
            raise ValueError(word)
        return f"{name}={OUT}/{_name(file)}"
    return word


def _name(path: str) -> str:
    return path.rpartition("/")[2]
