"""Code actions: all on the cue, at most three on the stub and its diagnostic."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
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
    go to test, check. Elsewhere in an exercise file: nothing, save after a pass, where the next
    exercise is offered everywhere.
    """
    item = view.unit_at(file, first_line) or view.unit_at(file, last_line)
    if item is None:
        if file.startswith("tests/") and file in view.changed_files:
            return [_restore(view, file)]
        return _onward(view)
    if item.cue_line is not None and first_line <= item.cue_line <= last_line:
        return _on_cue(view, item)
    return _onward(view)[:1] + _on_stub(view, item)[: 3 - len(_onward(view)[:1])]


def _id(view: View) -> dict[str, Any]:
    return {"session": view.session.id}


def _of(view: View, item: UnitView) -> dict[str, Any]:
    return {"session": view.session.id, "unit": item.unit.id}


def _restore(view: View, file: str) -> Action:
    return Action(f"Put {file} back as it was given", "tutor.restore", _id(view))


def _onward(view: View) -> list[Action]:
    if view.session.passed:
        title = f"Next: {view.next_title}" if view.next_title else "Next exercise"
        return [Action(title, "tutor.next", _id(view), preferred=True)]
    if view.all_green and not view.session.polishing:
        return [
            Action("All tests pass: finish and review", "tutor.attempt", _id(view), preferred=True)
        ]
    return []


def hint_title(item: UnitView) -> str:
    """What the next hint is called for this unit."""
    if item.hint is None:
        return f"Hint for {item.unit.stub}"
    if item.hint.level >= HIGHEST_LEVEL:
        return f"Show the last hint for {item.unit.stub} again"
    if item.hint.level == HIGHEST_LEVEL - 1 and item.unchanged:
        return f"Another hint for {item.unit.stub} (unchanged since the last one: run it first?)"
    return f"Another hint for {item.unit.stub}"


def _on_stub(view: View, item: UnitView) -> list[Action]:
    found = []
    if item.was_reset:
        undo = {**_of(view, item), "undo": True}
        found.append(Action(f"Bring back what you wrote for {item.unit.stub}", "tutor.reset", undo))
    if item.state is not UnitState.PASSING:
        found.append(Action(hint_title(item), "tutor.hint", _of(view, item), preferred=True))
    else:
        found.append(Action("Compare with the reference", "tutor.compare", _of(view, item)))
    found.append(
        Action(
            f"Go to the test of {item.unit.stub}",
            "tutor.open",
            {**_of(view, item), "target": "test"},
        )
    )
    found.append(Action("Check now", "tutor.check", _id(view)))
    return found


def _on_cue(view: View, item: UnitView) -> list[Action]:
    lesson = Action(
        f"Read the lesson: {item.unit.lesson_heading}",
        "tutor.open",
        {**_of(view, item), "target": "lesson"},
    )
    found = [*_onward(view), *_on_stub(view, item), lesson]
    if not any(action.command in ("tutor.attempt", "tutor.next") for action in found):
        found.append(Action("Attempt: run all tests and get a review", "tutor.attempt", _id(view)))
    if item.hint is not None:
        found.append(
            Action("Read hints and reviews", "tutor.open", {**_id(view), "target": "coach"})
        )
    if item.state is not UnitState.PASSING and item.hint is not None:
        found += _after_hints(view, item)
    found.append(Action(f"Put {item.unit.stub} back to the stub", "tutor.reset", _of(view, item)))
    if view.changed_files:
        found.append(_restore(view, ", ".join(view.changed_files)))
    return found


def _after_hints(view: View, item: UnitView) -> list[Action]:
    """A question at any time; after the last hint also the solution and an easier exercise."""
    of = _of(view, item)
    found = [Action(f"Ask a question about {item.unit.stub}", "tutor.ask", of)]
    if item.hint is None or item.hint.level < HIGHEST_LEVEL:
        return found
    found.append(
        Action(
            f"Show the solution of {item.unit.stub} and go on",
            "tutor.reveal",
            {**of, "confirm": True},
        )
    )
    if view.easier is not None:
        argument = {"language": view.session.language, "node": view.easier.node}
        title = f"Take an easier exercise first: {view.easier.title}"
        found.append(Action(title, "tutor.start", argument))
    return found
