"""`.tutor/coach.md`: hints and reviews, newest first, readable in any editor."""

import asyncio
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.session import Hint, Place, Review
from tutor_lsp.core.text.plain_text import code_span, fenced
from tutor_lsp.core.text.writing import remedy
from tutor_lsp.files.reading import Unreadable, read_below
from tutor_lsp.tutor.exercise.files import MOST_BYTES, notes_folder, replace_text

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.exercise.open_exercise import OpenExercise
    from tutor_lsp.tutor.learner.advice import Advice

NAME = ".tutor/coach.md"
TITLE = "# Hints and reviews\n"


_STAMP = r"\n\n\*\d{4}-\d\d-\d\d \d\d:\d\d UTC\*\n\n---\n+"


def add_to_coach_file(
    root: Path, text: str, at: str, instead: str | None = None, again: Collection[str] = ()
) -> None:
    """Put an entry on top, or in the place of the entry `instead` if that still stands there.

    Entries that read as one of `again` are taken out: the new one stands for them. Whatever else
    stands there stays; the file is replaced at once. Nothing below `root` is written or read
    through a link. Raises OSError.
    """
    path = root / NAME
    before = _before(root, path, at)
    if instead is not None and instead.rstrip() in before:
        replace_text(path, before.replace(instead.rstrip(), text.rstrip(), 1))
        return
    body = before.removeprefix(TITLE).lstrip("\n")
    for known in again:
        body = re.sub(rf"^{re.escape(known.rstrip())}{_STAMP}", "", body, flags=re.MULTILINE)
    replace_text(path, f"{TITLE}\n{_stamped(text, at)}\n\n{body}".rstrip() + "\n")


def write_coach_file(root: Path, entries: Iterable[tuple[str, str]]) -> None:
    """Write the file anew: these entries, each with its time, the last one on top; of equal ones
    the last. As above nothing is written through a link. Raises OSError."""
    last = {text.rstrip(): at for at, text in entries}
    ordered = sorted(last.items(), key=lambda item: item[::-1], reverse=True)
    _before(root, root / NAME, max(last.values(), default=""))
    whole = "\n\n".join(_stamped(text, at) for text, at in ordered)
    replace_text(root / NAME, f"{TITLE}\n{whole}\n")


def _stamped(text: str, at: str) -> str:
    return f"{text.rstrip()}\n\n*{at[:16].replace('T', ' ')} UTC*\n\n---"


def _before(root: Path, path: Path, at: str) -> str:
    """What stands there. What is no file makes way for a new one; a file that cannot be read is
    kept beside it."""
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
    app: "App",
    opened: "OpenExercise",
    text: str,
    *,
    instead: str | None = None,
    again: Collection[str] = (),
) -> None:
    """Put an entry on top, or in the place of `instead` (see `add_to_coach_file`); or say why that
    cannot be: what it says was kept and shown before."""
    try:
        await asyncio.to_thread(add_to_coach_file, opened.root, text, app.now(), instead, again)
    except OSError as error:
        app.frontend.message(
            "Hints and reviews are not kept for reading again: "
            f"{opened.root / NAME} cannot be written ({error.strerror}). "
            + remedy(error, "Make it writable."),
            warning=True,
        )


def hint_text(hint: Hint, stub: str, language: str, note: str = "", offers: str = "") -> str:
    """A hint as an entry; `offers` are what can be done after it."""
    parts = [f"## Hint {hint.level} for `{stub}`"]
    if note:
        parts.append(note)
    parts.append(hint.text)
    if hint.code:
        parts.append(fenced(hint.code.rstrip(), language))
    if offers:
        parts.append(offers)
    return "\n\n".join(parts)


def offers_text(unit: Unit, easier: "Advice | None", *, asks: bool, terminal: bool) -> str:
    """The ways on after the last hint: by command in a `terminal`, else in the words of the
    stub's code actions. A question only where it is answered (`asks`)."""
    ways = []
    if asks:
        command = f'tutor-lsp ask --unit {unit.id} "…"'
        ways.append((f"Ask a question about `{unit.stub}`", command))
    command = f"tutor-lsp reveal --unit {unit.id} --confirm"
    ways.append((f"Show the solution of `{unit.stub}` and go on", command))
    if easier is not None:
        way = f"Take an easier exercise first: “{easier.title}”"
        ways.append((way, f"tutor-lsp start --node {easier.node}"))
    lines = [f"- {way} (`{command}`)" if terminal else f"- {way}" for way, command in ways]
    return "Still stuck? Each of these is fine:\n\n" + "\n".join(lines)


def review_text(
    review: Review, run: str, number: int, language: str, text_of: str | None = None
) -> str:
    """A review as an entry; `run` is the run in one sentence, `text_of` the time of day of the text
    that it is about, where that is another one by now. An answer is folded away."""
    passed = review.verdict == "PASS"
    parts = [f"## Review of attempt {number}: {'passed' if passed else 'not yet'}"]
    if text_of is not None:
        parts.append(f"*This is about your text of {text_of}; your files are different by now.*")
    if not review.summary.startswith(run.rstrip(".")):
        parts.append(run)
    parts.append(review.summary)
    parts += [
        f"- [{finding.file} line {finding.line}](../{finding.file}#L{finding.line}): "
        f"{finding.claim}" + (f" ({finding.evidence})" if finding.evidence else "")
        for finding in review.findings
    ]
    if review.improvement:
        parts.append(f"**One thing to improve{_at(review.improvement_at)}:** {review.improvement}")
    if review.question and review.answer is not None:
        answer = review.answer
        parts.append(f"**A question, if you like{_at(answer.at)}:** {review.question}")
        lines = "\n".join([*answer.setup, answer.call])
        told = f"{fenced(lines, language)}\n\ngives {code_span(answer.value)}."
        parts.append(f"<details><summary>The answer</summary>\n\n{told}\n\n</details>")
    return "\n\n".join(parts)


def _at(place: Place | None) -> str:
    if place is None:
        return ""
    return f" ([{place.file} line {place.line}](../{place.file}#L{place.line}))"
