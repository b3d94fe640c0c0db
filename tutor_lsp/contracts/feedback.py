"""Answers of the coach and the reviewer."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from tutor_lsp.contracts.base import Contract, Text, TextFile


class HintPack(Contract):
    """`hint_pack_v1`: one hint. `fix` is the hint carried out; it is run and never shown."""

    schema_version: Literal["hint_pack_v1"]
    role: Literal["coach"]
    unit_id: Text
    level: Annotated[int, Field(ge=1, le=3, description="1, 2 or 3, as asked.")]
    fix: Annotated[list[TextFile], Field(min_length=1)] | None = Field(
        description="The learner's files in full with the hint carried out; run, never shown."
    )
    text: Text = Field(description="The hint in plain words, Markdown without code fences.")
    code: Text | None = Field(description="Code shown with the hint; null at level 1.")
    tags: list[Text] = Field(description="Misconceptions seen, from the list given.")


class ReviewFinding(Contract):
    """A remark on a quote that stands at `file`:`line` (1-based)."""

    file: Text
    line: Annotated[int, Field(ge=1)]
    end_line: Annotated[int, Field(ge=1)]
    quote: Text = Field(description="The learner's text at that place, verbatim.")
    claim: Text
    evidence: Text

    @model_validator(mode="after")
    def _in_order(self) -> "ReviewFinding":
        if self.end_line < self.line:
            raise ValueError("end_line is before line")
        return self


class CounterExample(Contract):
    """An input on which the learner's code is wrong although all tests pass."""

    unit_id: Text
    input: Text = Field(description="The call that goes wrong, as one expression.")
    test: Text = Field(
        description="A complete test file with one test that the reference passes and the "
        "learner's code does not."
    )


class ReviewReport(Contract):
    """`review_report_v1`: the verdict on one attempt."""

    schema_version: Literal["review_report_v1"]
    role: Literal["reviewer"]
    verdict: Literal["PASS", "FAIL"]
    score: Annotated[int, Field(ge=0, le=100, description="0 to 100.")]
    summary: Text
    findings: list[ReviewFinding]
    improvement: str | None = Field(description="The one thing most worth changing.")
    question: str | None = Field(description="One question that makes the learner think on.")
    tags: list[Text] = Field(description="Misconceptions seen, from the list given.")
    counter_example: CounterExample | None
