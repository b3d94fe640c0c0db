"""Short texts on misconceptions: one per tag, with a worked example that runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from tutor_lsp.languages.registry import languages
from tutor_lsp.library.markdown import body, split_at


@dataclass(frozen=True, slots=True)
class Remedial:
    """A text on a misconception; `text` is Markdown without headings."""

    tag: str
    title: str
    text: str


def remedial_texts(language: str) -> Mapping[str, Remedial]:
    """A language's texts from its `remedial.md`, by tag; empty without one.

    Each begins with `## tag: Title`. Blocks.
    """
    known = languages().get(language)
    text = (known and known.text("remedial.md")) or ""
    texts: dict[str, Remedial] = {}
    for piece in split_at(text, 2):
        tag, _, title = piece.partition("\n")[0].removeprefix("## ").partition(":")
        texts[tag.strip()] = Remedial(tag.strip(), title.strip(), body(piece))
    return texts


def about(tag: str, texts: Mapping[str, Remedial]) -> Remedial:
    """The text on a tag, or a neutral reminder if nobody has written one."""
    words = tag.replace("-", " ").replace("_", " ")
    return texts.get(tag) or Remedial(
        tag,
        words[:1].upper() + words[1:],
        f"“{words}” has come up in your work before. Before you run the tests of a stub, look "
        "through your text for it once.",
    )
