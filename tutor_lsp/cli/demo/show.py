"""Prints what an editor would show: diagnostics under the code, hover, lenses, actions."""

from collections.abc import Mapping, Sequence
from typing import Any

from tutor_lsp.cli.screen.out import Out, Style
from tutor_lsp.core.text.translation import marked, t

SEVERITY: dict[int, tuple[str, Style]] = {
    1: (marked("error"), "bad"),
    2: (marked("warning"), "bad"),
    3: (marked("information"), "place"),
    4: (marked("hint"), "dim"),
}


def heading(out: Out, text: str) -> None:
    """What the learner does now."""
    out.line()
    out.line(("strong", f"▸ {t(text)}"))


def diagnostics(
    out: Out,
    file: str,
    text: str,
    shown: Sequence[Mapping[str, Any]],
    lenses: Sequence[Mapping[str, Any]],
) -> None:
    """Every diagnostic under its line, in this order, with the lenses that stand above that line.

    Positions are in code points.
    """
    lines = text.split("\n")
    if not shown:
        out.line(("dim", f"  {file}: "), ("good", "nothing to show"))
        return
    out.line(("dim", f"  {file}"))
    for item in shown:
        start, end = item["range"]["start"], item["range"]["end"]
        row, column = start["line"], start["character"]
        above = [lens["command"]["title"] for lens in lenses
                 if lens["range"]["start"]["line"] == row and lens.get("command")]  # fmt: skip
        if above:
            out.line(("dim", "       │ "), ("dim", "  |  ".join(above)))
        out.line(("dim", f"  {row + 1:>4} │ "), lines[row])
        word, style = SEVERITY[item.get("severity", 1)]
        width = max(1, end["character"] - column) if end["line"] == row else 1
        marks = " " * column + "^" * width
        out.line(("dim", "       │ "), (style, f"{marks} {t(word)} [{item['code']}]"))
        for line in item["message"].split("\n"):
            out.line(("dim", "       │ "), " " * column, (style, line))
        for related in item.get("relatedInformation") or ():
            place = related["location"]["uri"].rpartition("/")[2]
            number = related["location"]["range"]["start"]["line"] + 1
            said = f"{place}:{number}  {related['message']}"
            out.line(("dim", "       │ "), " " * column, ("dim", said))


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
