"""Where a section's file goes, and what files of a name that every language knows are."""

import re

from tutor_lsp.core.exercise.snapshot import NewFile
from tutor_lsp.core.stage import Role

BACKUP = re.compile(r"^\.|~$|^#.*#$|\.(bak|orig|rej|sw[a-z]|tmp)$")
"""Names that editors and version control give to copies of their own."""
GIVEN_TESTS = NewFile(why="the tests are those that were given")
NO_SOURCE = NewFile(why="it is no source file", data=True)


def by_itself(tool: str) -> NewFile:
    """A file that a tool loads by itself."""
    return NewFile(why=f"{tool} loads it by itself")


def in_place_of(what: str) -> NewFile:
    """A file that would be loaded in the place of another one."""
    return NewFile(why=f"it would take the place of {what}")


def normalise(role: Role, path: str, source_root: str) -> str:
    """`path` under `source_root` (starter) or `tests` (tests), whichever part of that prefix it
    has already; other roles keep it.

    Absolute paths, drives, `~`, backslashes and `..` are returned as they are, so that the policy
    can refuse them under the name they were given.
    """
    root = {Role.STARTER: source_root, Role.TEST: "tests"}.get(role)
    parts = [part for part in path.strip().split("/") if part not in ("", ".")]
    unsafe = path.strip().startswith(("/", "~")) or "\\" in path or ".." in parts
    if root is None or not parts or unsafe or ":" in parts[0]:
        return path
    wanted = root.split("/")
    for name in wanted:
        if parts[0] == name and len(parts) > 1:
            parts = parts[1:]
    return "/".join((*wanted, *parts))
