"""The fixed texts of prompts: one file per head (`*.md`) and one per language (`languages/`).

A language is added as one TOML file; nothing else here names a language.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tutor_lsp.core.errors import TutorError

_HERE = Path(__file__).parent
_LANGUAGES = _HERE / "languages"
HEADS = ("setup", "solution", "coach", "reviewer")


@dataclass(frozen=True, slots=True)
class LanguageGuide:
    """What a prompt says of a language; `harness`, `conventions` and
    `accepts` are texts for a model."""

    language: str
    name: str
    package: str
    module_paths: tuple[str, ...]
    import_line: str
    test_file: str
    fence: str
    conventions: str
    harness: str
    accepts: str

    def packet(self) -> dict[str, Any]:
        """The `harness` part of a `context_packet_v1`."""
        return {
            "package": self.package,
            "module_paths": list(self.module_paths),
            "import_line": self.import_line,
            "test_file": self.test_file,
            "text": self.harness,
        }


def languages() -> tuple[str, ...]:
    """Ids of the languages that prompts can be made for, sorted."""
    return tuple(sorted(path.stem for path in _LANGUAGES.glob("*.toml")))


@cache
def language_guide(language: str) -> LanguageGuide:
    """The guide of a language. Raises TutorError `UNKNOWN_LANGUAGE`."""
    if language not in languages():
        known = ", ".join(languages())
        raise TutorError(
            "UNKNOWN_LANGUAGE",
            f'There is no "{language}" here. Choose one of: {known}.',
            details={"language": language, "known": list(languages())},
        )
    data: dict[str, Any] = tomllib.loads(
        (_LANGUAGES / f"{language}.toml").read_text(encoding="utf-8")
    )
    return LanguageGuide(
        language=language,
        name=data["name"],
        package=data["package"],
        module_paths=tuple(data["module_paths"]),
        import_line=data["import_line"],
        test_file=data["test_file"],
        fence=data["fence"],
        conventions=data["conventions"].strip(),
        harness=data["harness"].strip(),
        accepts=data["accepts"].strip(),
    )


@cache
def head(which: str, language: str) -> str:
    """A head of `HEADS` for a language: the same bytes every time.

    Raises TutorError `UNKNOWN_LANGUAGE`, KeyError for a head that does not exist.
    """
    if which not in HEADS:
        raise KeyError(which)
    guide = language_guide(language)
    text = (_HERE / f"{which}.md").read_text(encoding="utf-8")
    for name, value in (
        ("name", guide.name),
        ("conventions", guide.conventions),
        ("module_paths", ", ".join(guide.module_paths)),
        ("test_file", guide.test_file),
        ("import_line", guide.import_line),
        ("harness", guide.harness),
        ("accepts", guide.accepts),
    ):
        text = text.replace("{{" + name + "}}", value)
    return text
