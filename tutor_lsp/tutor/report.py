"""`tutor.report`: one self-contained HTML page of what was done and reached."""

import asyncio
import html
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tutor_lsp.core.ports import Transaction
from tutor_lsp.core.session import NodeRecord, Session

if TYPE_CHECKING:
    from tutor_lsp.tutor.app import App
    from tutor_lsp.tutor.arguments import NoArguments

NAME = "report.html"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;"
    "border-bottom:1px solid #ccc}"
)


async def report(app: "App", arguments: "NoArguments") -> dict[str, str]:
    """Write the page to the tutor home and say where it is."""

    def read(tx: Transaction) -> tuple[list[Session], dict[str, NodeRecord]]:
        return tx.sessions(), tx.nodes()

    sessions, nodes = await app.db(read)
    path = app.home / NAME
    await asyncio.to_thread(_write, path, _page(app, sessions, nodes))
    await app.frontend.open(path, 1, take_focus=False)
    return {"path": str(path)}


def _page(app: "App", sessions: list[Session], nodes: dict[str, NodeRecord]) -> str:
    mastery = [
        (node.language, node.title, f"{record.mastery} of 3", "yes" if record.claimed else "")
        for node in app.curriculum.nodes
        if (record := nodes.get(node.id)) is not None
    ]
    done = [
        (
            session.created_at[:10],
            session.title,
            session.language,
            str(session.attempt_count),
            str(session.hint_level_used or "none"),
            "passed" if session.passed else "ended" if session.ended_at else "going on",
        )
        for session in sessions
    ]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Learning report</title>'
        f"<style>{_STYLE}</style></head><body><h1>Learning report</h1><h2>Topics</h2>"
        + _table(("Language", "Topic", "Mastery", "Marked as known"), mastery)
        + "<h2>Sessions</h2>"
        + _table(("Begun", "Exercise", "Language", "Attempts", "Hints", "State"), done)
        + "</body></html>\n"
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    if not rows:
        return "<p>Nothing yet.</p>"
    top = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
