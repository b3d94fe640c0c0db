"""Lays out the server's texts for a terminal: colours and places, no words of its own."""

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tutor_lsp.cli.screen.out import Out, Part, Style, Verbatim, code, unstyled
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.exercise.folder.marker import may_be_exercise
from tutor_lsp.tutor.voice.phrases import NO_REVIEW, NOTHING_HERE
from tutor_lsp.tutor.voice.units import MARKS

MARK_STYLES: Mapping[str, Style] = {"✓": "good", "✗": "bad", "○": "dim", "…": "dim", "!": "bad"}
UNIT_MARKS: Mapping[str, Part] = {
    state.value: (MARK_STYLES[mark], mark) for state, mark in MARKS.items()
}
"""The mark of a unit's state with its style."""

_SPAN = re.compile(
    r"(?P<ticks>`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)|(?P<run>`++)"
    r"|\*\*(?P<strong>(?:\\[!-/:-@\[-`{-~]|[^\\]|\\(?![!-/:-@\[-`{-~]))+?)\*\*"
    r"|(?<![^\s(])\\`(?P<quoted>[^\s`\\]+)\\`(?=[\s.,;:!?)]|\Z)"
    r"|\\(?P<char>[!-/:-@\[-`{-~])"
)
"""Code as CommonMark finds it, emphasis, code between escaped marks, and an escaped character."""
_ITEM = re.compile(r"(?P<indent> *)- (?:(?P<mark>[✓✗○…!])(?= ) ?)?")
_FENCE = re.compile(r"(?P<indent> *+)(?P<fence>`{3,}+|~{3,}+) *(?P<language>[\w+#-]*)[^`]*")


def say(out: Out, result: Mapping[str, Any]) -> None:
    """A whole result; with its title unless the rest begins with it."""
    title, _, body = result["say"]["markdown"].partition("\n\n")
    title = title.removeprefix("# ")
    if title.lower() not in body.lower():
        out.line(("strong", Verbatim(title)))
    markdown(out, body)


def markdown(out: Out, text: str) -> None:
    """Markdown as the server writes it, line by line."""
    fence, indent, language, code = "", 0, "", list[str]()
    for line in text.split("\n"):
        if fence:
            if _closes(line.strip(), fence):
                out.code("\n".join(code), language or "text")
                fence = ""
            else:
                blanks = len(line) - len(line.lstrip(" "))
                code.append(line[min(indent, blanks) :])
        elif match := _FENCE.fullmatch(line):
            fence, indent, code = match["fence"], len(match["indent"]), []
            language = match["language"]
        else:
            out.line(*parts_of(line))
    if fence:
        out.code("\n".join(code), language or "text")


def _closes(line: str, fence: str) -> bool:
    return line.startswith(fence) and not line.strip(fence[0])


def parts_of(line: str) -> list[Part]:
    """A line of Markdown with its styles."""
    heading = re.match(r"#{1,6} ", line)
    if heading is not None:
        return [("strong", Verbatim(line[heading.end() :]))]
    item = _ITEM.match(line)
    if item is None:
        return _spans(line)
    mark = item["mark"]
    head: Part = (MARK_STYLES[mark], f"{mark} ") if mark else "• "
    return [item["indent"], head, *_spans(line[item.end() :])]


def _spans(text: str) -> list[Part]:
    parts: list[Part] = []
    at = 0
    for match in _SPAN.finditer(text):
        parts.append(text[at : match.start()])
        at = match.end()
        if match["code"] is not None:
            parts.append(code(match["code"].strip()))
        elif match["quoted"] is not None:
            # What a test or a tool said: where there are no styles, to the letter.
            parts.append(("code", match["quoted"]))
        elif match["strong"] is not None:
            parts.append(("strong", "".join(map(unstyled, _spans(match["strong"])))))
        else:
            parts.append(match["char"] or match["run"])
    return [_as_said(part) for part in (*parts, text[at:]) if part]


def _as_said(part: Part) -> Part:
    return Verbatim(part) if isinstance(part, str) else (part[0], Verbatim(part[1]))


def ready(out: Out, result: Mapping[str, Any]) -> None:
    """A ready exercise. If the shell is in another one, how to get there comes before what to
    do there.
    """
    text = result["say"]["markdown"]
    about, _, what_to_do = text.rpartition("\n\n")
    say(out, {"say": {"markdown": about}})
    out.line()
    if _stands_in_another(Path(result["workspace"])):
        out.line(("place", shlex.join(["cd", result["workspace"]])))
    markdown(out, what_to_do)


def _stands_in_another(workspace: Path) -> bool:
    """Whether the shell stands in another exercise, which is the one that verbs would take."""
    try:
        here = may_be_exercise(Path.cwd())
        return here is not None and not here.samefile(workspace)
    except OSError:
        return False


def choices(out: Out, rows: Sequence[Mapping[str, Any]]) -> None:
    """Rows of a list below the headings of their groups, with the id of each session."""
    group = None
    width = max((len(row["label"]) for row in rows), default=0)
    for row in rows:
        if row["group"] != group:
            group = row["group"]
            out.line(("strong", group))
        id_ = f"{row['argument']['session'][:8]}  " if row["command"] == "tutor.resume" else ""
        out.line("  ", ("place", id_), Verbatim(f"{row['label']:<{width}}  "),
                 ("dim", Verbatim(row["detail"])))  # fmt: skip
    if not rows:
        out.line(t(NOTHING_HERE))


def review(out: Out, result: Mapping[str, Any] | None) -> None:
    """`review`."""
    if result is None:
        out.line(t(NO_REVIEW))
    else:
        say(out, result)


def place(out: Out, result: Mapping[str, Any]) -> None:
    """`open`."""
    out.line(("place", f"{result['file']}:{result['line']}"))
