"""What all contract models have in common."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

MOST_BYTES, READ_AS = "maxBytes", "readAs"
"""Where a model's own JSON schema has what `Bytes` says; the strict export leaves them out."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """Mark of a text in a model's answer: its limit in bytes of UTF-8 (see `limits`), and as what
    a learner reads it, if at all (see `stages.plain_markdown`): `markdown` of some paragraphs, one
    `line` of Markdown, `words` on one line, `text` as it is but for characters nobody sees.
    """

    most: int
    read_as: Literal["markdown", "line", "words", "text"] | None = None

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        marks: dict[str, Any] = {MOST_BYTES: self.most}
        if self.read_as is not None:
            marks[READ_AS] = self.read_as
        return {**handler(core_schema), **marks}


Text = Annotated[str, Field(min_length=1)]
"""Text that says something: at least one character."""
Name = Annotated[Text, Bytes(300)]
"""In an answer: an id, a path, the name of a function, a tag."""
Expression = Annotated[Text, Bytes(1000)]
"""In an answer: one line of code."""
Phrase = Annotated[Text, Bytes(1000, "words")]
"""In an answer: one sentence or heading, without Markdown."""
Paragraph = Annotated[Text, Bytes(2000, "markdown")]
"""In an answer: what a learner reads, at most a hundred words or two."""
Prose = Annotated[Text, Bytes(4000, "markdown")]
"""In an answer: what a learner reads, some paragraphs at most."""
Sentence = Annotated[Text, Bytes(2000, "line")]
"""In an answer: what a learner reads on one line."""
Snippet = Annotated[Text, Bytes(1500)]
"""In an answer: some lines of code, or of the learner's text."""
Focus = Annotated[str, Bytes(4000)]
"""In an answer: what the next call is told."""

SECTION_BYTES = 32_000
"""Largest section of a file or lesson."""
FILE_BYTES = 64_000
"""Largest file in an answer."""
FILES = 40
"""Most files in an answer."""

Depth = Literal["D1", "D2", "D3"]
"""D1 first look, D2 working, D3 fluent."""


class Contract(BaseModel):
    """Base of all models: unknown keys are refused, instances do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Answer(Contract):
    """Base of what a model answers. Every text and list in it has a limit; `answer_bytes` is that
    of the JSON as it comes."""

    answer_bytes: ClassVar[int] = 128_000


class TextFile(Contract):
    """One file in full."""

    file_path: Annotated[Text, Bytes(300)] = Field(
        description="Path relative to the exercise, with /."
    )
    content: Annotated[str, Bytes(FILE_BYTES)] = Field(description="Full text of the file.")
