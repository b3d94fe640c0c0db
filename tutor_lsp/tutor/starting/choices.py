"""`tutor.choices`: the lists to choose from."""

from itertools import islice

from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.units import units_of
from tutor_lsp.tutor.interface.arguments import ChoicesArguments, CurriculumArguments, NoArguments
from tutor_lsp.tutor.interface.choices import Choice
from tutor_lsp.tutor.learner.curriculum import curriculum
from tutor_lsp.tutor.learner.standings import going_on, listed, sessions
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting.likely import likely_language, working_languages
from tutor_lsp.tutor.voice import choices as rows

NEWEST = 30
"""Sessions that are listed unless all are asked for: how each stands is read from its folder."""


async def choices(exercises: OpenExercises, arguments: ChoicesArguments) -> tuple[Choice, ...]:
    """The rows of a list. Raises TutorError `NO_LANGUAGE`; for units `NO_SESSION`."""
    services = exercises.services
    voice = services.frontend.abilities.voice
    match arguments.list_:
        case "sessions":
            return await session_rows(services, every=arguments.all_)
        case "units":
            opened = await exercises.locate(arguments)
            units = units_of(opened.view(patient=False))
            return rows.units(voice, opened.exercise.title, opened.session.id, units)
        case "start":
            return await start_rows(exercises, arguments.language, arguments.uri)
    known = await curriculum(services, CurriculumArguments(language=arguments.language), brief=True)
    if arguments.list_ == "own":
        return rows.own(voice, known.languages)
    return rows.topics(voice, known, arguments.language, every=arguments.all_)


async def start_rows(
    exercises: OpenExercises,
    language: str | None,
    uri: str | None = None,
    *,
    every: bool = False,
) -> tuple[Choice, ...]:
    """What a learner can do who has not said what they want; see `voice.choices.start`."""
    services = exercises.services
    known = await curriculum(services, CurriculumArguments(language=language), brief=True)
    likely = await likely_language(exercises, language, uri)
    working = set(await working_languages(services))
    # In the order of the curriculum, where those that cannot run come last.
    names = sorted(known.languages, key=lambda each: (each not in working, each != likely))
    broken = frozenset(names) - working
    begun = await going_on(services, names[0])
    voice = services.frontend.abilities.voice
    return rows.start(voice, known, begun, names, broken=broken, every=every)


async def session_rows(services: Services, *, every: bool) -> tuple[Choice, ...]:
    """The newest sessions, or all of them."""
    voice = services.frontend.abilities.voice
    if every:
        return rows.sessions(voice, await sessions(services, NoArguments()))
    newest = await listed(services, lambda tx: list(islice(tx.newest(), NEWEST)))
    count = await services.db(lambda tx: tx.count_sessions())
    return rows.sessions(voice, newest, older=max(count - len(newest), 0))
