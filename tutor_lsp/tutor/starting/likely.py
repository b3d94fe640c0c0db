"""The language that a learner probably means."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tutor_lsp.files.uris import uri_to_path
from tutor_lsp.languages.registry import language_of
from tutor_lsp.tutor.exercise.folder.marker import exercise_root
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.services.services import Services

DEEP, LOOKED_AT = 3, 500
"""How deep below a folder, and at how many of its entries, it is looked for source files."""


async def likely_language(exercises: OpenExercises, named: str | None, uri: str | None) -> str:
    """The one named, else that of the settings, else the language of the file in use, else of the
    folder's files, else the last session's, else one that works."""
    services = exercises.services
    if named is not None:
        return named
    if services.settings.language in services.toolchains:
        return str(services.settings.language)
    given = uri_to_path(uri) if uri is not None else None
    last = services.frontend.current_document()
    for document in (given, *services.frontend.documents_in_use(), last):
        language = language_of(document.suffix) if document else None
        if language in services.toolchains:
            return str(language)
    around = await asyncio.to_thread(_of_folders, services)
    if around is not None:
        return around
    session = await exercises.active_session()
    if session is not None and session.language in services.toolchains:
        return session.language
    return (await working_languages(services))[0]


async def working_languages(services: Services) -> list[str]:
    """Languages whose tools all work here; all where that is not known."""
    return await services.tools.working(services.taught) or services.taught


def _of_folders(services: Services) -> str | None:
    """The language of most source files in the first folder that has any. Blocks."""
    for folder in services.frontend.folders():
        if _holds_everything(folder, services.home):
            continue
        found = (language_of(Path(name).suffix) for name in _files(folder))
        counts = Counter(each for each in found if each in services.toolchains)
        if counts:
            return counts.most_common(1)[0][0]
    return None


def _holds_everything(folder: Path, home: Path) -> bool:
    """Whether it has exercises of all languages in it: that says nothing of any of them."""
    if home.is_relative_to(folder):
        return True
    return folder.is_relative_to(home) and exercise_root(folder) is None


def _files(folder: Path) -> Iterator[str]:
    """Names of files in a folder, the nearest first; not those of hidden folders."""
    level, seen = [str(folder)], 0
    for _ in range(DEEP):
        below: list[str] = []
        for each in level:
            try:
                with os.scandir(each) as entries:
                    for entry in entries:
                        seen += 1
                        if seen > LOOKED_AT:
                            return
                        if entry.is_dir(follow_symlinks=False):
                            below += [entry.path] if not entry.name.startswith(".") else []
                        else:
                            yield entry.name
            except OSError:
                continue
        level = below
