"""A hint that holds, as it is shown: its code under the language that it is in. Pure."""

import re

from tutor_lsp.core.text.plain_text import fenced
from tutor_lsp.languages.registry import dialect, languages
from tutor_lsp.stages.plain_markdown import TAGS, harmless
from tutor_lsp.tutor.hinting.coach.pieces import readable

_FENCED = re.compile(r"\s*(`{3,}+|~{3,}+)[ \t]*([^\s`]*)[^\n]*\n(.*?)\n?[ \t]*\1\s*", re.DOTALL)


def shown(text: str, code: str | None, language: str) -> tuple[str, str | None]:
    """Text and code of a hint. Code of another language than the exercise's becomes a block of the
    text, with the tag that the model gave it, if that is one. Blocks: parses."""
    text = harmless(text)
    if code is None or not code.strip():
        return text, None
    found = _FENCED.fullmatch(code)
    tag, inner = (found[2].lower(), found[3]) if found else ("", code.strip("\n"))
    tag = next((each for each in languages() if tag in dialect(each).fences), tag)
    if tag == language or (tag not in TAGS and not _foreign(inner, language)):
        return text, inner
    return f"{text}\n\n{fenced(inner, tag if tag in TAGS else '')}", None


def _foreign(code: str, language: str) -> bool:
    """Whether code cannot be read in this language, but in another one."""
    if readable(code, dialect(language).grammar):
        return False
    return any(readable(code, dialect(other).grammar) for other in languages() if other != language)
