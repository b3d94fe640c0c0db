"""What each verb says to people: lists, sessions, topics. Reports are in render_report.py."""

import shlex
from pathlib import Path
from typing import Any

from tutor_lsp.cli.screen.out import Out, Part
from tutor_lsp.core.exercise.standing import NOT_RUN
from tutor_lsp.tutor.services.deferred_app import may_be_exercise
from tutor_lsp.tutor.services.results import brought_back

MARKS: dict[str, Part] = {
    "passing": ("good", "✓"),
    "failing": ("bad", "✗"),
    "todo": ("dim", "○"),
    "stale": ("dim", "…"),
}


def ready(out: Out, result: dict[str, Any]) -> None:
    """An exercise that can be worked on: where it is and what to do."""
    out.line(
        ("strong", result["title"]),
        ("dim", f"  {result['language']} · {result['node']} · {result['depth']}"),
    )
    out.line("Lesson  ", ("place", result["lesson"]))
    units = result["units"]
    focus = next((unit for unit in units if unit["focus"]), units[0] if units else None)
    if focus is not None:
        place = f"{result['workspace']}/{focus['file']}:{focus['line']}"
        out.line("Begin   ", ("place", place))
        out.line("        ", f"{focus['stub']} — {focus['firstPrinciple']}")
    out.line()
    out.line("Read the lesson, write the first function and save. Then:")
    if _stands_in_another(Path(result["workspace"])):
        out.line("  ", ("place", shlex.join(["cd", result["workspace"]])))
    out.line("  tutor-lsp check   runs the tests    tutor-lsp watch   shows them live")
    out.line("  tutor-lsp hint    when you are stuck")


def _stands_in_another(workspace: Path) -> bool:
    """Whether the shell stands in another exercise, which is the one that verbs would take."""
    try:
        here = may_be_exercise(Path.cwd())
        return here is not None and not here.samefile(workspace)
    except OSError:
        return False


def unit_line(out: Out, unit: dict[str, Any]) -> None:
    """One unit with its state."""
    hint = f" · hint {unit['hintLevel']}" if unit.get("hintLevel") else ""
    pointer: Part = ("strong", "▶ ") if unit["focus"] else "  "
    out.line(
        pointer,
        MARKS[unit["state"]],
        f" {unit['id']} ",
        ("strong", unit["stub"]),
        f"  {unit['words']}",
        ("dim", f"  {unit['file']}:{unit['line']}{hint}"),
    )


def status(out: Out, result: dict[str, Any]) -> None:
    """`status`."""
    session = result["session"]
    if session is None:
        out.line("No exercise is open. Begin one with: tutor-lsp start")
    elif "error" in session:
        out.line(session["error"]["message"])
    else:
        out.line(
            ("strong", session["title"]), ("dim", f"  {session['language']} · {session['id'][:8]}")
        )
        out.line(("place", session["workspace"]))
        for unit in result["units"] or []:
            unit_line(out, unit)
    for job in result["jobs"]:
        out.line(f"{job['title']}: {job['state']}, {job['percent']} %  {job['message']}")
    backend = result["backend"]
    out.line(("dim", f"Exercises come from: {backend['name']} ({backend['why']})"))
    out.line(("dim", f"Home: {result['home']} · tutor-lsp {result['version']}"))


def sessions(out: Out, result: list[dict[str, Any]]) -> None:
    """`sessions`."""
    if not result:
        out.line("There is no session yet. Begin one with: tutor-lsp start")
        return
    width = max(len(item["title"]) for item in result)
    for item in result:
        state: Part = how_far(item)
        if item["missing"]:
            state = ("bad", "its folder is gone")
        elif item["passed"]:
            state = ("good", how_far(item))
        elif item["endedAt"]:
            state = ("dim", "ended")
        pointer: Part = ("strong", "▶ ") if item["active"] else "  "
        when = item["updatedAt"][:16].replace("T", " ")
        out.line(
            pointer,
            ("place", item["id"][:8]),
            f"  {item['title']:<{width}}  ",
            ("dim", f"{item['language']}  {when}  "),
            state,
        )
        if item["proven"]:
            out.line(("dim", f"            {item['proven']}"))
    out.line("Go on with one: tutor-lsp resume ID (the first letters are enough)")


def how_far(session: dict[str, Any]) -> str:
    """How far a listed session is, in words."""
    stands = session["standing"]
    if session["passed"]:
        return "passed with help" if stands is not None and stands["withHelp"] else "passed"
    if stands is None or stands["progress"] == "not begun":
        return "just begun"
    if stands["testsWords"] == NOT_RUN:
        return NOT_RUN
    return str(stands["testsWords"]) + (" tests" if stands["old"] else " tests pass")


