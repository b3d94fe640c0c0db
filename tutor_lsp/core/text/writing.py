"""What to do about a file that cannot be written."""

import errno

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""No room: on the disk, in what one may use of it, or for a file as large."""


def remedy(error: OSError, otherwise: str) -> str:
    """The sentence that says what to do: `otherwise` only where there is room, since nothing but
    space helps against a full disk."""
    return "Free some space and try again." if error.errno in FULL else otherwise
