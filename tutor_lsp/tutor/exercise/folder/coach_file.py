"""`.tutor/coach.md`: hints and reviews, newest first, readable in any editor; rebuilt from the
record if the learner has deleted it."""

import asyncio
import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from tutor_lsp.core.exercise.exercise import Exercise
from tutor_lsp.core.exercise.verdict import sentence
from tutor_lsp.core.session import Hint, Place, Review, Session
from tutor_lsp.core.text.clock import local_minute
from tutor_lsp.core.text.plain_text import code_span, fenced, spoken, with_code
from tutor_lsp.core.text.translation import n, t
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.files.reading import Unreadable, read_below
from tutor_lsp.tutor.exercise.folder.files import MOST_BYTES, notes_folder, replace_text
from tutor_lsp.tutor.interface.units import Way
from tutor_lsp.tutor.services.frontend import Abilities
from tutor_lsp.tutor.services.services import Services
from tutor_lsp.tutor.voice.hints import ways_on
from tutor_lsp.tutor.voice.phrases import (
    improvement,
    question,
    stuck,
    tried_out,
    unpractised_lines,
)

NAME = ".tutor/coach.md"
TITLE = "# Hints and reviews\n"


_STAMP = r"\n\n\*\d{4}-\d\d-\d\d \d\d:\d\d(?: UTC)?\*\n\n---\n+"


def add_to_coach_file(
    root: Path, text: str, at: str, instead: str | None = None, again: Collection[str] = ()
) -> None:
    """Put an entry on top, or replace the entry `instead` if that is still there.

    Entries equal to one of `again` are removed, because the new one replaces them. Everything else
    stays; the file is replaced atomically. Nothing below `root` is read or written through a link.
    Raises OSError.
    """
    path = root / NAME
    before = _before(root, path, at)
    if instead is not None and instead.rstrip() in before:
        replace_text(path, before.replace(instead.rstrip(), text.rstrip(), 1))
        return
    body = before.removeprefix(TITLE).lstrip("\n")
    for known in again:
        body = _without(body, known)
    replace_text(path, f"{TITLE}\n{_stamped(text, at)}\n\n{body}".rstrip() + "\n")


def _take_off(root: Path, text: str, at: str) -> None:
    path = root / NAME
    replace_text(path, _without(_before(root, path, at), text).rstrip() + "\n")


def _without(body: str, text: str) -> str:
    return re.sub(rf"^{re.escape(text.rstrip())}{_STAMP}", "", body, flags=re.MULTILINE)