def ended(out: Out, result: dict[str, Any]) -> None:
    """`end`."""
    out.line(result["summary"])
    recommended(out, result["recommendations"])


def recommended(out: Out, advice: list[dict[str, Any]]) -> None:
    """What to do next, each with its reason."""
    if not advice:
        out.line("There is nothing more to recommend in this language now.")
        return
    out.line(("strong", "Next"))
    for item in advice:
        out.line("  ", item["title"], ("dim", f"  {item['node']} · {item['reason']}"))
    out.line("Start the first: tutor-lsp next")


def curriculum(out: Out, result: dict[str, Any]) -> None:
    """`curriculum`: what can open now; the rest is one row per language."""
    for language in result["languages"]:
        out.line(("strong", language))
        nodes = [node for node in result["nodes"] if node["language"] == language]
        shown = [node for node in nodes if node["openable"]]
        width = max((len(node["title"]) for node in shown), default=0)
        for node in shown:
            node_line(out, node, width)
        more = result["withModel"][language]
        if more:
            out.line(("dim", f"  {more} more with a model"))
        for item in result["recommended"][language][:1]:
            out.line("  Recommended: ", item["title"], ("dim", f"  {item['reason']}"))
        out.line()
    out.line("Open one: tutor-lsp start --node ID")


def node_line(out: Out, node: dict[str, Any], width: int = 0) -> None:
    """One topic with its mastery, size and what it builds on."""
    level = node["mastery"]
    minutes = f"  {node['minutes']} min" if node["minutes"] else ""
    notes = [node["standing"]] if node["standing"] != "not begun" else []
    notes += ["due for review"] if node["due"] else []
    notes += ["you know this"] if node["claimed"] else []
    notes += ["your own topic"] if node["own"] else []
    if node["missingPrerequisites"]:
        notes.append(f"builds on {', '.join(node['missingPrerequisites'])}")
    out.line(
        "  ",
        ("good", "●" * level),
        ("dim", "○" * (3 - level)),
        f"  {node['title']:<{width}}  ",
        ("place", node["id"]),
        ("dim", f"  {node['depth']}{minutes}"),
        ("dim", f"  {'; '.join(notes)}" if notes else ""),
    )


def claimed(out: Out, result: dict[str, Any]) -> None:
    """`claim`."""
    if result["claimed"]:
        out.line(f"“{result['title']}” is marked as known.")
    else:
        out.line(f"“{result['title']}” is no longer marked as known.")


def cancelled(out: Out, result: dict[str, Any]) -> None:
    """`cancel`."""
    if result["cancelled"]:
        out.line("Cancelled.")
    else:
        out.line("Nothing is going on here. What an editor or another terminal began ends there.")


def polishing(out: Out, result: dict[str, Any]) -> None:
    """`polish`."""
    del result
    out.line("Polish as long as you like. tutor-lsp attempt brings the review when you are ready.")


def put_back(out: Out, result: dict[str, Any]) -> None:
    """`reset` and `restore`."""
    if "backup" in result:
        out.line(brought_back(result))
        return
    if result.get("undone"):
        out.line(f"Brought back: {', '.join(result['files']) or 'it is all there already'}")
        return
    if not result["files"]:
        out.line("Everything is as it was given; nothing changed.")
        return
    out.line(f"Put back as given: {', '.join(result['files'])}")
    if result["kept"]:
        out.line(("dim", "What you had written is kept: tutor-lsp reset --undo brings it back."))


def page(out: Out, result: dict[str, Any]) -> None:
    """`report`."""
    out.line("Your progress: ", ("place", result["path"]))


def doctor(out: Out, result: dict[str, Any]) -> None:
    """`doctor`."""
    width = max(len(tool["name"]) for tool in result["tools"])
    for tool in result["tools"]:
        mark: Part = ("good", "✓") if tool["works"] else ("bad", "✗")
        version = tool["version"] or ("" if tool["found"] else "not found")
        out.line(mark, f" {tool['name']:<{width}}  {version}")
        if not tool["works"] and tool["remedy"]:
            out.line("  ", ("dim", tool["remedy"]))
    for problem in result["problems"]:
        out.line(("bad", "! "), problem)
    out.line(
        ("dim", f"Home: {result['home']} · {result['exercises']} exercises · "),
        ("dim", f"sessions so far: {result['sessions']}"),
    )
