"""Practise this error: from a code of a compiler or linter to a bundled exercise."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tutor_lsp.core.curriculum import Curriculum
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum

LANGUAGE_OF_SUFFIX: Mapping[str, str] = {
    ".py": "python",
    ".pyi": "python",
    ".rs": "rust",
    ".c": "c",
    ".h": "c",
}
_RUSTC_CODE = re.compile(r"(?:error\[)?E\d{4}\]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Practice:
    """What can be practised offline for a code: the topic's title and where it is."""

    code: str
    node: str
    title: str
    language: str


class Practices:
    """Finds practice for codes. Blocks when made without arguments: it reads the library."""

    def __init__(
        self, curriculum: Curriculum | None = None, library: Library | None = None
    ) -> None:
        self._curriculum = curriculum or load_curriculum()
        self._library = library or Library([BUNDLED])

    def find(self, codes: Sequence[str], path: Path) -> Practice | None:
        """Practice for the first of these codes that has a bundled exercise in the language of
        the file, None if there is none. Blocks at the first call.
        """
        language = LANGUAGE_OF_SUFFIX.get(path.suffix)
        if language is None:
            return None
        for code in codes:
            for node in self._curriculum.for_error_code(code, language):
                if self._library.find(node.id):
                    return Practice(code, node.id, node.title, language)
        return None


def likely_languages(code: str, taught: Sequence[str]) -> list[str]:
    """The languages that a code may belong to, by how it looks; all of them where it may be any."""
    if _RUSTC_CODE.fullmatch(code.strip()) and "rust" in taught:
        return ["rust"]
    if code.strip().casefold().startswith("-w") and "c" in taught:
        return ["c"]
    return list(taught)
