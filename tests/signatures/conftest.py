"""No test may leave a process behind."""

from processes import no_process_left

__all__ = ["no_process_left"]
