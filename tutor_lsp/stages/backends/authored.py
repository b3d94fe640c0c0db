"""Reviews without a model, from the test report alone. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.core.verdict import TOO_HIGH_TO_FAIL
from tutor_lsp.library.entry import EntryUnit

_SENTENCE = 240


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
