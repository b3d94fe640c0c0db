"""From a command's name and raw arguments to its use case and JSON result."""

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from tutor_lsp.core.errors import TutorError
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.commands import use_cases
from tutor_lsp.tutor.commands.names import BY_NAME
from tutor_lsp.tutor.commands.parse_arguments import parse_arguments
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.interface.arguments import (
    AskArguments,
    CancelArguments,
    ChoicesArguments,
    ClaimArguments,
    CurriculumArguments,
    HintArguments,
    NoArguments,
    OpenArguments,
    ResetArguments,
    RestoreArguments,
    RevealArguments,
    RunArguments,
    StartArguments,
    UnitArguments,
)
from tutor_lsp.tutor.interface.place import Arguments
from tutor_lsp.tutor.running.runs import Runs
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting.libraries import read_libraries
from tutor_lsp.tutor.voice.say import message, spoken

Part = TypeVar("Part")
Given = TypeVar("Given", bound=Arguments)
Work: TypeAlias = Coroutine[Any, Any, object]


class UseCase(Protocol):
    """What a command does."""

    @property
    def load(self) -> Callable[[], object]:
        """Gives the function, which is imported at the first call because each needs other
        modules."""

    @property
    def arguments(self) -> type[Arguments]:
        """What its JSON argument is read into."""

    async def answer(self, app: App, name: str, raw: list[Any]) -> object:
        """The result for these arguments. Raises TutorError, `BAD_ARGUMENT` among them."""


@dataclass(frozen=True, slots=True)
class _UseCase(Generic[Part, Given]):
    load: Callable[[], Callable[[Part, Given], Work]]
    takes: Callable[[App], Part]
    arguments: type[Given]
    long: bool

    async def answer(self, app: App, name: str, raw: list[Any]) -> object:
        arguments = parse_arguments(name, self.arguments, raw)
        services = app.services
        await read_libraries(services, name)
        work = self.load()(self.takes(app), arguments)
        return await (services.tasks.run(work) if self.long else work)


def _use_case(
    load: Callable[[], Callable[[Part, Given], Work]],
    takes: Callable[[App], Part],
    arguments: type[Given],
    *,
    long: bool = False,
) -> UseCase:
    """A row of the table. The function receives the part of the application that `takes` gives and
    its arguments; a `long` one is ended by `tutor.cancel`.

    It hides the types of both, with which the rows could not have one type; a type checker would
    then compare a function with those of the table instead of with its own row.
    """
    return _UseCase(load, takes, arguments, long)


def _services(app: App) -> Services:
    return app.services


def _exercises(app: App) -> OpenExercises:
    return app.exercises


def _runs(app: App) -> Runs:
    return app.runs


USE_CASES: Mapping[str, UseCase] = MappingProxyType(
    {
        "tutor.start": _use_case(lambda: use_cases.start, _exercises, StartArguments, long=True),
        "tutor.next": _use_case(lambda: use_cases.next_exercise, _runs, RunArguments, long=True),
        "tutor.open": _use_case(lambda: use_cases.open_place, _exercises, OpenArguments),
        "tutor.check": _use_case(lambda: use_cases.check, _runs, RunArguments, long=True),
        "tutor.attempt": _use_case(lambda: use_cases.attempt, _runs, RunArguments, long=True),
        "tutor.hint": _use_case(lambda: use_cases.hint, _runs, HintArguments, long=True),
        "tutor.ask": _use_case(lambda: use_cases.ask_question, _runs, AskArguments, long=True),
        "tutor.reveal": _use_case(lambda: use_cases.reveal, _exercises, RevealArguments),
        "tutor.compare": _use_case(lambda: use_cases.compare, _exercises, UnitArguments),
        "tutor.review": _use_case(lambda: use_cases.review, _exercises, NoArguments),
        "tutor.status": _use_case(lambda: use_cases.status, _runs, NoArguments),
        "tutor.sessions": _use_case(lambda: use_cases.sessions, _services, NoArguments),
        "tutor.choices": _use_case(lambda: use_cases.choices, _exercises, ChoicesArguments),
        "tutor.resume": _use_case(lambda: use_cases.resume, _exercises, NoArguments),
        "tutor.end": _use_case(lambda: use_cases.end, _runs, NoArguments),
        "tutor.curriculum": _use_case(lambda: use_cases.curriculum, _services, CurriculumArguments),
        "tutor.claim": _use_case(lambda: use_cases.claim, _services, ClaimArguments),
        "tutor.cancel": _use_case(lambda: use_cases.cancel, _runs, CancelArguments),
        "tutor.reset": _use_case(lambda: use_cases.reset, _exercises, ResetArguments),
        "tutor.restore": _use_case(lambda: use_cases.restore, _exercises, RestoreArguments),
        "tutor.report": _use_case(lambda: use_cases.report, _exercises, NoArguments),
        "tutor.doctor": _use_case(lambda: use_cases.doctor, _services, NoArguments),
    }
)


def load(name: str | None = None) -> None:
    """Import the use case of a command, or all of them. Blocks."""
    for each in USE_CASES.values() if name is None else filter(None, [USE_CASES.get(name)]):
        each.load()


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
