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
    Command("tutor.start", "Start an exercise", "start:start", "StartArguments", long=True),
    Command(
        "tutor.next", "Finish this exercise and start the next", "onward:next_exercise",
        "RunArguments", long=True,
    ),
    Command("tutor.open", "Open lesson, stub, test or hints", "open:open_place", "OpenArguments"),
    Command("tutor.check", "Run the tests", "run:check", "RunArguments", long=True),
    Command(
        "tutor.attempt", "Run all tests, count it, and get a review", "run:attempt", "RunArguments",
        long=True,
    ),
    Command("tutor.hint", "Get the next hint", "hint:hint", "HintArguments", long=True),
    Command(
        "tutor.ask", "Ask a question about your code", "hint:ask_question", "AskArguments",
        long=True,
    ),
    Command("tutor.reveal", "Show the solution of one unit", "reveal:reveal", "RevealArguments"),
    Command(
        "tutor.compare", "Compare a passed unit with the reference", "reveal:compare",
        "UnitArguments",
    ),
    Command("tutor.polish", "Keep polishing: no offer to finish", "run:polish"),
    Command("tutor.review", "Show the last review", "run:review"),
    Command("tutor.status", "Show session, units, jobs and backend", "status:status"),
    Command("tutor.sessions", "List sessions", "sessions:sessions"),
    Command("tutor.resume", "Go on with a session", "sessions:resume"),
    Command("tutor.end", "End the session", "sessions:end"),
    Command(
        "tutor.curriculum", "Show topics and what comes next", "curriculum:curriculum",
        "CurriculumArguments",
    ),
    Command("tutor.claim", "Mark a topic as known", "curriculum:claim", "ClaimArguments"),
    Command("tutor.cancel", "Cancel what is going on", "status:cancel", "CancelArguments"),
    Command("tutor.reset", "Put stubs back, or undo that", "reset:reset", "ResetArguments"),
    Command("tutor.restore", "Put edited tests and lesson back as given", "reset:restore",
            "RestoreArguments"),
    Command("tutor.report", "Write the progress report", "report:report"),
    Command("tutor.doctor", "Check the tools", "doctor:doctor"),
)  # fmt: skip

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
        await (await app.load("tutor_lsp.tutor.libraries")).tell_problems(app)
    use_case = getattr(await app.load(f"tutor_lsp.tutor.{module}"), function)
    work = use_case(app, arguments)
    return to_wire(await (app.tasks.run(work) if command.long else work))
