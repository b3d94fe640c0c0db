"""Which values the parts of a record may have; a tutor writes no others."""

import dataclasses
import math
from collections.abc import Iterator, Mapping

from tutor_lsp.core.exercise.exercise import Exercise, Unit
from tutor_lsp.core.exercise.verdict import FAIL, PASS
from tutor_lsp.core.learner.curriculum import DEPTHS
from tutor_lsp.core.learner.ladder import HIGHEST_LEVEL
from tutor_lsp.core.learner.mastery import HIGHEST
from tutor_lsp.core.learner.spacing import read_time
from tutor_lsp.core.session import (
    Attempt,
    Finding,
    Hint,
    MasteryChange,
    MemoryCard,
    NodeRecord,
    OwnTopic,
    Place,
    Review,
    Session,
)
from tutor_lsp.core.wire import camel

_MOST = 2.0**53
_FIRST = (1.0, _MOST)
_LEVELS = (0.0, float(HIGHEST))
_LINES = {"line": _FIRST, "end_line": _FIRST}
RANGES: Mapping[type, Mapping[str, tuple[float, float]]] = {
    Session: {"hint_level_used": (0.0, float(HIGHEST_LEVEL))},
    Attempt: {"number": _FIRST},
    Review: {"score": (0.0, 100.0)},
    Finding: _LINES,
    Place: _LINES,
    Hint: {"level": (1.0, float(HIGHEST_LEVEL))},
    NodeRecord: {"mastery": _LEVELS},
    MasteryChange: {"before": _LEVELS, "after": _LEVELS},
    MemoryCard: {
        "stability": (math.ulp(0.0), math.inf),
        "difficulty": (1.0, 10.0),
        "reviews": _FIRST,
    },
    Unit: {"line": _FIRST},
}
"""Least and greatest of a number, both included; any other is 0 or more, and none is endless."""
WORDS: Mapping[type, Mapping[str, frozenset[str]]] = {
    Session: {"depth": frozenset(DEPTHS)},
    Exercise: {"depth": frozenset(DEPTHS)},
    OwnTopic: {"depth": frozenset(DEPTHS)},
    NodeRecord: {"passed_depths": frozenset(DEPTHS)},
    Review: {"verdict": frozenset({PASS, FAIL})},
}
"""Words of which a text, or each of several, is one."""
MOST_ENTRIES = 10_000
"""Of one list or object in what is said of a session, an exercise or a topic."""
TIMES = frozenset({"at", "created_at", "updated_at", "ended_at", "last_at", "due", "last_review"})


def strange(value: object) -> Iterator[str]:
    """What in a tree of records no tutor would have written: the name of each such value, with
    the value, such as `attemptCount -4`."""
    if isinstance(value, Mapping) and len(value) > MOST_ENTRIES:
        yield f"an object of {len(value)} entries"
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if not _is_usual_number(each):
                yield f"{key} {each!r}"
            yield from strange(each)
    elif isinstance(value, tuple) and len(value) > MOST_ENTRIES:
        yield f"a list of {len(value)} entries"
    elif isinstance(value, tuple):
        for each in value:
            yield from strange(each)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            inner = getattr(value, field.name)
            if not _is_usual(type(value), field, inner):
                yield f"{camel(field.name)} {inner!r}"
            yield from strange(inner)


def _is_usual(kind: type, field: "dataclasses.Field[object]", value: object) -> bool:
    words = WORDS.get(kind, {}).get(field.name)
    if words is not None:
        return {*value} <= words if isinstance(value, tuple) else value in words
    if field.name in TIMES and isinstance(value, str):
        return (value == "" and field.default == "") or read_time(value) is not None
    return _is_usual_number(value, *RANGES.get(kind, {}).get(field.name, ()))


def _is_usual_number(value: object, least: float = 0.0, greatest: float = _MOST) -> bool:
    """Whether it is one within the bounds, or no number at all."""
    if not isinstance(value, int | float):
        return True
    return least <= value <= greatest and value != math.inf
