"""Notices calls by which code of the exercise gets hold of what it was not given.

Such a call may be made by a function of the library for somebody else: `submit(sys._getframe)` has
a thread of the pool make it. Code that asks for itself names what it asks for, so a call counts as
handed over where the code that makes it does not.
"""

# an older Python than ours may run this
# ruff: noqa: UP035
from __future__ import annotations

import re
import signal  # noqa: F401 - loads `_signal`, through which it sets handlers
import sys
from threading import get_ident
from types import CodeType, FrameType, FunctionType, SimpleNamespace
from typing import Any, Callable

from _tutor_guard import FRAME, FRAMES, Report  # type: ignore[import-not-found]

CODE = ("__code__", "__defaults__", "__kwdefaults__")
PROCESS = re.compile(r"/proc/(?:self|thread-self|\d+)/(?:task/\d+/)?(?:mem|fd|environ|maps)\b")
MEMORY = ("ctypes", "_ctypes")
LOOKS = "looks at what other code is doing"
FOLLOWS = "follows and changes the run of other code (`sys.settrace`)"
RENAMES = "gives its code the name of a file that is not its own"
GIVE_FRAMES = {
    "currentframe", "<lambda>", "stack", "trace", "getouterframes", "getinnerframes", "walk_stack",
    "walk_tb", "get_stack", "_task_get_stack", "gi_frame", "cr_frame", "ag_frame", "frame",
}  # fmt: skip
"""Functions of the library and of pytest that give frames to who calls them."""


def names_of(code: CodeType) -> set[object]:
    """What a code object names, in code or in a text."""
    texts = (value for value in code.co_consts if isinstance(value, str))
    return {*code.co_names, *texts}


