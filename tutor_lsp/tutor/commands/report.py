"""`tutor.report`: one self-contained HTML page of where the learner stands, what is due, what to do
next, and what was done."""

from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.interface.arguments import NoArguments
from tutor_lsp.tutor.interface.learner import ReportPage
from tutor_lsp.tutor.learner.report import write_report
from tutor_lsp.tutor.starting.choices import start_rows


async def report(exercises: OpenExercises, arguments: NoArguments) -> ReportPage:
    """Write the page to the tutor home, else to a temporary folder, and say where it is.

    What it says to do next is what the first list offers. Raises TutorError `HOME`.
    """
    return await write_report(exercises.services, await start_rows(exercises, None))
