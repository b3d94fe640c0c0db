"""Places a session's cases in the learner's folder, and replaces them."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.session import CounterExample
from tutor_lsp.tutor.exercise.cases import MOST
from tutor_lsp.tutor.exercise.folder.files import read_text, replace_text, same_text
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.services.services import Services


async def place_tests(services: Services, opened: OpenExercise, before: Mapping[str, str]) -> None:
    """Put the given tests into the learner's folder where they stand as they were given `before`.

    A test file that the learner changed, saved or not, stays as it is; attempts run on the given
    ones anyway. It is written to the disk, as an edit would leave an open buffer unsaved.
    """
    for file, text in opened.vault.originals.items():
        old = before.get(file)
        if not file.startswith("tests/") or old == text:
            continue
        try:
            if old is not None and not opened.shown_otherwise(file, old):
                await asyncio.to_thread(_replace, opened.path(file), old, text)
        except (OSError, TutorError) as error:
            services.frontend.message(
                f"{opened.root / file} was not given the case that the review found ({error}); "
                "attempts run it anyway.",
                warning=True,
            )


def _replace(path: Path, old: str, text: str) -> None:
    """Replace a file whose text is still `old`, keeping its line ends. In one step, because the
    learner may save it at any time. Raises OSError. Blocks."""
    there = read_text(path)
    if same_text(there, old):
        replace_text(path, text.replace("\n", "\r\n") if "\r\n" in (there or "") else text)


async def change_cases(
    exercises: OpenExercises,
    opened: OpenExercise,
    change: Callable[[tuple[CounterExample, ...]], tuple[CounterExample, ...]],
) -> None:
    """Give the session other cases, of which it keeps the last `MOST`, and show their tests."""
    services = exercises.services
    before = dict(opened.vault.originals)
    await exercises.change_session(
        opened, lambda session: replace(session, cases=change(session.cases)[-MOST:])
    )
    await place_tests(services, opened, before)
    services.frontend.exercise_changed(opened)
