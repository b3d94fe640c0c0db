"""From accepted sections to the files of an exercise. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tutor_lsp.authoring.index import commented_units
from tutor_lsp.authoring.merge import join_lesson, merge_sections
from tutor_lsp.authoring.model import Stages
from tutor_lsp.authoring.paths import (
    PathRefusedError,
    check_given,
    check_path,
    check_together,
)
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.stage import Rejection, Role
from tutor_lsp.languages.common.proof.test_imports import ImportRefusedError
from tutor_lsp.languages.registry import dialect, languages


@dataclass(frozen=True, slots=True)
class Assembly:
    """`authored` are lesson, starter and tests; `files` the same plus what the toolchain added.
    `given` are the tests whose imports were mended, as they were."""

    authored: Mapping[str, str]
    files: Mapping[str, str]
    given: Mapping[str, str] = field(default_factory=dict)


def assemble(stages: Stages, toolchain: Toolchain, title: str) -> Assembly:
    """The files of an exercise.

    Raises TutorError `POLICY_VIOLATION` with `details.rule` (a rule of `paths`, or
    `import-foreign`) and `details.path` for a forbidden path or import; nothing is written then.
    """
    src = _merged(Role.STARTER, stages.starter, toolchain)
    tests = _merged(Role.TEST, stages.test, toolchain)
    with _refusing(Role.STARTER):
        check_together([*src, *tests])
    with _refusing(Role.TEST):
        mended = dialect(toolchain.language).mend_imports(tests, src, toolchain)
    units = stages.scaffold.get("units") or commented_units(src, toolchain)
    lesson = join_lesson(stages.lesson, units, title)
    authored = {LESSON: lesson, **src, **mended}
    given = {path: text for path, text in tests.items() if mended.get(path) != text}
    return Assembly(authored, toolchain.complete(authored), given)


def replaced_imports(assembly: Assembly) -> Iterator[ProofFinding]:
    """Tests whose imports had to be changed for them to be found."""
    for path, before in assembly.given.items():
        rows = before.split("\n")
        after = assembly.authored[path].split("\n")
        gone = next((at for at, row in enumerate(rows) if row.strip() and row not in after), None)
        if gone is None:
            added = next(row for row in after if row not in rows)
            yield ProofFinding("shape", f"{path} lacks `{added.strip()}`.", path, 1)
        else:
            said = f"`{rows[gone].strip()}` names nothing of the exercise, so it was replaced."
            yield ProofFinding("shape", said, path, gone + 1)


def overlay(
    src: Mapping[str, str], solution: Mapping[str, Any], toolchain: Toolchain
) -> dict[str, str]:
    """The files of a solution, keyed by the starter file that each replaces.

    Raises TutorError `POLICY_VIOLATION` for a path that is refused or not a starter file.
    """
    files: dict[str, str] = {}
    with _refusing(Role.SOLUTION):
        for file in solution["files"]:
            path = _path(Role.SOLUTION, str(file["file_path"]), toolchain)
            if path not in src:
                raise PathRefusedError("solution-stray", path, f"{path} is not a starter file")
            files[path] = merge_sections([str(file["content"])], toolchain)
    return files


def _merged(
    role: Role, sections: Sequence[Mapping[str, Any]], toolchain: Toolchain
) -> dict[str, str]:
    contents: dict[str, list[str]] = {}
    for section in sections:
        path = _path(role, str(section["file_path"]), toolchain)
        contents.setdefault(path, []).append(str(section["content"]))
    gap = languages()[toolchain.language].blank_lines
    return {path: merge_sections(texts, toolchain, gap) for path, texts in contents.items()}


def _path(role: Role, path: str, toolchain: Toolchain) -> str:
    with _refusing(role):
        check_given(role, path)
        return check_path(role, toolchain.normalise_path(role, path))


@contextmanager
def _refusing(role: Role) -> Iterator[None]:
    try:
        yield
    except (PathRefusedError, ImportRefusedError) as error:
        raise TutorError(
            Rejection.POLICY_VIOLATION.value,
            f"The exercise could not be assembled: {error}. Nothing was written. Start it again "
            "to have it generated again, or open an exercise of the library.",
            stage=role.value,
            reason=str(error),
            details={"rule": error.rule, "path": error.path},
        ) from error
