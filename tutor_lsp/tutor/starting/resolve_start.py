"""What a start means: which node or topic, language, depth and backend."""

from typing import TYPE_CHECKING

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.standing import finished
from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.core.learner.mastery import passed_own_depth
from tutor_lsp.core.session import NodeRecord
from tutor_lsp.files.uris import uri_to_path
from tutor_lsp.languages.registry import language_of
from tutor_lsp.library.loader import is_bundled
from tutor_lsp.tutor.exercise.trust import allow_library
from tutor_lsp.tutor.learner.advice import ready_languages, recommendations
from tutor_lsp.tutor.starting import practise
from tutor_lsp.tutor.starting.consent import ask_consent, ask_to_send, consented
from tutor_lsp.tutor.starting.decision import Continue, Plan
from tutor_lsp.tutor.starting.refresher import due_review
from tutor_lsp.tutor.starting.resume import begin_named, go_on_if_begun
from tutor_lsp.tutor.starting.selection import read_selection

if TYPE_CHECKING:
    from tutor_lsp.library.loader import Entry
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import StartArguments

DEFAULT_DEPTH = "D2"
"""Depth of a free topic."""
MORE = "More…"


async def decide(app: "App", arguments: "StartArguments") -> Plan:
    """The plan for these arguments; what it runs of a library of one's own was agreed to.

    Raises TutorError, or Continue.
    """
    plan = await _decide(app, arguments)
    reviewed = app.library.by_id(plan.review.exercise.id) if plan.review is not None else None
    for entry in (plan.entry, reviewed):
        if entry is not None and not is_bundled(entry):
            await allow_library(app, entry, agreed=arguments.trust)
    return plan


async def _decide(app: "App", arguments: "StartArguments") -> Plan:
    if arguments.node is not None and arguments.topic is not None:
        raise TutorError("BAD_ARGUMENT", "Give a node or a topic, not both.")
    if arguments.from_ is not None:
        return await _for_selection(app, arguments)
    if arguments.node is not None:
        return await _for_named(app, arguments)
    if arguments.topic is not None:
        return await _for_topic(app, arguments, arguments.topic)
    if arguments.error_code is not None:
        return await _for_error_code(app, arguments, arguments.error_code)
    if arguments.language is not None:
        app.toolchain(arguments.language)
        return await _first_recommended(app, arguments, arguments.language)
    if app.frontend.abilities.chooses and not app.frontend.abilities.shows_results:
        return await _ask(app, arguments)
    return await _first_recommended(app, arguments, await _likely_language(app, arguments))


def _node(app: "App", arguments: "StartArguments") -> Node:
    node = app.curriculum.node(str(arguments.node))
    if node is None:
        raise TutorError(
            "NO_NODE",
            f"There is no topic {arguments.node}. tutor.curriculum lists all; "
            f"a topic of your own goes into `{'--' * app.frontend.abilities.terminal}topic`.",
        )
    if arguments.language is not None and arguments.language != node.language:
        app.toolchain(arguments.language)
        raise TutorError(
            "BAD_ARGUMENT", f"{node.id} is a topic of {node.language}, not of {arguments.language}."
        )
    app.toolchain(node.language)
    return node


async def _for_named(app: "App", arguments: "StartArguments") -> Plan:
    """A node of the curriculum or a topic of the learner's own, by its id."""
    own = await _own_topic(app, arguments)
    if own is not None:
        await begin_named(app, arguments, own.language, own.node)
        return await _for_own(app, arguments, own)
    node = _node(app, arguments)
    await begin_named(app, arguments, node.language, node.id)
    return await _for_node(app, arguments, node)


async def _own_topic(app: "App", arguments: "StartArguments") -> NodeRecord | None:
    """The learner's own topic of that id, in the language given or in any."""
    if app.curriculum.node(str(arguments.node)) is not None:
        return None
    records = await app.db(lambda tx: tx.nodes(arguments.language))
    record = records.get(str(arguments.node))
    return record if record is not None and record.own is not None else None


async def _for_own(app: "App", arguments: "StartArguments", record: NodeRecord) -> Plan:
    """An own topic again, as it was asked for the first time."""
    own = record.own
    if own is None:
        raise TutorError("NO_NODE", f"{record.node} is no topic of your own.")
    again = {"node": None, "topic": own.text, "language": record.language}
    again["depth"] = arguments.depth or own.depth
    due = await due_review(app, arguments, record.language, record.node)
    if due is not None:
        library = app.backends.library
        return Plan(record.language, own.depth, library, topic=own.text, review=due)
    return await _for_topic(app, arguments.model_copy(update=again), own.text, own=True)


