"""What all contract models have in common."""

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

MOST_BYTES = "maxBytes"
"""Where a model's own JSON schema has the limit of a text; the strict export leaves it out."""


@dataclass(frozen=True, slots=True)
class Bytes:
    """Mark of a text in a model's answer: its limit in bytes of UTF-8 (see `limits`)."""

    most: int

    def __get_pydantic_json_schema__(
        self, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(core_schema), MOST_BYTES: self.most}


Text = Annotated[str, Field(min_length=1)]
"""Text that says something: at least one character."""
Name = Annotated[Text, Bytes(300)]
"""In an answer: an id, a path, the name of a function, a tag."""
Phrase = Annotated[Text, Bytes(1000)]
"""In an answer: one sentence or heading."""
Paragraph = Annotated[Text, Bytes(2000)]
"""In an answer: what a learner reads, at most a hundred words or two."""
Prose = Annotated[Text, Bytes(4000)]
"""In an answer: what a learner reads, some paragraphs at most."""
Snippet = Annotated[Text, Bytes(1500)]
"""In an answer: some lines of code, or of the learner's text."""
Said = Annotated[str, Bytes(4000)]
"""`Prose` that may be empty."""

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
