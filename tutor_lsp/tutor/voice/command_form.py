"""Rewrites commands in sentences to what is typed in a client."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Style = Literal["options", "words", "bare", "titles"]

_START = r"(?<![\w/.-])"
_QUOTED = re.compile(
    # A fence, in a list or a quote too, up to one that is at least as long, or the end.
    r"(^[ \t>]*+(?:(?:[-*+]|\d+[.)])[ \t]++)?(?P<fence>`{3,}+|~{3,}+)[^\n`]*\n"
    r".*?(?:^[ \t>]*+(?P=fence)[`~]*+[ \t]*$|\Z)|“[^”\n]*”)",
    re.MULTILINE | re.DOTALL,
)
_ARGUED = re.compile(_START + r"(tutor\.[a-z]+) with (?=\{)")
_COMMAND = re.compile(_START + r"tutor\.[a-z]+(?!\w|\.\w)")
_ARGUMENT = re.compile(r"\bthe argument ([a-z]+) = ([\w.-]*\w)")
_HOME = re.compile(r"(the setting )?`?" + _START + r"tutor\.home\b`?(?!\.\w)")
_SETTING = re.compile(r"`?" + _START + r"tutor\.([a-z][a-zA-Z]*(?:\.[a-zA-Z]+)*)`?(?!\w|\.\w)")
_DECODER = json.JSONDecoder()
_FIRST = {"tutor.resume": "session", "tutor.open": "target", "tutor.claim": "node",
          "tutor.ask": "question", "tutor.choices": "list"}  # fmt: skip
"""The key of an argument whose value needs no option in a terminal."""
_SWITCHES: Mapping[tuple[str, str, bool], Mapping[str, list[str]]] = {
    ("tutor.claim", "known", True): {"options": ["--known"], "words": []},
    ("tutor.claim", "known", False): {"options": ["--unknown"], "words": ["no"]},
}
"""Values that are typed differently from their key's name, or by leaving it out."""
_PLAIN = frozenset({"unit", "session", "node", "target", "question", "language"})
"""Keys whose value needs no key when words are typed."""


@dataclass(frozen=True, slots=True)
class CommandForm:
    """How commands are typed. Its `template` holds `%s`, whose shape says what stands there:

    - `Name: %s`: the title of the command, as in a palette, and after it in parentheses what is to
      be chosen there;
    - `:Name %s`: the verb and the words of its arguments, as in Vim's command line;
    - `M-x name-%s`: the verb, and after it in parentheses what is to be chosen there;
    - anything else, such as `tutor-lsp %s`: the verb and its options, as in a shell.

    Without a template `tutor.check` stays as it is. `titles` are the commands that there are;
    `settings` are named without their section, as in a shell, if there are any. `keys` are those
    that do a command, which may have words behind it, or that confirm it for the unit on the
    screen; it is named by its key then, as `h (hint)`. `ways` are those of the ways on from a last
    hint, whatever their arguments.
    """

    template: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)
    settings: frozenset[str] = frozenset()
    keys: Mapping[str, str] = field(default_factory=dict)
    ways: Mapping[str, str] = field(default_factory=dict)

    @property
    def style(self) -> Style:
        """What stands for `%s`."""
        head = (self.template or "").partition("%s")[0]
        if head.endswith(": "):
            return "titles"
        if head.startswith(":"):
            return "words"
        return "bare" if head.startswith("M-x ") else "options"

    def command(self, name: str, argument: Mapping[str, Any]) -> str:
        """A command with an argument as it is typed."""
        if self.template is None:
            given = f" with {json.dumps(dict(argument), ensure_ascii=False)}" if argument else ""
            return name + given
        style = self.style
        verb, words = name.removeprefix("tutor."), _words(name, argument, style)
        whole = " ".join([name, *words])
        does = name if "confirm" in argument else whole
        if key := self.keys.get(does):
            return f"{key} ({does.removeprefix('tutor.')})"
        if style in ("titles", "bare"):
            said = self.titles.get(name, name) if style == "titles" else verb
            chosen = f" ({', '.join(words)})" if words else ""
            return self.template.replace("%s", said) + chosen
        line = [verb, *words]
        typed = shlex.join(line) if style == "options" else " ".join(line)
        return self.template.replace("%s", typed)

    def way(self, name: str, argument: Mapping[str, Any]) -> str:
        """A way on from a last hint as it is typed."""
        return self.ways.get(name) or self.command(name, argument)

    def named(self, text: str) -> str:
        """A sentence or Markdown text of the tutor with the commands in it as they are typed:
        `tutor.check`, and `tutor.reset with {"unit": "ex-2"}`. Code blocks stay as they
        are, and titles, which stand in “ ”."""
        if self.template is None or ("tutor." not in text and "the argument" not in text):
            return text
        parts = _QUOTED.split(text)
        # Each block brings itself and its fence with it.
        return "".join(
            part if at % 3 == 1 else self._sentence(part)
            for at, part in enumerate(parts)
            if at % 3 != 2
        )

    def _sentence(self, text: str) -> str:
        parts: list[str] = []
        at = 0
        for match in _ARGUED.finditer(text):
            if match.start() < at or match[1] not in self.titles:
                continue
            try:
                argument, end = _DECODER.raw_decode(text, match.end())
            except ValueError:
                continue
            parts += [self._plain(text[at : match.start()]), self.command(match[1], argument)]
            at = end
        return "".join([*parts, self._plain(text[at:])])

    def _plain(self, text: str) -> str:
        text = _COMMAND.sub(lambda m: self.command(m[0], {}) if m[0] in self.titles else m[0], text)
        if not self.settings:
            return text
        text = _HOME.sub("`--home`", text)
        text = _SETTING.sub(lambda m: f"`{m[1]}`" if m[1] in self.settings else m[0], text)
        return _ARGUMENT.sub(lambda m: f"`--{m[1]} {m[2]}`", text)


def _words(name: str, argument: Mapping[str, Any], style: Style) -> list[str]:
    return [word for key, value in argument.items() for word in _typed(name, key, value, style)]


def _typed(name: str, key: str, value: Any, style: Style) -> list[str]:
    option = "--" + re.sub(r"[A-Z]", lambda letter: f"-{letter[0].lower()}", key)
    if isinstance(value, bool):
        plain = [option if style == "options" else key] if value else []
        return _SWITCHES.get((name, key, value), {}).get(style, plain)
    if style == "options":
        return [str(value)] if key == _FIRST.get(name) else [option, str(value)]
    return [str(value) if key in _PLAIN else f"{key}={value}"]
