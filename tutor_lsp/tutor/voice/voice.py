"""How one client is addressed: in its language, with commands as they are typed there."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.text.plain_text import spoken
from tutor_lsp.core.text.translation import filled, form_of, n, t
from tutor_lsp.tutor.interface.results import Say
from tutor_lsp.tutor.voice.command_form import CommandForm

ONE_LINE = 200
"""Characters of the short form of a result, at most."""
OURS = frozenset(
    {"message", "note", "reason", "why", "remedy", "summary", "ended", "reviewError", "problems"}
)
"""Keys of results whose texts are sentences of the tutor, which may name commands."""
KEPT = frozenset(
    {"say", "tests", "buildErrors", "review", "findings", "hint", "nodes", "tracks", "units",
     "history", "next", "recommendations", "recommended", "proof"}
)  # fmt: skip
"""Keys below which texts are the learner's, a model's or an exercise's, or are named already."""


@dataclass(frozen=True, slots=True)
class Voice:
    """Sentences as one client gets them."""

    commands: CommandForm = field(default_factory=CommandForm)

    def t(self, text: str, /, **values: object) -> str:
        """A text with its commands as they are typed and its `{name}` places filled; the values
        stay as they are."""
        return filled(form_of(text), text, values, self.commands.named)

    def n(self, one: str, many: str, count: int, /, **values: object) -> str:
        """The form of a text for a number, which fills `{count}`."""
        return self.commands.named(n(one, many, count, **values))

    def ours(self, sentence: str) -> str:
        """A sentence of the tutor's from elsewhere, with its commands as they are typed."""
        return self.commands.named(t(sentence))

    def named(self, data: Any) -> Any:
        """JSON data with the commands in the tutor's own sentences as they are typed."""
        if self.commands.template is None:
            return data
        return self._named(data, ours=False)

    def refusal(self, error: TutorError) -> TutorError:
        """The same error, with the commands in its message as they are typed."""
        error.message = self.ours(error.message)
        error.details = self.named(error.details)
        return error

    def _named(self, data: Any, *, ours: bool) -> Any:
        if isinstance(data, str):
            return self.ours(data) if ours else data
        if isinstance(data, Mapping):
            return {
                key: item if key in KEPT else self._named(item, ours=key in OURS)
                for key, item in data.items()
            }
        if isinstance(data, list | tuple):
            return [self._named(item, ours=ours) for item in data]
        return data


@dataclass(frozen=True, slots=True)
class Words:
    """A result in words: a heading, sentences of which the first matter most, and the whole."""

    title: str
    sentences: tuple[str, ...]
    body: tuple[str, ...] = ()
    """Paragraphs of Markdown; without any the sentences are the whole."""

    @property
    def message(self) -> str:
        """The sentences, whole."""
        return " ".join(self.sentences)

    @property
    def say(self) -> Say:
        """As it is sent."""
        body = "\n\n".join(self.body or self.sentences)
        return Say(
            self.title, shortened(self.message), f"# {spoken(self.title)}\n\n{body}".rstrip()
        )


def words(title: str, *sentences: str | None, body: tuple[str | None, ...] = ()) -> Words:
    """`Words` of what there is."""
    said = tuple(part for part in sentences if part)
    return Words(title, said, tuple(part for part in body if part))


def joined(*parts: str | None) -> str:
    """The non-empty parts, separated by dots."""
    return " · ".join(part for part in parts if part)


def shortened(text: str, most: int = ONE_LINE) -> str:
    """A text in one line, cut between words if it is too long."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    return text[: most - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def item(*parts: str | None, indent: int = 0) -> str:
    """An item of a list in Markdown."""
    return "  " * indent + "- " + " ".join(part for part in parts if part)


def sentence(text: str) -> str:
    """A text with a full stop, unless it ends with a mark of its own."""
    return text if text.rstrip().endswith((".", "!", "?", "…")) else f"{text.rstrip()}."
