"""Runs the tests of an exercise inside the learner's interpreter, as a script.

Settings come as one JSON object on stdin, or, where it was started ahead of its run (`--wait`), on
the descriptor that follows. Results leave as JSON lines on a private pipe, each
behind a word that only this run knows; nothing that is printed and no exit code counts as a
result. Markers in stdout, behind the same word, say which test the output belongs to.
"""

# pathlib costs 10 ms; our folder goes first; an older Python than ours may run this
# ruff: noqa: E402, PTH103, PTH106, PTH118, PTH123, UP035
from __future__ import annotations

import sys

OWN_FOLDER = sys.path.pop(0)  # what is in it must not be importable by tests

import fcntl
import gc
import io
import json
import os
import random
import types
import warnings
from typing import Any, Callable, Sequence

Send = Callable[..., None]
Run = Callable[..., Any]

UNITTEST = ("debugging", "unittest")
"""Plugins that classes of unittest need; they take a while to load."""

OLDEST_PYTEST = 8
QUIET = (
    "cacheprovider debugging doctest faulthandler junitxml legacypath pastebin setuponly setupplan "
    "stepwise terminal threadexception unittest unraisableexception"
)


def make_send(fd: int, word: str) -> Send:
    """The only way to speak on the private pipe; word and pipe live in this closure alone."""
    own = os.getpid()
    # a number that loops over the first descriptors do not hit, and that exec closes
    channel = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64 + random.SystemRandom().randrange(128))
    os.close(fd)
    write, getpid, quoted = os.write, os.getpid, json.encoder.encode_basestring_ascii
    kind_of, text, joined, spelt = type, str, str.join, repr
    mapping, lists, numbers = dict, (list, tuple), (int, float)

    def dumped(value: Any) -> str:
        """JSON by nothing that the learner's code could have replaced."""
        kind = kind_of(value)
        if kind is text:
            return quoted(value)
        if kind is mapping:
            pairs = [quoted(name) + ":" + dumped(each) for name, each in value.items()]
            return "{" + joined(",", pairs) + "}"
        if kind in lists:
            return "[" + joined(",", [dumped(each) for each in value]) + "]"
        if value is None:
            return "null"
        if value is True or value is False:
            return "true" if value else "false"
        return spelt(value) if kind in numbers else quoted(text(value))

    def send(kind: str, **data: Any) -> None:
        if getpid() != own:
            return  # a child that the learner's code forked
        rest = (word + dumped({"kind": kind, **data}) + "\n").encode()
        while rest:
            rest = rest[write(channel, rest) :]

    return send


class Bounded(io.FileIO):
    """A descriptor that takes what is printed, but lets only so much of it through.

    The pipe behind it is capped too; this keeps a flood from costing anything.
    """

    def __init__(self, fd: int, limit: int) -> None:
        super().__init__(fd, "w", closefd=False)
        self._limit = self.left = limit

    def reset(self) -> None:
        """The next test begins."""
        self.left = self._limit

    def write(self, data: Any) -> int:
        """All of it counts as written."""
        size = len(data)
        if self.left > 0:
            rest = memoryview(data)[: self.left]
            self.left -= len(rest)
            while rest:
                rest = rest[super().write(rest) or 0 :]
        return size


def bounded_streams(limit: int) -> tuple[Bounded, Bounded]:
    """Replace stdout and stderr; a line is on its way as soon as it is printed."""
    made = []
    for name, fd in (("stdout", 1), ("stderr", 2)):
        raw = Bounded(fd, limit)
        stream = io.TextIOWrapper(
            io.BufferedWriter(raw), "utf-8", "backslashreplace", line_buffering=True
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
        made.append(raw)
    return made[0], made[1]


def make_mark(word: str, bounded: tuple[Bounded, Bounded]) -> Callable[[str], None]:
    """Writes a marker into stdout, after what was printed so far."""
    own = os.getpid()
    write, getpid, streams = os.write, os.getpid, (sys.stdout, sys.stderr)

    def mark(label: str) -> None:
        if getpid() != own:
            return
        for stream in {sys.stdout, sys.stderr, *streams}:
            try:
                stream.flush()
            except (AttributeError, OSError, ValueError):
                continue  # replaced or closed by the learner's code
        for raw in bounded:
            raw.reset()
        try:
            write(1, ("\x1e" + word + label + "\x1e").encode())
        except OSError:
            return  # closed by the learner's code: its output is lost, its result is not

    return mark


def relative(path: str, workspace: str) -> str:
    """Path relative to the workspace, with `/`."""
    return os.path.relpath(path, workspace).replace(os.sep, "/")


def span(error: Exception) -> dict[str, Any]:
    """Lines and columns of a syntax error, 1-based; the end is at least one column on."""
    line = getattr(error, "lineno", None) or 1
    column = max(getattr(error, "offset", None) or 1, 1)
    end_line = getattr(error, "end_lineno", None) or line
    end_column = max(getattr(error, "end_offset", None) or 0, 0)
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    return {
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "code": type(error).__name__,
        "message": getattr(error, "msg", None) or str(error),
    }


def syntax_errors(workspace: str) -> list[dict[str, Any]]:
    """The first error of every file of the exercise that does not compile."""
    found = []
    for top in ("src", "tests"):
        for folder, folders, names in os.walk(os.path.join(workspace, top)):
            folders.sort()
            for name in sorted(names):
                if not name.endswith(".py"):
                    continue
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    data = file.read()
                try:
                    text: str | bytes = data.decode("utf-8-sig")  # columns of bytes are in bytes
                except UnicodeDecodeError:
                    text = data
                try:
                    compile(text, path, "exec", dont_inherit=True)
                except (SyntaxError, ValueError) as error:
                    where = span(error)
                    if "can't decode" in where["message"]:
                        where.update(bad_byte(data))
                    found.append({"file": relative(path, workspace), **where})
    return found


def uses_unittest(workspace: str) -> bool:
    """Whether a file in tests/ names unittest."""
    for folder, _, names in os.walk(os.path.join(workspace, "tests")):
        for name in names:
            if name.endswith(".py"):
                with open(os.path.join(folder, name), "rb") as file:
                    if b"unittest" in file.read():
                        return True
    return False


def bad_byte(data: bytes) -> dict[str, int]:
    """Where the first byte is that is no UTF-8: of that every Python says another column."""
    try:
        data.decode()
    except UnicodeDecodeError as bad:
        lines = data[: bad.start].decode("utf-8-sig").split("\n")
        line, column = len(lines), len(lines[-1]) + 1
        return {"line": line, "column": column, "end_line": line, "end_column": column + 1}
    return {}


def read_settings(fd: int) -> dict[str, Any]:
    """The settings of the run, once somebody has written them; nothing to run is the end."""
    parts = []
    while True:
        part = os.read(fd, 65536)
        if not part:
            break
        parts.append(part)
    if not parts:
        os._exit(0)
    settings: dict[str, Any] = json.loads(b"".join(parts))
    return settings


def close_stdin() -> None:
    """Tests read nothing."""
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)