async def _for_node(app: "App", arguments: "StartArguments", node: Node) -> Plan:
    from tutor_lsp.stages.backends.select import Need

    depth = arguments.depth or node.depth
    due = await due_review(app, arguments, node.language, node.id)
    if due is not None:
        found = app.library.find(node.id)
        entry = found[0] if found else None
        return Plan(node.language, depth, app.backends.library, node, entry=entry, review=due)
    entries = [
        entry
        for entry in app.library.find(node.id)
        # Whoever wrote an exercise for a topic has said how deep it is to go.
        if entry.depth == depth or (arguments.depth is None and not is_bundled(entry))
    ]
    record = await app.db(lambda tx: tx.node(node.language, node.id))
    open_entry = await _unpassed(app, entries)
    choice = await app.backends.choose(
        Need(
            named=arguments.backend,
            setting=app.settings.backend,
            bundled=bool(entries),
            passed=bool(entries) and open_entry is None and passed_own_depth(node, record),
            fresh=arguments.fresh,
            consented=await consented(app),
        )
    )
    if choice.name is None:
        raise await _refused(app, node, choice.why, choice.refusal or "NO_EXERCISE")
    if choice.ask:
        await ask_consent(app, choice.name)
    entry = (open_entry or entries[0]) if choice.name == "library" and entries else None
    return Plan(
        language=node.language,
        depth=entry.depth if entry is not None else depth,
        backend=app.backends.require(choice.name),
        node=node,
        entry=entry,
        fresh=arguments.fresh,
        challenge=arguments.challenge,
    )


async def _unpassed(app: "App", entries: "list[Entry]") -> "Entry | None":
    sessions = await app.db(lambda tx: tx.sessions())
    passed = {session.exercise_id for session in sessions if session.passed}
    return next((entry for entry in entries if entry.id not in passed), None)


async def _refused(app: "App", node: Node, why: str, kind: str) -> TutorError:
    near = node if app.library.find(node.id) else await _nearest_bundled(app, node)
    hint = f" Nearest exercise at hand: {near.title} ({near.id})." if near is not None else ""
    if near is node:
        hint = f" The library has an exercise for {node.title}: name the backend library for it."
    return TutorError(
        kind,
        f"{why}{hint} A model such as the Codex CLI can make others: tutor.doctor tells how.",
        details={"node": node.id, "nearest": near.id if near is not None else None},
    )


async def _nearest_bundled(app: "App", node: Node) -> Node | None:
    bundled = {entry.node for entry in app.library.entries(node.language)}
    return app.curriculum.nearest(node.id, bundled - {node.id})


async def _for_topic(
    app: "App", arguments: "StartArguments", topic: str, *, own: bool = False
) -> Plan:
    """A free topic: mapped to a node that fits, unless it is one of the learner's own; else for a
    model.
    """
    from tutor_lsp.stages.backends.select import Need

    language = arguments.language or await _likely_language(app, arguments)
    app.toolchain(language)
    fitting = app.curriculum.match_topic(topic, language)
    wants_own = own or arguments.fresh or arguments.backend not in (None, "auto", "library")
    if fitting and not wants_own:
        bundled = [node for node, _ in fitting if app.library.find(node.id)]
        node = bundled[0] if bundled else fitting[0][0]
        if bundled or not await app.backends.model_available():
            await begin_named(app, arguments, node.language, node.id)
            return await _for_node(app, arguments, node)
    choice = await app.backends.choose(
        Need(
            named=arguments.backend,
            setting=app.settings.backend,
            fresh=arguments.fresh,
            consented=await consented(app),
        )
    )
    if choice.refusal == "BACKEND_UNAVAILABLE":
        raise TutorError(
            choice.refusal,
            f"{choice.why} tutor.doctor tells how to mend that; without naming it, the library is "
            "asked first.",
            details={"topic": topic},
        )
    if choice.name is None or choice.name == "library":
        known = ", ".join(
            f"{node.title} ({node.id})"
            for node in app.curriculum.of(language)
            if app.library.find(node.id)
        )
        raise TutorError(
            "NO_EXERCISE",
            f"No topic of the {language} curriculum fits “{topic}”, and no model is there to make "
            f"an exercise for it. At hand: {known}.",
            details={"topic": topic},
        )
    if choice.ask:
        await ask_consent(app, choice.name)
    return Plan(
        language=language,
        depth=arguments.depth or DEFAULT_DEPTH,
        backend=app.backends.require(choice.name),
        topic=topic,
        fresh=arguments.fresh,
        challenge=arguments.challenge,
    )


