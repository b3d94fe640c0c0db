"""Prints to a stream that may be full or closed."""

import contextlib
import os
import sys
from pathlib import Path
from typing import TextIO

from tutor_lsp.core.errors import TutorError


def print_line(text: str, stream: TextIO) -> None:
    """Print a line at once. What cannot be written to stderr is left out.

    Raises BrokenPipeError if nobody reads the stream any more, TutorError `OUTPUT` if it cannot be
    written for another reason. What is printed after that goes nowhere.
    """
    try:
        print(text, file=stream, flush=True)
    except OSError as error:
        # What is left in the buffer would be tried again, and fail, at the end of the process.
        with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())
        if stream is sys.stderr:
            return
        if isinstance(error, BrokenPipeError):
            raise
        raise TutorError(
            "OUTPUT",
            f"The output cannot be written ({error.strerror}). Free some space there, or write it "
            "somewhere else.",
        ) from error
