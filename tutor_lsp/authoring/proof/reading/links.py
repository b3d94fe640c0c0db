"""Links of a lesson that lead nowhere, and names in its text that no code of it has. Pure."""

import difflib
import re
from collections.abc import Iterator, Mapping

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.library.markdown import code_blocks, headings, without_code

_LINK = re.compile(r"\[(?P<label>[^\]\n]*)\]\((?P<target>[^)\s]+)\)")
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*:")
_NAME = re.compile(r"(?<!`)`(?P<name>[A-Za-z_]\w*)(?:\(\))?`(?!`)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_ALIKE = 0.75
"""From here on a name is another one's misspelling."""
_THEIRS = re.compile(
    r"\b(?:your|yours|you (?:wrote|have written|write|built|have)|both functions|the stubs?)\b",
    re.IGNORECASE,
)
"""Words of a sentence on what the learner writes in the exercise."""
_NEW = re.compile(
    r"\b(?:would|could|might|add|another|more|new|instead|unlike|what if|std|standard)\b|\?",
    re.IGNORECASE,
)
"""Words of one on something else."""


def broken(lesson: str, files: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """The line of each link that leads nowhere, and what is wrong with it; closing links to stubs
    have rules of their own."""
    anchors = {_anchor(mark.text) for mark in headings(lesson)}
    for number, line in enumerate(without_code(lesson).split("\n"), start=1):
        for link in _LINK.finditer(line):
            path, _, anchor = link["target"].partition("#")
            if _SCHEME.match(link["target"]) or path.startswith("//"):
                continue
            if path and path.removeprefix("./") not in {*files, LESSON}:
                yield number, f"The link [{link['label']}]({link['target']}) names no file."
            elif anchor and path in ("", LESSON) and anchor.lower() not in anchors:
                yield number, f"The link [{link['label']}]({link['target']}) names no heading."


def unknown_names(
    lesson: str, files: Mapping[str, str], stubs: frozenset[str]
) -> Iterator[tuple[int, str]]:
    """The line of each name in the text that is said to be of the exercise and is nowhere in its
    code, and a sentence on it."""
    code = "\n".join([*(each.text for each in code_blocks(lesson)), *files.values()])
    known = set(_WORD.findall(code))
    for number, line in enumerate(without_code(lesson).split("\n"), start=1):
        for sentence in re.split(r"(?<=[.!?:])\s+", line):
            for found in _NAME.finditer(sentence):
                name = found["name"]
                if name in known or "_" not in name.strip("_") or _NEW.search(sentence):
                    continue
                near = difflib.get_close_matches(name, stubs, 1, _ALIKE)
                if near:
                    yield number, f"`{name}` is nowhere in the exercise: is `{near[0]}` meant?"
                elif _THEIRS.search(sentence):
                    yield number, f"`{name}` is nowhere in the exercise."


def _anchor(heading: str) -> str:
    """What a viewer of Markdown makes of a heading."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())
