"""`tutor-lsp new-exercise` and `tutor-lsp check-exercise`: for people who write exercises."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tutor_lsp.cli.params import common_params
from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.runtime import DONE, REFUSED, Invocation, run
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.verbs import options_of

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App

OUTPUT_LINES = 6
NAMED = 8
"""Most files that are named."""


def check_command() -> click.Command:
    """The verb `check-exercise`."""

    def callback(place: str, language: str | None, **values: Any) -> int:
        invocation = Invocation(options_of(values))
        path = expanded(place)

        async def work(app: "App") -> int:
            from tutor_lsp.tutor.starting.own_exercises import check_exercise

            if not invocation.options.json:
                invocation.err.line(("dim", f"Checking {path} …"))
                await _tell_containment(app, invocation.err)
            result = await check_exercise(app, path, language)
            invocation.show(result, _shown)
            return DONE if result["ok"] else REFUSED

        return run(invocation, work)

    return click.Command(
        "check-exercise",
        callback=callback,
        params=[click.Argument(["place"], metavar="PATH"), *_params()],
        short_help="Check an exercise that you wrote",
        help="Check that an exercise holds: it builds, every test fails on the stubs for its own "
        "reason, the reference passes all of them, names and headings fit, and the lesson's code "
        "does what it says. PATH is an exercise folder, or a JSONL file of what a model made. "
        "Nothing is changed. Exit code 1 if something is to be mended.\n\n\b\n"
        "Example:\n  tutor-lsp check-exercise python-strings-shop-signs",
    )


async def _tell_containment(app: "App", err: Out) -> None:
    """Tests that somebody else wrote can do harm where nothing keeps them in."""
    contain = await app.load("tutor_lsp.process.contain")
    found = await contain.probe_containment()
    if not found.isolated:
        err.line(("dim", f"Its tests are not contained ({found.why})."))


def new_command() -> click.Command:
    """The verb `new-exercise`."""

    def callback(place: str, language: str | None, **values: Any) -> int:
        invocation = Invocation(options_of(values))
        folder = expanded(place).absolute()

        async def work(app: "App") -> int:
            from tutor_lsp.tutor.starting.own_exercises import new_exercise

            result = await new_exercise(app, folder, language)
            invocation.show(result, _begun)
            return DONE

        return run(invocation, work)

    return click.Command(
        "new-exercise",
        callback=callback,
        params=[click.Argument(["place"], metavar="DIR"), *_params()],
        short_help="Begin an exercise of your own",
        help="Write a small exercise that holds, to be changed into one of your own. DIR is named "
        "after its topic and a name of its own; it must be new or empty. In accepts/ it says which "
        "inputs each unit promises to take.\n\n\b\n"
        "Example:\n  tutor-lsp new-exercise python-strings-shop-signs",
    )


def _params() -> list[click.Parameter]:
    """Language and the options that make sense without a session."""
    language = click.Option(["--language"], help="Language, such as rust.")
    return [language, *common_params("session", "path")]


def _shown(out: Out, result: dict[str, Any]) -> None:
    proof, findings = result["proof"], result["findings"]
    left_out = result["leftOut"]
    if left_out:
        more = f" and {len(left_out) - NAMED} more" if len(left_out) > NAMED else ""
        out.line(("dim", f"Left out, no part of an exercise: {', '.join(left_out[:NAMED])}{more}."))
    step = ""
    for finding in findings:
        if finding["step"] != step:
            step = finding["step"]
            out.line(("strong", _STEPS.get(step, step)))
        _finding(out, finding)
    if result["ok"]:
        units = len(proof["unitMap"])
        out.line(
            ("good", "It holds: "),
            f"{units} units, {proof['tests']} tests. Each fails on the stubs and passes on the "
            f"reference, {proof['lessonBlocks']['ok']} code blocks of the lesson do what they say.",
        )
        return
    count = "1 thing" if len(findings) == 1 else f"{len(findings)} things"
    out.line(f"Not yet: {count} to mend.")


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
        out.line("      ", ("dim", f"… {len(lines) - OUTPUT_LINES} lines more, see --json"))


_STEPS = {
    "shape": "Parts (shape)",
    "builds": "Building (builds)",
    "stubs": "Tests on the stubs (stubs)",
    "reference": "Tests on the reference (reference)",
    "stable": "The same every time (stable)",
    "units": "Which test is about which stub (units)",
    "references": "Names, comments and links (references)",
    "lesson": "Lesson (lesson)",
    "giveaway": "Solutions given away (giveaway)",
}


def _begun(out: Out, result: dict[str, Any]) -> None:
    out.line(("good", "Written to "), ("place", result["path"]))
    for file in result["files"]:
        out.line(f"  {file}")
    out.line("It holds as it is. Change it piece by piece, and check it after each:")
    out.line(f"  tutor-lsp check-exercise {result['path']}")


COMMANDS: tuple[Callable[[], click.Command], ...] = (new_command, check_command)
