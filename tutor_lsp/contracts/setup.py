"""Answers of the set-up stages: scaffold, sections, reference solution."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from tutor_lsp.contracts.base import (
    FILES,
    SECTION_BYTES,
    Answer,
    Bool,
    Bytes,
    Contract,
    Depth,
    Focus,
    Name,
    Phrase,
    Text,
    TextFile,
)

Intents = Annotated[list[Phrase], Field(max_length=60)]
Section = Annotated[Text, Bytes(SECTION_BYTES)]
UNITS = 30
"""Most units of an exercise."""
SECTIONS = 60
"""Most sections of an answer that are read; a loop keeps fewer."""


class LessonPlan(Contract):
    """What the lesson will tell, section by section."""

    section_intents: Intents


class StarterPlan(Contract):
    """What the starter files will hold."""

    file_intents: Intents


class TestPlan(Contract):
    """What the tests will show."""

    __test__ = False
    case_intents: Intents


class ScaffoldUnit(Contract):
    """One first principle bound to one stub, its lesson section and its tests."""

    unit_id: Name = Field(description="ex-1, ex-2, … in order.")
    stub: Name = Field(description="Name of the one stub function.")
    file_path: Name = Field(description="Source file of the stub.")
    first_principle: Phrase
    lesson_heading: Phrase = Field(description="Heading of the lesson section, without #.")
    kind: Literal["body", "declare", "repair", "test", "predict"] | None = Field(
        description="What it asks for: the stub's body, which null means too, its declaration, a "
        "program to be mended, tests of a program, or what a program gives."
    )
    test_names: Annotated[list[Name], Field(min_length=1, max_length=60)]
    practises: Annotated[list[Name], Field(max_length=10)] | None = Field(
        description="What the unit is about of the constructs that the assignment names; else null."
    )


class Scaffold(Answer):
    """`scaffold_v1`: the plan of an exercise. `units` may be null: then the starter decides."""

    schema_version: Literal["scaffold_v1"]
    role: Literal["scaffold"]
    scaffold_id: Name
    node_id: Name
    depth_target: Depth
    exercise_description: Annotated[Text, Bytes(4000, "line")]
    lesson_plan: LessonPlan
    starter_plan: StarterPlan
    test_plan: TestPlan
    units: Annotated[list[ScaffoldUnit], Field(min_length=1, max_length=UNITS)] | None


class StarterSection(Answer):
    """`starter_section_v1`: a source file, or a part of one."""

    schema_version: Literal["starter_section_v1"]
    role: Literal["starter-expand"]
    section_id: Name
    type: Name
    file_path: Name = Field(description="Path under src/.")
    content: Section
    is_complete: Bool = Field(description="True if the starter is complete with this section.")
    next_focus: Focus | None = Field(description="What the next section should hold.")


class TestSection(Answer):
    """`test_section_v1`: a test file, or a part of one."""

    __test__ = False
    schema_version: Literal["test_section_v1"]
    role: Literal["test-expand"]
    section_id: Name
    type: Name
    file_path: Name = Field(description="Path under tests/.")
    content: Section
    is_complete: Bool = Field(description="True if the tests are complete with this section.")
    next_focus: Focus | None = Field(description="What the next section should hold.")


class LessonSection(Answer):
    """`lesson_section_v1`: one section of the lesson, in Markdown."""

    schema_version: Literal["lesson_section_v1"]
    role: Literal["lesson-expand"]
    section_id: Name
    type: Name = Field(description="concept, worked_example, pitfalls, comparison or bridge.")
    content: Annotated[Text, Bytes(SECTION_BYTES, "text")]
    is_complete: Bool = Field(description="True if the lesson is complete with this section.")
    next_focus: Focus | None = Field(description="What the next section should tell.")


class FileSection(Contract):
    """A file, or a part of one, in an answer of several."""

    section_id: Name
    type: Name
    file_path: Name = Field(description="Path under src/ or tests/.")
    content: Section


class StarterSections(Answer):
    """`starter_section_v2`: source files, or parts of them, in one answer."""

    schema_version: Literal["starter_section_v2"]
    role: Literal["starter-expand"]
    sections: Annotated[list[FileSection], Field(min_length=1, max_length=SECTIONS)]
    is_complete: Bool = Field(description="True if the starter is complete with these sections.")
    next_focus: Focus | None = Field(description="What the next call should hold.")


class TestSections(Answer):
    """`test_section_v2`: test files, or parts of them, in one answer."""

    __test__ = False
    schema_version: Literal["test_section_v2"]
    role: Literal["test-expand"]
    sections: Annotated[list[FileSection], Field(min_length=1, max_length=SECTIONS)]
    is_complete: Bool = Field(description="True if the tests are complete with these sections.")
    next_focus: Focus | None = Field(description="What the next call should hold.")


class LessonPart(Contract):
    """One section of the lesson in an answer of several."""

    section_id: Name
    type: Name = Field(description="concept, worked_example, pitfalls, comparison or bridge.")
    content: Annotated[Text, Bytes(SECTION_BYTES, "text")]


class LessonSections(Answer):
    """`lesson_section_v2`: sections of the lesson in one answer."""

    schema_version: Literal["lesson_section_v2"]
    role: Literal["lesson-expand"]
    sections: Annotated[list[LessonPart], Field(min_length=1, max_length=SECTIONS)]
    is_complete: Bool = Field(description="True if the lesson is complete with these sections.")
    next_focus: Focus | None = Field(description="What the next call should tell.")


class SolutionV1(Answer):
    """`solution_v1`: every file that has stubs, in full, with the stubs implemented."""

    schema_version: Literal["solution_v1"]
    role: Literal["solution"]
    files: Annotated[list[TextFile], Field(min_length=1, max_length=FILES)]
    answer_bytes: ClassVar[int] = 256_000


class SolutionWithout(Answer):
    """`solution_without_v1`: a solution once more, without the constructs that it is asked to do
    without."""

    schema_version: Literal["solution_without_v1"]
    role: Literal["solution-without"]
    files: Annotated[list[TextFile], Field(min_length=1, max_length=FILES)] | None = Field(
        description="The files that change, in full; null where the tests cannot be passed so."
    )
    answer_bytes: ClassVar[int] = 256_000


class UnitDomain(Contract):
    """What a unit promises to take, as a source file with a function `accepts`."""

    unit_id: Name = Field(description="ex-1, ex-2, … as the stub's comment says.")
    content: Section = Field(description="Full text of the file.")


class Solution(Answer):
    """`solution_v2`: the same, and for each unit which inputs its comment speaks of."""

    schema_version: Literal["solution_v2"]
    role: Literal["solution"]
    files: Annotated[list[TextFile], Field(min_length=1, max_length=FILES)]
    accepts: Annotated[list[UnitDomain], Field(max_length=UNITS)] | None = Field(
        description="One for each stub; null for none."
    )
    answer_bytes: ClassVar[int] = 256_000
