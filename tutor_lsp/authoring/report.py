"""What a set-up tells while it works, and why it ended without an exercise."""

from tutor_lsp.authoring.model import ProofResult
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


def not_proven(result: ProofResult) -> TutorError:
    """The error for an exercise that does not hold; `details.findings` has every reason."""
    findings = result.findings
    said = " ".join(finding.message for finding in findings[:_LISTED])
    more = f" And {len(findings) - _LISTED} more." if len(findings) > _LISTED else ""
    return TutorError(
        "PROOF_FAILED",
        f"The exercise was made but does not hold, so it is not shown: {said}{more} Start again "
        "to have it made anew, or open another one.",
        stage="proof",
        reason=findings[0].message if findings else "the proof does not hold",
        details={
            "findings": [to_wire(finding) for finding in findings],
            "proof": to_wire(result.proof),
        },
    )
