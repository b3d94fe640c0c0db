"""Rules of safety and consistency that one payload decides, each with an id.

Teaching rules (comments, names, cross-references, worked examples) belong to the proof, where
they can be repaired.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.core.exercise.exercise import UnitKind
from tutor_lsp.core.exercise.report import RunOutcome
from tutor_lsp.core.exercise.verdict import PASS, PASS_SCORE, TOO_HIGH_TO_FAIL
from tutor_lsp.core.stage import EXPAND_ROLES, Role, StageRequest
from tutor_lsp.stages.paths import path_breaches
from tutor_lsp.stages.plain_hint import CODE_LINES, WORDS
from tutor_lsp.stages.reveal import reveals, solution_lines

Payload = Mapping[str, Any]

LINE_CHARACTERS, BLANKS = 3000, 400
"""Longest line, and longest run of blanks and line ends, in a section or file: a lesson's paragraph
of 250 words fits, and no check of a line has much to do."""
FILES_BYTES = 128_000
"""Most that the files of one answer hold together; each text has a limit in its contract."""
GENERATED = ("body", "declare")
"""The kinds of units that a model may plan."""
REVIEW_WORDS = 400
FINDINGS = 10

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_UNIT_ID = re.compile(r"ex-[1-9][0-9]?")
_IDENTIFIER = re.compile(r"[^\W\d]\w{0,79}")
_BLANKS = re.compile(rf"\s{{{BLANKS}}}")
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
    "\ue000-\uf8ff\U000e0000-\U000e007f]"
)
"""What code must not hold; what learners read is without it by now (`plain_markdown`)."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: its id, the JSON path of what breaks it, and why."""

    rule: str
    path: str
    reason: str


def violations(request: StageRequest, payload: Payload, *, model: bool = True) -> list[Violation]:
    """Every rule that a validated payload breaks as the answer to `request`; empty if none. Words
    are counted in a model's hints alone: an author's are shown whole, with what a run said.

    The request must be in order (`packet.context_issues`).
    """
    rules = [_identity, _characters, _RULES[request.role]]
    if request.role is Role.COACH:
        rules.append(_hint_words if model else _hint_reveals)
    if model and request.role is Role.SCAFFOLD:
        rules.append(_generated_kinds)
    return [violation for rule in rules for violation in rule(request, payload)]