def load() -> tuple[Run, Any]:
    """pytest's main function and the class of our plugin; raises ImportError without a usable
    pytest."""
    gc.disable()  # nothing of pytest is garbage; the plugin turns it on again
    import pytest

    if int(pytest.__version__.partition(".")[0]) < OLDEST_PYTEST:
        raise ImportError(pytest.__version__)
    sys.path.insert(0, OWN_FOLDER)
    from _tutor_plugin import Bridge  # type: ignore[import-not-found]

    del sys.path[0]
    # nothing of ours is to be had by its name
    for name in [name for name in sys.modules if name.startswith("_tutor_")]:
        del sys.modules[name]
    return pytest.main, Bridge


def run_pytest(
    run: Run, workspace: str, spoken: Sequence[str], plugins: Sequence[object], *more: str
) -> None:
    """Run the tests of a workspace. Plugins that are seldom needed load where `spoken` of."""
    arguments = [*more, "-s", "--rootdir", workspace, "-c", os.devnull]
    # Beside a settings file elsewhere pytest takes conftest.py from every folder above.
    arguments += ["--confcutdir", workspace]
    for name in (name for name in QUIET.split() if name not in spoken):
        arguments += ["-p", "no:" + name]
    sys.argv[1:] = []
    run([*arguments, os.path.join(workspace, "tests")], plugins)


def warm_up() -> tuple[Run, Any] | None:
    """What a run needs, loaded and used once on an empty folder; None without a usable pytest.
    Apart from loaded modules all is then as before."""
    try:
        loaded = load()
    except ImportError:
        return None  # the run says so
    path, environment = sys.path[:], dict(os.environ)
    folder = os.path.join(os.environ["TMPDIR"], "warm")
    os.makedirs(os.path.join(folder, "tests"))
    run_pytest(loaded[0], folder, (), ())
    os.rmdir(os.path.join(folder, "tests"))
    os.rmdir(folder)
    sys.path[:] = path
    os.environ.clear()
    os.environ.update(environment)
    return loaded


def main() -> None:
    """Read the settings, look for syntax errors, run pytest, end without further ado."""
    loaded = None
    if sys.argv[1:2] == ["--wait"]:
        source = int(sys.argv[2])
        close_stdin()
        loaded = warm_up()
        config = read_settings(source)
        os.close(source)
    else:
        config = read_settings(0)
        close_stdin()
    bounded = bounded_streams(config["output_bytes"])
    send, mark = make_send(config["fd"], config["word"]), make_mark(config["mark"], bounded)
    send("hello", python=sys.version.split()[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        errors = syntax_errors(config["workspace"])
    aside: dict[str, list[str]] = {}  # a file may be that of several units
    for file, test_file in config["aside"]:
        aside.setdefault(file, []).append(test_file)
        aside[test_file] = [test_file]
    fatal = [error for error in errors if error["file"] not in aside]
    if fatal:
        send("syntax_errors", errors=fatal)
        return
    for error in errors:
        for test_file in aside[error["file"]]:
            send("aside_error", test_file=test_file, error=error)
            config["without"].append(test_file)
    try:
        run, plugin = loaded or load()
    except ImportError as error:
        version = str(error)
        if version[:1].isdigit():
            send("no_pytest", version=version)
        else:
            send("no_pytest")
        return
    if config["elsewhere"]:
        sys.path.insert(0, OWN_FOLDER)
        from _tutor_elsewhere import go  # type: ignore[import-not-found]

        del sys.path[0], sys.modules["_tutor_elsewhere"]
        go(config["workspace"])
    sys.modules["__main__"] = types.ModuleType("__main__")
    bridge = plugin(config, send, mark)
    spoken = UNITTEST if uses_unittest(config["workspace"]) else ()
    going_on = ["--continue-on-collection-errors"] if aside else []
    run_pytest(run, config["workspace"], spoken, [bridge], *going_on)
    send("done")


if __name__ == "__main__":
    main()
    for open_stream in (sys.stdout, sys.stderr):
        try:
            open_stream.flush()
        except (AttributeError, OSError, ValueError):
            continue
    os._exit(0)  # threads that the learner's code left behind are not waited for
