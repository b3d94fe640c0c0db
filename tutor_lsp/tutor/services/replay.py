"""Playing a record of stage payloads as backend `scripted`."""

from pathlib import Path
from typing import Any

from tutor_lsp.authoring.payload_records import import_payloads, is_record, read_lines, replayed
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.stage import Role
from tutor_lsp.languages.foreign import refusal


def replay_lines(path: Path) -> list[dict[str, Any]]:
    """What the backend `scripted` plays from a file: a script as it is, a record made fit.

    Raises TutorError `BAD_SCRIPT`.
    """
    lines = read_lines(path)
    return replayed(import_payloads(lines)) if is_record(lines) else lines


def replay_arguments(path: Path) -> dict[str, Any]:
    """Arguments of `tutor.start` that fit a record: backend, language, depth and a topic.

    It begins anew each time: a record is to be played from its start. Blocks; raises TutorError
    `BAD_SCRIPT`.
    """
    imported = import_payloads(read_lines(path))
    if imported.foreign is not None:
        raise TutorError("BAD_SCRIPT", f"{path} cannot be used: {refusal(*imported.foreign)}")
    found: dict[str, Any] = {"backend": "scripted", "fresh": True}
    scaffold = next(iter(imported.payloads.get(Role.SCAFFOLD, ())), None)
    if imported.language is not None:
        found["language"] = imported.language
    if scaffold is not None:
        found["depth"] = str(scaffold["depth_target"])
    found["topic"] = str(scaffold["scaffold_id"]) if scaffold is not None else path.stem
    return found
