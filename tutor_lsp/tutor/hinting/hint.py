"""Giving a hint: from the author and the tests at once, from a model where one coaches."""

import asyncio
from dataclasses import dataclass, replace

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit, UnitState
from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL, HintStep, hint_test, ladder_of, next_hint
from tutor_lsp.core.session import Event, Hint, Session
from tutor_lsp.core.text.translation import marked, t
from tutor_lsp.stages.tutoring import TutoringContext, coach_request
from tutor_lsp.tutor.exercise.folder.coach_file import (
    hint_text,
    note_for_learner,
    offers_text,
    take_back,
)
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.register import OpenExercises, easier_than
from tutor_lsp.tutor.exercise.unit_at_cursor import unit_pointed_at
from tutor_lsp.tutor.exercise.units import ways_of
from tutor_lsp.tutor.hinting.asked import asks_why, is_known
from tutor_lsp.tutor.hinting.coach.asking import ask
from tutor_lsp.tutor.hinting.coach.showing import Coached, HintRefused, Wanted
from tutor_lsp.tutor.hinting.context import tutoring_backend, tutoring_context
from tutor_lsp.tutor.hinting.diagnosis.found import NOTHING_FOUND, Found, found_out
from tutor_lsp.tutor.hinting.not_found import why_not_found
from tutor_lsp.tutor.hinting.trace import trace_for
from tutor_lsp.tutor.hinting.tutor_choice import answers_questions
from tutor_lsp.tutor.hinting.unanswered import unanswered
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.interface.arguments import HintArguments
from tutor_lsp.tutor.interface.notifications import HintReady
from tutor_lsp.tutor.interface.results import AskResult, HintResult, KnownMistake
from tutor_lsp.tutor.interface.units import Way
from tutor_lsp.tutor.learner.mastery import note_diagnosis, note_hint_tags
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.services.tell import tell
from tutor_lsp.wire import filled_from, to_wire

_WAS_BEFORE = marked("This hint was written for your code as it was before.")
_UNCHANGED = marked("Your code has not changed since the last hint: try that one out first.")
_OLDER = marked("From before your last change, on which the tests have not run:")
_RUNNING = marked("From before the attempt that is running now:")
_CHANGED = marked("It passed before: look at what you have changed in it since then.")
_FOLLOW = marked(
    "It passed before. Follow that test line by line through your code, find the first line whose "
    "value differs from what you expect there, and put back what you had in it when it passed."
)
_NOTES = ("", _WAS_BEFORE, _UNCHANGED, _OLDER, _RUNNING)


async def give_hint(
    exercises: OpenExercises, opened: OpenExercise, arguments: HintArguments, *, attempting: bool
) -> HintResult | AskResult:
    """The next hint for the unit at a position, the one named, or the focus; while an attempt is
    running (`attempting`) it says that it is from before it.

    A hint that needs no model is kept and shown at once. Where a model coaches, its hint takes
    that one's place if it holds; the answer is whichever stands in the end.
    """
    services = exercises.services
    view = opened.view()
    item = hinted_unit(services, opened, view, arguments)
    unit = item.unit
    if item.site is None:
        details = {"unit": unit.id, "file": unit.file}
        raise TutorError(
            "NO_UNIT", await why_not_found(services, opened, view, unit), details=details
        )
    report = opened.standing_report()
    progress = opened.session.progress.get(unit.id)
    test = hint_test(unit, report, progress)
    older = _older(opened, report, attempting=attempting)
    if not test:
        raise TutorError("REFUSED", _all_pass(unit, older=older))
    blank = Hint(
        unit=unit.id,
        test=ladder_of(test, report, progress),
        level=1,
        text="",
        code=None,
        verified=False,
        at=services.now(),
        text_hash=opened.stubs(view.texts).text_hash(unit.id),
        ran="older" if older else opened.saved().check_hash,
    )
    question = arguments.question
    asked = question is not None
    step = next_hint(opened.session.hints, unit.id, blank.test, blank.text_hash, question=asked)
    if step.stored is not None:
        changed = step.moved_on or step.stored.ran not in ("", blank.ran)
        step = replace(step, moved_on=changed)
    blank = replace(blank, level=step.level)
    trials = exercises.shadow_copies
    trace = await trace_for(trials, opened, unit, report, view.texts)
    ran = None if older else report
    found = await found_out(services, trials, opened, unit, view.texts, ran)
    giving = _Giving(services, exercises, opened, item, step, test, blank, older, trace, found)
    return await giving.give(question)


