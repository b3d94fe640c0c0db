"""A folder in which to start one's own exercise: small, complete, and passing the proof."""

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from tutor_lsp.authoring.workspace import write_tree
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON, UnitKind
from tutor_lsp.core.learner.curriculum import NAME
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.languages.registry import languages

TOML = "exercise.toml"
_FILE = re.compile(r"^=== (\S+)\n", re.MULTILINE)
_TOPIC = """[topic]
title = "{title}"
summary = ""
prerequisites = []
tags = []
keywords = []
track = ""

"""
"""What an exercise says of a topic that only it has."""
_UNKNOWN: Mapping[str, str] = MappingProxyType({})
"""No topics: the last word of the name is the slug."""


def new_exercise(
    folder: Path,
    language: str,
    depths: Mapping[str, str] = _UNKNOWN,
    kinds: Sequence[UnitKind] = (),
) -> tuple[str, ...]:
    """Write an exercise that a teacher can change into their own, and return its files.

    It passes `check_exercise` as it is. `folder` is named `<topic>-<name>`, such as
    `python-strings-shop-signs`: the longest topic in `depths` that the name begins with becomes
    the node, the rest the slug, and the topic's depth that of the exercise. If the topic is
    unknown the last word is the slug, at depth D1, and exercise.toml describes the topic. There is
    one more unit for each of the `kinds` but `BODY`, and for `DECLARE` twice a second one in the
    same file. The folder must not exist yet, or be empty.
    Raises TutorError `BAD_ARGUMENT`, `HOME`.
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 - without resolving links
    files = template(language, folder.name, depths, kinds)
    try:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        if os.path.lexists(folder):
            raise TutorError(
                "BAD_ARGUMENT", f"{folder} already exists. Name a folder that is new or empty."
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


def template(
    language: str,
    name: str,
    depths: Mapping[str, str] = _UNKNOWN,
    kinds: Sequence[UnitKind] = (),
) -> dict[str, str]:
    """The files of a new exercise in the folder `name`, with the depth of each known topic.

    Raises TutorError `BAD_ARGUMENT`.
    """
    given = languages()[language].text("template.txt") if language in languages() else None
    if given is None:
        having = (each.id for each in languages().values() if each.text("template.txt"))
        named = ", ".join(sorted(having))
        raise TutorError(
            "BAD_ARGUMENT", f'There is no template for "{language}". Choose one of: {named}.'
        )
    known = [node for node in depths if name.startswith(f"{node}-")]
    node = max(known, key=len, default=name.rpartition("-")[0])
    slug = name[len(node) + 1 :]
    if not NAME.fullmatch(name) or not node:
        raise TutorError(
            "BAD_ARGUMENT",
            f'The folder is named "{name}". Use lower-case letters, digits and "-", at least two '
            f'words: the topic and a name, such as "{next(iter(depths), language)}-weather".',
        )
    depth = depths.get(node, "D1")
    text = given
    for mark, value in (("id", name), ("node", node), ("slug", slug), ("depth", depth)):
        text = text.replace("{{" + mark + "}}", value)
    files = _pieces(text)
    if depths and not known:
        title = node.removeprefix(f"{language}-").replace("-", " ").capitalize()
        described = _TOPIC.format(title=title) + "[[units]]"
        files[TOML] = files[TOML].replace("[[units]]", described, 1)
    for kind, times in Counter(kinds).items():
        if kind is UnitKind.BODY:
            continue
        wanted = [f"{kind}.txt", *([f"{kind}-more.txt"] if times > 1 else [])]
        templates = [languages()[language].text(each) for each in wanted]
        if templates[0] is None:
            said = f"{languages()[language].name} has no template for a unit of the kind {kind}."
            raise TutorError("BAD_ARGUMENT", said)
        for more in filter(None, templates):
            unit = f"ex-{files[TOML].count('[[units]]') + 1}"
            _add(files, _pieces(more.replace("{{unit}}", unit)), unit)
    return files


def _pieces(text: str) -> dict[str, str]:
    pieces = _FILE.split(text)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def _add(files: dict[str, str], more: Mapping[str, str], unit: str) -> None:
    """Add a unit: its files, its entry, its section before the lesson's last, its part at the end
    of a file that it shares, and what other files need, below their first empty line."""
    for name, text in more.items():
        if name == TOML:
            files[name] += text
        elif name == LESSON:
            before, heading, last = files[name].rpartition("\n## ")
            files[name] = f"{before}\n{text}{heading}{last}"
        elif name in files and f" {unit} - " in text:
            files[name] = f"{files[name].rstrip()}\n\n\n{text}"
        elif name in files:
            first, gap, rest = files[name].partition("\n\n")
            files[name] = f"{first}{gap}{text}\n{rest}"
        else:
            files[name] = text
