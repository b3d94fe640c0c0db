"""Reading what cargo and a test binary say: pure, tested from recorded output."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from tutor_lsp.core.exercise.report import BuildError, Location, RawTest, TestOutcome
from tutor_lsp.core.text.plain_text import clip_pair
from tutor_lsp.core.text.translation import marked
from tutor_lsp.languages.common.output import json_object

TEXT_LIMIT = 2000
REPR_LIMIT = 500

_LISTED = re.compile(r"^(?P<name>.+): test$")
_PANIC = re.compile(
    r"^\n?thread '(?P<thread>[^\n]*?)' (?:\(\d+\) )?panicked at "
    r"(?P<file>[^\n]+?):(?P<line>\d+):(?P<column>\d+):\n",
    re.MULTILINE,
)
PANIC_END = re.compile(r"^note: run with `RUST_BACKTRACE=[^\n]*\n?", re.MULTILINE)
"""What follows a panic's message and says nothing about it."""
_COMPARED = re.compile(
    r"\Aassertion `left (?:==|!=) right` failed(?:: (?P<note>.*?))?\n"
    r"  left: (?P<left>.*)\n right: (?P<right>.*)\Z",
    re.DOTALL,
)
_START = re.compile(r"\A(?:warning: `--logfile`[^\n]*\n)?\n?running 1 test\n")
_RESULT = re.compile(
    r"(?:^|\n)test result: (?P<word>ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed; "
    r"(?P<ignored>\d+) ignored;[^\n]*\n"
)
_OVERFLOW = re.compile(r"^\n?thread '[^\n]*' (?:\(\d+\) )?has overflowed its stack\n", re.MULTILINE)
_RETURNED = re.compile(r"^Error: [^\n]*\n\Z", re.MULTILINE)
_NOT_YET = ("not yet implemented", "not implemented")
_NO_LINKER = re.compile(r"linker `[^`]*` not found")
_MANIFEST = re.compile(r"^\s*--> (?P<file>[^:\n]+):(?P<line>\d+):(?P<column>\d+)$", re.MULTILINE)
_UNCLOSED = "unclosed delimiter"
_TAKEN = re.compile(r"`[^`]+` takes ownership of the receiver `self`, which moves `[^`]+`")
MOST_ADVICE = 120
"""Characters of a compiler's advice that still read as part of a sentence."""
LAST = "aborting due to"
"""What rustc says once it has told all errors."""
_SUMMARY = (LAST, "could not compile")


@dataclass(frozen=True, slots=True)
class Unit:
    """A crate that was built: its package, the kinds of its target, the file that it begins with
    and the files that came of it."""

    package: str
    kinds: tuple[str, ...]
    source: str
    files: tuple[str, ...]


@dataclass(slots=True)
class Build:
    """What was built. `programs` maps the source file of a test target to its program; `units` are
    the crates and `made` all files that came of them, `scripted` says whether a script of its own
    had a part, and `fresh` whether anything was left from an earlier build."""

    errors: list[BuildError] = field(default_factory=list)
    unplaced: list[str] = field(default_factory=list)
    warnings: int = 0
    programs: dict[str, str] = field(default_factory=dict)
    made: list[str] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    scripted: bool = False
    fresh: bool = False
    finished: bool | None = None
    no_tests: bool = False

    @property
    def no_linker(self) -> bool:
        """Whether it failed because there is no linker."""
        return any(_NO_LINKER.match(text) for text in self.unplaced)

    def take(self, line: bytes, workspace: str) -> None:
        """Take the next line of `cargo --message-format=json`; what is no message is skipped."""
        message = json_object(line)
        reason = message.get("reason")
        if reason == "compiler-message":
            self.diagnostic(message["message"], workspace)
        elif reason == "compiler-artifact":
            self.made += message["filenames"]
            self.fresh |= bool(message.get("fresh"))
            target = message["target"]
            unit = Unit(
                message.get("package_id", ""),
                tuple(target["kind"]),
                relative(target["src_path"], workspace),
                tuple(message["filenames"]),
            )
            self.units.append(unit)
            if message.get("executable") and "test" in unit.kinds:
                self.programs[unit.source] = message["executable"]
        elif reason == "build-script-executed":
            self.scripted = True
        elif reason == "build-finished":
            self.finished = bool(message["success"])

    def diagnostic(self, message: Mapping[str, Any], workspace: str) -> None:
        """Take what rustc says of the code."""
        text = message["message"]
        if message["level"] == "warning":
            self.warnings += bool(message["spans"])
        elif message["level"].startswith("error") and not text.startswith(_SUMMARY):
            error = build_error(message, workspace)
            if error is None:
                self.unplaced.append(text)
            elif error not in self.errors:
                self.errors.append(error)


