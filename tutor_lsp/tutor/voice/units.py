"""States of units in words: the one place."""

from collections.abc import Sequence

from tutor_lsp.core.exercise.exercise import UnitState
from tutor_lsp.core.exercise.standing import BEFORE
from tutor_lsp.core.text.plain_text import spoken
from tutor_lsp.core.text.translation import marked
from tutor_lsp.tutor.interface.notifications import UnitsChanged
from tutor_lsp.tutor.interface.units import StandingInfo, UnitInfo
from tutor_lsp.tutor.voice.voice import Voice, Words, item, joined, words

MARKS = {
    UnitState.TODO: "○",
    UnitState.FAILING: "✗",
    UnitState.PASSING: "✓",
    UnitState.STALE: "…",
}
WORDS = {
    UnitState.TODO: marked("to do"),
    UnitState.FAILING: marked("not yet"),
    UnitState.PASSING: marked("passes"),
    UnitState.STALE: BEFORE,
}


def unit_line(voice: Voice, unit: UnitInfo) -> str:
    """One unit as an item of a list."""
    hint = voice.t("hint {level}", level=unit.hint_level) if unit.hint_level else ""
    here = voice.t("you are here") if unit.focus else ""
    return item(
        MARKS[UnitState(unit.state)],
        f"{unit.id} `{unit.stub}`",
        joined(unit.words, spoken(unit.first_principle), f"`{unit.file}:{unit.line}`", hint, here),
    )


def unit_list(voice: Voice, units: Sequence[UnitInfo]) -> str:
    """All units."""
    return "\n".join(unit_line(voice, unit) for unit in units)


def focus_of(units: Sequence[UnitInfo]) -> UnitInfo | None:
    """The unit that the learner is on, else the first."""
    return next((unit for unit in units if unit.focus), units[0] if units else None)


def how_far(voice: Voice, stands: StandingInfo) -> str:
    """How many units pass: `3 of 4 units pass`."""
    if stands.old:
        return stands.words
    return voice.n(
        "{passing} of {count} unit passes",
        "{passing} of {count} units pass",
        stands.units,
        passing=stands.units_passing,
    )


def units_changed(voice: Voice, result: UnitsChanged) -> Words:
    """`tutor/unitsChanged`."""
    far = how_far(voice, result.standing)
    focus = focus_of(result.units)
    now = None
    if focus is not None and result.standing.units_passing < len(result.units):
        now = voice.t(
            "Now: {stub} ({principle}).", stub=focus.stub, principle=focus.first_principle
        )
    return words(far, f"{far[:1].upper()}{far[1:]}.", now, body=(unit_list(voice, result.units),))
