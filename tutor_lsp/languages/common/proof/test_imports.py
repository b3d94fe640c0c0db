"""What tests may import, and mending what a wrong package name broke. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from tutor_lsp.core.ports import Files, Toolchain

PACKAGE = "exercise"
WORD = re.compile(r"[A-Za-z_]\w*")


def uses(text: str, name: str) -> int:
    """How often a name occurs in a text."""
    return len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def listed(names: str) -> list[str]:
    """The names of an import's list, each perhaps with another one (`a as b`)."""
    return [name.strip() for name in names.split(",") if name.strip()]


def used(names: Sequence[str], text: str) -> list[str]:
    """Those of a list's names that the text uses besides importing them."""
    return [name for name in names if uses(text, name.split()[-1]) > 1]


class ImportRefusedError(Exception):
    """A test imports what is neither standard library, test framework nor exercise."""

    rule = "import-foreign"

    def __init__(self, path: str, line: int, module: str) -> None:
        super().__init__(f"{path} line {line} imports {module}, which is not part of the exercise")
        self.path = path
        self.line = line
        self.module = module


@dataclass(frozen=True, slots=True)
class Starter:
    """Names that the starter defines, by module path below the package ("" is its root)."""

    names: Mapping[str, frozenset[str]]

    def module(self, segment: str) -> str | None:
        """The module path that ends with `segment`, if there is just one."""
        hits = [path for path in self.names if path and path.split("/")[-1] == segment]
        return hits[0] if len(hits) == 1 else None

    def home(self, words: set[str]) -> str | None:
        """The one module that defines all of `words`."""
        hits = [path for path, names in self.names.items() if words and words <= names]
        return hits[0] if len(hits) == 1 else None


class ImportRules:
    """How the tests of a language import. Subclasses say what differs.

    A wrong package name in front of a name that the starter defines becomes the package of the
    exercise; a test that imports nothing of the exercise gets the import, and so do names that are
    `missing`. Tests that are in order
    come out unchanged.
    """

    standard: frozenset[str]
    """What comes with the language and the test framework."""
    names: re.Pattern[str]
    """What defines a name at the top level, beside functions."""

    def foreign(self, lines: list[str], toolchain: Toolchain) -> list[tuple[int, str]]:
        """Line (1-based) and module of each import that may need mending."""
        return list(toolchain.imports("\n".join(lines)))

    def mended(self, line: str, statement: str, starter: Starter) -> str | None:
        """The line as it should be, None where there is no telling; `statement` is the whole of
        the statement that begins there."""
        raise NotImplementedError

    def line(self, module: str, names: Sequence[str]) -> str:
        """The import of these names of a module, whose path is below the package."""
        raise NotImplementedError

    def missing(self, text: str) -> frozenset[str]:
        """Names that a text uses and neither has nor imports, as far as that can be told."""
        return frozenset()

    def whole(self, module: str) -> str:
        """The import of a module of the standard library or of the test framework."""
        raise NotImplementedError

    def top(self, lines: Sequence[str]) -> int:
        """The line (0-based) where the first import goes in a file that has none."""
        raise NotImplementedError

    def mend(self, tests: Files, src: Files, toolchain: Toolchain) -> dict[str, str]:
        """The tests with mended imports. Raises ImportRefusedError."""
        starter = self._starter(src, toolchain)
        allowed = self.standard | toolchain.own_names({**src, **tests}) | {PACKAGE}
        mended: dict[str, str] = {}
        for path, text in tests.items():
            lines = text.split("\n")
            ends = dict(toolchain.import_lines(text))
            for number, module in self.foreign(lines, toolchain):
                if module in allowed:
                    continue
                statement = " ".join(lines[number - 1 : ends.get(number, number)])
                repaired = self.mended(lines[number - 1], statement, starter)
                if repaired is None:
                    raise ImportRefusedError(path, number, module)
                lines[number - 1] = repaired
            mended[path] = self._with_import("\n".join(lines), starter, toolchain)
        return mended

    def _with_import(self, text: str, starter: Starter, toolchain: Toolchain) -> str:
        if not toolchain.tests(text):
            return text
        words = self.missing(text)
        added = [self.whole(module) for module in sorted(words & self.standard)]
        if not re.search(rf"\b{PACKAGE}\b", text):
            words = frozenset(WORD.findall(text))
        added += [
            self.line(module, used)
            for module, names in sorted(starter.names.items())
            if (used := sorted(names & words))
        ]
        if not added:
            return text
        lines = text.split("\n")
        at, before_import = self._place(lines, toolchain.imports(text))
        above = [""] if at and not before_import and lines[at - 1].strip() else []
        below = [""] if at < len(lines) and not before_import and lines[at].strip() else []
        return "\n".join([*lines[:at], *above, *added, *below, *lines[at:]])

    def _place(self, lines: list[str], imports: tuple[tuple[int, str], ...]) -> tuple[int, bool]:
        """Where an import goes (0-based), and whether another one follows there."""
        outer = [(number, name) for number, name in imports if not lines[number - 1][:1].isspace()]
        first = next((number for number, name in outer if name != "__future__"), None)
        if first is not None:
            return first - 1, True
        return (outer[-1][0], False) if outer else (self.top(lines), False)

    def _starter(self, src: Files, toolchain: Toolchain) -> Starter:
        names: dict[str, frozenset[str]] = {}
        for path, text in src.items():
            found = {site.name for site in toolchain.functions(text)}
            found |= {
                word for match in self.names.finditer(text) for word in match.groups() if word
            }
            names[_module(path)] = frozenset(found)
        return Starter(names)


def _module(path: str) -> str:
    parts = PurePosixPath(path).with_suffix("").parts[1:]
    if parts[:1] == (PACKAGE,):
        parts = parts[1:]
    if parts and parts[-1] in {"__init__", "lib", "mod"}:
        parts = parts[:-1]
    return "/".join(parts)
