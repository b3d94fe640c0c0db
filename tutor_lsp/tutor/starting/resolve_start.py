"""What a start means: which node or topic, language, depth and backend."""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.learner.curriculum import Node
from tutor_lsp.core.learner.mastery import passed_own_depth
from tutor_lsp.core.ports import Backend
from tutor_lsp.core.session import NodeRecord, OwnTopic
from tutor_lsp.core.text.translation import t
from tutor_lsp.library.entry import Entry
from tutor_lsp.library.loader import is_bundled
from tutor_lsp.stages.backends.select import LIBRARY, BackendChoice, Need, names_model
from tutor_lsp.tutor.exercise.register import OpenExercises
from tutor_lsp.tutor.exercise.trust import allow_library
from tutor_lsp.tutor.interface.arguments import StartArguments
from tutor_lsp.tutor.learner.advice import recommendations
from tutor_lsp.tutor.learner.curriculum import guessed_topic
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.starting import practise
from tutor_lsp.tutor.starting.buttons import buttons
from tutor_lsp.tutor.starting.choices import start_rows
from tutor_lsp.tutor.starting.consent import ask_consent, ask_to_send, consented, typed_options
from tutor_lsp.tutor.starting.free_topic import fitting_node
from tutor_lsp.tutor.starting.likely import likely_language
from tutor_lsp.tutor.starting.refresher import DueReview, due_review
from tutor_lsp.tutor.starting.resume import Continue, begin_named, go_on_if_begun
from tutor_lsp.tutor.starting.selection import read_selection

DEFAULT_DEPTH = "D2"
"""Depth of a free topic."""
MORE = "More…"
BUTTONS = 5
"""Buttons of a message, at most."""


@dataclass(frozen=True, slots=True)
class StartPlan:
    """A start that was decided. Exactly one of `node` and `topic` is given. With `review` a short
    review is made instead, where that exercise gives one.
    """

    language: str
    depth: str
    backend: Backend
    node: Node | None = None
    topic: str | None = None
    entry: Entry | None = None
    fresh: bool = False
    challenge: bool = False
    review: DueReview | None = None
    selection: str | None = None
    error_code: str | None = None

    @property
    def title(self) -> str:
        """Its title while it is being made."""
        if self.review is not None:
            return f"Review: {self.review.exercise.title}"
        if self.entry is not None:
            return self.entry.title
        return self.node.title if self.node is not None else str(self.topic)


async def decide(exercises: OpenExercises, arguments: StartArguments) -> StartPlan:
    """The plan for these arguments; what it runs of a library of one's own was agreed to.

    Raises TutorError, or Continue.
    """
    services = exercises.services
    plan = await _Deciding(services, exercises, arguments).plan()
    reviewed = services.library.by_id(plan.review.exercise.id) if plan.review is not None else None
    for entry in (plan.entry, reviewed):
        if entry is not None and not is_bundled(entry):
            options = typed_options(arguments)
            await allow_library(services, entry, agreed=arguments.trust, options=options)
    return plan


