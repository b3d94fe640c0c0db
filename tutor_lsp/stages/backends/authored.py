"""Hints and reviews without a model: from the authored hints and the test report alone. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.core.verdict import TOO_HIGH_TO_FAIL
from tutor_lsp.library.entry import EntryUnit

_FENCE = re.compile(r"^```[\w-]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
_SENTENCE = 240
_BEFORE_TESTS = "Save the file once to see what the tests say about it."


def hint(tutoring: Mapping[str, Any], texts: Sequence[str]) -> dict[str, Any]:
    """A `hint_pack_v1` (without version and role) from the unit's authored L1, L2, L3 texts.

    Level 3 begins with what the last run said about the unit. Where no hint was written, the
    stub's "Start here" stands for it.
    """
    unit, level = tutoring["unit"], int(tutoring["hint_level"])
    written = texts[level - 1] if len(texts) >= level else ""
    code = "\n\n".join(match[1].rstrip("\n") for match in _FENCE.finditer(written))
    text = re.sub(r"\n{3,}", "\n\n", _FENCE.sub("", written)).strip()
    if not text:
        text = _instead(unit)
    if level == 3:
        text = f"{_state(tutoring)}\n\n{text}".strip()
    return {
        "unit_id": unit["unit_id"],
        "level": level,
        "text": text,
        "code": code if code and level > 1 else None,
        "fix": None,
        "tags": [],
    }


def _instead(unit: Mapping[str, Any]) -> str:
    start = re.search(r"Start here:\s*(.+)", str(unit["contract"]))
    if start:
        return f"Start here: {start[1].strip()}"
    heading = unit["lesson_heading"]
    return f'Read the section "{heading}" of the lesson once more and compare it with your code.'


def _state(tutoring: Mapping[str, Any]) -> str:
    run, unit = tutoring["run"], tutoring["unit"]
    if run is None:
        return _BEFORE_TESTS
    if run["build_errors"]:
        return f"Right now the code cannot be run yet. {_clip(run['build_errors'][0])}"
    mine = [failure for failure in run["failures"] if failure["unit_id"] == unit["unit_id"]]
    said = next((failure["message"] for failure in mine if failure["message"]), None)
    if said:
        return f"Right now: {_clip(said)}"
    if mine:
        return f"Right now `{mine[0]['test']}` does not pass yet."
    return f"All tests of `{unit['stub']}` pass right now." if run["passed"] else _BEFORE_TESTS


def review(tutoring: Mapping[str, Any], units: Sequence[EntryUnit]) -> dict[str, Any]:
    """A `review_report_v1` (without version and role): the share of tests passed, nothing more.

    `units` say what was practised and what is still open; without them tests are named.
    """
    run = tutoring["run"]
    passed, total = int(run["passed"]), int(run["total"])
    green = run["outcome"] == "passed" and passed == total and total > 0
    common: dict[str, Any] = {"findings": [], "tags": [], "counter_example": None}
    if green:
        practised = "; ".join(unit.first_principle for unit in units)
        told = f" You practised: {practised}." if practised else ""
        return {
            "verdict": "PASS",
            "score": 100,
            "summary": f"All {total} tests pass.{told}",
            "improvement": None,
            "question": _question(units),
            **common,
        }
    return {
        "verdict": "FAIL",
        "score": passed * (TOO_HIGH_TO_FAIL - 1) // total if total else 0,
        "summary": _not_yet(run, passed, total, units),
        "improvement": _improvement(run),
        "question": None,
        **common,
    }


def _not_yet(run: Mapping[str, Any], passed: int, total: int, units: Sequence[EntryUnit]) -> str:
    if run["build_errors"]:
        return f"Not yet: the code cannot be run. {_clip(run['build_errors'][0])}"
    if not total:
        return "Not yet: no test could be run."
    open_units = {failure["unit_id"] for failure in run["failures"]}
    missing = [f"`{unit.stub}`" for unit in units if unit.id in open_units]
    rest = f" Still open: {', '.join(missing)}." if missing else ""
    return f"Not yet: {passed} of {total} tests pass.{rest}"


def _improvement(run: Mapping[str, Any]) -> str | None:
    said = next((failure["message"] for failure in run["failures"] if failure["message"]), None)
    return f"Look at this first: {_clip(said)}" if said else None


def _question(units: Sequence[EntryUnit]) -> str | None:
    if not units:
        return None
    last = units[-1]
    return f'In your own words: where does `{last.stub}` show "{last.first_principle}"?'


def _clip(text: str) -> str:
    line = " ".join(str(text).split()).replace("```", "")
    return line if len(line) <= _SENTENCE else line[: _SENTENCE - 1] + "…"
