"""How a C test came to grief, in plain words: from a sanitizer's report or a signal. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tutor_lsp.core.exercise.report import Location

_ASAN = re.compile(
    r"ERROR: AddressSanitizer: (?:attempting (?=double-free))?(?P<kind>attempting free|[\w-]+)"
)
_UBSAN = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: runtime error: (?P<text>.+)\n?"
    r"(?P<frames>(?:[ \t]+#\d+ .*\n?)*)\n?(?:SUMMARY: UndefinedBehaviorSanitizer: .*\n?)?",
    re.MULTILINE,
)
_SIGNALLED = re.compile(r"^AddressSanitizer:DEADLYSIGNAL\n", re.MULTILINE)
_UNDEFINED = (
    (r"index (-?\d+) out of bounds for type .*\[(\d+)\]", "it used index {0} of an array of {1}"),
    (r"signed integer overflow: (.+) cannot be represented in type '(.+)'",
     "{0} does not fit into `{1}`"),
    (r"negation of (\S+) cannot be represented in type '(.+)'", "-({0}) does not fit into `{1}`"),
    (r"(\S+) is outside the range of representable values of type '(.+)'",
     "{0} does not fit into `{1}`"),
    (r"shift exponent (\S+) is (?:too large|negative).* type '(.+)'",
     "it shifted a value of type `{1}` by {0}"),
    (r"null pointer passed as argument", "it gave a null pointer to a function that takes none"),
    (r".*null pointer", "it used a null pointer"),
    (r"division by zero", "it divided by zero"),
    (r".*misaligned address .* for type '(.+?)'", "it used an address that no `{0}` may have"),
    (r"execution reached (?:the end of a value-returning|an unreachable)",
     "it reached its end without returning a value"),
    (r".*with (?:insufficient space for|an? )", "it used an address outside of the object"),
)  # fmt: skip
_ACCESS = re.compile(r"^(?:\[\d+\] )?(?P<how>READ|WRITE) of size (?P<size>\d+|{\d+})", re.MULTILINE)
_FRAME = re.compile(
    r"^\s*#\d+ \S+ in (?P<function>\S+) (?P<file>\S.*?):(?P<line>\d+)(?::(?P<column>\d+))?$",
    re.MULTILINE,
)
_REGION = re.compile(
    r"is located \d+ bytes (?:to the )?(?P<where>right|left|after|before|inside)(?: of)?"
    r" (?P<size>\d+)-byte region"
)
_SEGV = re.compile(r"unknown address (?P<address>0x[0-9a-f]+)")
_ASSERT = re.compile(
    r"^(?:Assertion failed: \((?P<mac>.*)\), function .*|"
    r"[^\n]*: (?P<file>[^\s:]+):(?P<line>\d+): [^\n]*: Assertion [`'‘](?P<text>.*)['’] failed\.)$",
    re.MULTILINE,
)
_GLIBC = (
    ("stack smashing detected", "it wrote past the end of a local array"),
    ("double free", "it freed the same memory twice"),
    ("munmap_chunk(): invalid pointer", "it freed memory that malloc did not give"),
    ("free(): invalid", "it freed memory that malloc did not give"),
    ("corrupted", "it wrote past the end of memory from malloc"),
    ("malloc(): ", "it wrote past the end of memory from malloc"),
)
_SIGNALS = {
    "SIGSEGV": "it used memory that is not its own, or ran out of stack",
    "SIGBUS": "it used memory that is not its own",
    "SIGABRT": "it gave up with `abort`",
    "SIGFPE": "it divided by zero",
    "SIGILL": "it came to a place that cannot be executed",
    "SIGTRAP": "it came to a place that cannot be executed",
}
_STACK = ("stack-overflow",)
_WORDS = {
    "heap-use-after-free": "{did} memory that was freed before",
    "stack-use-after-return": "{did} a local variable of a function that had returned",
    "stack-use-after-scope": "{did} a local variable outside of its block",
    "double-free": "it freed the same memory twice",
    "attempting free": "it freed memory that malloc did not give",
    "bad-free": "it freed memory that malloc did not give",
    "memcpy-param-overlap": "it copied between places that overlap (memmove may do that)",
    "strcpy-param-overlap": "it copied between places that overlap",
    "strncpy-param-overlap": "it copied between places that overlap",
    "strcat-param-overlap": "it copied between places that overlap",
    "negative-size-param": "it gave a negative size to a function of the library",
    "calloc-overflow": "it asked for more memory than there can be",
    "allocation-size-too-big": "it asked for more memory than there can be",
    "out-of-memory": "it asked for more memory than there is",
    "rss-limit-exceeded": "it used far too much memory",
    "FPE": "it divided by zero",
    "BUS": "it used memory that is not its own",
    "ILL": "it came to a place that cannot be executed",
    "ABRT": "it gave up with `abort`",
}
_PLACES = {
    "heap": "memory from malloc",
    "stack": "a local array",
    "global": "a global array or a string",
    "dynamic-stack": "a local array",
}


@dataclass(frozen=True, slots=True)
class Crash:
    """What happened, in words that go on from "it crashed: "; `kind` is the technical name.

    `raised_at` is the innermost place in src/, `in_test` that in tests/.
    """

    text: str
    kind: str
    raised_at: Location | None = None
    in_test: Location | None = None

    @property
    def said(self) -> str:
        """The sentence's end, with the technical name and the place."""
        notes = [self.kind] if self.kind else []
        if self.raised_at is not None:
            notes.append(f"{self.raised_at.file}, line {self.raised_at.line}")
        return f"{self.text} ({'; '.join(notes)})" if notes else self.text


