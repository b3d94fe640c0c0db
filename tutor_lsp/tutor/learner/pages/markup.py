"""Small pieces of HTML; every text that goes through them is escaped."""

import html
from collections.abc import Iterable, Sequence

STYLE = """
:root{--ink:#1b1f24;--soft:#57606a;--line:#8c959f;--paper:#ffffff;--fill:#eef2f6;--mark:#0550ae}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9ea7b3;--line:#6e7681;
--paper:#0d1117;--fill:#1c232c;--mark:#79c0ff}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0 auto;
max-width:72rem;padding:1rem}
a{color:var(--mark)}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0}
h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:.5rem;margin:1rem 0}
.scroll:focus{outline:3px solid var(--mark)}
table{border-collapse:collapse;width:100%}
td:nth-of-type(-n+2):not(:last-child){white-space:nowrap}
caption{text-align:left;color:var(--soft);padding:.3rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
dl{display:grid;grid-template-columns:max-content auto;gap:.2rem 1rem}
dt{font-weight:600}dd{margin:0}
svg text{fill:var(--ink);font:13px system-ui,sans-serif}
svg .soft{fill:var(--soft)}
svg .box{fill:var(--paper);stroke:var(--line);stroke-width:1;stroke-dasharray:5 3}
svg .begun{fill:var(--paper);stroke:var(--ink);stroke-width:1.5;stroke-dasharray:none}
svg .done{fill:var(--fill);stroke:var(--ink);stroke-width:3;stroke-dasharray:none}
svg .edge{fill:none;stroke:var(--line);stroke-width:1}
@media print{.scroll{overflow:visible}}
"""


def esc(text: object) -> str:
    """A text as HTML; characters that no file can hold are replaced."""
    plain = str(text).encode("utf-8", "replace").decode("utf-8")
    return html.escape("".join(c if c.isprintable() or c == "\n" else " " for c in plain))


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table whose first cell of each row names the row; a sentence where there are no rows."""
    listed = list(rows)
    if not listed:
        return "<p>Nothing here yet.</p>"
    top = "".join(f'<th scope="col">{esc(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{esc(first)}</th>'
        + "".join(f"<td>{esc(cell)}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in listed
    )
    return (
        f"<table><caption>{esc(caption)}</caption><thead><tr>{top}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


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


def page(title: str, links: Sequence[tuple[str, str]], content: str, footer: str) -> str:
    """The whole document; `links` are ids with their titles."""
    listed = "".join(f'<li><a href="#{name}">{esc(said)}</a></li>' for name, said in links)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{esc(title)}</title><style>{STYLE}</style></head><body>"
        '<a class="skip" href="#main">To the content</a>'
        f"<header><h1>{esc(title)}</h1></header>"
        f'<nav aria-label="Parts of this page"><ul>{listed}</ul></nav>'
        f'<main id="main">{content}</main><footer><p>{esc(footer)}</p></footer></body></html>\n'
    )
