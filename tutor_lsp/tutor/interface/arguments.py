"""Arguments of the commands, one class each: what a use case receives. `parse_arguments` reads
them; field names are camelCase on the wire.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from tutor_lsp.tutor.interface.place import Arguments, Position, Selection, Text, Word

Question = Annotated[str, Text(2000)]
Depth = Literal["D1", "D2", "D3"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoArguments(Arguments):
    """A command that needs nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunArguments(Arguments):
    """`tutor.check`, `tutor.attempt` and `tutor.next`. `trust` is a yes to running what came from
    elsewhere.
    """

    trust: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StartArguments(Arguments):
    """`tutor.start`. `resume` continues an exercise of the `node` that is begun and not passed, if
    there is one; `trust` agrees to running what came from elsewhere.
    """

    language: Word | None = None
    node: Word | None = None
    topic: Word | None = None
    depth: Depth | None = None
    backend: Word | None = None
    fresh: bool = False
    challenge: bool = False
    error_code: Word | None = None
    from_: Selection | None = None
    resume: bool = False
    trust: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitArguments(Arguments):
    """`tutor.compare`, and what each command about one unit takes: its name, or a position in its
    stub or one of its tests; neither for the unit in focus.
    """

    unit: Word | None = None
    position: Position | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenArguments(UnitArguments):
    """`tutor.open`. `test` is the name of one of the unit's tests, for the target `test`;
    `attempt` the number of one whose review is meant, for the target `coach`."""

    test: Word | None = None
    attempt: int | None = None
    target: Literal["lesson", "stub", "test", "coach"] = "stub"


@dataclass(frozen=True, slots=True, kw_only=True)
class HintArguments(UnitArguments):
    """`tutor.hint`."""

    question: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskArguments(Arguments):
    """`tutor.ask`."""

    unit: Word | None = None
    question: Question | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealArguments(UnitArguments):
    """`tutor.reveal`."""

    confirm: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CurriculumArguments(Arguments):
    """`tutor.curriculum`."""

    language: Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicesArguments(Arguments):
    """`tutor.choices`. `all` shows the topics that need a model, too."""

    list_: Literal["start", "topics", "sessions", "units", "own"] = "start"
    language: Word | None = None
    all_: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimArguments(Arguments):
    """`tutor.claim`."""

    node: Word
    known: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelArguments(Arguments):
    """`tutor.cancel`."""

    job_id: Word | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreArguments(Arguments):
    """`tutor.restore`. `record` is about the learner's record: true, or the day of a backup;
    `dismiss` accepts what was lost."""

    record: bool | Word = False
    dismiss: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetArguments(Arguments):
    """`tutor.reset`."""

    unit: Word | None = None
    undo: bool = False