def from_undefined(output: str) -> Crash | None:
    """The last report of undefined behaviour in the output, or None."""
    last = None
    for last in _UBSAN.finditer(output):  # noqa: B007 - only the last one ended the test
        pass
    if last is None:
        return None
    place = Location(_relative(last["file"]), int(last["line"]))
    inside, test = _split([place, *_frames(last["frames"])])
    return Crash(_undefined(last["text"].strip()), "undefined behaviour", inside, test)


def without_reports(output: str) -> str:
    """The output without a sanitizer's reports."""
    return _SIGNALLED.sub("", _UBSAN.sub("", output))


def from_report(report: str) -> Crash | None:
    """What the address sanitizer reports, or None if it reports no error."""
    address = _ASAN.search(report)
    if address is None:
        if "hard rss limit exhausted" in report:
            return Crash(_WORDS["rss-limit-exceeded"], "out of memory")
        return None
    kind = address["kind"]
    # the first stack is that of the error, the next ones tell where memory came from
    first = report[address.start() :].split("\n\n", 1)[0]
    inside, test = _split(_frames(first))
    shown = "bad-free" if kind == "attempting free" else kind
    return Crash(_addressed(kind, report), shown, inside, test)


def _frames(stack: str) -> list[Location]:
    found = _FRAME.finditer(stack)
    return [Location(_relative(frame["file"]), int(frame["line"])) for frame in found]


def _relative(path: str) -> str:
    return path.removeprefix("./")


def _split(places: Sequence[Location]) -> tuple[Location | None, Location | None]:
    inside = next((place for place in places if place.file.startswith("src/")), None)
    tests = (p for p in places if p.file.startswith("tests/") and p.file != "tests/test.h")
    return inside, next(tests, None)


def _undefined(text: str) -> str:
    for pattern, said in _UNDEFINED:
        found = re.match(pattern, text)
        if found is not None:
            return said.format(*found.groups())
    return re.sub(r"'([^']+)'", r"`\1`", text)


def _addressed(kind: str, report: str) -> str:
    access = _ACCESS.search(report)
    wrote = access is not None and access["how"] == "WRITE"
    did = "it wrote to" if wrote else "it used" if access is None else "it read"
    if kind.endswith(("-overflow", "-underflow")) and kind not in (*_STACK, "calloc-overflow"):
        return _outside(kind, report, "wrote" if wrote else "read")
    if kind in _STACK:
        return "it ran out of stack"
    if kind == "SEGV":
        return _segv(report)
    return _WORDS.get(kind, f"{did} memory in a wrong way").format(did=did)


def _outside(kind: str, report: str, verb: str) -> str:
    place = next((name for name in _PLACES if kind.startswith(name)), "heap")
    region = _REGION.search(report)
    before = kind.endswith("underflow")
    before = before or (region is not None and region["where"] in ("left", "before"))
    side = "before the start" if before else "past the end"
    size = f" of {region['size']} bytes" if region is not None and place == "heap" else ""
    what = f"memory{size} from malloc" if size else _PLACES[place]
    return f"it {verb} {side} of {what}"


def _segv(report: str) -> str:
    address = _SEGV.search(report)
    wrote = "caused by a WRITE" in report
    if address is not None and int(address["address"], 16) < 4096:
        return "it used a null pointer"
    if "address points to the zero page" in report:
        return "it used a null pointer"
    if wrote:
        return "it wrote to memory that it may not change, as a string in quotes is"
    return "it used memory that is not its own"


def from_ending(how: str, output: str) -> Crash | None:
    """What the end of the process tells (`killed by SIGSEGV (signal 11)`), or None where it ended
    by itself."""
    signal = re.search(r"\b(SIG[A-Z0-9]+)\b", how)
    if signal is None or signal[1] not in _SIGNALS:
        return None
    name = signal[1]
    if name == "SIGABRT":
        found = _ASSERT.search(output)
        if found is not None:
            text = found["mac"] or found["text"]
            place = (
                Location(_relative(found["file"]), int(found["line"])) if found["file"] else None
            )
            inside, test = _split([place] if place is not None else [])
            return Crash(f"`assert({text})` did not hold", "", inside, test)
        for mark, said in _GLIBC:
            if mark in output:
                return Crash(said, name)
    return Crash(_SIGNALS[name], name)
