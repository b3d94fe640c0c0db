"""`tutor.hint` and `tutor.ask`."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.exercise.report import TestReport
from tutor_lsp.core.exercise.standing import BEFORE_CHANGE
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL, HintStep, hint_test, ladder_of, next_hint
from tutor_lsp.core.session import Event, Hint, Session
from tutor_lsp.core.wire import to_wire
from tutor_lsp.languages.registry import languages
from tutor_lsp.tutor.exercise.last_texts import last_texts
from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
from tutor_lsp.tutor.exercise.stub_place import stands
from tutor_lsp.tutor.exercise.unit_at_cursor import unit_pointed_at
from tutor_lsp.tutor.hinting.coach.asking import Coached, Refused, Wanted, ask
from tutor_lsp.tutor.hinting.coach_file import hint_text, note_for_learner, offers_text
from tutor_lsp.tutor.hinting.context import answers_questions, tutoring_backend, tutoring_context
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.learner.advice import easier
from tutor_lsp.tutor.learner.mastery import note_hint_tags
from tutor_lsp.tutor.running.fresh import run_what_was_saved

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import AskArguments, HintArguments


_WAS_BEFORE = "This hint was written for your code as it was before."
_UNCHANGED = "Your code is the same as at the last hint: trying it out first helps most."
_OLDER = f"{BEFORE_CHANGE}, on which the tests have not run:"
_RUNNING = "From before the attempt that is running now:"
_NOTES = ("", _WAS_BEFORE, _UNCHANGED, _OLDER, _RUNNING)


@dataclass(frozen=True, slots=True)
class HintResult:
    """`tutor.hint`. `level` is 1–3; `code` may stand beside `text`.

    `verified` holds only if a fix behind the hint was executed and turned a test green.
    """

    unit: str
    level: int
    text: str
    code: str | None
    verified: bool


@dataclass(frozen=True, slots=True)
class Answer(HintResult):
    """What came of a question. `title` is a heading: it need not be a hint.

    Where it is not `answered`, `reason` says what is missing: `NO_MODEL` (nobody could be asked) or
    `NO_ANSWER` (a model was, and gave none that holds: to ask again can help).
    """

    title: str
    answered: bool
    reason: str | None = None


async def hint(app: "App", arguments: "HintArguments") -> HintResult:
    """The next hint for the unit at a position, the one named, or the focus.

    A hint that needs no model is kept and shown at once. Where a model coaches, its hint takes
    that one's place if it holds; the answer is whichever stands in the end.
    """
    opened = await app.locate(arguments)
    # One at a time: of two calls at once the second is the next step, not the same one again.
    async with opened.hinting:
        await run_what_was_saved(app, opened)
        return await _next_hint(app, opened, arguments)


async def ask_question(app: "App", arguments: "AskArguments") -> HintResult:
    """`tutor.ask`: a question in the learner's words, asked for where it is not given."""
    models = await app.load("tutor_lsp.tutor.arguments")
    opened = await app.locate(arguments)
    item = _unit_view(app, opened, opened.view(), models.HintArguments(unit=arguments.unit))
    question = arguments.question
    if question is None:
        question = await app.frontend.ask_text(
            f"What would you like to know about {item.unit.stub}?"
        )
    if question is None:
        how = "Ask it" if app.frontend.abilities.terminal else "In a terminal"
        raise TutorError(
            "CANCELLED",
            f'No question was asked. {how}: tutor-lsp ask --unit {item.unit.id} "…"',
        )
    asked = models.HintArguments(
        session=opened.session.id, unit=item.unit.id, question=question[:2000]
    )
    return await hint(app, asked)


async def _next_hint(app: "App", opened: OpenExercise, arguments: "HintArguments") -> HintResult:
    view = opened.view()
    item = _unit_view(app, opened, view, arguments)
    unit = item.unit
    if item.site is None:
        details = {"unit": unit.id, "file": unit.file}
        raise TutorError("NO_UNIT", await _why_not_found(app, opened, view, unit), details=details)
    session = opened.session
    report = opened.standing_report()
    test = hint_test(unit, report, session.progress.get(unit.id))
    older = _older(app, opened, report)
    ran = "older" if older else opened.saved().check_hash
    if not test:
        raise TutorError("REFUSED", _all_pass(unit, older=older))
    text_hash = opened.stubs(view.texts).text_hash(unit.id)
    asked = arguments.question is not None
    ladder = ladder_of(test, report)
    step = next_hint(session.hints, unit.id, ladder, text_hash, question=asked)
    shown = step.stored
    if shown is not None:
        step = replace(step, moved_on=step.moved_on or shown.ran not in ("", ran))
        await _show(app, opened, item, shown, step, older=older)
    else:
        fresh = Fresh(app, opened, item, step, test, ladder, text_hash, ran, older)
        shown = await (fresh.answered(arguments.question) if asked else fresh.hint())
    if shown is None:
        return await _cannot_answer(app, opened, item, step, older=older)
    text = shown.text
    if step.moved_on:
        text = f"{_WAS_BEFORE}{await _asking(app, opened)}\n\n{text}"
    elif older:
        text = f"{older}\n\n{text}"
    if asked and step.stored is None:
        title = f"Answer · {unit.id}"
        return Answer(unit.id, shown.level, text, shown.code, shown.verified, title, answered=True)
    return HintResult(unit.id, shown.level, text, shown.code, shown.verified)


