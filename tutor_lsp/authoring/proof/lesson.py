"""Step `lesson`: its code does what the text says, and it is not too long. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from tutor_lsp.authoring.proof.reading.blocks import (
    Block,
    blocks_of,
    fences_in_lines,
    fits,
    missing_line,
)
from tutor_lsp.core.exercise.exercise import LESSON
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.core.language.dialect import Dialect, Tried
from tutor_lsp.core.text.plain_text import clip
from tutor_lsp.languages.registry import languages
from tutor_lsp.library.markdown import headings, split_at, without_code

SECTION_WORDS = 250
LESSON_WORDS: Mapping[str, int] = {"D1": 1200, "D2": 2000, "D3": 2800}
SHOWN = 400
NO_FILES: Mapping[str, str] = MappingProxyType({})


def check_form(lesson: str, depth: str | None) -> list[ProofFinding]:
    """Title, lengths and fences; `depth` (D1–D3), if known, limits the total."""
    return [*_title(lesson), *_lengths(lesson, depth), *_fences(lesson)]


def _title(lesson: str) -> Iterator[ProofFinding]:
    marks = list(headings(lesson))
    if not marks or marks[0].level != 1 or sum(mark.level == 1 for mark in marks) != 1:
        yield ProofFinding("lesson", "The lesson must begin with one `# ` title.", LESSON, 1)


def _lengths(lesson: str, depth: str | None) -> Iterator[ProofFinding]:
    lines = [mark.line for mark in headings(lesson) if mark.level == 2]
    for line, piece in zip(lines, split_at(lesson, 2), strict=False):
        head = next(mark for mark in headings(piece) if mark.level == 2)
        heading = head.text
        # the first piece has title and introduction too
        count = words("\n".join(piece.split("\n")[head.line :]))
        if count > SECTION_WORDS:
            said = f'"{heading}" has {count} words besides code, at most {SECTION_WORDS}.'
            yield ProofFinding("lesson", said, LESSON, line)
    total, limit = words(lesson), LESSON_WORDS.get(depth or "", 0)
    if limit and total > limit:
        said = f"The lesson has {total} words besides code, at most {limit} at {depth}."
        yield ProofFinding("lesson", said, LESSON, 1)


def _fences(lesson: str) -> Iterator[ProofFinding]:
    said = "This code fence does not start on a line of its own, so it is not shown as code."
    for line in fences_in_lines(lesson):
        yield ProofFinding("lesson", said, LESSON, line)


def words(text: str) -> int:
    """The number of words outside code blocks."""
    return len(without_code(text).split())


def code_blocks(lesson: str, dialect: Dialect) -> tuple[Block, ...]:
    """The blocks in the exercise's language."""
    language = languages()[dialect.language]
    found = blocks_of(lesson, language.lines)
    return tuple(block for block in found if block.language in language.names.fences)


def to_try(blocks: Sequence[Block], dialect: Dialect) -> list[Block]:
    """The blocks that can be built: programs, complete parts, and whatever claims not to work."""
    return [
        block
        for block in blocks
        if block.wrong or dialect.complete_block(block.code) in ("program", "part")
    ]


def check_blocks(
    blocks: Sequence[Block],
    tried: Mapping[Block, Tried],
    dialect: Dialect,
    files: Mapping[str, str] = NO_FILES,
) -> tuple[list[ProofFinding], dict[str, int]]:
    """Findings where blocks and text disagree, and the figures `run` and `ok`. `files` are those of
    the exercise, which a block may lack."""
    found: list[ProofFinding] = []
    fine = 0
    for block in blocks:
        result = tried.get(block)
        if result is None:
            if dialect.complete_block(block.code) == "broken":
                said = "This code does not parse."
                found.append(_at(block, said, block.code))
            continue
        message, output = _wrong(block, result) if block.wrong else _right(block, result)
        if message:
            place = f' (in "{block.heading}")' if block.heading else ""
            lacks = dialect.lacks(block.code, f"{result.said}\n{result.output}", files)
            said = f"{message}{place}. {lacks}".rstrip()
            found.append(_at(block, said, output))
        else:
            fine += 1
    return found, {"run": len(tried), "ok": fine}


def _at(block: Block, message: str, output: str) -> ProofFinding:
    return ProofFinding("lesson", message, LESSON, block.line, output=clip(output, SHOWN))


def _right(block: Block, result: Tried) -> tuple[str | None, str]:
    if result.built is False:
        return f"This code does not build: {_line(result.said, 0)}", result.said
    if result.ran is False:
        said = result.said.strip() or result.output
        return f"This program does not run to its end: {_line(said, -1)}", said
    if result.ran is None:
        return None, ""
    if block.output is not None and not fits(block.output, result.output):
        return "This program does not print what the text below it shows", result.output
    missed = missing_line(block.lines, result.output)
    if missed is not None:
        return f'This program does not print "{missed}" where the comment says so', result.output
    unsaid = next((said for said in block.said if said not in result.output), None)
    if unsaid is not None:
        return f"This program does not print `{unsaid}` as the text below it says", result.output
    return None, ""


def _wrong(block: Block, result: Tried) -> tuple[str | None, str]:
    if result.built is not False and result.ran is not False:
        return "This code is marked as wrong, but it works", result.output
    claimed = {code.rpartition(".")[2] for code in block.codes}
    given = {code.rpartition(".")[2] for code in result.codes}
    if claimed and not claimed & given:
        instead = ", ".join(sorted(given)) or _line(result.said, 0)
        text = f"This code fails, but not with {', '.join(sorted(claimed))} as the text claims"
        return f"{text}: {instead}", result.said
    return None, ""


def _line(said: str, at: int) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[at].rstrip(".") if lines else "no reason given"
