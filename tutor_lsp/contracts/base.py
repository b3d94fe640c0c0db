"""What all contract models have in common."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ValidationInfo,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True, slots=True)
class Bytes:
    """A text in a model's answer: its limit in bytes of UTF-8, and how a learner sees it, if at
    all: `markdown` paragraphs, one `line` of Markdown, `words` on one line, `text` unchanged
    except for invisible characters. It counts if the validation has a context: functions by these
    names, which are applied. A packet may have longer texts, such as a learner's own files.

    Structured outputs know no such limit: it is `maxBytes` in a model's own JSON schema only.
    """

    most: int
    read_as: Literal["markdown", "line", "words", "text"] | None = None

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._read, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        read_as = {} if self.read_as is None else {"readAs": self.read_as}
        return {**handler(schema), "maxBytes": self.most, **read_as}

    def _read(self, text: str, info: ValidationInfo) -> str:
        if info.context is None:
            return text
        size = len(text.encode())
        if size > self.most:
            raise ValueError(f"has {size} bytes, at most {self.most}")
        return info.context[self.read_as](text) if self.read_as in info.context else text


Int = Annotated[int, Field(strict=True)]
Bool = Annotated[bool, Field(strict=True)]
"""As in JSON: neither from the other, nor from a text."""
Text = Annotated[str, Field(min_length=1)]
"""Text that is not empty: at least one character."""
Name = Annotated[Text, Bytes(300)]
"""In an answer: an id, a path, the name of a function, a tag."""
Expression = Annotated[Text, Bytes(1000)]
"""In an answer: one line of code."""
Phrase = Annotated[Text, Bytes(1000, "words")]
"""In an answer: one sentence or heading, without Markdown."""
Paragraph = Annotated[Text, Bytes(2000, "markdown")]
"""In an answer: text for the learner, at most a hundred or two hundred words."""
Prose = Annotated[Text, Bytes(4000, "markdown")]
"""In an answer: text for the learner, at most a few paragraphs."""
Sentence = Annotated[Text, Bytes(2000, "line")]
"""In an answer: one line of text for the learner."""
Snippet = Annotated[Text, Bytes(1500)]
"""In an answer: a few lines of code, or of the learner's text."""
Focus = Annotated[str, Bytes(4000)]
"""In an answer: text passed on to the next call."""

SECTION_BYTES = 32_000
"""Largest section of a file or lesson, in bytes."""
FILE_BYTES = 64_000
"""Largest file in an answer, in bytes."""
FILES = 40
"""Most files in an answer."""

MOST_CHARACTERS = 4_000_000
"""Longest text of any document, in characters."""

Depth = Literal["D1", "D2", "D3"]
"""D1 first look, D2 working, D3 fluent."""


class Contract(BaseModel):
    """Base of all models: unknown keys are refused, instances are immutable.

    `answer_bytes` limits the JSON as received, None for a document that no model writes.
    """

    # the length makes pydantic look at each text's characters, so half of a surrogate pair is found
    model_config = ConfigDict(extra="forbid", frozen=True, str_max_length=MOST_CHARACTERS)
    answer_bytes: ClassVar[int | None] = None

    @model_validator(mode="before")
    @classmethod
    def _with_nulls(cls, given: Any) -> Any:
        """A property that may be null is null if it is missing."""
        if not isinstance(given, Mapping):
            return given
        fields = cls.model_fields.items()
        return {name: None for name, each in fields if NoneType in get_args(each.annotation)} | {
            **given
        }


class Answer(Contract):
    """Base of models' answers. Every text and list in it has a limit."""

    answer_bytes: ClassVar[int | None] = 128_000


class TextFile(Contract):
    """One file in full."""

    file_path: Annotated[Text, Bytes(300)] = Field(
        description="Path relative to the exercise, with /."
    )
    content: Annotated[str, Bytes(FILE_BYTES)] = Field(description="Full text of the file.")
