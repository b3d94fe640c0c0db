"""The table of commands: one row each. Dispatch, registration and the terminal derive from it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.wire import to_wire

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App


@dataclass(frozen=True, slots=True)
class Command:
    """`run` is `module:function` below tutor_lsp.tutor, loaded with the first use; `arguments`
    names a model of tutor_lsp.tutor.arguments. A `long` one is ended by `tutor.cancel`.
    """

    name: str
    title: str
    run: str
    arguments: str = "NoArguments"
    long: bool = False


COMMANDS = (
    Command(
        "tutor.start", "Start an exercise", "starting.start:start", "StartArguments", long=True
    ),
    Command(
        "tutor.next",
        "Finish this exercise and start the next",
        "starting.next:next_exercise",
        "RunArguments",
        long=True,
    ),
    Command(
        "tutor.open", "Open lesson, stub, test or hints", "ide.open:open_place", "OpenArguments"
    ),
    Command("tutor.check", "Run the tests", "running.attempt:check", "RunArguments", long=True),
    Command(
        "tutor.attempt",
        "Run all tests, count it, and get a review",
        "running.attempt:attempt",
        "RunArguments",
        long=True,
    ),
    Command("tutor.hint", "Get the next hint", "hinting.hint:hint", "HintArguments", long=True),
    Command(
        "tutor.ask",
        "Ask a question about your code",
        "hinting.hint:ask_question",
        "AskArguments",
        long=True,
    ),
    Command(
        "tutor.reveal", "Show the solution of one unit", "hinting.reveal:reveal", "RevealArguments"
    ),
    Command(
        "tutor.compare",
        "Compare a passed unit with the reference",
        "hinting.reveal:compare",
        "UnitArguments",
    ),
    Command("tutor.polish", "Keep polishing: no offer to finish", "running.attempt:polish"),
    Command("tutor.review", "Show the last review", "running.attempt:review"),
    Command("tutor.status", "Show session, units, jobs and backend", "learner.status:status"),
    Command("tutor.sessions", "List sessions", "learner.sessions:sessions"),
    Command("tutor.resume", "Go on with a session", "learner.sessions:resume"),
    Command("tutor.end", "End the session", "learner.sessions:end"),
    Command(
        "tutor.curriculum",
        "Show topics and what comes next",
        "learner.curriculum:curriculum",
        "CurriculumArguments",
    ),
    Command("tutor.claim", "Mark a topic as known", "learner.curriculum:claim", "ClaimArguments"),
    Command("tutor.cancel", "Cancel what is going on", "learner.status:cancel", "CancelArguments"),
    Command(
        "tutor.reset", "Put stubs back, or undo that", "exercise.reset:reset", "ResetArguments"
    ),
    Command(
        "tutor.restore",
        "Put edited tests and lesson back as given",
        "exercise.reset:restore",
        "RestoreArguments",
    ),
    Command("tutor.report", "Write the progress report", "learner.report:report"),
    Command("tutor.doctor", "Check the tools", "services.doctor:doctor"),
)

TELLS_ITSELF = "tutor.doctor"
"""The command whose result has what of the libraries cannot be used."""

BY_NAME = {command.name: command for command in COMMANDS}


async def execute(app: "App", name: str, raw: list[Any]) -> Any:
    """Run a command with its raw arguments and return its JSON result; whichever is the first says
    what of the learner's own libraries cannot be used.

    Raises TutorError; `BAD_ARGUMENT` if the arguments do not fit.
    """
    command = BY_NAME.get(name)
    if command is None:
        raise TutorError(
            "NO_COMMAND", f"There is no command {name}. Commands: {', '.join(BY_NAME)}."
        )
    # The first use loads pydantic, which would hold the loop for a tenth of a second.
    models = await app.load("tutor_lsp.tutor.arguments")
    arguments = models.parse_arguments(name, command.arguments, raw)
    module, _, function = command.run.partition(":")
    if name != TELLS_ITSELF and app.settings.libraries:
        await (await app.load("tutor_lsp.tutor.starting.libraries")).tell_problems(app)
    use_case = getattr(await app.load(f"tutor_lsp.tutor.{module}"), function)
    work = use_case(app, arguments)
    return to_wire(await (app.tasks.run(work) if command.long else work))
