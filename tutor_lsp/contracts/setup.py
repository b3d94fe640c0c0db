"""Answers of the set-up stages: scaffold, sections, reference solution."""

from typing import Annotated, Literal

from pydantic import Field

from tutor_lsp.contracts.base import Contract, Depth, Text, TextFile


class LessonPlan(Contract):
    """What the lesson will tell, section by section."""

    section_intents: list[Text]


class StarterPlan(Contract):
    """What the starter files will hold."""

    file_intents: list[Text]


class TestPlan(Contract):
    """What the tests will show."""

    __test__ = False
    case_intents: list[Text]


class ScaffoldUnit(Contract):
    """One first principle bound to one stub, its lesson section and its tests."""

    unit_id: Text = Field(description="ex-1, ex-2, … in order.")
    stub: Text = Field(description="Name of the one stub function.")
    file_path: Text = Field(description="Source file of the stub.")
    first_principle: Text
    lesson_heading: Text = Field(description="Heading of the lesson section, without #.")
    test_names: Annotated[list[Text], Field(min_length=1)]


class Scaffold(Contract):
    """`scaffold_v1`: the plan of an exercise. `units` may be null: then the starter decides."""

    schema_version: Literal["scaffold_v1"]
    role: Literal["scaffold"]
    scaffold_id: Text
    node_id: Text
    depth_target: Depth
    exercise_description: Text
    lesson_plan: LessonPlan
    starter_plan: StarterPlan
    test_plan: TestPlan
    units: Annotated[list[ScaffoldUnit], Field(min_length=1)] | None


class StarterSection(Contract):
    """`starter_section_v1`: a source file, or a part of one."""

    schema_version: Literal["starter_section_v1"]
    role: Literal["starter-expand"]
    section_id: Text
    type: Text
    file_path: Text = Field(description="Path under src/.")
    content: Text
    is_complete: bool = Field(description="True if the starter is complete with this section.")
    next_focus: str | None = Field(description="What the next section should hold.")


class TestSection(Contract):
    """`test_section_v1`: a test file, or a part of one."""

    __test__ = False
    schema_version: Literal["test_section_v1"]
    role: Literal["test-expand"]
    section_id: Text
    type: Text
    file_path: Text = Field(description="Path under tests/.")
    content: Text
    is_complete: bool = Field(description="True if the tests are complete with this section.")
    next_focus: str | None = Field(description="What the next section should hold.")


class LessonSection(Contract):
    """`lesson_section_v1`: one section of the lesson, in Markdown."""

    schema_version: Literal["lesson_section_v1"]
    role: Literal["lesson-expand"]
    section_id: Text
    type: Text = Field(description="concept, worked_example, pitfalls, comparison or bridge.")
    content: Text
    is_complete: bool = Field(description="True if the lesson is complete with this section.")
    next_focus: str | None = Field(description="What the next section should tell.")


class SolutionV1(Contract):
    """`solution_v1`: every file that has stubs, in full, with the stubs implemented."""

    schema_version: Literal["solution_v1"]
    role: Literal["solution"]
    files: Annotated[list[TextFile], Field(min_length=1)]


class UnitDomain(Contract):
    """What a unit promises to take, as a source file with a function `accepts`."""

    unit_id: Text = Field(description="ex-1, ex-2, … as the stub's comment says.")
    content: Text = Field(description="Full text of the file.")


class Solution(Contract):
    """`solution_v2`: the same, and for each unit which inputs its comment speaks of."""

    schema_version: Literal["solution_v2"]
    role: Literal["solution"]
    files: Annotated[list[TextFile], Field(min_length=1)]
    accepts: list[UnitDomain] | None = Field(description="One for each stub; null for none.")
