"""The contracts: what a stage is given and what it must answer, versioned.

`models` holds the pydantic models by contract name, `export` writes them as strict JSON Schema
to `schemas/`, `lint` checks that subset, `validate` checks a document against a contract.

Deliberately absent: files of exercises, processes, and rules that need more than one document.
"""

NAMES: tuple[str, ...] = (
    "context_packet_v1",
    "exercise_v1",
    "hint_pack_v1",
    "lesson_section_v1",
    "review_report_v1",
    "scaffold_v1",
    "solution_v1",
    "solution_v2",
    "starter_section_v1",
    "test_section_v1",
)
"""Every contract, sorted; importing this costs nothing."""
