"""Step `lesson`: its code does what the text says, and it is not too long. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence

from tutor_lsp.authoring.model import LESSON
from tutor_lsp.authoring.proof.reading.blocks import Block, blocks_of, fits, missing_line
from tutor_lsp.core.exercise.proof_finding import ProofFinding
from tutor_lsp.languages.common.proof.dialect import Dialect, Tried
from tutor_lsp.library.markdown import headings, split_at

SECTION_WORDS = 250
LESSON_WORDS: Mapping[str, int] = {"D1": 1200, "D2": 2000, "D3": 2800}
SHOWN = 400

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


def check_form(lesson: str, depth: str | None) -> list[ProofFinding]:
    """Title, lengths and fences; `depth` (D1–D3) bounds the whole, if it is known."""
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
            said = f'"{heading}" has {count} words beside code, at most {SECTION_WORDS}.'
            yield ProofFinding("lesson", said, LESSON, line)
    total, limit = words(lesson), LESSON_WORDS.get(depth or "", 0)
    if limit and total > limit:
        said = f"The lesson has {total} words beside code, at most {limit} at {depth}."
        yield ProofFinding("lesson", said, LESSON, 1)


def _fences(lesson: str) -> Iterator[ProofFinding]:
    for block in blocks_of(lesson):
        if not block.own_line:
            said = (
                "This code fence does not start on a line of its own, so it is not shown as code."
            )
            yield ProofFinding("lesson", said, LESSON, block.line)


def words(text: str) -> int:
    """Words beside code blocks."""
    return len(_FENCED.sub("", text).split())


def code_blocks(lesson: str, dialect: Dialect) -> tuple[Block, ...]:
    """The blocks in the exercise's language."""
    return tuple(block for block in blocks_of(lesson) if block.language in dialect.fences)


def to_try(blocks: Sequence[Block], dialect: Dialect) -> list[Block]:
    """Those that can be built: programs, complete parts, and whatever claims not to work."""
    return [
        block
        for block in blocks
        if block.wrong or dialect.complete_block(block.code) in ("program", "part")
    ]


def check_blocks(
    blocks: Sequence[Block], tried: Mapping[Block, Tried], dialect: Dialect
) -> tuple[list[ProofFinding], dict[str, int]]:
    """What blocks do and the text does not say, and the figures `run` and `ok`."""
    found: list[ProofFinding] = []
    fine = 0
    for block in blocks:
        result = tried.get(block)
        if result is None:
            if dialect.complete_block(block.code) == "broken":
                said = "This code does not parse."
                found.append(
                    ProofFinding("lesson", said, LESSON, block.line, output=_clip(block.code))
                )
            continue
        message, output = _wrong(block, result) if block.wrong else _right(block, result)
        if message:
            place = f' (in "{block.heading}")' if block.heading else ""
            found.append(
                ProofFinding(
                    "lesson", message + place + ".", LESSON, block.line, output=_clip(output)
                )
            )
        else:
            fine += 1
    return found, {"run": len(tried), "ok": fine}


def _right(block: Block, result: Tried) -> tuple[str | None, str]:
    if result.built is False:
        return f"This code does not build: {_first(result.said)}", result.said
    if result.ran is False:
        said = result.said.strip() or result.output
        return f"This program does not run to its end: {_last(said)}", said
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
        instead = ", ".join(sorted(given)) or _first(result.said)
        text = f"This code fails, but not with {', '.join(sorted(claimed))} as the text claims"
        return f"{text}: {instead}", result.said
    return None, ""


def _first(said: str) -> str:
    return next(
        (line.strip().rstrip(".") for line in said.splitlines() if line.strip()), "no reason given"
    )


def _last(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1].rstrip(".") if lines else "no reason given"


def _clip(text: str) -> str:
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
