"""Practise this error: from a code of a compiler or linter to a bundled exercise."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tutor_lsp.core.learner.curriculum import Curriculum, Node
from tutor_lsp.languages.practises import about_code
from tutor_lsp.languages.registry import language_of, languages
from tutor_lsp.library.loader import BUNDLED, Library, load_curriculum


@dataclass(frozen=True, slots=True)
class Practice:
    """What can be practised offline for a code: the topic's title and where it is."""

    code: str
    node: str
    title: str
    language: str


@dataclass(frozen=True, slots=True)
class Practices:
    """Finds practice for codes. Blocks when made without arguments: it reads the library."""

    curriculum: Curriculum = field(default_factory=load_curriculum)
    library: Library = field(default_factory=lambda: Library([BUNDLED]))

    def find(self, codes: Sequence[str], path: Path) -> Practice | None:
        """Practice for the first of these codes that has a bundled exercise in the language of
        the file, None if there is none. Blocks at the first call.
        """
        language = language_of(path.suffix)
        if language is None:
            return None
        for code in codes:
            for node in self.curriculum.for_error_code(code, language):
                if self.library.find(node.id, 1):
                    return Practice(code, node.id, node.title, language)
        return None


def topics_for(
    code: str, languages: Sequence[str], curriculum: Curriculum, library: Library
) -> list[Node]:
    """The topics that practise a code: in each language those that name it, else those with an
    exercise that practises a construct which the code is about. Blocks: it may read the whole
    library."""
    return [n for each in languages for n in _topics_of(code, each, curriculum, library)]


def _topics_of(
    code: str, language: str, curriculum: Curriculum, library: Library
) -> tuple[Node, ...]:
    named = curriculum.for_error_code(code, language)
    about = about_code(language, code) if not named else frozenset()
    if not about:
        return named
    fitting = (
        entry.node
        for entry in library.entries(language)
        if any(about & set(unit.practises) for unit in entry.units)
    )
    nodes = (curriculum.node(name) for name in dict.fromkeys(fitting))
    return tuple(node for node in nodes if node is not None)


def likely_languages(code: str, taught: Sequence[str]) -> list[str]:
    """The languages that a code may belong to, by how it looks; all of them where it may be any."""
    known = languages()
    forms = {each: known[each].error_codes for each in taught}
    sure = [each for each, form in forms.items() if form and form.fullmatch(code.strip())]
    return sure[:1] or list(taught)