@dataclass(frozen=True, slots=True)
class Fresh:
    """A hint that was not given before."""

    app: "App"
    opened: OpenExercise
    item: UnitView
    step: HintStep
    test: str
    ladder: str
    text_hash: str
    ran: str
    older: str
    """How an answer begins that speaks of an older text; "" where it speaks of the one seen."""

    async def hint(self) -> Hint:
        """The hint without a model, and in its place the model's where there is one that holds."""
        app, opened = self.app, self.opened
        context = await _context(app, opened, older=self.older)
        backend = await tutoring_backend(app, opened)
        first = await self._first(context)
        await self._keep(first, None)
        if not backend.needs_prompt and backend.name == "library":
            return first
        app.frontend.notify("tutor/hintReady", self._wire(first, final=False))
        wanted = Wanted(context, self.item.unit.id, self.step.level)
        better = await ask(app, opened, backend, wanted)
        if isinstance(better, Refused):
            if better.said:
                app.say_once(
                    f"{backend.name} gave no usable hint ({better.reason}); the one that is shown "
                    "comes from the exercise and its tests."
                )
            return first
        shown = await self._model_hint(better, first)
        app.frontend.notify("tutor/hintReady", self._wire(shown, final=True))
        return shown

    async def answered(self, question: str | None) -> Hint | None:
        """The answer to a question; None where nobody can give one, which uses no hint up."""
        app, opened = self.app, self.opened
        backend = await tutoring_backend(app, opened)
        if backend.name == "library":
            return None
        context = await _context(app, opened, older=self.older)
        wanted = Wanted(context, self.item.unit.id, self.step.level, question)
        better = await ask(app, opened, backend, wanted)
        if isinstance(better, Refused):
            return None
        return await self._model_hint(better, None, question)

    async def _first(self, context: Any) -> Hint:
        """From the author and the test report; answers within 300 ms, whoever coaches."""
        app = self.app
        stages = await app.load("tutor_lsp.stages.tutoring")
        request = stages.coach_request(context, self.item.unit.id, self.step.level)
        result = await app.backends.runner.run(request, app.backends.library)
        if not result.accepted or result.payload is None:
            raise TutorError(str(result.kind), f"There is no hint: {result.reason}.")
        return self._made(result.payload["text"], result.payload["code"])

    async def _model_hint(
        self, better: Coached, first: Hint | None, question: str | None = None
    ) -> Hint:
        shown = self._made(better.text, better.code, verified=better.verified)
        await self._keep(shown, first, question)
        await note_hint_tags(self.app, self.opened, self.item, better.tags, self.test)
        return shown

    def _made(self, text: str, code: str | None, *, verified: bool = False) -> Hint:
        return Hint(
            unit=self.item.unit.id,
            test=self.ladder,
            level=self.step.level,
            text=text,
            code=code,
            verified=verified,
            at=self.app.now(),
            text_hash=self.text_hash,
            ran=self.ran,
        )

    async def _keep(self, shown: Hint, instead: Hint | None, question: str | None = None) -> None:
        """Store and show a hint; it takes the place of `instead`."""

        def change(current: Session) -> Session:
            kept = tuple(hint for hint in current.hints if hint != instead)
            return replace(
                current,
                hints=(*kept, shown),
                hint_level_used=max(current.hint_level_used, shown.level),
            )

        data = {"question": question, "replaces": instead is not None, **to_wire(shown)}
        event = Event("hint", data, self.opened.session.id)
        await self.app.change_session(self.opened, change, event)
        await _show(self.app, self.opened, self.item, shown, self.step, instead, older=self.older)

    def _wire(self, shown: Hint, *, final: bool) -> dict[str, Any]:
        result = HintResult(shown.unit, shown.level, shown.text, shown.code, shown.verified)
        return {"sessionId": self.opened.session.id, "hint": to_wire(result), "final": final}


async def _show(
    app: "App",
    opened: OpenExercise,
    item: UnitView,
    shown: Hint,
    step: HintStep,
    instead: Hint | None = None,
    *,
    older: str,
) -> None:
    """Into `.tutor/coach.md`, with what can be done after the last hint, and into the editor.

    One that was shown before stands there once: on top.
    """
    offers = ""
    if shown.level == HIGHEST_LEVEL:
        opened.easier = easier(app, opened.session)
        asks = await answers_questions(app, opened.session)
        terminal = app.frontend.abilities.terminal
        offers = offers_text(item.unit, opened.easier, asks=asks, terminal=terminal)

    def entry(hint: Hint, note: str) -> str:
        return hint_text(hint, item.unit.stub, opened.session.language, note, offers)

    note = _note(step, older=older)
    old = entry(instead, note) if instead is not None else None
    again = [entry(shown, said) for said in _NOTES] if step.stored is not None else []
    await note_for_learner(app, opened, entry(shown, note), instead=old, again=again)
    app.frontend.exercise_changed(opened)


