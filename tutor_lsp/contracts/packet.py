"""`context_packet_v1`: what a stage receives."""

from typing import Annotated, Literal

from pydantic import Field

from tutor_lsp.contracts.base import Bool, Contract, Depth, Int, Text, TextFile
from tutor_lsp.contracts.setup import LessonSection, Scaffold, StarterSection, TestSection

RoleName = Literal[
    "scaffold",
    "starter-expand",
    "test-expand",
    "lesson-expand",
    "solution",
    "mistakes",
    "mistake-tags",
    "solution-without",
    "coach",
    "reviewer",
]


class PacketNode(Contract):
    """The topic. For a free topic `id` is made from the text and the lists are empty."""

    id: Text
    title: Text
    summary: str
    prerequisites: list[Text]
    tags: list[Text] = Field(description="Misconceptions known for this node.")
    keywords: list[Text]


class TagCount(Contract):
    """A misconception of this learner and how often it was seen."""

    tag: Text
    count: Annotated[Int, Field(ge=1)]


class PacketLearner(Contract):
    """What is known of the learner on this node. Mastery is 0–3."""

    mastery: Annotated[Int, Field(ge=0, le=3)]
    tags: list[TagCount]
    challenge: Bool


class Harness(Contract):
    """How sources and tests of the language are named, imported and run."""

    package: Text
    module_paths: list[Text]
    import_line: str = Field(description="How a test imports; empty where nothing is imported.")
    test_file: Text
    text: Text = Field(description="Text of the test harness, or an example of a test.")


class PacketUnit(Contract):
    """The unit in question; `contract` is the stub's signature and comment."""

    unit_id: Text
    stub: Text
    kind: Literal["body", "declare", "repair", "test", "predict"] | None = Field(
        description="What it asks for; null means the stub's body."
    )
    file_path: Text
    first_principle: Text
    lesson_heading: Text
    test_names: list[Text]
    contract: str


class PacketFailure(Contract):
    """One test that did not pass."""

    test: Text
    unit_id: str | None
    outcome: Text
    message: str | None
    expected: str | None
    actual: str | None
    file: str | None
    line: Int | None
    output: str


class PacketTest(Contract):
    """How one test ended."""

    test: Text
    unit_id: str | None
    outcome: Text


class PacketRun(Contract):
    """The last run: counts, how each test ended, failures, build errors (`file:line: message`)
    and why it has no results."""

    outcome: Text
    passed: Annotated[Int, Field(ge=0)]
    total: Annotated[Int, Field(ge=0)]
    reason: str | None
    tests: list[PacketTest]
    failures: list[PacketFailure]
    build_errors: list[Text]


class PacketHint(Contract):
    """A hint shown earlier."""

    level: Annotated[Int, Field(ge=1, le=3)]
    text: Text
    code: str | None
    test: str


class PacketExchange(Contract):
    """A question of the learner's and its answer."""

    asked: Text
    answered: Text


class AuthoredHint(Contract):
    """A hint that came with the exercise, in Markdown."""

    level: Annotated[Int, Field(ge=1, le=3)]
    text: Text


class PacketDiagnosis(Contract):
    """A known mistake that a unit's code makes, found by code and sure: what it `says` is so. One
    that is not `sure` says where the code is wrong: a change there mends it."""

    unit_id: Text
    tag: str | None
    says: Text
    hint: str | None = Field(description="What its author says to it, in Markdown.")
    line: Annotated[Int, Field(ge=1)] = Field(description="Line in the learner's file.")
    sure: bool | None = Field(description="False where only the place is known.")


class PacketWarning(Contract):
    """What a compiler or linter says of a line that the learner wrote in a unit that fails. It may
    be the reason, and need not be."""

    unit_id: Text
    rule: Text
    message: Text
    line: Annotated[Int, Field(ge=1)] = Field(description="Line in the learner's file.")


class PacketTutoring(Contract):
    """What coach and reviewer are given: what the learner sees, and the reference.

    `files` are the learner's files as they are now; `reference` must never be shown.
    """

    session_id: str | None
    exercise_id: Text
    title: Text
    unit: PacketUnit | None
    units: list[PacketUnit] = Field(description="All units, in their order.")
    hint_level: Annotated[Int, Field(ge=1, le=3)] | None
    question: str | None
    exchanges: list[PacketExchange] | None = Field(
        description="The last questions about the unit with their answers, oldest first."
    )
    answer_language: str | None = Field(
        description="Name of the language to write in; null for none in particular."
    )
    attempt: Annotated[Int, Field(ge=1)] | None
    files: list[TextFile]
    starter: list[TextFile]
    tests: list[TextFile]
    lesson_section: str
    diff_since_starter: str
    diff_since_attempt: str | None
    run: PacketRun | None
    diagnoses: list[PacketDiagnosis] | None = Field(
        description="Known mistakes that the code makes; null where none is known."
    )
    warnings: list[PacketWarning] | None = Field(
        description="Warnings about the unit's lines; null where none is known."
    )
    shorter: str | None = Field(
        description="What a shorter call than the failing test's gave and should have given."
    )
    earlier_hints: list[PacketHint]
    authored_hints: list[AuthoredHint]
    reference: list[TextFile]


class TriedMistake(Contract):
    """A wrong version of a unit that was run; `gives` is what came of it."""

    number: Annotated[Int, Field(ge=1)]
    unit_id: Text
    code: Text
    gives: str


class PacketMistakes(Contract):
    """What known mistakes are written from, and tagged again: the reference, which must never be
    shown, and what is tagged."""

    reference: list[TextFile]
    tried: list[TriedMistake]


class ContextPacket(Contract):
    """`context_packet_v1`. Which parts must be there depends on the role (`stages.packet`)."""

    schema_version: Literal["context_packet_v1"]
    role: RoleName
    contract: Text
    iteration: Annotated[Int, Field(ge=1)]
    max_iterations: Annotated[Int, Field(ge=1)] | None
    setup_id: str | None
    at: Text
    language: Text
    depth_target: Depth
    title: Text
    node: PacketNode
    topic: str | None
    selection: str | None = Field(description="Code of the learner's own that it is about.")
    learner: PacketLearner
    harness: Harness
    next_focus: str | None
    scaffold: Scaffold | None
    starter: list[StarterSection]
    tests: list[TestSection]
    lesson: list[LessonSection]
    files: list[TextFile] = Field(description="Assembled files, where they are known.")
    tutoring: PacketTutoring | None
    mistakes: PacketMistakes | None = Field(description="For the stages on known mistakes alone.")
