"""Arguments of the commands, one model each. Loaded with the first command."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from tutor_lsp.core.errors import TutorError

Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Depth = Literal["D1", "D2", "D3"]


class Arguments(BaseModel):
    """What every command takes: which session is meant."""

    model_config = ConfigDict(extra="forbid", strict=True)

    session: Word | None = None
    uri: Annotated[str, StringConstraints(min_length=1, max_length=8192)] | None = None


class Position(BaseModel):
    """An LSP position: zero-based, in the unit that client and server agreed on."""

    model_config = ConfigDict(extra="forbid", strict=True)

    line: int = Field(ge=0)
    character: int = Field(ge=0)


class Range(BaseModel):
    """An LSP range."""

    model_config = ConfigDict(extra="forbid", strict=True)

    start: Position
    end: Position


class Selection(BaseModel):
    """A selection in a document of the learner's own."""

    model_config = ConfigDict(extra="forbid", strict=True)

    uri: str
    range: Range


class NoArguments(Arguments):
    """A command that needs nothing else."""


class RunArguments(Arguments):
    """`tutor.check`, `tutor.attempt` and `tutor.next`. `trust` is a yes to running what came from
    elsewhere.
    """

    trust: bool = False


class StartArguments(Arguments):
    """`tutor.start`. `trust` is a yes to running what came from elsewhere."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    language: Word | None = None
    node: Word | None = None
    topic: Word | None = None
    depth: Depth | None = None
    backend: Word | None = None
    fresh: bool = False
    challenge: bool = False
    error_code: Word | None = Field(default=None, alias="errorCode")
    from_: Selection | None = Field(default=None, alias="from")
    trust: bool = False


class OpenArguments(Arguments):
    """`tutor.open`. `test` is the name of one of the unit's tests, for the target `test`."""

    unit: Word | None = None
    position: Position | None = None
    test: Word | None = None
    target: Literal["lesson", "stub", "test", "coach"] = "stub"


class HintArguments(Arguments):
    """`tutor.hint`."""

    position: Position | None = None
    unit: Word | None = None
    question: Annotated[str, StringConstraints(min_length=1, max_length=2000)] | None = None


class AskArguments(Arguments):
    """`tutor.ask`."""

    unit: Word | None = None
    question: Annotated[str, StringConstraints(min_length=1, max_length=2000)] | None = None


class RevealArguments(Arguments):
    """`tutor.reveal`."""

    unit: Word | None = None
    position: Position | None = None
    confirm: bool = False


class CurriculumArguments(Arguments):
    """`tutor.curriculum`."""

    language: Word | None = None


class ClaimArguments(Arguments):
    """`tutor.claim`."""

    node: Word
    known: bool = True


class CancelArguments(Arguments):
    """`tutor.cancel`."""

    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    job_id: Word | None = Field(default=None, alias="jobId")


class UnitArguments(Arguments):
    """`tutor.compare`."""

    unit: Word | None = None
    position: Position | None = None


class RestoreArguments(Arguments):
    """`tutor.restore`. `record` is about the learner's record: true, or the day of a backup;
    with `dismiss` its learner goes on without what it lost."""

    record: bool | Word = False
    dismiss: bool = False


class ResetArguments(Arguments):
    """`tutor.reset`."""

    unit: Word | None = None
    undo: bool = False


def parse_arguments(command: str, model: str, raw: list[Any]) -> Arguments:
    """The one argument object of `command`, validated.

    Accepts no argument, null or one object. Raises TutorError `BAD_ARGUMENT` naming every wrong
    key and the keys that exist.
    """
    kind: type[Arguments] = globals()[model]
    given = [item for item in raw if item is not None]
    if len(given) > 1 or (given and not isinstance(given[0], dict)):
        raise TutorError(
            "BAD_ARGUMENT",
            f"{command} takes no argument or one object; it got {len(raw)}: {str(raw)[:120]}",
        )
    try:
        return kind.model_validate(given[0] if given else {})
    except ValidationError as error:
        problems = [
            {
                "path": ".".join(str(part) for part in item["loc"]),
                "reason": item["msg"],
            }
            for item in error.errors(include_url=False)
        ]
        known = sorted(field.alias or name for name, field in kind.model_fields.items())
        said = "; ".join(f"{item['path']}: {item['reason']}" for item in problems)
        keys = f" It knows these keys: {', '.join(known)}."
        if all(item["type"] == "string_too_long" for item in error.errors()):
            keys = ""
        raise TutorError(
            "BAD_ARGUMENT",
            f"{command}: {said}.{keys}",
            details={"errors": problems, "known": known},
        ) from None
