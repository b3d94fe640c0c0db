"""The copy of a workspace for a program that was started before anybody knew what it is to run."""

from __future__ import annotations

from tutor_lsp.process.supervisor import contents

PROCEED = b"proceed "
"""Begins a message with the settings of a program that waits for its workspace; the pipe that the
program reads them from comes with it."""


class Later:
    """Makes the copy in a view that has an empty workspace. `shared` are the entries that were put
    in place already, because they are read where they are."""

    def __init__(self, source: int, workspace: str) -> None:
        """`source` is a descriptor of the folder itself, which the view covers."""
        self._source = source
        self._workspace = workspace
        self.shared: list[str] = []

    def fill(self) -> bool:
        """Copy the folder as it is now; whether the view is then as if it had been made now."""
        try:
            copied, shared = contents.listing(self._source)
            if shared != self.shared:
                return False
            # Once capabilities are dropped, files of other users may be out of reach.
            return contents.copy(self._source, self._workspace, copied)
        except OSError:
            return False
