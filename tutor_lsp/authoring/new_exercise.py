"""A folder to begin an own exercise in: small, complete, and it holds."""

import os
import re
from pathlib import Path

from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.curriculum import NAME
from tutor_lsp.core.errors import TutorError

TEMPLATES = Path(__file__).parent / "templates"
LANGUAGES = tuple(sorted(path.stem for path in TEMPLATES.glob("*.txt")))

_FILE = re.compile(r"^=== (\S+)\n", re.MULTILINE)


def new_exercise(folder: Path, language: str) -> tuple[str, ...]:
    """Write an exercise that a teacher can change into their own, and return its files.

    It passes `check_exercise` as it is. `folder` is named `<topic>-<name>`, such as
    `python-strings-shop-signs`: its last word becomes the slug, what is before it the node. It
    must not be there yet, or be empty. Raises TutorError `BAD_ARGUMENT`, `HOME`.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - without following links
    files = template(language, folder.name)
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
            f"{folder} cannot be written: {error.strerror or error}. Choose another folder.",
            details={"path": str(folder), "errno": error.errno},
        ) from error
    return tuple(sorted(files))


def template(language: str, name: str) -> dict[str, str]:
    """The files of a new exercise in the folder `name`. Raises TutorError `BAD_ARGUMENT`."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise TutorError(
            "BAD_ARGUMENT", f'There is no template for "{language}". Choose one of: {known}.'
        )
    node, _, slug = name.rpartition("-")
    if not NAME.fullmatch(name) or not node:
        raise TutorError(
            "BAD_ARGUMENT",
            f'The folder is named "{name}". Use small letters, digits and "-", at least two '
            f'words: the topic and a name, such as "{language}-basics-weather".',
        )
    text = (TEMPLATES / f"{language}.txt").read_text("utf-8")
    for mark, value in (("id", name), ("node", node), ("slug", slug)):
        text = text.replace("{{" + mark + "}}", value)
    pieces = _FILE.split(text)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))
