"""From accepted sections to the files of an exercise. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tutor_lsp.authoring.index import commented_units
from tutor_lsp.authoring.merge import join_lesson, merge_sections
from tutor_lsp.authoring.model import LESSON, Stages
from tutor_lsp.authoring.paths import (
    PathRefusedError,
    check_given,
    check_path,
    check_together,
)
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import Toolchain
from tutor_lsp.core.stage import Rejection, Role
from tutor_lsp.languages.common.proof.imports import ImportRefusedError
from tutor_lsp.languages.registry import dialect, languages


@dataclass(frozen=True, slots=True)
class Assembly:
    """`authored` are lesson, starter and tests; `files` the same with what the toolchain added;
    `mended` says in one sentence each what was put right on the way."""

    authored: Mapping[str, str]
    files: Mapping[str, str]
    mended: tuple[str, ...] = ()


def assemble(stages: Stages, toolchain: Toolchain, title: str) -> Assembly:
    """The files of an exercise.

    Raises TutorError `POLICY_VIOLATION` with `details.rule` (a rule of `paths`, or
    `import-foreign`) and `details.path` for what must not be written, without writing anything.
    """
    src = _merged(Role.STARTER, stages.starter, toolchain)
    tests = _merged(Role.TEST, stages.test, toolchain)
    try:
        check_together([*src, *tests])
    except PathRefusedError as error:
        raise _refused(Role.STARTER, error.rule, error.path, str(error)) from error
    try:
        tests, mended = dialect(toolchain.language).mend_imports(tests, src, toolchain)
    except ImportRefusedError as error:
        raise _refused(Role.TEST, error.rule, error.path, str(error)) from error
    units = stages.scaffold.get("units") or commented_units(src, toolchain)
    lesson = join_lesson(stages.lesson, units, title)
    authored = {LESSON: lesson, **src, **tests}
    return Assembly(authored, toolchain.complete(authored), mended)


def overlay(
    src: Mapping[str, str], solution: Mapping[str, Any], toolchain: Toolchain
) -> dict[str, str]:
    """The files of a solution, keyed by the starter file that each replaces.

    Raises TutorError `POLICY_VIOLATION` for a path that is refused or is no file of the starter.
    """
    found: dict[str, str] = {}
    for file in solution["files"]:
        path = _path(Role.SOLUTION, str(file["file_path"]), toolchain)
        if path not in src:
            raise _refused(
                Role.SOLUTION, "solution-stray", path, f"{path} is no file of the starter"
            )
        found[path] = merge_sections([str(file["content"])], toolchain)
    return found


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
    try:
        check_given(role, path)
        return check_path(role, toolchain.normalise_path(role, path))
    except PathRefusedError as error:
        raise _refused(role, error.rule, error.path, str(error)) from error


def _refused(role: Role, rule: str, path: str, reason: str) -> TutorError:
    return TutorError(
        Rejection.POLICY_VIOLATION.value,
        f"The exercise could not be put together: {reason}. Nothing was written. Start it again "
        "to have it made anew, or open an exercise of the library.",
        stage=role.value,
        reason=reason,
        details={"rule": rule, "path": path},
    )
