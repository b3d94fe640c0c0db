"""A learner's code of one unit beside the reference's other units. Pure."""

from tutor_lsp.authoring.merge import import_statements
from tutor_lsp.core.exercise.exercise import Unit
from tutor_lsp.core.ports import Files, SourceReader, Toolchain
from tutor_lsp.languages.common.proof.splice import replaced, site_of


def beside_reference(
    units: tuple[Unit, ...],
    unit: Unit,
    mine: Files,
    solved: Files,
    toolchain: Toolchain,
) -> dict[str, str]:
    """The solved files with the file of a unit as the learner has it, in which the other units'
    functions are those of the reference; what else the learner wrote in it stays."""
    text, right = mine[unit.file], solved.get(unit.file, "")
    changes = []
    for other in units:
        if other is unit or other.file != unit.file:
            continue
        site, theirs = (site_of(toolchain, each, other.stub) for each in (text, right))
        if site is not None and theirs is not None:
            changes.append((site.start, site.end, right[theirs.start : theirs.end]))
    made = _with_imports(toolchain, replaced(text, changes), right) if changes else text
    return toolchain.complete({**solved, unit.file: made})


def _with_imports(reader: SourceReader, text: str, right: str) -> str:
    """The text with the imports of another that it lacks, behind its own or before all else."""
    rows, others = text.split("\n"), right.split("\n")
    known = import_statements(reader, rows)
    mine = {"\n".join(rows[first:last]) for first, last in known}
    wanted = ("\n".join(others[first:last]) for first, last in import_statements(reader, others))
    lacking = [each for each in wanted if each not in mine]
    if not lacking:
        return text
    at = known[-1][1] if known else _first_line(reader, text)
    return "\n".join([*rows[:at], *lacking, *rows[at:]])


def _first_line(reader: SourceReader, text: str) -> int:
    """The line, counted from 0, of the first function or its comment."""
    sites = reader.functions(text)
    starts = (min(text.count("\n", 0, s.start), (s.comment_line or s.line) - 1) for s in sites)
    return min(starts, default=0)