def _identity(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    yield from _differs("version-mismatch", payload, "schema_version", request.contract)
    yield from _differs("role-mismatch", payload, "role", request.role.value)


def _differs(rule: str, payload: Payload, key: str, wanted: object) -> Iterator[Violation]:
    if payload[key] != wanted:
        yield Violation(rule, f"$.{key}", f"must be {wanted}, not {payload[key]}")


def _characters(_: StageRequest, payload: Payload) -> Iterator[Violation]:
    waiting: list[tuple[str, Any]] = [("$", payload)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, str) and (odd := _CONTROL.search(value)):
            code = f"U+{ord(odd[0]):04X}"
            yield Violation("text-control", path, f"contains the control character {code}")
        elif isinstance(value, Mapping):
            waiting += [(f"{path}.{key}", item) for key, item in value.items()]
        elif isinstance(value, list | tuple):
            waiting += [(f"{path}[{index}]", item) for index, item in enumerate(value)]


def _scaffold(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    packet = request.packet
    yield from _differs("id-mismatch", payload, "node_id", packet["node"]["id"])
    yield from _differs("id-mismatch", payload, "depth_target", packet["depth_target"])
    if not _ID.fullmatch(payload["scaffold_id"]):
        yield Violation("id-form", "$.scaffold_id", "may only contain letters, digits, . _ and -")
    seen: dict[str, set[str]] = {"unit_id": set(), "stub": set(), "test_names": set()}
    for index, unit in enumerate(payload["units"] or ()):
        where = f"$.units[{index}]"
        if not _UNIT_ID.fullmatch(unit["unit_id"]):
            yield Violation("id-form", f"{where}.unit_id", "must be ex-1, ex-2, …")
        for name in (unit["stub"], *unit["test_names"]):
            if not _IDENTIFIER.fullmatch(name):
                yield Violation("id-form", where, f"{name[:80]} is not a function name")
        for key, names in (
            ("unit_id", [unit["unit_id"]]),
            ("stub", [unit["stub"]]),
            ("test_names", unit["test_names"]),
        ):
            for name in names:
                if name in seen[key]:
                    yield Violation("id-duplicate", f"{where}.{key}", f"{name} is given twice")
                seen[key].add(name)
        base = "tests" if unit.get("kind") == UnitKind.TEST else "src"
        yield from _path(f"{where}.file_path", unit["file_path"], base)


def _generated_kinds(_: StageRequest, payload: Payload) -> Iterator[Violation]:
    """Units whose texts the calls that follow cannot write."""
    for index, unit in enumerate(payload["units"] or ()):
        if unit.get("kind") not in (None, *GENERATED):
            reason = (
                f"is {unit.get('kind')}; write units of the kinds {' and '.join(GENERATED)} alone"
            )
            yield Violation("kind-not-generated", f"$.units[{index}].kind", reason)


def _sections(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    if "sections" not in payload:
        yield from _section(request, payload, "$")
    for at, section in enumerate(payload.get("sections", ())):
        yield from _section(request, section, f"$.sections[{at}]")


def _section(request: StageRequest, section: Payload, where: str) -> Iterator[Violation]:
    if "file_path" in section:
        base = "src" if request.role is Role.STARTER else "tests"
        yield from _path(f"{where}.file_path", section["file_path"], base)
    blank = not section["content"].strip()
    if blank and request.role is not Role.STARTER:  # the file of a package may be empty
        yield Violation("section-empty", f"{where}.content", "contains nothing but blanks")
    yield from _layout(f"{where}.content", section["content"])


def _solution(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    known = [file["file_path"] for file in request.packet["files"]]
    yield from _files("$.files", payload["files"], known, "solution-stray")
    accepts = payload["accepts"] or ()
    if sum(len(each["content"].encode()) for each in accepts) > FILES_BYTES:
        yield Violation("size-files", "$.accepts", f"has over {FILES_BYTES} bytes")
    for index, each in enumerate(accepts):
        if not _UNIT_ID.fullmatch(each["unit_id"]):
            yield Violation("id-form", f"$.accepts[{index}].unit_id", "must be ex-1, ex-2, …")


def _without(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    known = [file["file_path"] for file in request.packet["files"]]
    yield from _files("$.files", payload["files"] or (), known, "solution-stray")


def _mistakes(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    known = set(request.packet["node"]["tags"])
    for at, unit in enumerate(payload["units"]):
        if not _UNIT_ID.fullmatch(unit["unit_id"]):
            yield Violation("id-form", f"$.units[{at}].unit_id", "must be ex-1, ex-2, …")
        for number, mistake in enumerate(unit["mistakes"]):
            where = f"$.units[{at}].mistakes[{number}]"
            yield from _tag("mistake-unknown-tag", f"{where}.tag", mistake["tag"], known)
            yield from _layout(f"{where}.code", mistake["code"])
            for key in ("name", "says", "code"):
                if not mistake[key].strip():
                    yield Violation("text-empty", f"{where}.{key}", "is empty")


def _mistake_tags(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    known = set(request.packet["node"]["tags"])
    numbers = {each["number"] for each in request.packet["mistakes"]["tried"]}
    for at, each in enumerate(payload["tags"]):
        where = f"$.tags[{at}]"
        if each["number"] not in numbers:
            yield Violation("id-mismatch", f"{where}.number", f"{each['number']} is no code given")
        if each["tag"] is not None:
            yield from _tag("mistake-unknown-tag", f"{where}.tag", each["tag"], known)


def _hint_words(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    level = request.packet["tutoring"]["hint_level"]
    if (words := len(payload["text"].split())) > WORDS[level]:
        reason = f"has {words} words, at most {WORDS[level]} at level {level}"
        yield Violation("hint-too-long", "$.text", reason)


def _hint(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    tutoring = request.packet["tutoring"]
    level, unit = tutoring["hint_level"], tutoring["unit"]
    yield from _differs("id-mismatch", payload, "unit_id", unit["unit_id"])
    yield from _differs("hint-level-mismatch", payload, "level", level)
    if not payload["text"].strip():
        yield Violation("text-empty", "$.text", "is empty")
    code = payload["code"] or ""
    if (lines := len(code.strip().splitlines())) > CODE_LINES:
        reason = f"has {lines} lines, at most {CODE_LINES}"
        yield Violation("hint-too-long", "$.code", reason)
    if level == 1 and code:
        yield Violation("hint-code-at-level-1", "$.code", "must be null at level 1")
    yield from _tags("hint-unknown-tag", request, payload)
    known = [file["file_path"] for file in tutoring["files"]]
    yield from _files("$.fix", payload["fix"] or (), known, "fix-stray")


def _hint_reveals(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    """What of a model's hint reveals the solution is left out of it instead (`hinting.coach`)."""
    level = request.packet["tutoring"]["hint_level"]
    if reveals(payload, level, _solution_of(request.packet)):
        yield Violation("hint-reveals-solution", "$", "contains the stub's reference solution")


def _solution_of(packet: Mapping[str, Any]) -> list[str]:
    tutoring = packet["tutoring"]
    unit = tutoring["unit"]
    texts = [
        next((f["content"] for f in tutoring[part] if f["file_path"] == unit["file_path"]), "")
        for part in ("starter", "reference")
    ]
    mended = UnitKind(unit["kind"] or UnitKind.BODY).given_broken
    return solution_lines(packet["language"], texts[0], texts[1], unit["stub"], mended=mended)


def _review(request: StageRequest, payload: Payload) -> Iterator[Violation]:
    tutoring = request.packet["tutoring"]
    verdict, score = payload["verdict"], payload["score"]
    claims = [finding["claim"] for finding in payload["findings"]]
    if not all(text.strip() for text in (payload["summary"], *claims)):
        yield Violation("text-empty", "$", "has an empty summary or claim")
    run = tutoring["run"]
    green = run["outcome"] == RunOutcome.PASSED.value and run["passed"] == run["total"] > 0
    if verdict == PASS and not green:
        yield Violation("verdict-against-run", "$.verdict", "is PASS although tests do not pass")
    if not (score >= PASS_SCORE if verdict == PASS else score < TOO_HIGH_TO_FAIL):
        yield Violation("verdict-score-inconsistent", "$.score", f"{score} does not fit {verdict}")
    said = " ".join(str(payload[key] or "") for key in ("summary", "improvement", "question"))
    said += " ".join(f" {f['claim']} {f['evidence']}" for f in payload["findings"])
    if (words := len(said.split())) > REVIEW_WORDS or len(payload["findings"]) > FINDINGS:
        reason = f"has {words} words and {len(payload['findings'])} findings"
        yield Violation("review-too-long", "$", f"{reason}, at most {REVIEW_WORDS} and {FINDINGS}")
    yield from _tags("review-unknown-tag", request, payload)
    keys = ("findings", "tag_evidence")
    places = [(f"$.{key}[{n}]", each) for key in keys for n, each in enumerate(payload[key] or ())]
    keys = ("improvement_at", "question_probe")
    places += [(f"$.{key}", payload[key]) for key in keys if payload[key] is not None]
    for where, place in places:
        for rule, reason in path_breaches(place["file"]):
            if rule in ("path-absolute", "path-parent"):
                yield Violation(rule, f"{where}.file", f"{place['file'][:120]} {reason}")


def _tags(rule: str, request: StageRequest, payload: Payload) -> Iterator[Violation]:
    known = set(request.packet["node"]["tags"])
    for index, tag in enumerate(payload["tags"]):
        yield from _tag(rule, f"$.tags[{index}]", tag, known)


def _tag(rule: str, where: str, tag: str, known: Container[str]) -> Iterator[Violation]:
    if tag not in known:
        yield Violation(rule, where, f"{tag[:80]} is not among the tags given")


def _files(
    where: str, files: Iterable[Mapping[str, str]], known: Iterable[str], stray: str
) -> Iterator[Violation]:
    allowed = {_unprefixed(path) for path in known if not path.startswith("tests/")}
    seen: set[str] = set()
    size = 0
    for index, file in enumerate(files):
        path, place = file["file_path"], f"{where}[{index}].file_path"
        size += len(file["content"].encode())
        yield from _layout(f"{where}[{index}].content", file["content"])
        yield from _path(place, path, "src")
        plain = _unprefixed(path)
        if plain in seen:
            yield Violation("path-duplicate", place, f"{path[:120]} is given twice")
        elif plain not in allowed:
            yield Violation(stray, place, f"{path[:120]} is not a file of the starter")
        seen.add(plain)
    if size > FILES_BYTES:
        yield Violation("size-files", where, f"has {size} bytes, at most {FILES_BYTES}")


def _layout(where: str, text: str) -> Iterator[Violation]:
    if max(map(len, text.splitlines()), default=0) > LINE_CHARACTERS:
        yield Violation("size-line", where, f"has a line of over {LINE_CHARACTERS} characters")
    if _BLANKS.search(text):
        yield Violation("size-blanks", where, f"has over {BLANKS} blanks or line ends in a row")


def _path(where: str, path: str, base: str) -> Iterator[Violation]:
    for rule, reason in path_breaches(path, base=base):
        yield Violation(rule, where, f"{path[:120]} {reason}")


def _unprefixed(path: str) -> str:
    return path.removeprefix("src/")


_RULES: Mapping[Role, Callable[[StageRequest, Payload], Iterator[Violation]]] = {
    Role.SCAFFOLD: _scaffold,
    **dict.fromkeys(EXPAND_ROLES, _sections),
    Role.SOLUTION: _solution,
    Role.MISTAKES: _mistakes,
    Role.MISTAKE_TAGS: _mistake_tags,
    Role.WITHOUT: _without,
    Role.COACH: _hint,
    Role.REVIEWER: _review,
}