def is_older(opened: OpenExercise, report: TestReport | None) -> bool:
    """Whether a report is about another text than the one that is seen, unsaved or not."""
    if report is None or opened.first_syntax_error() is not None:
        return False
    return opened.behind() or not {*opened.unsaved()}.isdisjoint(opened.stub_files())


def _older(app: "App", opened: OpenExercise, report: TestReport | None) -> str:
    """See `Fresh.older`."""
    if not is_older(opened, report):
        return ""
    return _RUNNING if app.runs(opened).attempting else _OLDER


def _all_pass(unit: Unit, *, older: str) -> str:
    if not older:
        return f"All tests of {unit.stub} pass: there is nothing to hint at."
    if older == _RUNNING:
        return (
            f"All tests of {unit.stub} passed before the attempt that is running now: what fails "
            "in that gets a hint."
        )
    return (
        f"All tests of {unit.stub} passed before your last change. Save and check (tutor.check): "
        "what fails then gets a hint."
    )


async def _context(app: "App", opened: OpenExercise, *, older: str) -> Any:
    report = opened.standing_report()
    return await tutoring_context(app, opened, report=report, older=bool(older))


async def _cannot_answer(
    app: "App", opened: OpenExercise, item: UnitView, step: HintStep, *, older: str
) -> HintResult:
    """What there is to say to a question when nobody can answer it; no hint is used up."""
    stages = await app.load("tutor_lsp.stages.tutoring")
    plain = await app.load("tutor_lsp.stages.plain_hint")
    context = await _context(app, opened, older=older)
    request = stages.coach_request(context, item.unit.id, step.level)
    facts = plain.facts_of(request.packet["tutoring"], opened.session.language)
    backend = await tutoring_backend(app, opened)
    if backend.name == "library":
        reason = "NO_MODEL"
        why = (
            "Your question needs a model to answer it: tutor.doctor tells which there are, the "
            "setting tutor.backend names one."
        )
    else:
        reason = "NO_ANSWER"
        why = f"{backend.name} gave no answer that holds. Ask again, or in other words."
    level = item.hint.level if item.hint is not None else 1
    told = f"{older or 'From the last run:'} {facts}"
    if request.packet["tutoring"]["run"] is None:
        told = "No test was run yet: tutor.check runs them."
    text, title = f"{why} {told}", f"Your question · {item.unit.id}"
    return Answer(
        item.unit.id,
        level,
        text,
        None,
        verified=False,
        title=title,
        answered=False,
        reason=reason,
    )


async def _asking(app: "App", opened: OpenExercise) -> str:
    answered = await answers_questions(app, opened.session)
    return " Ask a question about it as it is now." if answered else ""


async def _why_not_found(app: "App", opened: OpenExercise, view: View, unit: Unit) -> str:
    """Whether the stub is gone, or stands where its file cannot be read; and what to do."""
    if unit.file not in view.texts:
        kept = unit.file in await last_texts(app, opened)
        return (
            f"{unit.file} is gone, so there is nothing to give a hint on. tutor.reset puts it back"
            + (", and its undo what you had written in it." if kept else " as it was given.")
        )
    text = view.texts[unit.file]
    error = view.build_error
    if error is None or error.file != unit.file:
        error = opened.toolchain.syntax_error(unit.file, text)
    if error is not None and stands(languages()[opened.exercise.language].lines, text, unit.stub):
        return (
            f"{unit.file} cannot be read from line {error.line} on ({error.message}), so "
            f"`{unit.stub}` is not found in it. The cause may stand further up: undo your last "
            "change in the editor, or use tutor.reset without a unit to put the whole file back; "
            "your text is kept."
        )
    return (
        f"`{unit.stub}` is not in {unit.file} any more, so there is nothing to give a hint "
        f'on. tutor.reset with {{"unit": "{unit.id}"}} puts it back; your text is kept.'
    )


def _note(step: HintStep, *, older: str) -> str:
    if step.moved_on:
        return _WAS_BEFORE
    if older:
        return older
    if step.stored is not None or step.unchanged_since_l2:
        return _UNCHANGED
    return ""


def _unit_view(
    app: "App", opened: OpenExercise, view: View, arguments: "HintArguments"
) -> UnitView:
    found = unit_pointed_at(app, opened, view, arguments)
    if found is not None:
        return found
    error = view.build_error
    broken = view.unit_at(error.file, error.line) if error is not None else None
    focus = broken or view.focus
    if focus is None:
        raise TutorError("REFUSED", "This exercise has no unit to hint at.")
    return focus