@dataclass(frozen=True, slots=True)
class _Giving:
    """A hint being given: a stored one, or one made from `blank`. `older` introduces
    an answer about an older text; it is "" for one about the text in view. `trace` ends it, if
    there is one, and `found` is what the code was found to do. `renewed` is whether it takes the
    place of an older one of its level."""

    services: Services
    exercises: OpenExercises
    opened: OpenExercise
    item: UnitView
    step: HintStep
    test: str
    blank: Hint
    older: str
    trace: str = ""
    found: Found = NOTHING_FOUND
    renewed: bool = False

    async def give(self, question: str | None) -> HintResult | AskResult:
        """The result, once the hint is kept and shown."""
        shown = self.step.stored
        if shown is not None and self._is_outdated(shown):
            return await replace(self, renewed=True).renew(shown)
        if shown is not None and self.trace not in shown.text:
            traced = self._traced(shown)
            await self._keep(traced, shown)
            shown = traced
        elif shown is not None:
            await self._show(shown)
        else:
            shown = await self._made(question)
        if shown is None:
            return await self._cannot_answer()
        answers = await answers_questions(self.services, self.opened.session)
        text = shown.text
        if self.step.moved_on:
            more = t(" Ask a question about it as it is now.") if answers else ""
            text = f"{t(_WAS_BEFORE)}{more}\n\n{text}"
        elif self.older:
            text = f"{t(self.older)}\n\n{text}"
        result = replace(shown, text=text)
        if question is not None and self.step.stored is None:
            return self._answer(result)
        return self._result(result, answers=answers)

    def _is_outdated(self, shown: Hint) -> bool:
        """Whether an author's hint says of the code what is no longer so, or less than is known. A
        model's is about the code that it was written for."""
        by_model = shown.source == "model" or shown.verified
        if by_model or self.older or self.opened.first_syntax_error() is not None:
            return False
        known = self.found.known
        earlier = (hint.text for hint in self.opened.session.hints if hint.unit == shown.unit)
        news = known is not None and not any(known.says in text for text in earlier)
        return self.step.moved_on or news

    async def renew(self, shown: Hint) -> HintResult:
        """The author's words with what is so now, in the place of a hint shown before."""
        fresh = await self._first(await self._context())
        await self._keep(fresh, shown)
        await note_diagnosis(self.services, self.opened, self.found.known, self.test)
        answers = await answers_questions(self.services, self.opened.session)
        return self._result(fresh, answers=answers)

    async def _made(self, question: str | None) -> Hint | None:
        """The hint without a model, replaced by what may be shown of the model's. The answer to
        a question is a model's; None if there is none, which uses up no hint."""
        services, opened, unit = self.services, self.opened, self.item.unit
        backend = await tutoring_backend(services, opened)
        given = (self.found.known, opened.session.hints, self.blank.text_hash)
        if question is not None and is_known(question, *given):
            return await self._known(question)
        if question is not None and not backend.is_model:
            return None
        context = await self._context()
        first = await self._first(context) if question is None else None
        if first is not None:
            await self._keep(first)
            await note_diagnosis(services, opened, self.found.known, self.test)
            if not backend.is_model:
                return first
            self._tell(first, final=False)
        wanted = Wanted(context, unit.id, self.step.level, question)
        early: Hint | None = None
        entry = ""

        async def grew(told: Coached) -> None:
            nonlocal early, entry
            more = replace(self.blank, text=f"{told.text} …", source="model")
            entry = await self._show(more, early)
            early = more
            tell(services.frontend, HintReady(opened.session.id, self._answer(more), final=False))

        asking = ask(self.exercises, opened, backend, wanted, grew if first is None else None)
        try:
            answer = await (opened.hinting.unless_wanted(asking) if first is not None else asking)
        except BaseException:
            if entry:
                await asyncio.shield(take_back(services, opened.root, entry))
            raise
        better = answer or HintRefused("the next hint was asked for")
        if isinstance(better, HintRefused):
            if first is not None and better.said:
                services.say_once(
                    f"{backend.name} gave no usable hint ({better.reason}); the one shown comes "
                    "from the exercise and its tests."
                )
            if question is not None and context.report is not None and asks_why(question):
                return await self._known(question)
            return first
        shown = self._filled(better.text, better.code, verified=better.verified, source="model")
        shown = replace(shown, question=question or "", tried=better.tried)
        await self._keep(shown, early or first, question)
        await note_hint_tags(services, opened, self.item, better.tags, self.test)
        if first is not None:
            self._tell(shown, final=True)
        return shown

    async def _known(self, question: str) -> Hint:
        """What the first hint says of the code, as an answer: the ladder stands where it stood, or
        at its first step if none was taken."""
        level = max(self.step.level - 1, 1)
        first = await self._first(replace(await self._context(), hints=()), 1)
        shown = replace(first, level=level, question=question)
        await self._keep(shown, None, question)
        await note_diagnosis(self.services, self.opened, self.found.known, self.test)
        return shown

    async def _context(self) -> TutoringContext:
        report = self.opened.standing_report()
        older = bool(self.older)
        context = await tutoring_context(self.services, self.opened, report=report, older=older)
        return _of_broken(self.found.put_into(context), self.opened.session, self.item)

    async def _first(self, context: TutoringContext, level: int = 0) -> Hint:
        """A hint from the author and the test report, within 300 ms, whoever coaches."""
        backends = self.services.backends
        request = coach_request(context, self.item.unit.id, level or self.step.level)
        result = await backends.runner.run(request, backends.library)
        if not result.accepted or result.payload is None:
            raise TutorError(str(result.kind), f"There is no hint: {result.reason}.")
        return self._filled(result.payload["text"], result.payload["code"])

    def _filled(
        self, text: str, code: str | None, *, verified: bool = False, source: str = "author"
    ) -> Hint:
        at = self.services.now()
        made = replace(self.blank, text=text, code=code, verified=verified, at=at, source=source)
        return self._traced(made)

    def _traced(self, hint: Hint) -> Hint:
        """The hint with the trace, if there is one, in the place of an older one."""
        if not self.trace:
            return hint
        own = hint.text[: hint.trace_at] if hint.trace_at else f"{hint.text}\n\n"
        return replace(hint, text=own + self.trace, trace_at=len(own))

    async def _keep(
        self, shown: Hint, instead: Hint | None = None, question: str | None = None
    ) -> None:
        """Store and show a hint; it takes the place of `instead`."""

        def change(current: Session) -> Session:
            kept = tuple(hint for hint in current.hints if hint != instead)
            used = max(current.hint_level_used, shown.level)
            return replace(current, hints=(*kept, shown), hint_level_used=used)

        replaces = instead in self.opened.session.hints
        data = {**to_wire(shown), "question": question, "replaces": replaces}
        event = Event("hint", data, self.opened.session.id)
        await self.exercises.change_session(self.opened, change, event)
        await self._show(shown, instead)

    def _tell(self, shown: Hint, *, final: bool) -> None:
        """Send a hint; only where a model coaches, which answers questions, too."""
        result = self._result(shown, answers=True)
        tell(self.services.frontend, HintReady(self.opened.session.id, result, final))

    def _answer(self, shown: Hint) -> AskResult:
        made = self._result(shown, answers=True)
        title = t(f"Answer · {shown.unit} {self.item.unit.stub}")
        return filled_from(AskResult, made, answers_questions=True, title=title, answered=True)

    def _result(self, shown: Hint, *, answers: bool) -> HintResult:
        answers = answers and shown.level == HIGHEST_LEVEL
        language = self.opened.session.language
        ways = self._ways() if shown.level == HIGHEST_LEVEL else ()
        known = self.found.known
        says_it = known is not None and known.says in shown.text
        # Those of older records do not say; only a model's were ever tried.
        source = shown.source or ("model" if shown.verified else "author")
        return filled_from(
            HintResult,
            shown,
            answers_questions=answers,
            stub=self.item.unit.stub,
            language=language,
            actions=ways,
            mistake=None if known is None else KnownMistake(known.tag, known.says, known.sure),
            source=source,
            tried=shown.verified or (source == "author" and says_it),
            tried_out=shown.tried,
        )

    def _ways(self) -> tuple[Way, ...]:
        view = self.opened.view()
        return ways_of(view, next(each for each in view.units if each.unit == self.item.unit))

    async def _show(self, shown: Hint, instead: Hint | None = None) -> str:
        """Into `.tutor/coach.md`, with what can be done after the last hint, and into the editor.
        Its entry there.

        One that was shown before stands there once: on top.
        """
        services, opened, unit = self.services, self.opened, self.item.unit
        opened.asks = await answers_questions(services, opened.session)
        offers = ""
        if shown.level == HIGHEST_LEVEL:
            opened.easier = easier_than(services, opened.session)
            offers = offers_text(self._ways(), services.frontend.abilities)

        def entry(hint: Hint, note: str) -> str:
            return hint_text(hint, unit.stub, opened.session.language, t(note), offers)

        note = self._note()
        new = entry(shown, note)
        old = entry(instead, note) if instead is not None else None
        before = [each for each in (shown, instead) if each is not None and self.step.stored]
        again = [entry(each, said) for each in before for said in _NOTES]
        await note_for_learner(services, opened.root, new, instead=old, again=again)
        services.frontend.exercise_changed(opened)
        return new

    def _note(self) -> str:
        if self.renewed:
            return ""
        if self.step.moved_on:
            return _WAS_BEFORE
        same = self.step.stored is not None or self.step.unchanged_since_l2
        return self.older or (_UNCHANGED if same else "")

    async def _cannot_answer(self) -> AskResult:
        request = coach_request(await self._context(), self.item.unit.id, self.step.level)
        given, tutoring = (self.services, self.opened, self.item), request.packet["tutoring"]
        return await unanswered(*given, tutoring, self.found.known, self.older)


