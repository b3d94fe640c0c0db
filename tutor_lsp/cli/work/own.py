"""`tutor-lsp new-exercise` and `tutor-lsp check-exercise`: for people who write exercises."""

from typing import Any

from tutor_lsp.cli.exit_codes import DONE, REFUSED
from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.runtime import Invocation, options_of, run
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.core.text.translation import marked, n, t
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.starting.own_exercises import check_exercise, new_exercise, not_contained

OUTPUT_LINES = 6
NAMED = 8
"""Most files that are named."""


def check_own(values: dict[str, Any]) -> int:
    """`check-exercise`."""
    path, language = expanded(values["place"]), values["language"]
    invocation = Invocation(options_of(values))

    async def work(app: App) -> int:
        if not invocation.options.json:
            invocation.err.line(("dim", f"Checking {path} …"))
            # Tests that somebody else wrote can do harm if nothing contains them.
            if (why := await not_contained()) is not None:
                invocation.err.line(("dim", f"Its tests are not contained ({why})."))
        result = await check_exercise(app.services, path, language)
        invocation.show(result, _shown)
        _noted(invocation, result)
        return DONE if result["ok"] else REFUSED

    return run(invocation, work)


def new_own(values: dict[str, Any]) -> int:
    """`new-exercise`."""
    folder, language = expanded(values["place"]).absolute(), values["language"]
    invocation = Invocation(options_of(values))

    async def work(app: App) -> int:
        result = await new_exercise(app.services, folder, language, values["kinds"])
        invocation.show(result, _begun)
        _noted(invocation, result)
        return DONE

    return run(invocation, work)


def _noted(invocation: Invocation, result: dict[str, Any]) -> None:
    if result["note"] is not None and not invocation.options.json:
        invocation.err.line(("bad", "! "), result["note"])


def _shown(out: Out, result: dict[str, Any]) -> None:
    proof, findings = result["proof"], result["findings"]
    left_out = result["leftOut"]
    if left_out:
        named, more = ", ".join(left_out[:NAMED]), len(left_out) - NAMED
        named = t(f"{named} and {more} more") if more > 0 else named
        out.line(("dim", f"Left out, not part of it: {named}."))
    step = ""
    for finding in findings:
        if finding["step"] != step:
            step = finding["step"]
            out.line(("strong", t(_STEPS.get(step, step))))
        _finding(out, finding)
    for advice in result["advice"]:
        out.line(("strong", t("Advice: ")), advice["message"])
    if result["ok"]:
        out.line(
            ("good", "Valid: "),
            ", ".join(
                (
                    n("{count} unit", "{count} units", len(proof["unitMap"])),
                    n("{count} test", "{count} tests", proof["tests"]),
                    *_known(proof),
                )
            ),
            _ends(proof),
            n(
                "{count} code block of the lesson does what it says.",
                "{count} code blocks of the lesson do what they say.",
                proof["lessonBlocks"]["ok"],
            ),
        )
        return
    out.line(n("Not yet: {count} thing to fix.", "Not yet: {count} things to fix.", len(findings)))


def _known(proof: dict[str, Any]) -> list[str]:
    """How many known mistakes there are, if any."""
    count = sum((proof.get("mistakes") or {}).values())
    return [n("{count} known mistake", "{count} known mistakes", count)] if count else []


def _ends(proof: dict[str, Any]) -> str:
    """How tests end on the stubs and on the reference; some may pass a program to be mended."""
    if proof["failOnStub"] == proof["tests"]:
        return t(". Each fails on the stubs and passes on the reference; ")
    failing, tests = proof["failOnStub"], proof["tests"]
    return t(f". {failing} of {tests} fail on the stubs, and all pass on the reference; ")


def _finding(out: Out, finding: dict[str, Any]) -> None:
    place = ":".join(str(part) for part in (finding["file"], finding["line"]) if part)
    unit = f" ({finding['unit']})" if finding["unit"] else ""
    if place or unit:
        out.line("  ", ("place", place), unit.lstrip() if not place else unit)
    out.line(f"    {finding['message']}")
    lines = finding["output"].strip().splitlines()
    for line in lines[:OUTPUT_LINES]:
        out.line("      ", ("dim", line))
    if len(lines) > OUTPUT_LINES:
        more = len(lines) - OUTPUT_LINES
        told = n("{count} line more, see --json", "{count} lines more, see --json", more)
        out.line("      ", ("dim", f"… {told}"))


_STEPS = {
    "mistakes": marked("Known mistakes (mistakes)"),
    "shape": marked("Parts (shape)"),
    "builds": marked("Building (builds)"),
    "stubs": marked("Tests on the stubs (stubs)"),
    "reference": marked("Tests on the reference (reference)"),
    "stable": marked("The same every time (stable)"),
    "units": marked("Which test belongs to which stub (units)"),
    "references": marked("Names, comments and links (references)"),
    "lesson": marked("Lesson (lesson)"),
    "giveaway": marked("Solutions given away (giveaway)"),
}


def _begun(out: Out, result: dict[str, Any]) -> None:
    out.line(("good", "Written to "), ("place", result["path"]))
    for file in result["files"]:
        out.line(f"  {file}")
    out.line("It is valid as it is. Change it piece by piece, and check it after each change:")
    out.line(f"  tutor-lsp check-exercise {result['path']}")
