"""The right and wrong programs on which a learner's tests run. Never in the learner's folder."""

from dataclasses import dataclass

from tutor_lsp.core.exercise.exercise import prefixes_of_tests


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong program: the whole text of the file that it replaces.

    `says` is what it does wrong, in one sentence; `call` an input that shows it, and `gives` what
    a right program gives there. `tag` names the misconception, `hint` is an L2 of its own.
    """

    name: str
    text: str
    says: str
    call: str
    gives: str
    tag: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Programs:
    """What a unit's tests are run on, besides the program that is given: right ones, and known
    mistakes. Each replaces `file`."""

    file: str
    right: tuple[str, ...]
    wrong: tuple[Mistake, ...]


def verdicts(stub: str) -> tuple[str, str]:
    """The names of the two tests that a run makes of a learner's tests of that stub: that they
    accept the right programs, and that they catch the mistakes."""
    begin = prefixes_of_tests(stub)[-1]
    return f"{begin}accepts_right_programs", f"{begin}catches_mistakes"