@dataclass(frozen=True, slots=True)
class _Deciding:
    """What a start with these arguments means. Every method that returns a plan raises TutorError
    where there is none, or Continue.
    """

    services: Services
    exercises: OpenExercises
    arguments: StartArguments

    async def plan(self) -> StartPlan:
        """The plan."""
        services, arguments = self.services, self.arguments
        if arguments.node in services.toolchains and arguments.language in (None, arguments.node):
            return await self._with(language=arguments.node, node=None).plan()
        if arguments.node is not None and arguments.topic is not None:
            raise TutorError("BAD_ARGUMENT", "Give a node or a topic, not both.")
        if arguments.from_ is not None:
            return await self._for_selection()
        if arguments.node is not None:
            return await self.for_named(arguments.node)
        if arguments.topic is not None:
            return await self.for_topic(arguments.topic)
        if arguments.error_code is not None:
            return await self._for_error_code(arguments.error_code)
        if arguments.language is not None:
            services.toolchain(arguments.language)
        elif services.frontend.abilities.chooses and not services.frontend.abilities.shows_results:
            return await self._ask()
        return await self._first_recommended(await self._language())

    def _with(self, **changes: Any) -> "_Deciding":
        return replace(self, arguments=replace(self.arguments, **changes))

    async def _language(self) -> str:
        named, uri = self.arguments.language, self.arguments.uri
        return await likely_language(self.exercises, named, uri)

    async def _choose(self, **known: Any) -> BackendChoice:
        """The backend that makes the exercise; `known` are fields of `Need`."""
        need = Need(
            named=self.arguments.backend,
            setting=self.services.settings.backend,
            fresh=self.arguments.fresh,
            consented=await consented(self.services),
        )
        return await self.services.backends.choose(replace(need, **known))

    def _node(self, node_id: str) -> Node:
        services, language = self.services, self.arguments.language
        node = services.curriculum.node(node_id)
        if node is None:
            near, meant = guessed_topic(services.curriculum, node_id)
            raise TutorError(
                "NO_NODE",
                f"There is no topic {node_id}.{meant} tutor.curriculum lists them "
                "all; give a topic of your own as "
                f"`{'--' * services.frontend.abilities.terminal}topic`.",
                details={"nearest": near},
            )
        services.toolchain(language or node.language)
        if language not in (None, node.language):
            raise TutorError(
                "BAD_ARGUMENT", f"{node.id} is a topic of {node.language}, not of {language}."
            )
        return node

    async def for_named(self, node_id: str) -> StartPlan:
        """A node of the curriculum or one of the learner's own topics, by its id."""
        record = await self._own_topic(node_id)
        if record is not None and record.own is not None:
            await self._begin_named(record.language, record.node)
            return await self._for_own(record, record.own)
        node = self._node(node_id)
        await self._begin_named(node.language, node.id)
        return await self._for_node(node)

    async def _begin_named(self, language: str, node_id: str) -> None:
        if self.arguments.resume:
            await go_on_if_begun(self.services, self.arguments, language, node_id)
        await begin_named(self.services, self.arguments, language, node_id)

    async def _own_topic(self, node_id: str) -> NodeRecord | None:
        """What is known of the topic of that id in the language given or in any, unless it is of
        the curriculum."""
        if self.services.curriculum.node(node_id) is not None:
            return None
        records = await self.services.db(lambda tx: tx.nodes(self.arguments.language))
        return records.get(node_id)

    async def _for_own(self, record: NodeRecord, own: OwnTopic) -> StartPlan:
        """One of the learner's own topics again, as it was first requested."""
        due = await due_review(self.services, self.arguments, record.language, record.node)
        if due is not None:
            library = self.services.backends.library
            return StartPlan(record.language, own.depth, library, topic=own.text, review=due)
        depth = self.arguments.depth or own.depth
        again = self._with(node=None, topic=own.text, language=record.language, depth=depth)
        return await again.for_topic(own.text, own=True)

    async def _for_node(self, node: Node) -> StartPlan:
        services, arguments = self.services, self.arguments
        depth = arguments.depth or node.depth
        found = services.library.find(node.id)
        due = await due_review(services, arguments, node.language, node.id)
        if due is not None:
            entry = found[0] if found else None
            library = services.backends.library
            return StartPlan(node.language, depth, library, node, entry=entry, review=due)
        entries = [
            entry
            for entry in found
            # The author of a topic's exercise has said how deep it goes.
            if entry.depth == depth or (arguments.depth is None and not is_bundled(entry))
        ]
        record = await services.db(lambda tx: tx.node(node.language, node.id))
        passed = await self._passed()
        open_entry = next((entry for entry in entries if entry.id not in passed), None)
        choice = await self._choose(
            bundled=bool(entries),
            passed=bool(entries) and open_entry is None and passed_own_depth(node, record),
        )
        if choice.name is None:
            raise self._refused(node, choice.why, choice.refusal or "NO_EXERCISE")
        if choice.ask:
            await ask_consent(services, choice.name)
        if choice.name == LIBRARY and arguments.fresh and arguments.backend != LIBRARY:
            services.frontend.message(
                f"{choice.why} It begins again in a folder of its own; tutor.doctor shows how to "
                "set a model up, which makes new ones."
            )
        entry = (open_entry or entries[0]) if choice.name == LIBRARY and entries else None
        return StartPlan(
            language=node.language,
            depth=entry.depth if entry is not None else depth,
            backend=services.backends.require(choice.name),
            node=node,
            entry=entry,
            fresh=arguments.fresh,
            challenge=arguments.challenge,
        )

    async def _passed(self) -> set[str]:
        """Ids of the exercises that were passed."""
        return await self.services.db(lambda tx: tx.passed_exercises())

    def _refused(self, node: Node, why: str, kind: str) -> TutorError:
        bundled = self.services.library.nodes(node.language)
        near = self.services.curriculum.nearest(node.id, bundled)
        hint = (
            t(f" Nearest available exercise: “{near.title}” ({near.id}).")
            if near is not None
            else ""
        )
        if near is node:
            hint = t(
                f" The library has an exercise for “{node.title}”: name the backend library to get "
                "it."
            )
            depths = {entry.depth for entry in self.services.library.find(node.id)}
            if self.arguments.depth not in {None, *depths}:
                hint = t(
                    f" Its exercise for “{node.title}” has another depth: leave the depth out to "
                    "get it."
                )
        return TutorError(
            kind,
            f"{why}{hint} A model such as the Codex CLI can make others: tutor.doctor shows how.",
            details={"node": node.id, "nearest": near.id if near is not None else None},
        )

    async def for_topic(self, topic: str, *, own: bool = False) -> StartPlan:
        """A free topic: mapped to a node that fits, unless it is one of the learner's own; else
        for a model.
        """
        services, arguments = self.services, self.arguments
        language = await self._language()
        services.toolchain(language)
        if not (own or arguments.fresh or names_model(arguments.backend)):
            node = await fitting_node(services, topic, language, arguments.language is not None)
            if node is not None:
                await self._begin_named(node.language, node.id)
                return await self._for_node(node)
        choice = await self._choose()
        if choice.refusal == "BACKEND_UNAVAILABLE":
            raise TutorError(
                choice.refusal,
                f"{choice.why} tutor.doctor shows how to fix that; if you name no backend, the "
                "library is tried first.",
                details={"topic": topic},
            )
        if not choice.is_model:
            named = arguments.language is not None
            known = ", ".join(
                f"{node.title} ({node.id})"
                for each in ([language] if named else services.taught)
                for node in services.curriculum.of(each)
                if services.library.find(node.id, 1)
            )
            none = t(f"No topic of the {language} curriculum") if named else t("No topic")
            raise TutorError(
                "NO_EXERCISE",
                f"{none} fits “{topic}”, and there is no model to "
                f"make an exercise for it. Available: {known}.",
                details={"topic": topic},
            )
        return await self._by_model(choice, language, topic)

    async def _by_model(self, choice: BackendChoice, language: str, topic: str) -> StartPlan:
        """A free topic, made by the model of that choice, to whose use the learner agrees."""
        name = str(choice.name)
        if choice.ask:
            await ask_consent(self.services, name)
        return StartPlan(
            language=language,
            depth=self.arguments.depth or DEFAULT_DEPTH,
            backend=self.services.backends.require(name),
            topic=topic,
            fresh=self.arguments.fresh,
            challenge=self.arguments.challenge,
        )

    async def _for_selection(self) -> StartPlan:
        """An exercise on the learner's own code: by a model, after showing what is sent."""
        services, arguments = self.services, self.arguments
        selection = await read_selection(services, arguments)
        language = arguments.language or selection.language or await self._language()
        services.toolchain(language)
        choice = await self._choose(fresh=True)
        if not choice.is_model:
            raise TutorError(
                choice.refusal or "NO_EXERCISE",
                f"{choice.why} An exercise on your own code needs a model: tutor.doctor shows how "
                "to set one up. Nothing was sent.",
            )
        topic = arguments.topic or t(f"What {selection.file} does")
        plan = await self._by_model(choice, language, topic)
        name = plan.backend.name
        await ask_to_send(services, name, selection, named=arguments.backend == name)
        return replace(plan, selection=selection.text)

    async def _for_error_code(self, code: str) -> StartPlan:
        """The first bundled exercise on that code, one not yet passed before others. One that was
        begun is resumed: meeting the same error again is not a request for another folder."""
        services, language = self.services, self.arguments.language
        if language is not None:
            services.toolchain(language)
            languages = [language]
        else:
            languages = practise.likely_languages(code, services.taught)
        known, library = services.curriculum, services.library
        nodes = await asyncio.to_thread(practise.topics_for, code, languages, known, library)
        if not nodes:
            likely = languages[0] if len(languages) == 1 else await self._language()
            raise await self._no_practice(code, likely)
        passed = await self._passed()
        entries = [(node, entry) for node in nodes for entry in services.library.find(node.id)]
        to_do = [node for node, entry in entries if entry.id not in passed]
        chosen = (to_do or [node for node, _ in entries] or nodes)[0]
        await go_on_if_begun(services, self.arguments, chosen.language, chosen.id)
        return replace(await self._for_node(chosen), error_code=code)

    async def _no_practice(self, code: str, language: str) -> TutorError:
        others = [
            each
            for each in self.services.taught
            if each != language and self.services.curriculum.for_error_code(code, each)
        ]
        if others:
            names = " or ".join(others)
            return TutorError(
                "NO_EXERCISE",
                f"{code} is an error code of {names}, not of {language}: leave out the language, "
                f"or name {names}.",
                details={"errorCode": code, "languages": others},
            )
        near = next(iter(await recommendations(self.services, language)), None)
        said = t(f" Nearest available: “{near.title}” ({near.node}).") if near is not None else ""
        return TutorError(
            "NO_EXERCISE",
            f"No topic practises {code} yet.{said}",
            details={"errorCode": code, "nearest": near.node if near is not None else None},
        )

    async def _first_recommended(self, language: str) -> StartPlan:
        found = await recommendations(self.services, language)
        if not found:
            raise TutorError(
                "NO_EXERCISE",
                f"You have done everything available in {language}. A model such as the Codex CLI "
                "can make more: tutor.doctor shows how.",
            )
        node = found[0].node
        await go_on_if_begun(self.services, self.arguments, language, node)
        return await self._with(language=language).for_named(node)

    async def _ask(self) -> StartPlan:
        """One short list as the client's own message buttons; nothing is locked meanwhile."""
        uri = self.arguments.uri
        found = await start_rows(self.exercises, None, uri, every=True)
        rows = buttons(found)
        rest = list(rows)
        while True:
            page, rest = rest[: BUTTONS - 1], rest[BUTTONS - 1 :]
            answer = await self.services.frontend.choose(
                "What would you like to do?", [*page, MORE] if rest else page
            )
            picked = rows.get(answer or "")
            if picked is None and answer != MORE:
                raise TutorError("CANCELLED", "Nothing was chosen.")
            if picked is not None and picked.kind == "session":
                session = await self.exercises.find_session(picked.argument["session"])
                raise Continue(session.id, t(f"“{session.title}” is open as you left it."))
            if picked is not None:
                chosen = self._with(**picked.argument)
                return await chosen.for_named(str(chosen.arguments.node))
