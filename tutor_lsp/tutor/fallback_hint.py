"""A hint made from the test report alone, for when nobody else can give one."""

from tutor_lsp.tutor.ide.view import UnitView


def fallback_hint(item: UnitView, level: int) -> str:
    """One idea in plain words from unit, first failing test and its values; never code."""
    unit = item.unit
    failing = item.failing[0] if item.failing else None
    lesson = f"“{unit.lesson_heading}” in LESSON.md shows the pattern: {unit.first_principle}."
    if failing is None or failing.message is None or failing.outcome == "todo":
        start = unit.start_here or unit.first_principle
        return (f"Start here: {start}.", f"{lesson} Start here: {start}.")[level > 1]
    if level == 1:
        return f"Look at one test first: {failing.message}."
    if level == 2:
        return f"{lesson} Then compare with what happens now: {failing.message}."
    values = ""
    if failing.expected is not None and failing.actual is not None:
        values = f" The test expects {failing.expected}; your code gives {failing.actual}."
    return (
        f"Follow {failing.name} line by line through your code.{values} "
        f"Find the first line whose value differs from what you expect there."
    )
