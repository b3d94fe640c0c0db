"""Code actions: all of them on the "Start here" line, three on the stub and its diagnostic, besides
the ways on from a last hint and the way back from a reset."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.ide.view import UnitView, View


@dataclass(frozen=True, slots=True)
class Action:
    """A title with the command that it runs. `preferred` marks the one to offer first."""

    title: str
    command: str
    argument: Mapping[str, Any] = field(default_factory=dict)
    preferred: bool = False


def actions(view: View, file: str, first_line: int, last_line: int) -> list[Action]:
    """Actions for a range of 1-based lines of one file; those of the unit it begins in.

    On the "Start here" line: everything that can be done with the unit. On the stub: next hint,
    go to test, check, with the ways on after the last hint and the way back after a reset.
    Elsewhere in an exercise file: nothing, save after a pass, where the next exercise is offered
    everywhere. Those that are preferred come first.
    """
    found = _found(view, file, first_line, last_line)
    return sorted(found, key=lambda action: not action.preferred)


def _found(view: View, file: str, first_line: int, last_line: int) -> list[Action]:
    item = view.unit_at(file, first_line) or view.unit_at(file, last_line)
    if item is None:
        if file.startswith("tests/") and file in view.changed_files:
            return [_restore(view, file)]
        return onward(view)
    if item.cue_line is not None and first_line <= item.cue_line <= last_line:
        return _on_cue(view, item)
    after = onward(view)[:1]
    return [*ways_on(view, item), *after, *_on_stub(view, item)[: 2 if after else None]]


def _id(view: View) -> dict[str, Any]:
    return {"session": view.session.id}


def _of(view: View, item: UnitView) -> dict[str, Any]:
    return {"session": view.session.id, "unit": item.unit.id}


def _restore(view: View, file: str) -> Action:
    return Action(f"Put {file} back as it was given", "tutor.restore", _id(view))


def onward(view: View) -> list[Action]:
    """What follows the exercise, first of all after a pass; nothing before all tests pass."""
    if view.session.passed:
        title = t(f"Next: {view.next_title}") if view.next_title else t("Next exercise")
        return [Action(title, "tutor.next", _id(view), preferred=True)]
    if view.standing.all_green:
        title = t("All tests pass: finish and review")
        return [Action(title, "tutor.attempt", _id(view), preferred=True)]
    return []


def hint_title(item: UnitView) -> str:
    """The title of this unit's next hint."""
    if item.hint is None:
        return t(f"Hint for {item.unit.stub}")
    if item.hint.level >= HIGHEST_LEVEL:
        return t(f"Show the last hint for {item.unit.stub} again")
    if item.hint.level == HIGHEST_LEVEL - 1 and item.unchanged:
        return t(f"Another hint for {item.unit.stub} (unchanged since the last one: run it first?)")
    return t(f"Another hint for {item.unit.stub}")


def _on_stub(view: View, item: UnitView) -> list[Action]:
    of = _of(view, item)
    found = []
    if item.was_reset:
        undo = {**of, "undo": True}
        found.append(Action(f"Bring back what you wrote for {item.unit.stub}", "tutor.reset", undo))
    if item.state is not UnitState.PASSING:
        found.append(Action(hint_title(item), "tutor.hint", of, preferred=True))
    else:
        found.append(Action("Compare with the reference", "tutor.compare", of))
    test = {**of, "target": "test"}
    found.append(Action(f"Go to the test of {item.unit.stub}", "tutor.open", test))
    return [*found, Action("Check now", "tutor.check", _id(view))]


def _on_cue(view: View, item: UnitView) -> list[Action]:
    of = _of(view, item)
    lesson = {**of, "target": "lesson"}
    found = [*ways_on(view, item), *onward(view), *_on_stub(view, item)]
    if not view.exercise.challenge:
        found.append(Action(f"Read the lesson: {item.unit.lesson_heading}", "tutor.open", lesson))
    if not onward(view):
        found.append(Action("Attempt: run all tests and get a review", "tutor.attempt", _id(view)))
    if item.hint is not None:
        coach = {**_id(view), "target": "coach"}
        found.append(Action("Read hints and reviews", "tutor.open", coach))
        if item.state is not UnitState.PASSING and item.hint.level < HIGHEST_LEVEL:
            found += _question(view, item)
    found.append(Action(f"Put {item.unit.stub} back to the stub", "tutor.reset", of))
    if view.changed_files:
        found.append(_restore(view, ", ".join(view.changed_files)))
    return found


def ways_on(view: View, item: UnitView) -> list[Action]:
    """After a unit's last hint: its solution, a question if somebody would answer it, and an easier
    exercise; none before, and none once it passes."""
    if item.hint is None or item.hint.level < HIGHEST_LEVEL or item.state is UnitState.PASSING:
        return []
    reveal = {**_of(view, item), "confirm": True}
    title = t(f"Show the solution of {item.unit.stub} and go on")
    found = [Action(title, "tutor.reveal", reveal), *_question(view, item)]
    if view.easier is not None:
        argument = {"language": view.session.language, "node": view.easier.node}
        title = t(f"Take an easier exercise first: {view.easier.title}")
        found.append(Action(title, "tutor.start", argument))
    return found


def _question(view: View, item: UnitView) -> list[Action]:
    """A question about a unit, where somebody would answer it."""
    title = t(f"Ask a question about {item.unit.stub}")
    return [Action(title, "tutor.ask", _of(view, item))] if view.asks else []
