"""The fixed texts of prompts: one file per head (`*.md`), and `prompt.toml` of each language."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.languages.registry import languages
from tutor_lsp.wire import from_table

_HERE = Path(__file__).parent
_GUIDE = "prompt.toml"
NO_IMPORT = "Tests import nothing."
NO_DECLARATIONS = "`kind` is null."
DECLARATIONS = (
    "`kind` is null, or where a unit is about a declaration itself (a signature, a type, a trait, "
    'a macro) "declare": never ex-1, at most two, each with a source and a test file to itself; '
    "`stub` is what to declare, which nothing else uses. What only a declaration has is practised "
    "by such a unit alone."
)
HEADS = ("setup", "declare", "solution", "without", "mistakes", "coach", "reviewer")


@dataclass(frozen=True, slots=True)
class LanguageGuide:
    """What a prompt says of a language; `harness`, `conventions` and `accepts` are texts for a
    model. `import_line` is empty where a test imports nothing, `declare` where no unit can ask for
    a declaration; `fractions` is how a test compares them."""

    language: str
    name: str
    package: str
    module_paths: tuple[str, ...]
    test_file: str
    fence: str
    conventions: str
    harness: str
    accepts: str
    fractions: str = ""
    import_line: str = ""
    declare: str = ""

    def packet(self) -> dict[str, Any]:
        """The `harness` part of a `context_packet_v1`."""
        return {
            "package": self.package,
            "module_paths": list(self.module_paths),
            "import_line": self.import_line,
            "test_file": self.test_file,
            "text": self.harness,
        }


def guided() -> tuple[str, ...]:
    """Ids of the languages that prompts can be made for, sorted."""
    return tuple(sorted(each.id for each in languages().values() if each.text(_GUIDE)))


@cache
def language_guide(language: str) -> LanguageGuide:
    """The guide of a language. Raises TutorError `UNKNOWN_LANGUAGE`."""
    known = languages().get(language)
    text = known.text(_GUIDE) if known is not None else None
    if text is None:
        raise TutorError(
            "UNKNOWN_LANGUAGE",
            f'There is no "{language}" here. Choose one of: {", ".join(guided())}.',
            details={"language": language, "known": list(guided())},
        )
    given = {
        key: value.strip() if isinstance(value, str) else value
        for key, value in tomllib.loads(text).items()
    }
    return from_table(LanguageGuide, {**given, "language": language}, _GUIDE)


def _text(name: str) -> str:
    return (_HERE / f"{name}.md").read_text(encoding="utf-8")


@cache
def head(which: str, language: str) -> str:
    """A head of `HEADS` for a language: the same bytes every time.

    Raises TutorError `UNKNOWN_LANGUAGE`, KeyError for a head that does not exist.
    """
    if which not in HEADS:
        raise KeyError(which)
    guide = language_guide(language)
    text = _text(which)
    for name, value in (
        ("name", guide.name),
        ("conventions", guide.conventions),
        ("module_paths", ", ".join(guide.module_paths)),
        ("test_file", guide.test_file),
        ("imports", f"Import: `{guide.import_line}`." if guide.import_line else NO_IMPORT),
        ("harness", guide.harness),
        ("accepts", guide.accepts),
        ("fractions", guide.fractions),
        ("declarations", DECLARATIONS if guide.declare else NO_DECLARATIONS),
        ("declare", guide.declare),
    ):
        text = text.replace("{{" + name + "}}", value)
    return text
