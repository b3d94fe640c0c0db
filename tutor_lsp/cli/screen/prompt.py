"""Questions in a terminal, one line each, that Ctrl-C and signals can end at any time."""

import asyncio
import os
import sys
from collections.abc import Sequence

from tutor_lsp.cli.screen.out import Out, Part
from tutor_lsp.core.text.translation import t

LEAVE = ("q", "quit", "exit")


async def read_line() -> str | None:
    """A line from the terminal on stdin without its end, None at the end of input."""
    loop = asyncio.get_running_loop()
    came: asyncio.Future[bytes] = loop.create_future()
    fd = sys.stdin.fileno()

    def readable() -> None:
        if not came.done():
            came.set_result(os.read(fd, 4096))

    loop.add_reader(fd, readable)
    try:
        data = await came
    finally:
        loop.remove_reader(fd)
    return data.decode(errors="replace").rstrip("\r\n") if data else None


async def ask(err: Out, prompt: str) -> str | None:
    """An answer in words; None if the learner leaves or gives an empty one."""
    err.line(prompt)
    answer = await read_line()
    return answer.strip() or None if answer is not None else None


async def ask_yes_or_no(err: Out, prompt: str, choices: Sequence[str]) -> str | None:
    """The first of two choices for y, the second for n; no other answer is accepted."""
    err.line(("strong", prompt))
    while True:
        err.line(("dim", f"y: {t(choices[0])} · n: {t(choices[1])}"))
        answer = await read_line()
        word = (answer or "").strip().lower()
        if answer is None or word in LEAVE:
            return None
        for letter, choice in zip("yn", choices, strict=True):
            words = (letter, choice.lower(), t(choice).lower(), {"y": "yes", "n": "no"}[letter])
            if word in words:
                return choice


async def ask_number(
    err: Out, prompt: str, rows: Sequence[str | Sequence[Part]], groups: Sequence[str] = ()
) -> int | None:
    """The index of the chosen row; None if the learner leaves. Enter takes the first.

    `groups` are the headings that the rows stand under, one for each, if there are any.
    """
    err.line(("strong", prompt))
    for number, row in enumerate(rows, start=1):
        if groups and (number == 1 or groups[number - 1] != groups[number - 2]):
            err.line(("dim", f"  {groups[number - 1]}"))
        parts = [row] if isinstance(row, str) else list(row)
        err.line(("strong", f"{number:>4}  "), *parts)
    while True:
        err.line(("dim", "Number (Enter for 1, q to leave):"))
        answer = await read_line()
        if answer is None or answer.strip().lower() in LEAVE:
            return None
        word = answer.strip() or "1"
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(rows):
            return int(word) - 1
        err.line(f"Please type a number from 1 to {len(rows)}.")
