"""From a command's name and raw arguments to its use case and JSON result."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.app import App
from tutor_lsp.tutor.commands.names import BY_NAME
from tutor_lsp.tutor.commands.parse_arguments import parse_arguments
from tutor_lsp.tutor.interface.place import Arguments
from tutor_lsp.tutor.starting.libraries import read_libraries
from tutor_lsp.tutor.voice.say import message, spoken

BELOW = "tutor_lsp.tutor"
Work = Coroutine[Any, Any, object]


class Takes(Enum):
    """What a use case needs of the application."""

    APP = "all of it"
    EXERCISES = "the open exercises, and with them the services"
    SERVICES = "the services alone"

    def of(self, app: App) -> Any:
        """That part."""
        if self is Takes.APP:
            return app
        return app.exercises if self is Takes.EXERCISES else app.services


@dataclass(frozen=True)
class UseCase:
    """What a command does: a function below `tutor_lsp.tutor`, as `module:name`, which is imported
    with its first use, because each needs others. A `long` one is ended by `tutor.cancel`.
    """

    place: str
    takes: Takes = Takes.APP
    long: bool = False

    @cached_property
    def run(self) -> Callable[[Any, Any], Work]:
        """The function."""
        module, _, name = self.place.partition(":")
        found: Callable[[Any, Any], Work] = getattr(import_module(f"{BELOW}.{module}"), name)
        return found

    @property
    def arguments(self) -> type[Arguments]:
        """The class of its arguments, as its function declares it."""
        declared: type[Arguments] = self.run.__annotations__["arguments"]
        return declared

    async def answer(self, app: App, name: str, raw: list[Any]) -> Any:
        """The result for these arguments. Raises TutorError, `BAD_ARGUMENT` among them."""
        arguments = parse_arguments(name, self.arguments, raw)
        services = app.services
        await read_libraries(services, name)
        work = self.run(self.takes.of(app), arguments)
        return await (services.tasks.run(work) if self.long else work)


USE_CASES: dict[str, UseCase] = {
    "tutor.start": UseCase("starting.start:start", Takes.EXERCISES, long=True),
    "tutor.next": UseCase("commands.sessions:next_exercise", long=True),
    "tutor.open": UseCase("commands.open_place:open_place", Takes.EXERCISES),
    "tutor.check": UseCase("commands.attempt:check", long=True),
    "tutor.attempt": UseCase("commands.attempt:attempt", long=True),
    "tutor.hint": UseCase("commands.hint:hint", long=True),
    "tutor.ask": UseCase("commands.hint:ask_question", long=True),
    "tutor.reveal": UseCase("hinting.reveal:reveal", Takes.EXERCISES),
    "tutor.compare": UseCase("hinting.reveal:compare", Takes.EXERCISES),
    "tutor.review": UseCase("commands.attempt:review"),
    "tutor.status": UseCase("commands.status:status"),
    "tutor.sessions": UseCase("learner.standings:sessions", Takes.SERVICES),
    "tutor.choices": UseCase("starting.choices:choices", Takes.EXERCISES),
    "tutor.resume": UseCase("commands.sessions:resume", Takes.EXERCISES),
    "tutor.end": UseCase("commands.sessions:end"),
    "tutor.curriculum": UseCase("learner.curriculum:curriculum", Takes.SERVICES),
    "tutor.claim": UseCase("learner.curriculum:claim", Takes.SERVICES),
    "tutor.cancel": UseCase("commands.status:cancel"),
    "tutor.reset": UseCase("commands.reset:reset", Takes.EXERCISES),
    "tutor.restore": UseCase("commands.reset:restore", Takes.EXERCISES),
    "tutor.report": UseCase("commands.report:report", Takes.EXERCISES),
    "tutor.doctor": UseCase("commands.doctor:doctor", Takes.SERVICES),
}


def load(name: str | None = None) -> None:
    """Import the use case of a command, or all of them. Blocks."""
    for each in USE_CASES.values() if name is None else filter(None, [USE_CASES.get(name)]):
        _ = each.run


@dataclass(frozen=True, slots=True)
class Executed:
    """A command's result: `wire` is its JSON form with its words in `say`, `message` what to say
    where the client shows no results, None where something else shows them.
    """

    wire: Any
    message: str | None


async def execute(app: App, name: str, raw: list[Any]) -> Any:
    """Run a command and return its JSON result. Raises TutorError; see `run`."""
    return (await run(app, name, raw)).wire


async def run(app: App, name: str, raw: list[Any]) -> Executed:
    """Run a command with its raw arguments; the first one reports what in the learner's own
    libraries cannot be used. Sentences name commands as they are typed in the client.

    Raises TutorError; `BAD_ARGUMENT` if the arguments do not fit.
    """
    voice = app.services.frontend.abilities.voice
    use_case = USE_CASES.get(name)
    if use_case is None:
        raise voice.refusal(
            TutorError("NO_COMMAND", f"There is no command {name}. Commands: {', '.join(BY_NAME)}.")
        )
    try:
        result = await use_case.answer(app, name, raw)
    except TutorError as error:
        raise voice.refusal(error) from None
    return Executed(spoken(voice, name, result), message(voice, name, result))
