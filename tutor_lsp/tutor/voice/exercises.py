"""Words for exercises: started, ready, ended, how they stand."""

from tutor_lsp.core.session import Attempt
from tutor_lsp.core.text.clock import local_minute
from tutor_lsp.core.text.plain_text import spoken
from tutor_lsp.languages.registry import name_of
from tutor_lsp.tutor.interface.learner import (
    BrokenSession,
    Ended,
    JobInfo,
    OpenSession,
    Ready,
    SessionInfo,
    Status,
)
from tutor_lsp.tutor.interface.notifications import SessionFailed
from tutor_lsp.tutor.interface.results import FilePlace, NextStarted, Started
from tutor_lsp.tutor.interface.units import UnitInfo
from tutor_lsp.tutor.voice.runs import next_list, run_title
from tutor_lsp.tutor.voice.units import focus_of, how_far, unit_list
from tutor_lsp.tutor.voice.voice import Voice, Words, item, joined, words


def started(voice: Voice, result: Started) -> Words:
    """`tutor.start`."""
    what = result.title or result.node or voice.t("your own topic")
    said = voice.t(
        "An exercise on {what} ({language}, {depth}) is being prepared; tutor.status shows how far "
        "it is, tutor.cancel stops it.",
        what=what,
        language=name_of(result.language),
        depth=result.depth,
    )
    return words(voice.t("Starting: {what}", what=what), said)


def next_started(voice: Voice, result: NextStarted) -> Words:
    """`tutor.next`."""
    made, ended = started(voice, result), voice.ours(result.ended)
    return words(made.title, ended, body=(spoken(ended), *made.sentences))


def ready(voice: Voice, result: Ready) -> Words:
    """`tutor.resume` and `tutor/sessionReady`."""
    focus = focus_of(result.units)
    where = [item(voice.t("Folder:"), f"`{result.workspace}`")]
    if not result.challenge:
        where.append(item(voice.t("Lesson:"), f"`{result.lesson}`"))
    if focus is not None:
        begin = f"{result.workspace}/{focus.file}:{focus.line}"
        where.append(item(voice.t("Start at:"), f"`{begin}`"))
        where.append(item(f"`{focus.stub}`", "—", spoken(focus.first_principle), indent=1))
    return words(
        voice.t("Ready: {title}", title=result.title),
        voice.t("Ready: {title}.", title=result.title),
        _first_step(voice, result, focus) if focus else None,
        body=(
            joined(name_of(result.language), f"`{result.node}`", result.depth),
            "\n".join(where),
            unit_list(voice, result.units),
            result.proof.line,
            _how_to_begin(voice, result, focus),
        ),
    )


def _how_to_begin(voice: Voice, result: Ready, focus: UnitInfo | None) -> str:
    if focus is not None and focus.kind not in ("body", "declare"):
        # There is no function to write: a program is to be mended, tested or read.
        if result.challenge:
            return voice.t(
                "This is a challenge: there is no lesson. Begin with {stub}. "
                "tutor.check runs the tests, tutor.hint helps when you are stuck.",
                stub=focus.stub,
            )
        return voice.t(
            "Read the lesson, then begin with {stub}. tutor.check runs the tests, "
            "tutor.hint helps when you are stuck.",
            stub=focus.stub,
        )
    if result.challenge:
        return voice.t(
            "This is a challenge: there is no lesson. Write the first function and save. "
            "tutor.check runs the tests, tutor.hint helps when you are stuck."
        )
    return voice.t(
        "Read the lesson, write the first function and save. tutor.check runs the tests, "
        "tutor.hint helps when you are stuck."
    )


def _first_step(voice: Voice, result: Ready, focus: UnitInfo) -> str:
    if result.challenge:
        return voice.t("Begin with {stub}.", stub=focus.stub)
    return voice.t("Read the lesson, then begin with {stub}.", stub=focus.stub)


def session_failed(voice: Voice, result: SessionFailed) -> Words:
    """`tutor/sessionFailed`."""
    message, stage, reason = voice.ours(result.message), result.stage, result.reason
    if reason == "CANCELLED":
        return words(voice.t("Cancelled"), message)
    at = voice.t("It failed at {stage} ({reason}).", stage=stage, reason=reason) if stage else None
    return words(voice.t("No exercise was made"), message, body=(spoken(message), at))


