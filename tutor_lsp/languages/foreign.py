"""Languages that the tutor does not have, told by the names of files, so that an exercise in one is
refused for that."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from tutor_lsp.core.text.translation import t
from tutor_lsp.languages.registry import language_of, languages

_SUFFIXES = {
    "C#": ".cs",
    "C++": ".cc .cpp .cxx .hh .hpp .hxx",
    "Elixir": ".ex .exs",
    "Go": ".go",
    "Haskell": ".hs",
    "Java": ".java",
    "JavaScript": ".cjs .js .jsx .mjs",
    "Kotlin": ".kt .kts",
    "Lua": ".lua",
    "OCaml": ".ml .mli",
    "PHP": ".php",
    "Perl": ".pl .pm",
    "Ruby": ".rb",
    "Scala": ".scala",
    "Swift": ".swift",
    "TypeScript": ".ts .tsx",
    "Zig": ".zig",
}
_NAMES = {suffix: name for name, each in _SUFFIXES.items() for suffix in each.split()}


def foreign_file(paths: Iterable[str]) -> tuple[str, str] | None:
    """The first file in such a language, and the language's name."""
    for path in paths:
        suffix = PurePosixPath(path).suffix.lower()
        if suffix in _NAMES and language_of(suffix) is None:
            return path, _NAMES[suffix]
    return None


def refusal(path: str, name: str) -> str:
    """The sentence that refuses it."""
    known = ", ".join(each.name for each in languages().values())
    return t(f"{path} is {name}, which is not a language of the tutor. It has: {known}.")
