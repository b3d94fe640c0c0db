"""Units in their wire form."""

from typing import Any

from tutor_lsp.tutor.ide.lenses import state_words
from tutor_lsp.tutor.ide.view import View


def units_wire(view: View) -> list[dict[str, Any]]:
    """`[{id, stub, file, line, firstPrinciple, lesson, tests, state, words, old, passed, focus,
    hintLevel}]`. `words` say the state; where `old`, `passed` is of a text before this one."""
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
            "words": state_words(item),
            "old": item.old,
            "passed": bool(item.results) and not item.failing,
            "focus": item.focus,
            "hintLevel": item.hint.level if item.hint is not None else 0,
        }
        for item in view.units
    ]
