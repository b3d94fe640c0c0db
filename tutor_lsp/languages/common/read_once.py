"""Reading texts in a process of its own, which can be killed.

`python -m tutor_lsp.languages.common.read_once LANGUAGE` takes a JSON list of texts on stdin and
prints the number of the first one that would hold up whoever reads it, or nothing.
"""

import json
import sys
import time

from tutor_lsp.languages.common.treesitter import parsed

HELD_S = 0.03
"""Longest time on the processor between two moments in which other threads may go on."""


def holds_up(language: str, text: str) -> bool:
    """Whether parsing a text keeps all other threads waiting for longer than `HELD_S`."""
    last = longest = 0.0

    def on_pause() -> None:
        nonlocal last, longest
        now = time.thread_time()
        longest, last = max(longest, now - last), now

    last = time.thread_time()
    parsed(language, text.encode("utf-8", "replace"), on_pause)
    on_pause()
    return longest > HELD_S


def main() -> int:
    """Exit code 0, whatever was found."""
    parsed(sys.argv[1], b" ", lambda: None)
    for number, text in enumerate(json.load(sys.stdin)):
        if holds_up(sys.argv[1], text):
            sys.stdout.write(str(number))
            break
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
