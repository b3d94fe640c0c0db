"""A set-up's progress messages, and the error if it ends without an exercise."""

from collections.abc import Mapping
from typing import Any

from tutor_lsp.authoring.model import ProofResult
from tutor_lsp.authoring.proof import STEPS
from tutor_lsp.authoring.repair.repair import MOST
from tutor_lsp.authoring.repair.sections import Damage
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Progress
from tutor_lsp.core.stage import Role
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.wire import to_wire

_SPANS = {
    Role.SCAFFOLD: (2, 8),
    Role.STARTER: (8, 30),
    Role.TEST: (30, 50),
    Role.LESSON: (50, 80),
    Role.SOLUTION: (80, 86),
}
"""The range of percentages of each role."""
STAGES = (*(role.value for role in _SPANS), "proof")
"""The stages of a set-up, in order."""
_WORDS = {Role.SCAFFOLD: marked("plan"), Role.SOLUTION: marked("solving it as a check")}
_PROOF = (87, 97)
_PROVING = {
    "shape": marked("all parts are there"),
    "builds": marked("it builds"),
    "stubs": marked("the tests ask for what is missing"),
    "reference": marked("somebody can solve it from the lesson"),
    "stable": marked("the tests always say the same"),
    "units": marked("each test is about one stub"),
    "references": marked("names and links fit together"),
    "lesson": marked("the code in the lesson runs"),
    "giveaway": marked("nothing gives a solution away"),
    "mistakes": marked("its known mistakes"),
}
_FOCUS = 60
_LISTED = 3


def stage_at(percent: int) -> str:
    """The stage that a set-up is in at a percentage that it reports."""
    return next((role.value for role, (_, end) in _SPANS.items() if percent < end), STAGES[-1])


class Steps:
    """Progress that never decreases, with texts such as `starter 2/8 · next: …`."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._percent = 0
        self._known = ""

    def report(self, percent: int, message: str) -> None:
        """Report `percent`, or the last value if that is more."""
        self._percent = max(self._percent, percent)
        self._progress.report(self._percent, message)

    def begun(self, role: Role, iteration: int, cap: int, focus: str | None) -> None:
        """A call begins. Loops mostly end before their cap, so the first calls count for more."""
        start, end = _SPANS[role]
        share = 1 - 0.7 ** (iteration - 1)
        text = _WORDS.get(role) or f"{role.value.removesuffix('-expand')} {iteration}/{cap}"
        if focus:
            line = " ".join(focus.split())
            text += f" · next: {line if len(line) <= _FOCUS else line[: _FOCUS - 1] + '…'}"
        text += f" · {self._known}" if self._known else ""
        self.report(start + int((end - start) * share), text)

    def planned(self, scaffold: Mapping[str, Any]) -> None:
        """The plan is there: what its units are called."""
        names = ", ".join(str(unit["stub"]) for unit in scaffold.get("units") or ())
        if names:
            line = names if len(names) <= _FOCUS else names[: _FOCUS - 1] + "…"
            self.report(_SPANS[Role.SCAFFOLD][1], t(f"the plan: {line}"))

    def checked(self, result: ProofResult) -> None:
        """What is there was checked; of tests that fail as they should the learner is told, until
        something speaks against them."""
        proof = result.proof
        if result.findings:
            self._known = ""
        elif 0 < proof.tests == proof.fail_on_stub:
            self._known = n(
                "{count} test fails on the stubs as it should",
                "{count} tests fail on the stubs as they should",
                proof.tests,
            )
            self.report(self._percent, self._known)

    def proving(self, step: str) -> None:
        """A step of the proof begins."""
        start, end = _PROOF
        share = STEPS.index(step) / len(STEPS)
        self.report(start + int((end - start) * share), t(f"checking it: {t(_PROVING[step])}"))

    def solving(self, *, early: bool) -> None:
        """A solver is asked, perhaps before there is a lesson."""
        percent = self._percent if early else _SPANS[Role.SOLUTION][0]
        self.report(percent, _WORDS[Role.SOLUTION])

    def checking(self, step: str) -> None:
        """A step of the proof begins, of what is there so far."""
        self.report(self._percent, t(f"checking it: {t(_PROVING[step])}"))

    def replan(self, number: int) -> None:
        """A repair call for the plan begins."""
        self.report(_SPANS[Role.SCAFFOLD][0], f"repairing plan ({number} of {MOST})")

    def repair(self, damage: Damage, number: int) -> None:
        """A repair call begins. What comes behind it is still to come, so it is no step ahead."""
        name = damage.role.value.removesuffix("-expand")
        self.report(
            self._percent, f"repairing {name} section {damage.index + 1} ({number} of {MOST})"
        )


def not_proven(result: ProofResult) -> TutorError:
    """The error for an exercise that failed its proof; `details` has the first failed step and
    every reason."""
    findings = result.findings
    said = " ".join(finding.message for finding in findings[:_LISTED])
    more = t(f" And {len(findings) - _LISTED} more.") if len(findings) > _LISTED else ""
    step = findings[0].step if findings else ""
    wanted = f" (step {step}: {t(_PROVING[step])})" if step else ""
    calls = result.proof.repairs
    tried = (
        n(" {count} repair call did not help.", " {count} repair calls did not help.", calls)
        if calls
        else ""
    )
    return TutorError(
        "PROOF_FAILED",
        f"The new exercise failed its proof, so it is not shown{wanted}: {said}{more}{tried} "
        "Start again to generate it again, or open another one.",
        stage="proof",
        reason=findings[0].message if findings else t("the proof failed"),
        details={
            "step": step,
            "findings": [to_wire(finding) for finding in findings],
            "proof": to_wire(result.proof),
        },
    )
