"""Units as they are reported."""

from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.stages.evidence import lesson_section
from tutor_lsp.tutor.ide.actions import ways_on
from tutor_lsp.tutor.ide.lenses import state_words
from tutor_lsp.tutor.ide.view import UnitView, View
from tutor_lsp.tutor.interface.units import Heading, Lines, UnitInfo, Way
from tutor_lsp.wire import filled_from


def units_of(view: View) -> tuple[UnitInfo, ...]:
    """All units of an exercise, in order."""
    return tuple(
        filled_from(
            UnitInfo,
            item.unit,
            line=item.site.line if item.site is not None else item.unit.line,
            body=Lines(*view.body_lines(item)),
            lesson=Heading(
                item.unit.lesson_heading,
                view.heading_lines.get(item.unit.lesson_heading, item.unit.lesson_line),
            ),
            state=item.state.value,
            words=state_words(item),
            old=item.old,
            passed=bool(item.results) and not item.failing,
            focus=item.focus,
            hint_level=item.hint.level if item.hint is not None else 0,
            actions=ways_of(view, item),
        )
        for item in view.units
    )


def section_of(view: View, item: UnitView) -> str:
    """The section of the lesson about a unit, heading included; empty if there is none."""
    return lesson_section(view.texts.get(LESSON, ""), item.unit.lesson_heading)


def ways_of(view: View, item: UnitView) -> tuple[Way, ...]:
    """The ways on from a unit's last hint, as they are sent."""
    return tuple(filled_from(Way, each) for each in ways_on(view, item))
