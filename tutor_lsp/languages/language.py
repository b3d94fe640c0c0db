"""What most languages have in common, to build one on."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.language.language import Lines, Names
from tutor_lsp.core.setting_values import SettingInfo
from tutor_lsp.languages.common.texts import text_beside


class BaseLanguage:
    """Implements `core.language.language.Language` but for its toolchain and its dialect. Its
    texts lie beside the module of the class."""

    id: ClassVar[str]
    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    lines: ClassVar[Lines]
    stub: ClassVar[re.Pattern[str]]
    """What the body of a stub that nobody has written yet holds."""
    names: ClassVar[Names]
    kinds: ClassVar[frozenset[UnitKind]] = frozenset({UnitKind.BODY})
    place: ClassVar[int] = 100
    blank_lines: ClassVar[int] = 1
    error_codes: ClassVar[re.Pattern[str] | None] = None
    settings: ClassVar[tuple[SettingInfo, ...]] = ()

    def is_unwritten(self, body: str) -> bool:
        return self.stub.search(body) is not None

    def loaded_from_above(self, root: Path) -> Iterator[Path]:
        yield from ()

    def text(self, name: str) -> str | None:
        return text_beside(inspect.getfile(type(self)), name)
