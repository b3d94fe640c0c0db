"""`exercise_v1`: the file `exercise.toml` of bundled, generated and imported exercises."""

from typing import Annotated, Literal

from pydantic import Field

from tutor_lsp.contracts.base import Contract, Depth, Int, Text

Kebab = Annotated[
    str,
    Field(pattern=r"\A[a-z0-9]+(-[a-z0-9]+)*\z", max_length=64, description="a-z, 0-9 and -."),
]


class ExerciseUnit(Contract):
    """One unit. `tests` are in the order of the test file."""

    id: Annotated[str, Field(pattern=r"\Aex-[1-9][0-9]?\z", description="ex-1, ex-2, …")]
    stub: Text = Field(description="Name of the stub function as in the source.")
    file: Annotated[
        str,
        Field(
            pattern=r"\A(?:src|tests)/.+\z",
            description="Path under src/; of a unit that asks for tests, under tests/, where the "
            "language's own tools find them.",
        ),
    ]
    first_principle: Text
    lesson_heading: Text = Field(description="Exact text of a ## heading of LESSON.md.")
    tests: Annotated[list[Text], Field(min_length=1)]
    practises: list[Kebab] | None = Field(
        description="Constructs of the language that it is about; null for none."
    )
    kind: Literal["body", "declare", "repair", "test", "predict"] | None = Field(
        description="What it asks for: the stub's body, which null means too, its declaration, a "
        "program to be mended, tests of a program, or what a program gives."
    )


class ExerciseFile(Contract):
    """`exercise_v1`. `minutes` is an honest estimate, null if nobody made one."""

    format: Literal["exercise_v1"]
    id: Annotated[str, Field(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]*\z", max_length=80)]
    node: Kebab
    slug: Kebab
    language: Text
    title: Text
    depth: Depth
    minutes: Annotated[Int, Field(ge=1, le=600)] | None
    description: Text
    units: Annotated[list[ExerciseUnit], Field(min_length=1)]
