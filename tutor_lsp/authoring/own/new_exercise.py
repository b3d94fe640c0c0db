"""A folder to begin an own exercise in: small, complete, and it holds."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.curriculum import NAME
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.languages.registry import languages

_FILE = re.compile(r"^=== (\S+)\n", re.MULTILINE)
_UNKNOWN: Mapping[str, str] = MappingProxyType({})
"""No topics: the last word of the name is the slug."""


def new_exercise(
    folder: Path, language: str, depths: Mapping[str, str] = _UNKNOWN
) -> tuple[str, ...]:
    """Write an exercise that a teacher can change into their own, and return its files.

    It passes `check_exercise` as it is. `folder` is named `<topic>-<name>`, such as
    `python-strings-shop-signs`: the longest topic of `depths` that it begins with becomes the
    node, what follows the slug, and the topic's depth that of the exercise. Of a topic that is
    not known the last word is the slug, at depth D1. The folder must not be there yet, or be
    empty. Raises TutorError `BAD_ARGUMENT`, `HOME`.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - without following links
    files = template(language, folder.name, depths)
    try:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        if os.path.lexists(folder):
            raise TutorError(
                "BAD_ARGUMENT", f"{folder} is there already. Name a folder that is new or empty."
            )
        folder.parent.mkdir(parents=True, exist_ok=True)
        write_tree(folder, files)
    except OSError as error:
        raise TutorError(
            "HOME",
            f"{folder} cannot be written: {error.strerror or error}. "
            + remedy(error, "Choose another folder."),
            details={"path": str(folder), "errno": error.errno},
        ) from error
    return tuple(sorted(files))


def template(language: str, name: str, depths: Mapping[str, str] = _UNKNOWN) -> dict[str, str]:
    """The files of a new exercise in the folder `name`, with the depth of each known topic.

    Raises TutorError `BAD_ARGUMENT`.
    """
    given = languages()[language].text("template.txt") if language in languages() else None
    if given is None:
        named = ", ".join(sorted(languages()))
        raise TutorError(
            "BAD_ARGUMENT", f'There is no template for "{language}". Choose one of: {named}.'
        )
    known = [node for node in depths if name.startswith(f"{node}-")]
    node = max(known, key=len, default=name.rpartition("-")[0])
    slug = name[len(node) + 1 :]
    if not NAME.fullmatch(name) or not node:
        raise TutorError(
            "BAD_ARGUMENT",
            f'The folder is named "{name}". Use small letters, digits and "-", at least two '
            f'words: the topic and a name, such as "{language}-basics-weather".',
        )
    depth = depths.get(node, "D1")
    text = given
    for mark, value in (("id", name), ("node", node), ("slug", slug), ("depth", depth)):
        text = text.replace("{{" + mark + "}}", value)
    pieces = _FILE.split(text)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))
