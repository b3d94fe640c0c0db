"""Context packets, and what each role requires in its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tutor_lsp.contracts.validate import ContractError, validate
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.core.stage import CONTRACTS, Role, StageRequest
from tutor_lsp.stages.prompts import language_guide
from tutor_lsp.stages.subject import LearnerState, NodeBrief
from tutor_lsp.wire import to_wire

MAX_PROMPT_CHARACTERS = 1_048_576
"""Maximum length of a prompt, because command lines read no more from stdin."""

Issue = dict[str, str]


def base_packet(
    role: Role,
    *,
    at: str,
    language: str,
    depth: str,
    title: str,
    node: NodeBrief,
    learner: LearnerState,
    iteration: int = 1,
    max_iterations: int | None = None,
    setup_id: str | None = None,
    topic: str | None = None,
    selection: str | None = None,
) -> dict[str, Any]:
    """A `context_packet_v1` with everything that does not depend on earlier answers."""
    return {
        "schema_version": "context_packet_v1",
        "role": role.value,
        "contract": CONTRACTS[role],
        "iteration": iteration,
        "max_iterations": max_iterations,
        "setup_id": setup_id,
        "at": at,
        "language": language,
        "depth_target": depth,
        "title": title,
        "node": to_wire(node),
        "topic": topic,
        "selection": selection,
        "learner": learner.packet(),
        "harness": language_guide(language).packet(),
        "next_focus": None,
        "scaffold": None,
        "starter": [],
        "tests": [],
        "lesson": [],
        "files": [],
        "tutoring": None,
        "mistakes": None,
    }


def files_of(texts: Mapping[str, str]) -> list[dict[str, str]]:
    """Files in the form of packets, sorted by path."""
    return [{"file_path": path, "content": texts[path]} for path in sorted(texts)]


def context_issues(request: StageRequest) -> list[Issue]:
    """Why this request cannot be sent (`INVALID_CONTEXT`), each with a path and a reason; empty if
    it can.

    Loads pydantic: keep it off the event loop.
    """
    try:
        packet = validate("context_packet_v1", request.packet)
    except ContractError as error:
        return [{"path": issue["path"], "reason": issue["reason"]} for issue in error.errors]
    issues = [
        {"path": path, "reason": reason}
        for path, reason, broken in _DEMANDS[request.role]
        if broken(packet)
    ]
    if packet["role"] != request.role.value:
        issues.append({"path": "$.role", "reason": f"must be {request.role.value}"})
    if packet["iteration"] != request.iteration:
        issues.append({"path": "$.iteration", "reason": f"must be {request.iteration}"})
    cap = packet["max_iterations"]
    if cap is not None and request.iteration > cap:
        issues.append({"path": "$.iteration", "reason": f"is over the cap of {cap}"})
    if request.prompt is not None and len(request.prompt.text) > MAX_PROMPT_CHARACTERS:
        issues.append(
            {"path": "$", "reason": f"the prompt has over {MAX_PROMPT_CHARACTERS} characters"}
        )
    return issues


Packet = Mapping[str, Any]
Demand = tuple[str, str, Callable[[Packet], bool]]


def _tutoring(part: str, reason: str, broken: Callable[[Packet], bool]) -> Demand:
    """A demand on a packet's `tutoring`, which coach and reviewer get; not met without it."""
    return (
        f"$.tutoring.{part}",
        reason,
        lambda packet: packet["tutoring"] is None or broken(packet["tutoring"]),
    )


def _unit_file_missing(tutoring: Packet) -> bool:
    unit = tutoring["unit"]
    paths = [file["file_path"] for file in tutoring["files"]]
    return unit is None or unit["file_path"] not in paths


def _has_results(run: Packet) -> bool:
    """Whether a completed run has tests, and failures unless all of them passed."""
    if run["outcome"] not in (RunOutcome.PASSED.value, RunOutcome.FAILED.value):
        return True
    return run["total"] > 0 and (run["passed"] == run["total"] or bool(run["failures"]))


def _needed(part: str, why: str) -> Demand:
    return f"$.{part}", f"is needed: {why}", lambda packet: not packet[part]


_SCAFFOLD = _needed("scaffold", "the plan comes first")
_STARTER = _needed("starter", "no starter section was accepted")
_TESTS = _needed("tests", "no test section was accepted")
_FILES: Demand = (
    "$.files",
    "must hold the starter, and the lesson once there is one: somebody is to solve the exercise",
    lambda packet: (
        not {_kind(file["file_path"]) for file in packet["files"]}
        >= {"src", *(("lesson",) if packet["lesson"] else ())}
    ),
)


_SOLVED = _needed("files", "there is no solution to be written again")
_REFERENCE = _needed("mistakes", "they are wrong versions of a reference")
_TRIED: Demand = (
    "$.mistakes.tried",
    "is needed: there is nothing to tag",
    lambda packet: packet["mistakes"] is None or not packet["mistakes"]["tried"],
)


def _kind(path: str) -> str:
    return "lesson" if path == "LESSON.md" else path.partition("/")[0]


_DEMANDS: Mapping[Role, Sequence[Demand]] = {
    Role.SCAFFOLD: (),
    Role.STARTER: (_SCAFFOLD,),
    Role.TEST: (_SCAFFOLD, _STARTER),
    Role.LESSON: (_SCAFFOLD, _STARTER, _TESTS),
    Role.SOLUTION: (_FILES,),
    Role.MISTAKES: (_SCAFFOLD, _STARTER, _TESTS, _REFERENCE),
    Role.MISTAKE_TAGS: (_SCAFFOLD, _STARTER, _TESTS, _TRIED),
    Role.WITHOUT: (_STARTER, _TESTS, _SOLVED, _needed("next_focus", "it says without what")),
    Role.COACH: (
        _tutoring("unit", "is needed: a hint is for one unit", lambda t: not t["unit"]),
        _tutoring("hint_level", "is needed: 1, 2 or 3", lambda t: t["hint_level"] is None),
        _tutoring("files", "must hold the current text of the unit's file", _unit_file_missing),
        _tutoring("tests", "must hold the tests that the hint is about", lambda t: not t["tests"]),
    ),
    Role.REVIEWER: (
        _tutoring("run", "is needed: a verdict follows a run", lambda t: not t["run"]),
        _tutoring(
            "attempt", "is needed: a review belongs to an attempt", lambda t: t["attempt"] is None
        ),
        _tutoring(
            "run",
            "must say how its tests ended: there is nothing to judge otherwise",
            lambda t: bool(t["run"]) and not _has_results(t["run"]),
        ),
        _tutoring("files", "must hold the learner's files", lambda t: not t["files"]),
    ),
}
