"""What a set-up tells while it works, and why it ended without an exercise."""

from tutor_lsp.authoring.model import ProofResult
from tutor_lsp.authoring.proof import STEPS
from tutor_lsp.authoring.repair.repair import MOST
from tutor_lsp.authoring.repair.sections import Damage
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Progress
from tutor_lsp.core.stage import Role
from tutor_lsp.core.wire import to_wire

_SPANS = {
    Role.SCAFFOLD: (2, 8),
    Role.STARTER: (8, 30),
    Role.TEST: (30, 50),
    Role.LESSON: (50, 80),
    Role.SOLUTION: (80, 86),
}
"""From which percentage to which each role works."""
_WORDS = {Role.SCAFFOLD: "plan", Role.SOLUTION: "solving it as a check"}
_PROOF = (87, 97)
_PROVING = {
    "shape": "all parts are there",
    "builds": "it builds",
    "stubs": "the tests ask for what is missing",
    "reference": "somebody can solve it from the lesson",
    "stable": "the tests always say the same",
    "units": "each test is about one stub",
    "references": "names and links fit together",
    "lesson": "the code in the lesson runs",
    "giveaway": "nothing gives a solution away",
}
_FOCUS = 60
_LISTED = 3


class Steps:
    """Progress that never goes back, with texts such as `starter 2/8 · next: …`."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._percent = 0

    def report(self, percent: int, message: str) -> None:
        """Report `percent`, or what was reached before if that is more."""
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
        self.report(start + int((end - start) * share), text)

    def proving(self, step: str) -> None:
        """A step of the proof begins."""
        start, end = _PROOF
        share = STEPS.index(step) / len(STEPS)
        self.report(start + int((end - start) * share), f"checking it: {_PROVING[step]}")

    def repair(self, damage: Damage, number: int) -> None:
        """A repair call begins."""
        name = damage.role.value.removesuffix("-expand")
        self.report(_PROOF[0], f"repairing {name} section {damage.index + 1} ({number} of {MOST})")


def not_proven(result: ProofResult) -> TutorError:
    """The error for an exercise that does not hold; `details` has the first failed step and every
    reason."""
    findings = result.findings
    said = " ".join(finding.message for finding in findings[:_LISTED])
    more = f" And {len(findings) - _LISTED} more." if len(findings) > _LISTED else ""
    step = findings[0].step if findings else ""
    wanted = f" (step {step}: {_PROVING[step]})" if step else ""
    calls = result.proof.repairs
    tried = f" {calls} repair {'call' if calls == 1 else 'calls'} did not help." if calls else ""
    return TutorError(
        "PROOF_FAILED",
        f"The exercise was made but does not hold, so it is not shown{wanted}: {said}{more}{tried} "
        "Start again to have it made anew, or open another one.",
        stage="proof",
        reason=findings[0].message if findings else "the proof does not hold",
        details={
            "step": step,
            "findings": [to_wire(finding) for finding in findings],
            "proof": to_wire(result.proof),
        },
    )