def _of_broken(context: TutoringContext, session: Session, item: UnitView) -> TutoringContext:
    """With words about the change that broke a unit which passed before: its author's begin at the
    stub."""
    progress, vault = session.progress.get(item.unit.id), context.vault
    if progress is None or not progress.passes or item.state is UnitState.TODO:
        return context
    if item.unit.asks_for_tests:  # there is no code of the learner's to follow a test through
        return context
    written = (*vault.hints.get(item.unit.id, ()), "", "")
    words = (t(_CHANGED), written[1], t(_FOLLOW))
    return replace(context, vault=replace(vault, hints={**vault.hints, item.unit.id: words}))


def _older(opened: OpenExercise, report: TestReport | None, *, attempting: bool) -> str:
    """See `_Giving`; whether a report is about another text than the one in view, saved or not."""
    if report is None or opened.first_syntax_error() is not None:
        return ""
    if not opened.behind() and {*opened.unsaved()}.isdisjoint(opened.stub_files()):
        return ""
    return _RUNNING if attempting else _OLDER


def _all_pass(unit: Unit, *, older: str) -> str:
    if not older:
        return t(f"All tests of {unit.stub} pass, so it needs no hint.")
    if older == _RUNNING:
        return t(
            f"All tests of {unit.stub} passed before the attempt that is running now: ask for "
            "a hint once it shows what fails."
        )
    return t(
        f"All tests of {unit.stub} passed before your last change. Save and check (tutor.check), "
        "then ask for a hint on what fails."
    )


def hinted_unit(
    services: Services, opened: OpenExercise, view: View, arguments: HintArguments
) -> UnitView:
    """The unit pointed at, else the one that does not parse, else the focus. Raises TutorError."""
    found = unit_pointed_at(services, opened, view, arguments)
    if found is not None:
        return found
    error = view.build_error
    broken = view.unit_at(error.file, error.line) if error is not None else None
    focus = broken or view.focus
    if focus is None:
        raise TutorError("REFUSED", "This exercise has no unit to give a hint on.")
    return focus
