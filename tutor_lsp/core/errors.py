"""Errors that reach the learner: each says what happened and what to do."""

from collections.abc import Mapping
from typing import Any

from tutor_lsp.core.text.translation import t


class TutorError(Exception):
    """A refusal or failure with a machine-readable kind.

    `kind` is an upper-case word such as ``NO_EXERCISE``, ``UNSAVED``, ``BAD_ARGUMENT``,
    ``NO_SESSION``, ``CANCELLED``, ``TOOLCHAIN_MISSING``, ``STORE`` or one of the stage rejections.
    `message` is one or two plain sentences that end with what to do, in the
    learner's language. `details` is JSON data.
    """

    def __init__(
        self,
        kind: str,
        message: str,
        *,
        stage: str | None = None,
        reason: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        self.kind = kind
        self.message = t(message)
        super().__init__(self.message)
        self.stage = stage
        self.reason = reason
        self.details = dict(details or {})

    def __str__(self) -> str:
        return self.message  # also once its commands are named as the client types them

    def data(self) -> dict[str, Any]:
        """The machine-readable form: the `data` member of a JSON-RPC error."""
        out: dict[str, Any] = {"kind": self.kind}
        if self.stage is not None:
            out["stage"] = self.stage
        if self.reason is not None:
            out["reason"] = self.reason
        if self.details:
            out["details"] = self.details
        return out
