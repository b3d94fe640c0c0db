"""Toy's text as the tutor reads it: functions with their comments, tests, syntax errors. Pure."""

from toy_language.grammar import blocks_of
from tutor_lsp.core.exercise.report import BuildError
from tutor_lsp.core.ports import FunctionSite, TestSite


def functions(text):
    """See `core.ports.SourceReader`."""
    return tuple(site(text, block) for block in blocks_of(text)[0] if block.kind == "fun")


def site(text, block):
    """Where a function and its parts stand."""
    name, words = block.name, block.words
    comment, first = _comment(text, words[0].line)
    inside = [word for line in block.lines() for word in line]
    heading = text.split("\n")[words[0].line - 1].strip()
    closed = words[-1].text == "end"
    empty_at = words[-1].start if closed else words[-1].end
    return FunctionSite(
        name=name.text,
        line=name.line,
        column=name.column,
        end_column=name.column + len(name.text),
        signature=heading,
        comment=comment,
        comment_line=first,
        comment_end_line=words[0].line - 1 if comment is not None else name.line,
        start=words[0].start,
        end=words[-1].end,
        body_start=inside[0].start if inside else empty_at,
        body_end=inside[-1].end if inside else empty_at,
    )


def _comment(text, line):
    lines, first = text.split("\n"), line
    while first > 1 and lines[first - 2].lstrip().startswith("--"):
        first -= 1
    found = [
        each.strip().removeprefix("--").removeprefix(" ") for each in lines[first - 1 : line - 1]
    ]
    return ("\n".join(found), first) if found else (None, line)


def tests(text):
    """See `core.ports.SourceReader`."""
    found = []
    for block in blocks_of(text)[0]:
        if block.kind == "test":
            pairs = zip(block.words, block.words[1:], strict=False)
            calls = [a.text for a, b in pairs if a.kind == "name" and b.text == "("]
            last = block.words[-1].line
            found.append(
                TestSite(block.name.text, block.name.line, last, tuple(dict.fromkeys(calls)))
            )
    return tuple(found)


def syntax_error(file, text):
    """See `core.ports.SourceReader`."""
    broken = blocks_of(text)[2]
    if broken is None:
        return None
    at = broken.at
    return BuildError(
        file, at.line, at.column, at.line, at.column + len(at.text), None, broken.message
    )


def imports(text):
    """Toy has none: a test sees all functions of `src`."""
    return ()


def import_lines(text):
    """See `core.ports.SourceReader`."""
    return ()
