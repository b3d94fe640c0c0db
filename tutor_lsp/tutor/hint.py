"""`tutor.hint` and `tutor.reveal`."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise import Unit
from tutor_lsp.core.ladder import HintStep, hint_test, next_hint, reveal_refusal, reveal_rule
from tutor_lsp.core.session import Event, Hint, Session, UnitProgress
from tutor_lsp.core.wire import to_wire
from tutor_lsp.tutor.coach_file import hint_text, note_for_learner
from tutor_lsp.tutor.context import tutoring_backend, tutoring_context, working
from tutor_lsp.tutor.fallback_hint import fallback_hint
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.learner import note_hint_tags
from tutor_lsp.tutor.opened import OpenExercise

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import HintArguments, RevealArguments


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
class Revealed:
    """`tutor.reveal`: the reference of one stub."""

    unit: str
    file: str
    solution: str


async def hint(app: "App", arguments: "HintArguments") -> HintResult:
    """The next hint for the unit at a position, the one named, or the focus."""
    opened = await app.locate(arguments)
    # One at a time: of two calls at once the second is the next step, not the same one again.
    async with opened.hinting:
        return await _next_hint(app, opened, arguments)


async def _next_hint(app: "App", opened: OpenExercise, arguments: "HintArguments") -> HintResult:
    view = opened.view()
    item = _unit_view(app, opened, view, arguments)
    unit = item.unit
    text_hash = opened.stubs(view.texts).text_hash(unit.id)
    session = opened.session
    test = hint_test(unit, session.last_results, session.progress.get(unit.id))
    if not test:
        raise TutorError("REFUSED", f"All tests of {unit.stub} pass: there is nothing to hint at.")
    asked = arguments.question is not None
    if asked and (await tutoring_backend(app, opened)).name == "library":
        return _cannot_answer(item)
    step = next_hint(session.hints, unit.id, test, text_hash, question=asked)
    if step.stored is not None:
        shown = step.stored
    else:
        shown = await _ask(app, opened, item, step, test, text_hash, arguments.question)
        await app.change_session(
            opened,
            lambda current: replace(
                current,
                hints=(*current.hints, shown),
                hint_level_used=max(current.hint_level_used, shown.level),
            ),
            Event("hint", {"question": arguments.question, **to_wire(shown)}, session.id),
        )
    note = _note(step)
    await note_for_learner(app, opened, hint_text(shown, unit.stub, session.language, note))
    app.frontend.exercise_changed(opened)
    text = f"{note}\n\n{shown.text}" if step.moved_on else shown.text
    return HintResult(unit.id, shown.level, text, shown.code, shown.verified)


def _cannot_answer(item: UnitView) -> HintResult:
    """What there is to say to a question when nobody can answer it; no hint is used up."""
    level = item.hint.level if item.hint is not None else 1
    text = (
        "Your question needs a model to answer it: tutor.doctor tells which there are, the setting "
        f"tutor.backend names one. From the last run: {fallback_hint(item, level)}"
    )
    return HintResult(item.unit.id, level, text, None, verified=False)


def _note(step: HintStep) -> str:
    if step.stored is not None and step.moved_on:
        return "This hint was written for your code as it was before; ask a question about it now."
    if step.stored is not None:
        return ""
    if step.unchanged_since_l2:
        return "Your code is the same as at the last hint: trying it out first helps most."
    return ""


def _unit_view(
    app: "App", opened: OpenExercise, view: View, arguments: "HintArguments"
) -> UnitView:
    by_id = {item.unit.id: item for item in view.units}
    if arguments.unit is not None:
        return by_id[opened.unit(arguments.unit).id]
    if arguments.position is not None:
        document = app.frontend.current_document()
        file = opened.relative(document) if document is not None else None
        if arguments.uri is not None:
            from tutor_lsp.tutor.app import uri_to_path

            path = uri_to_path(arguments.uri)
            file = opened.relative(path) if path is not None else file
        found = view.unit_at(file, arguments.position.line + 1) if file is not None else None
        if found is not None:
            return found
    focus = view.focus
    if focus is None:
        raise TutorError("REFUSED", "This exercise has no unit to hint at.")
    return focus


async def _ask(
    app: "App",
    opened: OpenExercise,
    item: UnitView,
    step: HintStep,
    test: str,
    text_hash: str,
    question: str | None,
) -> Hint:
    """A hint from whoever coaches; else the author's; else one made from the test report."""
    stages = await app.load("tutor_lsp.stages.tutoring")
    context = await tutoring_context(app, opened, report=opened.session.last_results)
    request = stages.coach_request(context, item.unit.id, step.level, question)
    backend = await tutoring_backend(app, opened)
    async with working(app, backend, f"Tutor: a hint for {item.unit.stub}"):
        result = await app.backends.runner.run(request, backend)
    if not result.accepted and backend.name != "library":
        app.say_once(f"{backend.name} gave no usable hint ({result.reason}); here is another one.")
        result = await app.backends.runner.run(request, app.backends.library)
    payload: Any = result.payload if result.accepted and result.payload else {}
    await note_hint_tags(app, opened, item, payload.get("tags") or (), test)
    return Hint(
        unit=item.unit.id,
        test=test,
        level=step.level,
        text=str(payload.get("text") or fallback_hint(item, step.level)),
        code=payload.get("code"),
        verified=False,
        at=app.now(),
        text_hash=text_hash,
    )


async def reveal(app: "App", arguments: "RevealArguments") -> Revealed:
    """The reference of one unit: freely after 4 failing runs with changed text, else confirmed."""
    opened = await app.locate(arguments)
    view = opened.view()
    unit = opened.unit(arguments.unit) if arguments.unit is not None else _focus(view)
    progress = opened.session.progress.get(unit.id)
    rule = reveal_rule(progress, confirm=arguments.confirm)
    if not rule.allowed:
        raise TutorError(
            "REFUSED",
            reveal_refusal(rule, unit.stub),
            details={"runsLeft": rule.runs_left, "confirm": True},
        )
    solution = _solution(opened, unit)
    if solution is None:
        raise TutorError("REFUSED", f"No reference is known for {unit.stub} on this machine.")

    def change(session: Session) -> Session:
        before = session.progress.get(unit.id, UnitProgress())
        return replace(
            session, progress={**session.progress, unit.id: replace(before, revealed=True)}
        )

    event = Event("reveal", {"unit": unit.id, "free": rule.free}, opened.session.id)
    await app.change_session(opened, change, event)
    entry = f"## Solution of `{unit.stub}`\n\n```{opened.exercise.language}\n{solution}\n```"
    await note_for_learner(app, opened, entry)
    app.frontend.exercise_changed(opened)
    return Revealed(unit.id, unit.file, solution)


def _focus(view: View) -> Unit:
    if view.focus is None:
        raise TutorError("REFUSED", "This exercise has no unit.")
    return view.focus.unit


def _solution(opened: OpenExercise, unit: Unit) -> str | None:
    text = opened.vault.solution.get(unit.file)
    if text is None:
        return None
    site = next((s for s in opened.functions(text) if s.name == unit.stub), None)
    return text[site.start : site.end] if site is not None else None
