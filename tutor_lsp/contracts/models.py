"""Every contract model by name. Importing this loads pydantic."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tutor_lsp.contracts.base import Contract
from tutor_lsp.contracts.exercise import ExerciseFile
from tutor_lsp.contracts.feedback import HintPack, ReviewReport
from tutor_lsp.contracts.mistakes import Mistakes, MistakeTags
from tutor_lsp.contracts.packet import ContextPacket
from tutor_lsp.contracts.setup import (
    LessonSection,
    LessonSections,
    Scaffold,
    Solution,
    SolutionV1,
    SolutionWithout,
    StarterSection,
    StarterSections,
    TestSection,
    TestSections,
)

MODELS: Mapping[str, type[Contract]] = MappingProxyType(
    {
        "context_packet_v1": ContextPacket,
        "exercise_v1": ExerciseFile,
        "hint_pack_v1": HintPack,
        "lesson_section_v1": LessonSection,
        "lesson_section_v2": LessonSections,
        "mistake_tags_v1": MistakeTags,
        "mistakes_v1": Mistakes,
        "review_report_v1": ReviewReport,
        "scaffold_v1": Scaffold,
        "solution_v1": SolutionV1,
        "solution_v2": Solution,
        "solution_without_v1": SolutionWithout,
        "starter_section_v1": StarterSection,
        "starter_section_v2": StarterSections,
        "test_section_v1": TestSection,
        "test_section_v2": TestSections,
    }
)


def validated(
    contract: str, document: Any, read: Mapping[str, Any] | None
) -> tuple[dict[str, Any], list[ErrorDetails]]:
    """The document as its model has it, or all that the model refuses."""
    try:
        model = MODELS[contract].model_validate(document, context=read)
    except ValidationError as error:
        return {}, error.errors(include_url=False)
    return model.model_dump(mode="json"), []
