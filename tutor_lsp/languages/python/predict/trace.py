"""A Python program that tells its steps: the interpreter reports each line to a function."""

from collections.abc import Sequence

from tutor_lsp.core.language.predictions import SEP, STEP
from tutor_lsp.core.ports import Files

MOST_STEPS = 200
_TRACER = """


def _tutor_told(test, program, most):
    import collections
    import functools
    import sys

    steps = collections.deque(maxlen=most)
    seen = {}

    def values(frame):
        found = {}
        for name, value in frame.f_locals.items():
            if name.isidentifier():
                found[name] = value
            if name == "self":
                found.update(("self." + each, own) for each, own in vars(value).items())
        shown = {}
        for name, value in found.items():
            try:
                text = repr(value)
            except Exception:
                continue
            if not text.startswith("<") and " at 0x" not in text:
                shown[name] = text[:200]
        return shown

    def tell(frame, event, _):
        file = frame.f_code.co_filename.replace("\\\\", "/")
        own = next((each for each in program if file.endswith("/" + each)), None)
        if own is None or frame.f_code.co_name == "<module>":
            return None
        now = values(frame)
        line, before = seen.get(id(frame), (frame.f_lineno, {}))
        for name, text in now.items():
            if before.get(name) != text:
                steps.append((own, line, name, text))
        seen[id(frame)] = (frame.f_lineno, now)
        if event == "return":
            del seen[id(frame)]
        return tell

    @functools.wraps(test)
    def told(*given, **named):
        sys.settrace(tell)
        try:
            return test(*given, **named)
        finally:
            sys.settrace(None)
            for step in steps:
                print("STEP", *(str(part).replace("\\n", " ") for part in step), sep="SEP")

    return told


"""


def traced(files: Files, program: Sequence[str], test_file: str, test: str) -> dict[str, str]:
    """The test's file, in which that test prints every step of `program`."""
    owner, _, name = test.rpartition("::")
    tracer = _TRACER.replace('"STEP"', repr(STEP)).replace('"SEP"', repr(SEP))
    place = f"{owner}.{name}" if owner else name
    told = f"{place} = _tutor_told({place}, {list(program)!r}, {MOST_STEPS})\n"
    return {test_file: files[test_file].rstrip("\n") + "\n" + tracer + told}
