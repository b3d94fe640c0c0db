"""Code lenses: the state on each stub, Hint on what fails; on the focus also Hint and Lesson."""

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.standing import NOT_CHECKED, NOT_RUN, passed_of
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.ide.actions import Action, onward
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.voice.units import MARKS, WORDS


def state_text(item: UnitView) -> str:
    """A unit's id, its state as a mark and in words, and how many of its tests pass."""
    return f"{item.unit.id} {MARKS[item.state]} {state_words(item)}"


def state_words(item: UnitView) -> str:
    """The state of a unit in words, with how many of its tests pass."""
    total = len(item.unit.tests)
    if item.unchecked:
        return t(NOT_CHECKED)
    if item.state is UnitState.STALE and not item.results:
        return t(NOT_RUN)
    if item.state is UnitState.TODO or not item.results:
        return t(WORDS[item.state])
    if item.state is UnitState.FAILING and not item.failing:
        # What it says now cannot be run: all that passed was another text.
        return f"{t('does not build')} · {passed_of(total, total, old=True)}"
    old = item.old and item.state is not UnitState.STALE
    return f"{t(WORDS[item.state])} · {passed_of(total - len(item.failing), total, old=old)}"


def lenses(view: View, file: str) -> list[tuple[int, Action]]:
    """Line (1-based) and action of every lens of a file, in order."""
    found: list[tuple[int, Action]] = []
    for item in view.in_file(file):
        if item.site is None:
            continue
        of = {"session": view.session.id, "unit": item.unit.id}
        line = item.site.line
        found.append((line, Action(state_text(item), "tutor.open", {**of, "target": "test"})))
        # Also on what passed once and fails again, in an exercise that was passed.
        hints = item.state is UnitState.FAILING or (item.focus and not onward(view))
        if hints:
            title = t("Stuck? Take a hint" if item.stuck else "Hint")
            found.append((line, Action(title, "tutor.hint", of)))
        if not item.focus:
            continue
        if view.session.passed:
            found.append((line, onward(view)[0]))
        elif view.standing.all_green:
            session = {"session": view.session.id}
            found.append((line, Action("Finish and review", "tutor.attempt", session)))
        found.append((line, Action("Lesson", "tutor.open", {**of, "target": "lesson"})))
    return found
