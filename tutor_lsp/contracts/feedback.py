"""Answers of the coach and the reviewer."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from tutor_lsp.contracts import base
from tutor_lsp.contracts.base import (
    FILES,
    Answer,
    Bytes,
    Contract,
    Int,
    Name,
    Paragraph,
    Prose,
    Sentence,
    Snippet,
    Text,
    TextFile,
)

Remark = Annotated[str, Bytes(2000, "line")]
Tags = Annotated[
    list[Name],
    Field(max_length=20, description="Misconceptions seen, from the list given."),
]


class Claim(Contract):
    """What a call gives on the learner's code as it is; run before it is shown."""

    call: Annotated[base.Expression, Field(max_length=400)] = Field(
        description="One call of a stub, or of a method of its class, with values as arguments."
    )
    gives: Annotated[base.Expression, Field(max_length=400)] = Field(
        description="Its value, as one expression, or the name of the error that it ends with."
    )


class HintPack(Answer):
    """`hint_pack_v1`: one hint. `fix` is the hint carried out; it is run and never shown. It and
    `claims` come first, so that `text` can be checked while it is still being written."""

    schema_version: Literal["hint_pack_v1"]
    role: Literal["coach"]
    unit_id: Name
    level: Annotated[Int, Field(ge=1, le=3, description="1, 2 or 3, as asked.")]
    fix: Annotated[list[TextFile], Field(min_length=1, max_length=FILES)] | None = Field(
        description="The learner's files in full with the hint carried out; run, never shown."
    )
    claims: Annotated[list[Claim], Field(max_length=8)] | None = Field(
        description="Each statement of text about what a call gives on the learner's code."
    )
    text: Paragraph = Field(description="The hint in plain words, Markdown without code fences.")
    code: Annotated[Text, Bytes(1500, "text")] | None = Field(
        description="Code shown with the hint; null at level 1."
    )
    tags: Tags
    answer_bytes: ClassVar[int] = 256_000


class Quoted(Contract):
    """A quote of the learner's text at `file`:`line`..`end_line` (1-based)."""

    file: Name
    line: Annotated[Int, Field(ge=1)]
    end_line: Annotated[Int, Field(ge=1)]
    quote: Snippet = Field(description="The learner's text at that place, verbatim.")

    @model_validator(mode="after")
    def _in_order(self) -> "Quoted":
        if self.end_line < self.line:
            raise ValueError("end_line is before line")
        return self


class ReviewFinding(Quoted):
    """A remark on a quote. Where it says what the code does, its `probe` is run first."""

    claim: Sentence
    evidence: Sentence
    probe: Claim | None = Field(
        description="A call that shows what claim says of the code; null where no call can."
    )


class TagEvidence(Quoted):
    """Where a misconception shows: a quote, and the test that it shows in."""

    tag: Name = Field(description="One of tags.")
    test: Name = Field(description="Name of a test of the exercise.")


Setup = Annotated[
    list[Annotated[base.Expression, Field(max_length=400)]],
    Field(max_length=20, description="Statements that come before the call, one each; no imports."),
]
Expression = Annotated[base.Expression, Field(max_length=400)]


class CounterExample(Contract):
    """An input on which the learner's code is wrong although all tests pass. It is run on the
    learner's code and on the reference, with the imports of the exercise's tests."""

    unit_id: Name
    setup: Setup
    call: Expression = Field(description="The call that goes wrong, as one expression.")
    expected: Expression = Field(description="What it must give, as one expression without it.")


class QuestionProbe(Quoted):
    """What the question is about, and its answer, which is run on the learner's code."""

    setup: Setup
    call: Expression = Field(description="One expression whose value is the answer.")
    answer: Expression = Field(description="Its value, as one expression.")


class ReviewReport(Answer):
    """`review_report_v1`: the verdict on one attempt."""

    schema_version: Literal["review_report_v1"]
    role: Literal["reviewer"]
    verdict: Literal["PASS", "FAIL"]
    score: Annotated[Int, Field(ge=0, le=100, description="0 to 100.")]
    summary: Prose
    findings: Annotated[list[ReviewFinding], Field(max_length=20)]
    improvement: Annotated[str, Bytes(2000, "line")] | None = Field(
        description="The one thing most worth changing."
    )
    improvement_at: Quoted | None = Field(description="The learner's own lines it is about.")
    question: Annotated[str, Bytes(2000, "line")] | None = Field(
        description="One question that makes the learner think on."
    )
    question_probe: QuestionProbe | None
    tags: Tags
    tag_evidence: Annotated[list[TagEvidence], Field(max_length=20)] | None = Field(
        description="One for each of tags."
    )
    counter_example: CounterExample | None
