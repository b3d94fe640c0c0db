"""The list that `start` shows when nothing is requested."""

from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.cli.screen.out import Out, Part
from tutor_lsp.cli.screen.prompt import ask, ask_number
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.application.app import App
from tutor_lsp.tutor.commands.dispatch import execute

CHOICES = "tutor.choices"


async def choose_start(app: App, err: Out) -> tuple[str, Mapping[str, Any]] | None:
    """Command and argument that the learner chose; None if they left."""
    command, argument = CHOICES, {"list": "start"}
    prompt = t("What would you like to do?")
    while command == CHOICES:
        rows = await execute(app, CHOICES, [argument])
        groups = [row["group"] for row in rows]
        number = await ask_number(err, prompt, _lines(rows), groups) if rows else None
        if number is None:
            return None
        row = rows[number]
        command, argument, prompt = row["command"], dict(row["argument"]), row["label"]
        for key in [key for key, value in argument.items() if value == ""]:
            answer = await ask(err, row["detail"])
            if answer is None:
                return None
            argument[key] = answer
    return command, argument


def _lines(rows: Sequence[Mapping[str, Any]]) -> list[list[Part]]:
    """What each row is; a question is put when it is chosen."""
    return [
        [row["label"], ("dim", f"  {row['detail']}" if row["kind"] != "ask" else "")]
        for row in rows
    ]