def ended(voice: Voice, result: Ended) -> Words:
    """`tutor.end`."""
    first = result.recommendations[0] if result.recommendations else None
    onward, summary = None, voice.ours(result.summary)
    if first is not None:
        onward = voice.t("Next: {title} ({reason}).", title=first.title, reason=first.reason)
    return words(
        voice.t("The session has ended"),
        summary,
        onward,
        body=(spoken(summary), next_list(voice, result.recommendations)),
    )


def opened(voice: Voice, result: FilePlace) -> Words:
    """`tutor.open`."""
    del voice
    return words(f"{result.file}:{result.line}", f"{result.file}:{result.line}")


def status(voice: Voice, result: Status) -> Words:
    """`tutor.status`."""
    running = [job for job in result.jobs if job.state == "running"]
    session = result.session
    name, why = result.backend.name, spoken(voice.ours(result.backend.why))
    here = (
        item(voice.t("Exercises come from:"), f"{name} ({why})"),
        item(voice.t("Home:"), f"`{result.home}`"),
        item(f"tutor-lsp {result.version}"),
    )
    going_on = f"{job_line(voice, running[0])}." if running else None
    source = voice.t("Exercises come from: {name}.", name=name)
    title, far, about = _session(voice, session)
    return words(
        title,
        going_on,
        far,
        source,
        body=(
            about,
            unit_list(voice, result.units) if result.units else None,
            "\n".join(item(spoken(job_line(voice, job))) for job in result.jobs),
            "\n".join(here),
        ),
    )


def _session(voice: Voice, session: OpenSession | BrokenSession | None) -> tuple[str, str, str]:
    """Heading, sentence and paragraph."""
    if session is None:
        none = voice.t("No exercise is open: tutor.start begins one, tutor.resume continues one.")
        return voice.t("No exercise is open"), none, none
    if isinstance(session, BrokenSession):
        message = voice.ours(session.error["message"])
        return voice.t("The exercise cannot be opened"), message, spoken(message)
    far = progress(voice, session)
    about = [
        joined(name_of(session.language), session.depth, far, attempts(voice, session.attempts)),
        item(voice.t("Session:"), f"`{session.id}`"),
        item(voice.t("Folder:"), f"`{session.workspace}`"),
    ]
    about += [
        item(voice.t("Attempt {number}:", number=each.number), each.words)
        for each in session.history
    ]
    lines = [about[0], "", *about[1:]]
    return session.title, f"{session.title}: {far}.", "\n".join(lines)


def attempt_words(voice: Voice, attempt: Attempt) -> str:
    """When an attempt was, how many of its tests passed, and what its review said."""
    review = attempt.review
    return joined(
        local_minute(attempt.at),
        run_title(voice, attempt.report),
        None if review is None else _said(voice, review.verdict),
        None if review is None else voice.t("{score} of 100", score=review.score),
    )


def _said(voice: Voice, verdict: str) -> str:
    return voice.t("passed") if verdict == "PASS" else voice.t("not yet")


def progress(voice: Voice, session: SessionInfo) -> str:
    """A session's progress."""
    stands = session.standing
    if session.passed:
        helped = stands is not None and stands.with_help
        return voice.t("passed with help") if helped else voice.t("passed")
    if stands is None or stands.progress == "not begun":
        return voice.t("just begun")
    return how_far(voice, stands)


def attempts(voice: Voice, count: int) -> str:
    """`2 attempts`; empty for none."""
    return voice.n("{count} attempt", "{count} attempts", count) if count else ""


def job_line(voice: Voice, job: JobInfo) -> str:
    """A job in one line."""
    if job.error is not None:
        return f"{job.title}: {voice.ours(job.error['message'])}"
    state = {
        "running": f"{job.percent} %",
        "done": voice.t("done"),
        "failed": voice.t("failed"),
        "cancelled": voice.t("cancelled"),
    }[job.state]
    return f"{job.title}: {joined(voice.ours(job.message), state)}"
