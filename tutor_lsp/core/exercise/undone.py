"""What is said of a unit that nobody has begun, by its kind: the one place. Pure."""

from tutor_lsp.core.exercise.exercise import Unit, UnitKind
from tutor_lsp.core.text.plain_text import clean
from tutor_lsp.core.text.translation import t


def undone(kind: UnitKind, stub: str) -> str:
    """A sentence about its stub, without a full stop."""
    match kind:
        case UnitKind.REPAIR:
            return t(f"`{stub}` is not mended yet")
        case UnitKind.PREDICT:
            return t(f"`{stub}` is not answered yet")
        case UnitKind.TEST:
            return t(f"the tests of `{stub}` are not written yet")
    return t(f"`{stub}` is not written yet")


def undone_at(unit: Unit) -> str:
    """What the mark on its stub says."""
    principle = clean(unit.first_principle)
    match unit.kind:
        case UnitKind.REPAIR:
            return t(f"{unit.id}: {principle}. Not mended yet.")
        case UnitKind.PREDICT:
            return t(f"{unit.id}: {principle}. Not answered yet.")
    return t(f"{unit.id}: {principle}. Not written yet.")


def undone_before(kind: UnitKind, stub: str, test: str) -> str:
    """What a hint says of it, with the test that comes first."""
    match kind:
        case UnitKind.REPAIR:
            return t(f"`{stub}` is not mended yet; `{test}` comes first.")
        case UnitKind.PREDICT:
            return t(f"`{stub}` is not answered yet; `{test}` comes first.")
        case UnitKind.TEST:
            return t(f"The tests of `{stub}` are not written yet.")
    return t(f"`{stub}` is not written yet; `{test}` comes first.")


def undone_in_short(stub: str, said: str) -> str:
    """What the sentence `said` about a stub says, where the stub is named already."""
    whole = t(said)
    if whole == undone(UnitKind.REPAIR, stub):
        return t("not mended yet")
    if whole == undone(UnitKind.PREDICT, stub):
        return t("not answered yet")
    written = ("", undone(UnitKind.BODY, stub), undone(UnitKind.TEST, stub))
    return t("not written yet") if whole in written else whole
