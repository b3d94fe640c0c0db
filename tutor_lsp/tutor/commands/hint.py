"""`tutor.hint` and `tutor.ask`."""

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.hinting.hint import give_hint, hinted_unit
from tutor_lsp.tutor.hinting.tutor_choice import answers_questions
from tutor_lsp.tutor.interface.arguments import AskArguments, HintArguments
from tutor_lsp.tutor.interface.results import AskResult, HintResult
from tutor_lsp.tutor.running.check_soon import run_what_was_saved
from tutor_lsp.tutor.running.runs import Runs


async def hint(runs: Runs, arguments: HintArguments) -> HintResult | AskResult:
    """The next hint, on the present text: anything saved and not yet run is run first."""
    opened = await runs.exercises.locate(arguments)
    queue = runs.of(opened)
    # One at a time: of two calls at once the second is the next step, not the same one again. It
    # does not wait for what a model has to say to the first, but for the answer to a question.
    async with opened.hinting.turn():
        await run_what_was_saved(queue, opened)
        return await give_hint(runs.exercises, opened, arguments, attempting=queue.attempting)


async def ask_question(runs: Runs, arguments: AskArguments) -> HintResult | AskResult:
    """`tutor.ask`: a question in the learner's words, prompted for if not given."""
    opened = await runs.exercises.locate(arguments)
    item = hinted_unit(runs.services, opened, opened.view(), HintArguments(unit=arguments.unit))
    frontend = runs.services.frontend
    question = arguments.question
    if question is None and not await answers_questions(runs.services, opened.session):
        question = ""  # nobody would answer it: the answer says so, and how to change that
    if question is None:
        question = await frontend.ask_text(f"What would you like to know about {item.unit.stub}?")
    if question is None:
        how = t("Ask it") if frontend.abilities.terminal else t("In a terminal")
        raise TutorError(
            "CANCELLED",
            f'No question was asked. {how}: tutor-lsp ask --unit {item.unit.id} "…"',
        )
    asked = HintArguments(session=opened.session.id, unit=item.unit.id, question=question[:2000])
    return await hint(runs, asked)