def write_coach_file(root: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Rewrite the file with these entries and their times, newest on top; of equal ones only the
    newest. Nothing is written through a link. Raises OSError."""
    last = {text.rstrip(): at for at, text in entries}
    ordered = sorted(last.items(), key=lambda item: item[::-1], reverse=True)
    _before(root, root / NAME, max(last.values(), default=""))
    whole = "\n\n".join(_stamped(text, at) for text, at in ordered)
    replace_text(root / NAME, f"{TITLE}\n{whole}\n")


def _stamped(text: str, at: str) -> str:
    return f"{text.rstrip()}\n\n*{local_minute(at)}*\n\n---"


def _before(root: Path, path: Path, at: str) -> str:
    """The current contents. A link or pipe is removed; a file that cannot be read is renamed and
    kept."""
    notes_folder(root)
    try:
        return read_below(root, NAME, MOST_BYTES).decode("utf-8", "replace")
    except Unreadable:
        if path.is_symlink() or path.is_fifo():
            path.unlink()
        elif path.is_file():
            path.rename(path.with_name(f"coach-{re.sub(r'[^0-9]', '', at)}.md"))
        return TITLE


async def note_for_learner(
    services: Services,
    root: Path,
    text: str,
    *,
    instead: str | None = None,
    again: Collection[str] = (),
) -> None:
    """Add an entry (see `add_to_coach_file`), or report why that is not possible; its contents were
    stored and shown before."""
    named = services.frontend.abilities.voice.commands.named
    entry, old = named(text), instead and named(instead)
    known = [named(each) for each in again]
    try:
        await asyncio.to_thread(add_to_coach_file, root, entry, services.now(), old, known)
    except OSError as error:
        services.frontend.message(
            "Hints and reviews are not kept for reading again: "
            f"{root / NAME} cannot be written ({error.strerror}). "
            + remedy(error, "Make it writable."),
            warning=True,
        )


async def take_back(services: Services, root: Path, text: str) -> None:
    """Remove an entry that was added; one that cannot be removed stays."""
    entry = services.frontend.abilities.voice.commands.named(text)
    with contextlib.suppress(OSError):
        await asyncio.to_thread(_take_off, root, entry, services.now())


def hint_text(hint: Hint, stub: str, language: str, note: str = "", offers: str = "") -> str:
    """A hint as an entry; `offers` says what can be done next."""
    parts = [t(f"## Hint {hint.level} for `{stub}`")]
    if note:
        parts.append(note)
    parts.append(with_code(hint.text, hint.code, language))
    if tried := tried_out(hint.tried, model=hint.source == "model"):
        parts.append(tried)
    if offers:
        parts.append(offers)
    return "\n\n".join(parts)


def offers_text(ways: Sequence[Way], abilities: Abilities) -> str:
    """What can be done after the last hint: as commands in a terminal, else by the titles of the
    stub's code actions."""
    if abilities.terminal:
        return ways_on(abilities.voice, ways) or ""
    return stuck([spoken(way.title) for way in ways], actions=True)


def review_text(
    review: Review,
    run: str,
    number: int,
    language: str,
    text_of: str | None = None,
    without: Sequence[str] = (),
) -> str:
    """A review as an entry; `run` is the run in one sentence, `text_of` the time of day of the text
    that it is about if that has changed since, `without` tells of constructs that units that pass
    do without. The answer to its question is collapsed."""
    parts = [_review_heading(number, passed=review.verdict == "PASS")]
    if text_of is not None:
        parts.append(t(f"*This is about your text of {text_of}; your files have changed since.*"))
    if not review.summary.startswith(run.rstrip(".")):
        parts.append(run)
    parts.append(review.summary)
    parts += [f"- {each}" for each in without]
    parts += [
        f"- [{finding.file} line {finding.line}](../{finding.file}#L{finding.line}): "
        f"{finding.claim}" + (f" ({finding.evidence})" if finding.evidence else "")
        for finding in review.findings
    ]
    if review.improvement:
        parts.append(improvement(review.improvement, _at(review.improvement_at)))
    if review.question and review.answer is not None:
        answer = review.answer
        parts.append(question(review.question, _at(answer.at)))
        lines = "\n".join([*answer.setup, answer.call])
        gives = t(f"gives {code_span(answer.value)}.")
        head = t("The answer")
        told = f"{fenced(lines, language)}\n\n{gives}"
        parts.append(f"<details><summary>{head}</summary>\n\n{told}\n\n</details>")
    return "\n\n".join(parts)


def _review_heading(number: int, *, passed: bool) -> str:
    return t(f"## Review of attempt {number}: {t('passed') if passed else t('not yet')}")


def line_of_review(root: Path, number: int) -> int:
    """The line (from 1) of the review of an attempt; 1 where it is not there. Blocks."""
    headings = {_review_heading(number, passed=passed) for passed in (True, False)}
    try:
        lines = read_below(root, NAME, MOST_BYTES).decode("utf-8", "replace").splitlines()
    except (OSError, Unreadable):
        return 1
    return next((at for at, line in enumerate(lines, 1) if line in headings), 1)


def _at(place: Place | None) -> str:
    if place is None:
        return ""
    return f" ([{place.file} line {place.line}](../{place.file}#L{place.line}))"


def write_coach_file_again(root: Path, session: Session, exercise: Exercise) -> str:
    """Rebuild the file unless it exists. Returns the end of a sentence that reports it: what
    it contains again and how to get the rest, or why it cannot be written. Blocks."""
    may_hold_more = any(unit.passed or unit.revealed for unit in session.progress.values())
    entries = sorted(_entries(session, exercise))
    if (root / NAME).is_file() or not (entries or may_hold_more):
        return t("; nothing is lost.")
    try:
        if entries:
            write_coach_file(root, entries)
    except OSError as error:
        return t(
            f"; {NAME} cannot be ({error.strerror}): your record holds its hints and reviews, and "
            "tutor.hint and tutor.review show the last ones."
        )
    said = ""
    if entries:
        kept, all_of_them = len(session.attempts), session.attempt_count
        reviews = (
            t("reviews")
            if kept >= all_of_them
            else n(
                "the review of your last attempt", "the reviews of your last {count} attempts", kept
            )
        )
        said = t(f", and {NAME} with your hints and {reviews}")
    if may_hold_more:
        said += t("; tutor.reveal and tutor.compare show again what they had put there")
    return f"{said}."


def _entries(session: Session, exercise: Exercise) -> Iterator[tuple[str, str]]:
    stubs = {unit.id: unit.stub for unit in exercise.units}
    for hint in session.hints:
        yield hint.at, hint_text(hint, stubs.get(hint.unit, hint.unit), session.language)
    before = None
    for attempt in session.attempts:
        if attempt.review is not None:
            run = sentence(attempt.report, before)
            without = unpractised_lines(attempt.report)
            language, number = session.language, attempt.number
            text = review_text(attempt.review, run, number, language, without=without)
            yield attempt.at, text
        before = attempt.report