def build_from_stderr(build: Build, text: str) -> None:
    """What cargo says where it could not even begin: no tests, or a Cargo.toml that is wrong."""
    if "no test target matches" in text:
        build.no_tests = True
        return
    first = text.strip().partition("\n")[0].removeprefix("error: ")
    place = _MANIFEST.search(text)
    file, line, column = "Cargo.toml", 1, 1
    if place:
        file, line, column = place["file"], int(place["line"]), int(place["column"])
    elif "can't find library" in text:
        file, first = "src/lib.rs", "src/lib.rs is missing"
    elif "could not find `Cargo.toml`" in text:
        first = "Cargo.toml is missing"
    build.errors.append(BuildError(file, line, column, line, column + 1, None, first))


def relative(path: str, workspace: str) -> str:
    """Path relative to the workspace where it lies in it."""
    pure = PurePosixPath(path)
    return str(pure.relative_to(workspace)) if pure.is_relative_to(workspace) else path


def build_error(message: Mapping[str, Any], workspace: str) -> BuildError | None:
    """A message of the compiler with its place and its first advice; None where it has no place."""
    span = _opened(message) or next((s for s in message["spans"] if s["is_primary"]), None)
    if span is None:
        return None
    label = _taken(message) or span.get("label")
    # an error inside a macro of the standard library belongs to where the macro was used
    while span.get("expansion") and not _inside(span["file_name"], workspace):
        span = span["expansion"]["span"]
    file = relative(span["file_name"], workspace)
    text = message["message"].partition("\n")[0]
    code = message["code"]["code"] if message.get("code") else None
    if label and label.removeprefix("not found ") not in text:
        text = f"{text}: {label}"
    text = "; ".join([text, *_cures(message)])
    return BuildError(
        file=file,
        line=span["line_start"],
        column=span["column_start"],
        end_line=span["line_end"],
        end_column=span["column_end"],
        code=code,
        message=text,
    )