class Watch:
    """Looks at such calls; stays for good. `source` is a folder, with a separator at its end."""

    def __init__(self, source: str, report: Report) -> None:
        self._source = source
        self._report = report
        self._busy: set[int] = set()
        self._getframe = sys._getframe  # noqa: SLF001
        through = "goes through all objects (`gc.{}`)".format
        memory = self._memory("writes to memory (`ctypes`)")
        interpreter = self._memory("reaches into the interpreter (`ctypes`)")
        self._watched: dict[str, Callable[[Any, FrameType], str | None]] = {
            "sys._getframe": self._frames,
            "sys._current_frames": self._direct("_current_frames", LOOKS),
            "sys._current_exceptions": self._direct("_current_exceptions", LOOKS),
            "sys.settrace": self._trace("settrace"),
            "sys.setprofile": self._trace("setprofile"),
            "sys.monitoring.register_callback": self._trace("register_callback"),
            "gc.get_objects": self._direct("get_objects", through("get_objects")),
            "gc.get_referrers": self._direct("get_referrers", through("get_referrers")),
            "gc.get_referents": self._direct("get_referents", through("get_referents")),
            "object.__setattr__": self._assigned,
            "object.__getattr__": self._read,
            "open": self._opened,
            "import": self._imported,
            "compile": self._compiled,
            "code.__new__": self._compiled,
            "ctypes.cdata": memory,
            "ctypes.addressof": memory,
            "ctypes.dlsym": interpreter,
            "ctypes.dlopen": interpreter,
        }

    def begin(self) -> None:
        """From here on."""
        watched, busy, ident = self._watched.get, self._busy, get_ident
        getframe, place, report = self._getframe, self._place, self._report

        def hook(event: str, args: Any) -> None:
            look = watched(event)
            if look is None:
                return
            thread = ident()
            if thread in busy:
                return
            busy.add(thread)
            try:
                frame = getframe(1)
                said = look(args, frame)
                if said is not None:
                    report(*place(frame), said)
            finally:
                busy.discard(thread)

        sys.addaudithook(hook)

    def _is_own(self, frame: FrameType) -> bool:
        return self._is_own_file(frame.f_code.co_filename)

    def _is_own_file(self, name: str) -> bool:
        return name.startswith(self._source) or (name[:1] != "/" and name[:7] != "<frozen")

    def _place(self, frame: FrameType | None) -> tuple[str, int]:
        while frame is not None:
            if frame.f_code.co_filename.startswith(self._source):
                return frame.f_code.co_filename, frame.f_lineno
            frame = frame.f_back
        return "", 0

    def _asks(self, name: str, frame: FrameType) -> bool:
        """Whether code of the exercise made this call, or had a function of the library make it."""
        if self._is_own(frame):
            return True
        return name not in names_of(frame.f_code) and self._is_behind(frame)

    def _is_behind(self, frame: FrameType | None) -> bool:
        """Whether code of the exercise runs here, or a thread that it may have started."""
        while frame is not None and frame.f_back is not None and not self._is_own(frame):
            frame = frame.f_back
        if frame is None or self._is_own(frame):
            return True
        return frame.f_globals.get("__name__") == "threading"

    def _gets(self, name: str, frame: FrameType) -> bool:
        """Whether code of the exercise asks for a frame, or is given one by what it calls."""
        if self._asks(name, frame):
            return True
        first = entry = frame
        while entry.f_back is not None and (
            entry.f_back.f_code.co_filename == first.f_code.co_filename
        ):
            entry = entry.f_back
        given, caller = entry.f_code.co_name, entry.f_back
        return given in GIVE_FRAMES and caller is not None and self._asks(given, caller)

    def _direct(self, name: str, said: str) -> Callable[[Any, FrameType], str | None]:
        return lambda args, frame: said if self._asks(name, frame) else None

    def _frames(self, args: Any, frame: FrameType) -> str | None:
        return FRAME.format("sys._getframe") if self._gets("_getframe", frame) else None

    def _read(self, args: Any, frame: FrameType) -> str | None:
        name = args[1]
        return FRAME.format(name) if name in FRAMES and self._gets(name, frame) else None

    def _trace(self, name: str) -> Callable[[Any, FrameType], str | None]:
        def look(args: Any, frame: FrameType) -> str | None:
            by_threads = frame.f_globals.get("__name__") == "threading"
            if by_threads or self._asks(name, frame) or self._overrides(frame.f_locals.get("self")):
                return FOLLOWS
            return None

        return look

    def _overrides(self, tracer: object) -> bool:
        """Whether a tracer of the library, such as a debugger, is given methods by the exercise."""
        for kind in type(tracer).__mro__:
            for each in vars(kind).values():
                if isinstance(each, FunctionType) and self._is_own_file(each.__code__.co_filename):
                    return True
        return False

    def _assigned(self, args: Any, frame: FrameType) -> str | None:
        target, name = args[0], args[1]
        if name not in CODE or not isinstance(target, FunctionType):
            return None
        if self._is_own_file(target.__code__.co_filename) or not self._asks(name, frame):
            return None
        return f"changes a function that is not its own (`{name}`)"

    def _compiled(self, args: Any, frame: FrameType) -> str | None:
        name = args[1]
        if not isinstance(name, str) or not self._is_own(frame):
            return None
        return None if self._is_own_file(name) else RENAMES

    def _imported(self, args: Any, frame: FrameType) -> str | None:
        said = "writes to memory (`ctypes`)"
        return self._memory(said)(args, frame) if args[0] in MEMORY else None

    def _memory(self, said: str) -> Callable[[Any, FrameType], str | None]:
        def look(args: Any, frame: FrameType | None) -> str | None:
            while frame is not None and (
                frame.f_globals.get("__name__", "").partition(".")[0] in ("ctypes", "importlib")
                or frame.f_code.co_filename[:7] == "<frozen"
            ):
                frame = frame.f_back
            return said if frame is not None and self._asks("ctypes", frame) else None

        return look

    def _opened(self, args: Any, frame: FrameType) -> str | None:
        path = args[0]
        if not isinstance(path, str) or path[:6] != "/proc/" or not PROCESS.match(path):
            return None
        file, _ = self._place(frame)
        return f"reaches into the running program (`{path}`)" if file else None


def shorten_signals() -> None:
    """Give handlers of signals what a frame tells of its place, instead of the frame."""
    module: Any = sys.modules["_signal"]
    real, found = module.signal, module.getsignal
    given: dict[Any, Any] = {}

    def put(number: int, handler: Any) -> Any:
        taken = handler
        if callable(handler):

            def taken(number: int, frame: Any) -> None:
                handler(number, frame and SimpleNamespace(f_lineno=frame.f_lineno))

            given[taken] = handler
        before = real(number, taken)
        return given.get(before, before)

    def get(number: int) -> Any:
        handler = found(number)
        return given.get(handler, handler)

    module.signal, module.getsignal = put, get
