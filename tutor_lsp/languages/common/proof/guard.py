"""An exercise with guards around its stubs, which refuse what its units do not take. Pure."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.language.guards import Guarded, Guards, NoGuard
from tutor_lsp.core.ports import Files, FunctionSite, SourceReader
from tutor_lsp.core.text.positions import LineIndex
from tutor_lsp.languages.common.proof.splice import site_of


def guarded(
    files: Files,
    units: Sequence[Unit],
    accepts: Mapping[str, str],
    reader: SourceReader,
    writer: Guards,
) -> dict[str, str]:
    """`files` with a guard around the stub of every unit that `accepts` has a text for, by id.

    Raises NoGuard.
    """
    found = dict(files)
    for unit in units:
        if unit.id not in accepts:
            continue
        text = found.get(unit.file, "")
        site = site_of(reader, text, unit.stub)
        if site is None or site.body_end <= site.body_start:
            raise NoGuard(f"{unit.stub} is not found in {unit.file}")
        found |= writer.around(Guarded(unit, text, site, accepts[unit.id]))
    return writer.prepared(found)


def file_of(unit_id: str, stub_file: str) -> str:
    """Where an exercise keeps the domain of a unit, whose stub stands in that file."""
    return f"accepts/{unit_id}{PurePosixPath(stub_file).suffix}"


def renamed(text: str, site: FunctionSite, name: str) -> str:
    """A function's definition under another name."""
    at = LineIndex(text).offset(site.line, site.column)
    return text[site.start : at] + name + text[at + len(site.name) : site.end]
