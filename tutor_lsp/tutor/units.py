"""Units in their wire form."""

from collections.abc import Sequence
from typing import Any

from tutor_lsp.core.exercise import Unit
from tutor_lsp.core.session import Session
from tutor_lsp.tutor.ide.view import View


def units_wire(view: View) -> list[dict[str, Any]]:
    """`[{id, stub, file, line, firstPrinciple, lesson, tests, state, focus, hintLevel}]`."""
    return [
        {
            "id": item.unit.id,
            "stub": item.unit.stub,
            "file": item.unit.file,
            "line": item.site.line if item.site is not None else item.unit.line,
            "firstPrinciple": item.unit.first_principle,
            "lesson": {
                "heading": item.unit.lesson_heading,
                "line": view.heading_lines.get(item.unit.lesson_heading, item.unit.lesson_line),
            },
            "tests": list(item.unit.tests),
            "state": item.state.value,
            "focus": item.focus,
            "hintLevel": item.hint.level if item.hint is not None else 0,
        }
        for item in view.units
    ]


def units_passing(session: Session, units: Sequence[Unit]) -> int:
    """How many of an exercise's units passed all their tests in the last run with results."""
    results = session.last_results.tests if session.last_results is not None else ()
    passed = {result.name for result in results if result.outcome == "passed"}
    return sum(passed.issuperset(unit.tests) for unit in units)
