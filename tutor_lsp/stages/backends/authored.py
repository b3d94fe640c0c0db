"""Reviews without a model, from the test report alone. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.core.exercise.verdict import FAIL, PASS, TOO_HIGH_TO_FAIL, does_not_build
from tutor_lsp.stages.plain_hint import BUILD_ERROR, clipped_line


def review(tutoring: Mapping[str, Any]) -> dict[str, Any]:
    """A `review_report_v1` (without version and role) from the report and the units: what passed,
    what was practised, and which unit comes first."""
    run, units = tutoring["run"], tutoring["units"]
    passed, total = int(run["passed"]), int(run["total"])
    common: dict[str, Any] = {"findings": [], "question": None, "tags": []}
    if run["outcome"] == "passed" and passed == total > 0:
        practised = "; ".join(unit["first_principle"] for unit in units)
        told = f" You practised: {practised}." if practised else ""
        return {
            "verdict": PASS,
            "score": 100,
            "summary": f"All {total} tests pass.{told}",
            "improvement": None,
            **common,
        }
    return {
        "verdict": FAIL,
        "score": passed * (TOO_HIGH_TO_FAIL - 1) // total if total else 0,
        "summary": _not_yet(run, passed, total, units),
        "improvement": _improvement(run),
        **common,
    }


def _not_yet(
    run: Mapping[str, Any], passed: int, total: int, units: Sequence[Mapping[str, Any]]
) -> str:
    if run["build_errors"]:
        return f"Not yet: {_build_trouble(str(run['build_errors'][0]))}"
    if not total:
        return f"Not yet: {clipped_line(run['reason'] or 'no test could be run.')}"
    open_units = {test["unit_id"] for test in run["tests"] if test["outcome"] != "passed"}
    done = [f"`{unit['stub']}`" for unit in units if unit["unit_id"] not in open_units]
    told = f" Done: {', '.join(done)}." if done else ""
    first = next((unit for unit in units if unit["unit_id"] in open_units), None)
    if first is not None:
        told += f" Go on with `{first['stub']}`: {first['first_principle']}."
    return f"Not yet: {passed} of {total} tests pass.{told}"


def _build_trouble(error: str) -> str:
    # It begins as the run is told, so that a review does not say it twice.
    found = BUILD_ERROR.match(error)
    if found is None:
        return f"the code does not build. {clipped_line(error)}"
    code = f"{found['code']}: " if found["code"] else ""
    place = does_not_build(found["file"], found["line"])
    return f"{place}: {clipped_line(code + found['text'])}"


def _improvement(run: Mapping[str, Any]) -> str | None:
    said = next((failure["message"] for failure in run["failures"] if failure["message"]), None)
    return f"Look at this first: {clipped_line(said)}" if said else None
