"""The keys of `watch`: what each does, and a line that is typed. Pure.

They are those of the editors (docs/editors.md) as far as these have the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tutor_lsp.core.text.translation import marked

ENTER, ESCAPE, ERASE = "\r\n", "\x1b", "\x7f\b"


@dataclass(frozen=True, slots=True)
class Key:
    """One key. `word` stands beside it below the view, `does` in the list of all keys."""

    word: str
    does: str
    command: str | None = None
    """The command that it does, if it is one, with the options that it has in a shell."""
    other: str = ""
    """The key, where it is not the first letter of its word."""

    @property
    def key(self) -> str:
        """What is pressed."""
        return self.other or self.word[0]


COMMON = (
    Key("check", "run the tests now; every save runs them, too", "tutor.check"),
    Key("hint", "the next hint for the unit that you are on", "tutor.hint"),
    Key("next", "finish this exercise and start the next", "tutor.next"),
    Key("lesson", "the part of the lesson about this unit"),
    Key("attempt", "run all tests, count it, get a review", "tutor.attempt"),
    Key("units", "all units and how they stand", "tutor.status", "f"),
)
"""Those that are always shown, in the order of a learner's day."""
ASK = Key("ask", "ask a question about your code", "tutor.ask", "?")
SOLUTION = Key("solution", "one way to write this unit", "tutor.reveal")
EASIER = Key("easier", "an easier exercise first, after the last hint")
FURTHER = (
    Key("output", "what the failing tests of this unit said and printed"),
    ASK,
    Key("compare", "how the reference differs, once the unit passes", "tutor.compare", "d"),
    SOLUTION,
    EASIER,
    Key("review", "the last review", "tutor.review"),
    Key("reset", "put the stub of this unit back; your text is kept", "tutor.reset", "x"),
    Key("undo", "undo the last reset", "tutor.reset --undo"),
    Key("more", "the next page of what does not fit", other=" "),
    Key("close", "close what a key has shown", other=ESCAPE),
)
HELP = Key("keys", "this list")
QUIT = Key("quit", "leave; nothing is lost")
KEYS = (*COMMON, *FURTHER, HELP, QUIT)
COMMAND_KEYS: Mapping[str, str] = {key.command: key.key for key in KEYS if key.command}
"""The key of each command that has one."""
WAY_KEYS: Mapping[str, str] = {
    "tutor.reveal": SOLUTION.key, "tutor.ask": ASK.key, "tutor.start": EASIER.key,
}  # fmt: skip
"""The keys of the ways on from a last hint, by their commands."""
WORDS: Mapping[str, str] = {key.key: key.word for key in KEYS}
"""What each key stands for."""

NAMES: Mapping[str, str] = {" ": marked("space"), ESCAPE: marked("Esc")}
"""Keys that are no letters, as people name them."""


class Typing:
    """A line that is being typed, a key at a time; `done` gets it, None if it was given up."""

    def __init__(self, prompt: str, done: Callable[[str | None], None]) -> None:
        self.prompt = prompt
        self.text = ""
        self._done = done

    def key(self, key: str) -> bool:
        """Take a key; whether the line goes on."""
        if key in ENTER or key == ESCAPE:
            self._done(self.text.strip() or None if key in ENTER else None)
            return False
        if key in ERASE:
            self.text = self.text[:-1]
        elif key.isprintable():
            self.text += key
        return True
