"""Whether the program, what it depends on and the settings are still as they were loaded."""

import os
import sys
from collections.abc import Iterable, Iterator

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_LIBRARY = os.path.join(_PACKAGE, "library")
_DESCRIPTION = "exercise.toml"
State = tuple[int, ...] | None


class Seen:
    """The files that count, as they were at `begun`, a time before the first of them was read."""

    def __init__(self, begun: float) -> None:
        self._begun_ns = int(begun * 1e9)
        self._seen: dict[str, State] = {}
        self._sure = True

    def look(self, home: str) -> None:
        """Take in what was loaded since the last time."""
        self._add(_program())
        self._add(
            [os.path.join(home, "config.toml"), *sys.path[1:], os.path.realpath(sys.executable)]
        )

    def _add(self, paths: Iterable[str]) -> None:
        for path in paths:
            if path not in self._seen:
                state = self._seen[path] = _state(path)
                # What is that new may have been another one when it was read.
                self._sure = self._sure and (state is None or max(state[-2:]) < self._begun_ns)

    @property
    def unchanged(self) -> bool:
        """Whether all are as they were. Takes a millisecond."""
        return self._sure and all(state == _state(path) for path, state in self._seen.items())


def _program() -> Iterator[str]:
    """The modules that are loaded, but for the standard ones: also of languages that others added,
    which they may be changing. All that ours may have read beside them, and the descriptions of the
    exercises that come with them."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and name.partition(".")[0] not in sys.stdlib_module_names:
            yield file
    for folder, inner, names in os.walk(_PACKAGE):
        inner[:] = [each for each in inner if each != "__pycache__"]
        inside = folder.startswith(_LIBRARY + os.sep)
        if inside and _DESCRIPTION in names:
            inner.clear()
        for name in names:
            if not name.endswith((".py", ".pyc")) and (not inside or name == _DESCRIPTION):
                yield os.path.join(folder, name)


def _state(path: str) -> State:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
