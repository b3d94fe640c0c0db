"""Prints what an editor would show: diagnostics under the code, hover, lenses, actions."""

from collections.abc import Sequence

from lsprotocol import types as lsp

from tutor_lsp.cli.screen.out import Out, Style

SEVERITY: dict[int, tuple[str, Style]] = {
    1: ("error", "bad"),
    2: ("warning", "bad"),
    3: ("information", "place"),
    4: ("hint", "dim"),
}


def heading(out: Out, text: str) -> None:
    """What the learner does now."""
    out.line()
    out.line(("strong", f"▸ {text}"))


def diagnostics(
    out: Out,
    file: str,
    text: str,
    shown: Sequence[lsp.Diagnostic],
    lenses: Sequence[lsp.CodeLens] = (),
) -> None:
    """Every diagnostic under its line, with the lenses that stand above that line.

    Positions are in code points.
    """
    lines = text.split("\n")
    if not shown:
        out.line(("dim", f"  {file}: "), ("good", "nothing to show"))
        return
    out.line(("dim", f"  {file}"))
    for item in sorted(shown, key=lambda found: found.range.start.line):
        start, end = item.range.start, item.range.end
        above = [lens.command.title for lens in lenses if lens.range.start.line == start.line
                 and lens.command is not None]  # fmt: skip
        if above:
            out.line(("dim", "       │ "), ("dim", "  |  ".join(above)))
        out.line(("dim", f"  {start.line + 1:>4} │ "), lines[start.line])
        word, style = SEVERITY[int(item.severity or 1)]
        width = max(1, end.character - start.character) if end.line == start.line else 1
        marks = " " * start.character + "^" * width
        out.line(("dim", "       │ "), (style, f"{marks} {word} [{item.code}]"))
        for line in item.message.split("\n"):
            out.line(("dim", "       │ "), " " * start.character, (style, line))
        for related in item.related_information or ():
            place = related.location.uri.rpartition("/")[2]
            number = related.location.range.start.line + 1
            out.line(
                ("dim", "       │ "),
                " " * start.character,
                ("dim", f"{place}:{number}  {related.message}"),
            )


def lesson_beginning(out: Out, text: str, most: int = 7) -> None:
    """The first lines of a lesson."""
    for line in text.split("\n")[:most]:
        out.line(("dim", "  │ "), line)
    out.line(("dim", "  │ …"))


def indented(out: Out, text: str) -> None:
    """A text as an editor shows it in a window of its own."""
    for line in text.rstrip().split("\n"):
        out.line(("dim", "  │ "), line)


def actions(out: Out, titles: Sequence[str]) -> None:
    """The menu of code actions."""
    for title in titles:
        out.line("  • ", title)
