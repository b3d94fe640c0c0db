"""What all contract models have in common."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(min_length=1)]
"""Text that says something: at least one character."""

Depth = Literal["D1", "D2", "D3"]
"""D1 first look, D2 working, D3 fluent."""


class Contract(BaseModel):
    """Base of all models: unknown keys are refused, instances do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TextFile(Contract):
    """One file in full."""

    file_path: Text = Field(description="Path relative to the exercise, with /.")
    content: str = Field(description="Full text of the file.")
