"""Values and errors of the exercise as short texts, whatever its code does when asked for them."""

# an older Python than ours may run this
# ruff: noqa: B905
from __future__ import annotations

REPR_LIMIT = 500
TEXT_LIMIT = 2000
MANY = 1000
HUGE = 1_000_000


class Stopped(Exception):  # noqa: N818 - shown under the name of what it stands for
    """A test tried to end the whole run by raising `name`."""

    def __init__(self, error: BaseException, name: str) -> None:
        super().__init__(str(error))
        self.name = name
        self.trace = error.__traceback__


def bounded_repr(value: object) -> str:
    """`repr` that never raises and does not spell out very large values."""
    try:
        if isinstance(value, (list, tuple, set, frozenset, dict)) and len(value) > MANY:
            return f"<{type(value).__name__} of {len(value)} items>"
        if isinstance(value, (str, bytes, bytearray)) and len(value) > HUGE:
            return f"<{type(value).__name__} of length {len(value)}>"
        return repr(value)
    except Exception as error:  # noqa: BLE001 - whatever the learner's __repr__ raises
        return f"<{type(value).__name__} whose repr raised {type(error).__name__}>"


def clip_pair(left: str, right: str) -> tuple[str, str]:
    """Both texts within the limit, cut so that their first difference can be seen."""
    if max(len(left), len(right)) <= REPR_LIMIT:
        return left, right
    same = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), 0)
    start = max(same - 60, 0)

    def cut(text: str) -> str:
        begin = start if len(text) > REPR_LIMIT else 0
        piece = text[begin : begin + REPR_LIMIT - 2]
        return ("…" if begin else "") + piece + ("…" if begin + len(piece) < len(text) else "")

    return cut(left), cut(right)


def describe(error: BaseException) -> str:
    """`ValueError: text`, within the limit."""
    name = error.name if isinstance(error, Stopped) else type(error).__name__
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - whatever the learner's __str__ raises
        text = ""
    line = f"{name}: {text}" if text else name
    return line if len(line) <= TEXT_LIMIT else line[: TEXT_LIMIT - 1] + "…"
