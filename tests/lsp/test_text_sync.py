"""Documents whose exercise goes away while a message about them is on its way."""

from pathlib import Path
from types import SimpleNamespace

from lsprotocol import types as lsp

from tutor_lsp.lsp.documents import Documents
from tutor_lsp.lsp.features import text_sync


class Gone:
    """An app that finds no exercise any more."""

    def in_exercise(self, _path: Path) -> bool:
        return True

    async def get(self) -> "Gone":
        return self

    async def adopt(self, _path: Path) -> None:
        return None


async def test_a_save_of_an_exercise_that_went_away_is_left_alone():
    documents, begun = Documents(), []
    documents.opened("file:///gone/src/a.py", "x = 1\n", 1)
    known = SimpleNamespace(saves=0, expect_results=lambda _asked: None)
    server = SimpleNamespace(
        app=Gone(),
        documents=documents,
        publisher=SimpleNamespace(opened_of=lambda _path: known),
        spawn=lambda work, _name: begun.append(work),
    )
    document = lsp.TextDocumentIdentifier("file:///gone/src/a.py")
    text_sync.did_save(server, lsp.DidSaveTextDocumentParams(document))
    assert known.saves == 1
    await begun[0]
    assert known.saves == 0
