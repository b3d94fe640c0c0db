"""Reading texts in a process of its own, which can be killed.

`python -m tutor_lsp.languages.common.read_once LANGUAGE` takes a JSON list of texts on stdin and
prints the number of the first one that would hold up whoever reads it, or nothing.
"""

import json
import sys
import time

from tutor_lsp.core.language.syntax import Grammar
from tutor_lsp.languages.common.treesitter import parsed
from tutor_lsp.languages.registry import dialect

HELD_S = 0.03
"""Longest time on the processor between two moments in which other threads may go on."""


def holds_up(grammar: Grammar, text: str) -> bool:
    """Whether parsing a text keeps all other threads waiting for longer than `HELD_S`. Code in
    Python lets them go on; that it comes to its end is for the one who started this process."""
    if grammar.reads is not None:
        grammar.reads(text)
        return False
    last = longest = 0.0

    def on_pause() -> None:
        nonlocal last, longest
        now = time.thread_time()
        longest, last = max(longest, now - last), now

    last = time.thread_time()
    parsed(grammar.name, text.encode("utf-8", "replace"), on_pause)
    on_pause()
    return longest > HELD_S


def main() -> int:
    """Exit code 0, whatever was found."""
    grammar = dialect(sys.argv[1]).grammar
    holds_up(grammar, " ")
    for number, text in enumerate(json.load(sys.stdin)):
        if holds_up(grammar, text):
            sys.stdout.write(str(number))
            break
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
