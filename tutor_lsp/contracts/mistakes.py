"""Answers about known mistakes of a generated exercise: what they are, and their tags once more."""

from typing import Annotated, Literal

from pydantic import Field

from tutor_lsp.contracts.base import Answer, Bytes, Contract, Int, Name, Text
from tutor_lsp.contracts.setup import UNITS

CODE_BYTES = 4000
"""Largest wrong version of a unit, in bytes."""
UNIT_MISTAKES = 20
"""Most mistakes of a unit in an answer; the first few are kept."""

Code = Annotated[Text, Bytes(CODE_BYTES)]
Says = Annotated[Text, Bytes(400, "line")]
Title = Annotated[Text, Bytes(200, "words")]
Leads = Annotated[Text, Bytes(1000, "markdown")]


class WrittenMistake(Contract):
    """A wrong version of a unit that learners write."""

    name: Title = Field(description="A title of a few words, not used twice in a unit.")
    says: Says = Field(description="What the code does, in one sentence to who wrote it.")
    tag: Name = Field(description="The misconception behind it, from the list given.")
    code: Code = Field(description="The whole wrong definition.")
    error: Name | None = Field(description="What the compiler calls its only error; null if none.")
    hint: Leads | None = Field(description="What leads on from it; null for nothing.")


class UnitMistakes(Contract):
    """The mistakes of one unit."""

    unit_id: Name = Field(description="ex-1, ex-2, … as the stub's comment says.")
    mistakes: Annotated[list[WrittenMistake], Field(max_length=UNIT_MISTAKES)]


class Mistakes(Answer):
    """`mistakes_v1`: the mistakes that people make in each unit, as code."""

    schema_version: Literal["mistakes_v1"]
    role: Literal["mistakes"]
    units: Annotated[list[UnitMistakes], Field(max_length=UNITS)]


class NumberedTag(Contract):
    """What one piece of code shows."""

    number: Annotated[Int, Field(ge=1)] = Field(description="That of the code.")
    tag: Name | None = Field(description="The misconception that it shows; null if none fits.")


class MistakeTags(Answer):
    """`mistake_tags_v1`: the misconceptions again, from what wrong code is and gives alone."""

    schema_version: Literal["mistake_tags_v1"]
    role: Literal["mistake-tags"]
    tags: Annotated[list[NumberedTag], Field(max_length=UNITS * UNIT_MISTAKES)]
