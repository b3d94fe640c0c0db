"""What to do about a file that cannot be written."""

import errno

from tutor_lsp.core.text.translation import t

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""Error codes for no space: disk full, quota exceeded, or file too large."""


def remedy(error: OSError, otherwise: str) -> str:
    """The sentence that says what to do: `otherwise` unless the disk is full, which only
    freeing space can help."""
    return t("Free some space and try again.") if error.errno in FULL else t(otherwise)
