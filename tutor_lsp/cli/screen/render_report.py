"""Test reports, reviews and hints for people. What is read here never says FAIL."""

import difflib
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.screen.render import MARKS, recommended

TODO = "not written yet"

PRINTED = 200
"""Characters of what a test printed that are shown."""


def report(out: Out, result: dict[str, Any]) -> None:
    """Build errors, then one line per unit."""
    for error in result["buildErrors"][:3]:
        place = f"{error['file']}:{error['line']}:{error['column']}"
        out.line(("bad", "✗ "), ("place", place), f"  {error['message']}")
    for unit, stub, tests in by_unit(result["tests"]):
        state, sentence = unit_state(tests)
        name = f"{unit} " if unit else ""
        out.line(MARKS[state], f" {name}", ("strong", stub), f"  {sentence}" if sentence else "")
        printed = prints(tests) if state == "failing" else ""
        if printed:
            out.line(("dim", f"    it printed: {printed}"))


def prints(tests: list[dict[str, Any]]) -> str:
    """What the first failing test that printed anything printed, in one short line."""
    failing = (test.get("output", "") for test in tests if test["outcome"] != "passed")
    text = next((output for output in failing if output.strip()), "")
    line = " ⏎ ".join(text.strip().splitlines())
    return line if len(line) <= PRINTED else line[: PRINTED - 1] + "…"


def by_unit(tests: list[dict[str, Any]]) -> Iterable[tuple[str, str, list[dict[str, Any]]]]:
    """Unit, stub and tests, in the order in which the units first appear."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for test in tests:
        groups.setdefault(test["unit"] or f"\0{test['name']}", []).append(test)
    for unit, found in groups.items():
        known = not unit.startswith("\0")
        yield (unit, found[0]["stub"] or "", found) if known else ("", found[0]["name"], found)


def unit_state(tests: list[dict[str, Any]]) -> tuple[str, str]:
    """State of a unit and the sentence to its first test that does not pass."""
    failing = [test for test in tests if test["outcome"] != "passed"]
    if not failing:
        return "passing", ""
    started = [test for test in failing if test["outcome"] not in ("todo", "not_run")]
    if not started:
        todo = any(test["outcome"] == "todo" for test in failing)
        return ("todo", TODO) if todo else ("stale", failing[0]["message"] or "did not run")
    sentence = str(started[0]["message"] or f"{started[0]['name']} does not pass")
    if len(tests) > 1 and " tests)" not in sentence:
        sentence += f" ({len(failing)} of {len(tests)} tests)"
    return "failing", sentence


def summary(result: dict[str, Any]) -> list[Any]:
    """A report in one sentence."""
    tests = result["tests"]
    passed = sum(test["outcome"] == "passed" for test in tests)
    count = f"{len(tests)} tests"
    match result["outcome"]:
        case "passed":
            said = "The test passes." if len(tests) == 1 else f"All {count} pass."
            return [("good", said)]
        case "build_error":
            reason = "" if result["buildErrors"] else f" {result.get('reason') or ''}"
            return [("bad", "It does not build yet."), reason]
        case "cancelled":
            return ["Stopped: nothing was counted."]
        case "not_run":
            return [result.get("reason") or "The tests did not run."]
        case "timeout":
            more = result.get("reason") or "the time was up."
            return [("bad", "Not yet: "), f"{passed} of {count} pass; {more}"]
    return [("bad", "Not yet: "), f"{passed} of {count} pass."]


def check(out: Out, result: dict[str, Any]) -> None:
    """`check`: the units, the sum, what comes next."""
    report(out, result)
    out.line(*summary(result))
    if result.get("note"):
        out.line(result["note"])
    if result["outcome"] == "passed":
        out.line("Finish and get a review: tutor-lsp attempt. Or keep polishing.")


def attempt(out: Out, result: dict[str, Any]) -> None:
    """`attempt`: report, review, mastery, what comes next."""
    report(out, result["report"])
    if result["review"] is None:
        out.line(*summary(result["report"]))
    out.line()
    if result["review"] is not None:
        review(out, result["review"])
    elif result["reviewError"] is not None:
        out.line("The attempt is kept, its review did not come: ", result["reviewError"])
        out.line("tutor-lsp attempt asks for the review again.")
    mastery = result["mastery"]
    if mastery["before"] != mastery["after"]:
        change = f"{mastery['before']} → {mastery['after']} of 3"
    else:
        change = f"{mastery['after']} of 3"
    out.line(f"Mastery of {mastery['node']}: ", ("strong", change))
    if result.get("note"):
        out.line(result["note"])
    if result["review"] is not None and result["review"]["verdict"] == "PASS":
        recommended(out, result["next"])
    elif result["report"]["outcome"] in ("failed", "timeout"):
        out.line("Stuck? tutor-lsp hint")


def review(out: Out, result: dict[str, Any] | None) -> None:
    """`review`."""
    if result is None:
        out.line("There is no review yet. An attempt brings one: tutor-lsp attempt")
        return
    passed = result["verdict"] == "PASS"
    out.line(
        ("good", "Passed") if passed else ("strong", "Not yet"),
        ("dim", f"  {result['score']} of 100"),
    )
    out.markdown(result["summary"])
    for finding in result["findings"]:
        out.line("• ", ("place", f"{finding['file']}:{finding['line']}"), f"  {finding['claim']}")
        if finding["evidence"]:
            out.line(("dim", f"  {finding['evidence']}"))
    if result["improvement"]:
        at = result.get("improvementAt")
        place = f"{at['file']}:{at['line']}  " if at else ""
        out.line(("strong", "One thing to improve: "), ("place", place), result["improvement"])
    if result["question"]:
        out.line(("strong", "To think about: "), result["question"])
        out.line(("dim", "  The answer is in .tutor/coach.md."))


def hint(out: Out, result: dict[str, Any]) -> None:
    """`hint`."""
    if "title" in result:
        out.line(("strong", result["title"]))
    else:
        out.line(("strong", f"Hint {result['level']}"), ("dim", f"  {result['unit']}"))
    out.markdown(result["text"])
    if not result.get("answered", True):
        return
    if result["code"]:
        out.line()
        out.code(result["code"], "text")
    if result["level"] < 3:
        out.line(("dim", "Another one, closer to the answer: tutor-lsp hint"))
    else:
        out.line(("dim", 'Ask about your code: tutor-lsp ask "…"'))


def reveal(out: Out, result: dict[str, Any]) -> None:
    """`reveal`."""
    out.line(("strong", "One way to write it"), ("dim", f"  {result['unit']} in {result['file']}"))
    out.code(result["solution"], PurePath(result["file"]).suffix[1:])


def compare(out: Out, result: dict[str, Any]) -> None:
    """`compare`."""
    out.line(("strong", "Yours beside the reference"), ("dim", f"  {result['unit']}"))
    yours = Path(result["yours"]).read_text("utf-8").splitlines()
    reference = Path(result["reference"]).read_text("utf-8").splitlines()
    found = list(difflib.unified_diff(yours, reference, "yours", "reference", lineterm="", n=2))
    if found:
        out.code("\n".join(found), "diff")
    else:
        out.line("Both are the same.")


def place(out: Out, result: dict[str, Any]) -> None:
    """`open`."""
    out.line(("place", f"{result['file']}:{result['line']}"))
