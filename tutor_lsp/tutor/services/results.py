"""Results in one or two sentences, for clients that show nothing of a command's answer."""

from collections.abc import Callable
from typing import Any

from tutor_lsp.core.exercise.standing import NOT_RUN
from tutor_lsp.core.learner.loss import counted
from tutor_lsp.core.text.plain_text import in_one_line, told

Teller = Callable[[Any], str]
STATUS_LINE = 80
"""Characters of a message that an editor shows in any case."""


def said(command: str, result: Any) -> str | None:
    """What to say, None where something else shows it (diagnostics, an opened document)."""
    teller: Teller | None = _TELLERS.get(command)
    return teller(result) if teller is not None else None


def _check(result: Any) -> str:
    return " ".join(part for part in (_run(result), result["note"]) if part)


def _run(result: Any) -> str:
    tests = result["tests"]
    passed = sum(test["outcome"] == "passed" for test in tests)
    match result["outcome"]:
        case "passed":
            return f"All {len(tests)} tests pass. Attempt (tutor.attempt) to get a review."
        case "failed":
            return f"{passed} of {len(tests)} tests pass."
        case "build_error":
            errors = result["buildErrors"]
            first = errors[0] if errors else None
            return f"It does not build yet: {first['message']}" if first else "It does not build."
        case "timeout":
            return result["reason"] or "The run took too long and was ended."
        case _:
            return result["reason"] or "The tests were not run."


def _attempt(result: Any) -> str:
    review, note = result["review"], result["note"]
    if result["attempt"] is None and result["report"]["outcome"] == "build_error":
        return str(note)
    if review is None:
        error = result["reviewError"]
        parts = (_run(result["report"]), note, error and f"No review: {error}")
        return " ".join(part for part in parts if part)
    mastery = result["mastery"]
    step = f" Mastery {mastery['before']} → {mastery['after']}."
    if note:
        step += f" {note}"
    onward = f" Next: {result['next'][0]['title']} (tutor.next)." if result["next"] else ""
    done = review["verdict"] == "PASS"
    summary = in_one_line(told(review["summary"]))
    return f"{summary}{step}{onward if done else ''} Details: .tutor/coach.md"


def _hint(result: Any) -> str:
    # A status line shows one cut line: that there is more, and where, must come first.
    text = in_one_line(told(result["text"]))
    code = f"\n{result['code']}" if result["code"] else ""
    if "title" in result:
        return f"{result['title']}: {text}{code}"
    where = " (whole in .tutor/coach.md)" if code or len(text) > STATUS_LINE else ""
    return f"Hint {result['level']}{where}: {text}{code}"


def _status(result: Any) -> str:
    session = result["session"]
    running = [job for job in result["jobs"] if job["state"] == "running"]
    parts = []
    if running:
        parts.append(f"{running[0]['title']}: {running[0]['message']} ({running[0]['percent']} %)")
    if session is None:
        parts.append("No exercise is open (tutor.resume, tutor.start).")
    elif "error" in session:
        parts.append(session["error"]["message"])
    else:
        stands = session["standing"]
        units = " units" if stands["old"] else " units pass"
        units = "" if stands["words"] == NOT_RUN else units
        parts.append(f"{session['title']}: {stands['words']}{units}.")
    parts.append(f"Backend: {result['backend']['name']}.")
    return " ".join(parts)


def _sessions(result: Any) -> str:
    if not result:
        return "No session yet."
    lines = [
        f"{session['id'][:8]} {session['title']}" + (" (folder missing)" * session["missing"])
        for session in result[:5]
    ]
    more = f"\n… and {len(result) - 5} more" if len(result) > 5 else ""
    return "\n".join(lines) + more


def _end(result: Any) -> str:
    onward = result["recommendations"]
    return str(result["summary"]) + (f" Next: {onward[0]['title']}." if onward else "")


def _curriculum(result: Any) -> str:
    lines = [
        f"{language}: {', '.join(item['title'] for item in found)}"
        for language, found in result["recommended"].items()
        if found
    ]
    hidden = sum(result["withModel"].values())
    more = f"\n{hidden} more with a model" if hidden else ""
    return "Recommended — " + "; ".join(lines) + more


def _doctor(result: Any) -> str:
    broken = [tool for tool in result["tools"] if not tool["works"]]
    if not broken:
        return "Everything works."
    return "\n".join(f"{tool['name']}: {tool['remedy'] or 'does not work'}" for tool in broken)


def _reset(result: Any) -> str:
    files = ", ".join(result["files"])
    if result.get("undone"):
        return f"Brought back: {files}." if files else "It is there already."
    if not files:
        return "Put back: nothing had changed."
    said = f"Put back: {files}."
    if result["kept"]:
        said += " What you wrote is kept: the stub's code actions bring it back."
    return said


def _restore(result: Any) -> str:
    if "backup" in result:
        return brought_back(result)
    return f"Put back: {', '.join(result['files']) or 'nothing had changed'}."


def brought_back(result: Any) -> str:
    """A restored record, as `tutor.restore` gives it for `record`."""
    if result.get("dismissed"):
        return (
            "You go on without it and are not told again. Until seven newer backups are there, "
            "`tutor-lsp restore --record` still brings it back."
        )
    parts = []
    if result["backup"] is not None:
        kinds = ("session", "topic", "event")
        named = [counted(result[f"{kind}s"], kind) for kind in kinds]
        back = ", ".join(part for part in named if part) or "nothing that was missing here"
        parts.append(
            f"Brought back from the backup of {result['backup']}: {back}. The record as it was "
            f"before is kept as {result['aside']}."
        )
    if result["adopted"]:
        where = "its folder" if result["adopted"] == 1 else "their folders"
        parts.append(
            f"Listed again from {where}: {counted(result['adopted'], 'exercise')}, with your "
            "texts; attempts and hints begin anew."
        )
    return " ".join(parts)


_TELLERS: dict[str, Teller] = {
    "tutor.check": _check,
    "tutor.attempt": _attempt,
    "tutor.hint": _hint,
    "tutor.ask": _hint,
    "tutor.status": _status,
    "tutor.sessions": _sessions,
    "tutor.end": _end,
    "tutor.curriculum": _curriculum,
    "tutor.doctor": _doctor,
    "tutor.review": lambda r: told(r["summary"]) if r else "No review yet: attempt first.",
    "tutor.reveal": lambda r: f"{r['unit']}:\n{r['solution']}",
    "tutor.next": lambda r: r["ended"],
    "tutor.reset": _reset,
    "tutor.restore": _restore,
    "tutor.cancel": lambda r: "Cancelled." if r["cancelled"] else "Nothing was going on.",
    "tutor.claim": lambda r: f"{r['title']}: {'known' if r['claimed'] else 'not marked as known'}.",
    "tutor.report": lambda r: f"Report: {r['path']}",
}
