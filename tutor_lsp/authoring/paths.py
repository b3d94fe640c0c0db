"""Which paths the files of an exercise may have. Every refusal carries a rule id. Pure.

`stages.paths` decides whether a single path is allowed; this module enforces that on everything to
be written, together with conflicts between paths.
"""

from collections.abc import Iterable

from tutor_lsp.core.stage import Role
from tutor_lsp.stages.paths import path_breaches

_SHOWN = 120
_BASE = {Role.STARTER: "src", Role.TEST: "tests", Role.SOLUTION: "src"}


class PathRefusedError(Exception):
    """A path that must not be written; `rule` is a stable id such as `path-parent`."""

    def __init__(self, rule: str, path: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule
        self.path = path


def check_given(role: Role, path: str) -> None:
    """Refuses a path as given in a payload, before any prefix is added.

    Raises PathRefusedError with the first rule of `stages.paths` that it breaks.
    """
    for rule, reason in path_breaches(path, base=_BASE[role]):
        raise PathRefusedError(rule, path[:_SHOWN], f"{path[:_SHOWN]} {reason}")


def check_path(role: Role, path: str) -> str:
    """`path` if a section of that role may write it: relative, normalised, below its folder.

    Raises PathRefusedError with a rule of `stages.paths`, or `path-outside`.
    """
    check_given(role, path)
    base = _BASE[role]
    if not path.startswith(f"{base}/") or path.endswith("/"):
        raise PathRefusedError(
            "path-outside", path[:_SHOWN], f"{path[:_SHOWN]} is not a file under {base}/"
        )
    return path


def check_together(paths: Iterable[str]) -> None:
    """Refuses paths that differ only in case, or where one file would be another's folder.

    Raises PathRefusedError with rule `path-conflict`.
    """
    files: dict[str, str] = {}
    for path in sorted(set(paths)):
        if path.lower() in files:
            said = f"{path} and {files[path.lower()]} differ only in case"
            raise PathRefusedError("path-conflict", path, said)
        files[path.lower()] = path
    for path in files.values():
        parts = path.lower().split("/")
        for end in range(1, len(parts)):
            other = files.get("/".join(parts[:end]))
            if other is not None:
                said = f"{other} cannot be a file and a folder"
                raise PathRefusedError("path-conflict", path, said)
