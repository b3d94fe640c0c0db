"""Where a section's file goes: the prefix that its role has, added once."""

from tutor_lsp.core.stage import Role


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