async def _for_selection(app: "App", arguments: "StartArguments") -> Plan:
    """An exercise on code of the learner's own: by a model, after showing what is sent."""
    from tutor_lsp.stages.backends.select import Need

    selection = await read_selection(app, arguments)
    language = arguments.language or selection.language or await _likely_language(app, arguments)
    app.toolchain(language)
    need = Need(
        named=arguments.backend,
        setting=app.settings.backend,
        fresh=True,
        consented=await consented(app),
    )
    choice = await app.backends.choose(need)
    if choice.name in (None, "library"):
        raise TutorError(
            choice.refusal or "NO_EXERCISE",
            f"{choice.why} An exercise on your own code needs a model: tutor.doctor tells how to "
            "set one up. Nothing was sent.",
        )
    name = str(choice.name)
    if choice.ask:
        await ask_consent(app, name)
    await ask_to_send(app, name, selection, named=arguments.backend == name)
    return Plan(
        language=language,
        depth=arguments.depth or DEFAULT_DEPTH,
        backend=app.backends.require(name),
        topic=arguments.topic or f"What {selection.file} does",
        fresh=arguments.fresh,
        challenge=arguments.challenge,
        selection=selection.text,
    )


async def _for_error_code(app: "App", arguments: "StartArguments", code: str) -> Plan:
    """The first bundled exercise on that code, one not yet passed before others. One that was
    begun is gone on with: whoever meets the same error again has asked for no other folder."""
    if arguments.language is not None:
        app.toolchain(arguments.language)
        languages = [arguments.language]
    else:
        languages = practise.likely_languages(code, app.taught)
    nodes = [node for each in languages for node in app.curriculum.for_error_code(code, each)]
    bundled = [node for node in nodes if app.library.find(node.id)]
    if not nodes:
        language = languages[0] if len(languages) == 1 else await _likely_language(app, arguments)
        raise await _no_practice(app, code, language)
    for node in bundled:
        if await _unpassed(app, list(app.library.find(node.id))) is not None:
            chosen = node
            break
    else:
        chosen = (bundled or nodes)[0]
    await go_on_if_begun(app, arguments, chosen.language, chosen.id)
    return await _for_node(app, arguments, chosen)


async def _no_practice(app: "App", code: str, language: str) -> TutorError:
    advice = await recommendations(app, language)
    near = advice[0] if advice else None
    said = f" Nearest at hand: {near.title} ({near.node})." if near is not None else ""
    return TutorError(
        "NO_EXERCISE",
        f"No topic practises {code} yet.{said} tutor.curriculum lists the codes of each topic.",
        details={"errorCode": code, "nearest": near.node if near is not None else None},
    )


async def _first_recommended(app: "App", arguments: "StartArguments", language: str) -> Plan:
    found = await recommendations(app, language)
    if not found:
        raise TutorError(
            "NO_EXERCISE",
            f"Everything at hand in {language} is done. A model such as the Codex CLI can make "
            "more: tutor.doctor tells how.",
        )
    await go_on_if_begun(app, arguments, language, found[0].node)
    named = {"language": language, "node": found[0].node}
    return await _for_named(app, arguments.model_copy(update=named))


async def _likely_language(app: "App", arguments: "StartArguments") -> str:
    """The setting, else the language of the file in use, else the last session's, else one that
    works.
    """
    if app.settings.language in app.toolchains:
        return str(app.settings.language)
    given = uri_to_path(arguments.uri) if arguments.uri is not None else None
    last = app.frontend.current_document()
    for document in (given, *app.frontend.documents_in_use(), last):
        language = language_of(document.suffix) if document else None
        if language in app.toolchains:
            return str(language)
    session = await app.active_session()
    if session is not None and session.language in app.toolchains:
        return session.language
    return (await _working_languages(app))[0]


async def _working_languages(app: "App") -> list[str]:
    return await ready_languages(app) or app.taught


async def _ask(app: "App", arguments: "StartArguments") -> Plan:
    """One short list by the client's own message buttons; nothing is held while it is open."""
    going_on: dict[str, str] = {}
    session = await app.active_session()
    if session is not None and not finished(session):
        going_on[f"Continue: {session.title}"] = session.id
    rest: list[tuple[str, dict[str, str]]] = []
    likely = await _likely_language(app, arguments)
    languages = sorted(await _working_languages(app), key=lambda name: name != likely)
    for language in languages:
        for advice in await recommendations(app, language):
            entries = app.library.find(advice.node)
            minutes = f", {entries[0].minutes} min" if entries and entries[0].minutes else ""
            named = {"language": language, "node": advice.node}
            rest.append((f"{advice.title} ({language}{minutes})", named))
    while True:
        room = 4 - len(going_on)
        page, rest = rest[:room], rest[room:]
        shown = [*going_on, *(label for label, _ in page)]
        answer = await app.frontend.choose(
            "What would you like to do?", [*shown, MORE] if rest else shown
        )
        if answer is None:
            raise TutorError("CANCELLED", "Nothing was chosen.")
        if answer in going_on:
            raise Continue(going_on[answer], f"{answer.partition(': ')[2]}: open as you left it.")
        picked = dict(page).get(answer)
        if picked is not None:
            return await _for_named(app, arguments.model_copy(update=picked))
        if answer != MORE:
            raise TutorError("CANCELLED", "Nothing was chosen.")
        going_on = {}