def _opened(message: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What is never closed, where the compiler tells the end of the file."""
    if not message["message"].endswith(_UNCLOSED):
        return None
    found = (s for s in message["spans"] if not s["is_primary"] and s.get("label") == _UNCLOSED)
    return max(found, key=lambda s: (s["line_start"], s["column_start"]), default=None)


def _taken(message: Mapping[str, Any]) -> str | None:
    """Which method used a value up, where the error is only that it is used again."""
    notes = (child["message"] for child in message.get("children", ()) if child["level"] == "note")
    return next((note for note in notes if _TAKEN.fullmatch(note)), None)


def _cures(message: Mapping[str, Any]) -> list[str]:
    """The compiler's first advice, where it gives one in a line."""
    helps = [
        child["message"].partition("\n")[0]
        for child in message.get("children", ())
        if child.get("level") == "help"
    ]
    return [text for text in helps if len(text) <= MOST_ADVICE][:1]


def _inside(file: str, workspace: str) -> bool:
    pure = PurePosixPath(file)
    return pure.is_relative_to(workspace) or not pure.is_absolute()


def parse_list(text: str) -> tuple[str, ...]:
    """Test names from `--list --format terse`."""
    found = (_LISTED.match(line) for line in text.splitlines())
    return tuple(match["name"] for match in found if match)


@dataclass(frozen=True, slots=True)
class Ran:
    """One test's process: `log` is libtest's log file, None where it knows no such option.

    `how` says in words how the process ended; `ended` whether it came to the end of its `main`,
    None where that is not known.
    """

    name: str
    returncode: int
    output: str
    log: str | None
    how: str
    timed_out: str | None = None
    waited: bool = False
    duration_ms: float = 0.0
    ended: bool | None = None


def parse_test(ran: Ran, fallback: Location | None = None) -> RawTest:
    """The outcome of one test from its own process. `fallback` is where the test is defined."""
    outcome, reason = _outcome(ran)
    panic = _last_panic(ran)
    own_output = clean(ran)
    short = ran.name.rpartition("::")[2]
    test = RawTest(short, outcome, error=reason, output=own_output, duration_ms=ran.duration_ms)
    if outcome in (TestOutcome.PASSED, TestOutcome.NOT_RUN):
        return test
    if outcome is TestOutcome.FAILED and reason is None and panic is not None:
        return _panicked(test, *panic, fallback)
    if reason is None:
        reason = _returned_error(ran.output) or marked("it failed without saying why")
    return replace(test, location=fallback, error=reason[:TEXT_LIMIT], waited=ran.waited)


def _outcome(ran: Ran) -> tuple[TestOutcome, str | None]:
    if ran.timed_out is not None:
        return TestOutcome.TIMEOUT, ran.timed_out
    word, note = _log_word(ran) if ran.log is not None else _result_word(ran)
    if ran.ended is False and ran.returncode == 0:
        word = None
    if word == "ok" and ran.returncode == 0:
        return TestOutcome.PASSED, None
    if word == "ignored" and ran.returncode == 0:
        return TestOutcome.NOT_RUN, note or "ignored"
    if word == "failed" and ran.returncode > 0:
        return TestOutcome.FAILED, note
    if _OVERFLOW.search(ran.output):
        return TestOutcome.ERRORED, "ran out of stack"
    return TestOutcome.ERRORED, marked(f"the run ended inside this test: {ran.how}")


def _log_word(ran: Ran) -> tuple[str | None, str | None]:
    name = re.escape(ran.name)
    # With its attribute twice a test is run twice, and ends alike.
    pattern = rf"(?:ok {name}\n|failed {name}\n)*(ok|failed|ignored)(?:: (.*))? {name}\Z"
    match = re.match(pattern, (ran.log or "").strip(), re.DOTALL)
    return (match[1], match[2]) if match else (None, None)


def _result_word(ran: Ran) -> tuple[str | None, str | None]:
    results = list(_RESULT.finditer(ran.output))
    after = ran.output[results[-1].end() :].strip() if results else ""
    if not results or (after and not after.startswith(f"test: {ran.name}, ignore_message")):
        return None, None
    last = results[-1]
    if last["word"] == "FAILED" and last["failed"] == "1":
        return "failed", _should_panic_note(ran.output)
    if last["ignored"] == "1":
        return "ignored", None
    return ("ok", None) if last["word"] == "ok" and last["passed"] == "1" else (None, None)


def _should_panic_note(output: str) -> str | None:
    match = re.search(
        r"^note: ((?:test did not panic as expected|panic did not contain expected).*?)\n\n",
        output,
        re.MULTILINE | re.DOTALL,
    )
    return match[1] if match else None


def _last_panic(ran: Ran) -> tuple[Location, str] | None:
    """Where the test panicked last, and with which message."""
    found = list(_PANIC.finditer(ran.output))
    own = [match for match in found if match["thread"] == ran.name] or found
    if not own:
        return None
    match = own[-1]
    end = PANIC_END.search(ran.output, match.end())
    stop = end.start() if end else _end_of_test(ran.output, ran.name, match.end())
    place = Location(match["file"], int(match["line"]), int(match["column"]))
    return place, ran.output[match.end() : stop].rstrip("\n")


def _end_of_test(output: str, name: str, start: int) -> int:
    for mark in (f"\n{name} --- FAILED\n", "\nfailures:\n", "\ntest result: "):
        at = output.find(mark, start - 1)
        if at >= 0:
            return at
    return len(output)


def _panicked(test: RawTest, place: Location, message: str, fallback: Location | None) -> RawTest:
    in_source = place.file.startswith("src/")
    in_tests = place.file.startswith("tests/")
    compared = None if in_source else _COMPARED.match(message)
    left = right = None
    error: str | None = message[:TEXT_LIMIT]
    if compared:
        left, right = clip_pair(compared["left"], compared["right"], REPR_LIMIT)
        error = compared["note"]
    return replace(
        test,
        location=place if in_tests else fallback,
        raised_at=place if in_source else None,
        left=left,
        right=right,
        error=error,
        not_implemented=in_source and message.startswith(_NOT_YET),
    )


def _returned_error(output: str) -> str | None:
    """What a test that returns a Result gave back: libtest prints it last of all."""
    lines = [line for line in output.splitlines() if line.startswith("Error: ")]
    return lines[-1] if lines else None


def clean(ran: Ran) -> str:
    """What the code under test printed: libtest's own lines and panic messages are left out."""
    text = _START.sub("", ran.output)
    results = list(_RESULT.finditer(text))
    if results:
        text = text[: results[-1].start()]
        failed = text.rfind(f"{ran.name} --- FAILED\n")
        ending = r"(?:\.|i|F)\n*\Z"
        text = text[:failed] if failed >= 0 else re.sub(ending, "", text)
    out, at = [], 0
    for match in _PANIC.finditer(text):
        if match.start() < at:
            continue
        end = PANIC_END.search(text, match.end())
        out.append(text[at : match.start()])
        at = end.end() if end else len(text)
    text = "".join(out) + text[at:]
    text = _RETURNED.sub("", text)
    overflow = _OVERFLOW.search(text)
    return (text[: overflow.start()] if overflow else text).removesuffix("\n\n")
