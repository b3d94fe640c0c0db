"""Small pieces of HTML; every text that goes through them is escaped."""

import html
from collections.abc import Iterable, Sequence

from tutor_lsp.core.text.translation import language, t

STYLE = """
:root{--ink:#1b1f24;--soft:#57606a;--line:#8c959f;--paper:#ffffff;--fill:#eef2f6;--mark:#0550ae}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9ea7b3;--line:#6e7681;
--paper:#0d1117;--fill:#1c232c;--mark:#79c0ff}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0 auto;
max-width:72rem;padding:1rem;overflow-wrap:anywhere}
a{color:var(--mark)}
:focus-visible{outline:3px solid var(--mark);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
.soft{color:var(--soft)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0}
h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
h3{margin-bottom:.3rem}
.bar{height:.6rem;max-width:30rem;border:1px solid var(--ink);border-radius:.3rem}
.bar span{display:block;height:100%;background:var(--ink)}
summary{cursor:pointer;padding:.3rem 0;color:var(--mark)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:.5rem;margin:1rem 0}
table{border-collapse:collapse;width:100%}
td:nth-of-type(-n+2):not(:last-child){white-space:nowrap}
thead th{overflow-wrap:break-word}
caption{text-align:left;color:var(--soft);padding:.3rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
dl{display:grid;grid-template-columns:max-content auto;gap:.2rem 1rem}
dt{font-weight:600}dd{margin:0}
svg text{fill:var(--ink);font:13px system-ui,sans-serif}
svg .soft{fill:var(--soft)}
svg .middle{text-anchor:middle}
svg .box{fill:var(--paper);stroke:var(--line);stroke-width:1;stroke-dasharray:5 3}
svg .begun{fill:var(--paper);stroke:var(--ink);stroke-width:1.5;stroke-dasharray:none}
svg .done{fill:var(--fill);stroke:var(--ink);stroke-width:3;stroke-dasharray:none}
svg .full{fill:var(--ink)}
svg .edge{fill:none;stroke:var(--line);stroke-width:1}
.wide svg{max-width:max(100%,56rem);height:auto}
.narrow{display:none;list-style:none;padding:0}
.group caption{position:absolute;left:-99rem}
@media (max-width:600px){
.wide{display:none}.narrow{display:block}
thead{position:absolute;left:-99rem}
tr{display:block;border-bottom:1px solid var(--line);padding:.4rem 0}
th,td{display:block;border:0;padding:.1rem 0}
td:nth-of-type(-n+2):not(:last-child){white-space:normal}
td[data-name]::before{content:attr(data-name) ": ";color:var(--soft)}
dl{grid-template-columns:1fr}dd{margin:0 0 .4rem 1rem}}
@media print{
:root{--ink:#000;--soft:#333;--line:#777;--paper:#fff;--fill:#eee;--mark:#000}
body{max-width:none;padding:0;font-size:11pt}
nav,.skip,summary,.wide{display:none}
.narrow{display:block;columns:2}
.scroll{overflow:visible;border:0;padding:0}
svg{max-width:100%;height:auto}
section,tr,svg{break-inside:avoid-page}
h2,h3,caption{break-after:avoid}}
"""


def esc(text: object) -> str:
    """A text as HTML; characters that no file can hold are replaced."""
    plain = str(text).encode("utf-8", "replace").decode("utf-8")
    return html.escape("".join(c if c.isprintable() or c == "\n" else " " for c in plain))


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose first cell of each row names the row; nothing where there are no rows.

    On a narrow screen each row becomes a list; it says for itself that it is a table, since
    browsers forget that then.
    """
    listed = list(rows)
    if not listed:
        return ""
    top = "".join(f'<th scope="col" role="columnheader">{esc(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr role="row"><th scope="row" role="rowheader">{esc(first)}</th>'
        + "".join(
            f'<td role="cell" data-name="{esc(name)}">{esc(cell)}</td>'
            for name, cell in zip(head[1:], rest, strict=True)
        )
        + "</tr>"
        for first, *rest in listed
    )
    return (
        f'<table role="table"><caption>{esc(caption)}</caption><thead role="rowgroup">'
        f'<tr role="row">{top}</tr></thead><tbody role="rowgroup">{body}</tbody></table>'
    )


def folded(label: str, content: str, *, is_open: bool = False) -> str:
    """Something that is opened when it is wanted; nothing where there is nothing."""
    if not content:
        return ""
    shown = " open" if is_open else ""
    return f"<details{shown}><summary>{esc(label)}</summary>{content}</details>"


def bar(part: int, whole: int) -> str:
    """How much of a whole is done; the words beside it say the same."""
    width = 100 * part // whole if whole else 0
    return f'<div class="bar" aria-hidden="true"><span style="width:{width}%"></span></div>'


def paragraph(text: str) -> str:
    """A sentence or two."""
    return f"<p>{esc(text)}</p>"


def meta(name: str, content: str) -> str:
    """A note in the head of the page."""
    return f'<meta name="{esc(name)}" content="{esc(content)}">'


def section(name: str, title: str, content: str) -> str:
    """A landmark with a heading; `name` is its id."""
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{esc(title)}</h2>{content}</section>'
    )


def scrolled(label: str, content: str) -> str:
    """Something wide that can be scrolled, also by keyboard."""
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{esc(label)}">{content}</div>'
    )


def picture(name: str, title: str, told: str, width: int, height: int, content: str) -> str:
    """An inline SVG with a name and a description for those who do not see it."""
    return (
        f'<svg role="img" aria-labelledby="{name}-name {name}-told" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}">'
        f'<title id="{name}-name">{esc(title)}</title><desc id="{name}-told">{esc(told)}</desc>'
        f"{content}</svg>"
    )


def page(
    title: str, notes: str, links: Sequence[tuple[str, str]], content: str, footer: str
) -> str:
    """The whole document; `notes` are for its head, `links` are ids with their titles."""
    listed = "".join(f'<li><a href="#{name}">{esc(said)}</a></li>' for name, said in links)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="' + esc(language()) + '"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"{notes}<title>{esc(title)}</title><style>{STYLE}</style></head><body>"
        f'<a class="skip" href="#main">{esc(t("To the content"))}</a>'
        f"<header><h1>{esc(title)}</h1></header>"
        f'<nav aria-label="{esc(t("Parts of this page"))}"><ul>{listed}</ul></nav>'
        f'<main id="main">{content}</main><footer><p>{esc(footer)}</p></footer></body></html>\n'
    )
