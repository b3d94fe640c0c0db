"""Code lenses: the state on each stub; on the focus also Hint and Lesson."""

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.standing import BEFORE, NOT_RUN
from tutor_lsp.tutor.ide.actions import Action
from tutor_lsp.tutor.ide.view import UnitView, View

MARKS = {
    UnitState.TODO: "○",
    UnitState.FAILING: "✗",
    UnitState.PASSING: "✓",
    UnitState.STALE: "…",
}
WORDS = {
    UnitState.TODO: "to do",
    UnitState.FAILING: "not yet",
    UnitState.PASSING: "passes",
    UnitState.STALE: BEFORE,
}


def state_text(item: UnitView) -> str:
    """A unit's id, its state as a mark and in words, and how many of its tests pass."""
    return f"{item.unit.id} {MARKS[item.state]} {state_words(item)}"


def state_words(item: UnitView) -> str:
    """The state of a unit in words, with how many of its tests pass."""
    total = len(item.unit.tests)
    if item.state is UnitState.STALE and not item.results:
        return NOT_RUN
    if item.state is UnitState.TODO or not item.results:
        return WORDS[item.state]
    passed = f"{total - len(item.failing)} of {total}"
    if item.old and item.state is not UnitState.STALE:
        passed += f" {BEFORE}"
    return f"{WORDS[item.state]} · {passed}"


def lenses(view: View, file: str) -> list[tuple[int, Action]]:
    """Line (1-based) and action of every lens of a file, in order."""
    found: list[tuple[int, Action]] = []
    for item in view.in_file(file):
        if item.site is None:
            continue
        of = {"session": view.session.id, "unit": item.unit.id}
        line = item.site.line
        found.append((line, Action(state_text(item), "tutor.open", {**of, "target": "test"})))
        if not item.focus:
            continue
        if view.session.passed:
            found.append((line, _next(view)))
        elif view.all_green:
            session = {"session": view.session.id}
            found.append((line, Action("Finish and review", "tutor.attempt", session)))
            if not view.session.polishing:
                found.append((line, Action("Keep polishing", "tutor.polish", session)))
        else:
            title = "Stuck? Take a hint" if item.stuck else "Hint"
            found.append((line, Action(title, "tutor.hint", of)))
        found.append((line, Action("Lesson", "tutor.open", {**of, "target": "lesson"})))
    return found


def _next(view: View) -> Action:
    title = f"Next: {view.next_title}" if view.next_title else "Next exercise"
    return Action(title, "tutor.next", {"session": view.session.id})
