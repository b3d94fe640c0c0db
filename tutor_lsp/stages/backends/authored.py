"""Reviews without a model, from the test report alone. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.core.exercise.verdict import FAIL, PASS, TOO_HIGH_TO_FAIL, does_not_build
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.stages.plain_hint import BUILD_ERROR, clipped_line


def review(tutoring: Mapping[str, Any]) -> dict[str, Any]:
    """A `review_report_v1` (without version and role) from the report and the units: what passed,
    what was practised, and which unit is next."""
    run, units = tutoring["run"], tutoring["units"]
    passed, total = int(run["passed"]), int(run["total"])
    verdict, score, improvement = PASS, 100, None
    if run["outcome"] == "passed" and passed == total > 0:
        practised = "; ".join(unit["first_principle"] for unit in units)
        told = t(f" You practised: {practised}.") if practised else ""
        summary = n("The test passes.", "All {count} tests pass.", total) + told
    else:
        verdict, improvement = FAIL, _improvement(run)
        score = passed * (TOO_HIGH_TO_FAIL - 1) // total if total else 0
        summary = _not_yet(run, passed, total, units)
    return {
        "verdict": verdict,
        "score": score,
        "summary": summary,
        "findings": [],
        "improvement": improvement,
        "question": None,
        "tags": [],
    }


def _not_yet(
    run: Mapping[str, Any], passed: int, total: int, units: Sequence[Mapping[str, Any]]
) -> str:
    if run["build_errors"]:
        return t(f"Not yet: {_build_trouble(str(run['build_errors'][0]))}")
    if not total:
        return t(f"Not yet: {clipped_line(run['reason'] or 'no test could be run.')}")
    open_units = {test["unit_id"] for test in run["tests"] if test["outcome"] != "passed"}
    done = [f"`{unit['stub']}`" for unit in units if unit["unit_id"] not in open_units]
    told = t(f" Done: {', '.join(done)}.") if done else ""
    first = next((unit for unit in units if unit["unit_id"] in open_units), None)
    if first is not None:
        told += t(f" Continue with `{first['stub']}`: {first['first_principle']}.")
    result = n(
        "Not yet: {passed} of {count} test passes.",
        "Not yet: {passed} of {count} tests pass.",
        total,
        passed=passed,
    )
    return result + told


def _build_trouble(error: str) -> str:
    # It begins like the report's own sentence, so that a review does not repeat it.
    found = BUILD_ERROR.match(error)
    if found is None:
        return t(f"the code does not build. {clipped_line(error)}")
    code = f"{found['code']}: " if found["code"] else ""
    place = does_not_build(found["file"], found["line"])
    return f"{place}: {clipped_line(code + found['text'])}"


def _improvement(run: Mapping[str, Any]) -> str | None:
    # What nobody has written yet is no mistake: the summary says where to go on.
    failed = (each for each in run["failures"] if each["outcome"] != "todo")
    said = next((each["message"] for each in failed if each["message"]), None)
    return clipped_line(said) if said else None
