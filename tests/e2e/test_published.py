"""What a save has the server send: nothing that changes nothing."""

import asyncio
import itertools

import pytest
from editor import editor
from lsprotocol import types as lsp
from placeholders import with_body

pytestmark = pytest.mark.first(3)


async def test_a_save_publishes_what_its_run_finds_and_nothing_else(tmp_path):
    async with editor(tmp_path / "home") as ed:
        ready = await ed.start(language="python")
        first = ready["units"][0]
        uri = ed.open(tmp_path / "home" / "exercises" / ready["workspace"] / first["file"])
        await ed.until(lambda: ed.diagnostics(uri, "todo"), "no todo on the stubs")
        sent = []

        def published(params: lsp.PublishDiagnosticsParams) -> None:
            if params.uri == uri:
                marks = params.diagnostics
                sent.append(sorted((each.code, each.message, str(each.range)) for each in marks))

        ed.override(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, published)
        starter = ed.texts[uri]
        for number in range(-2, 0):  # the first of them loads what runs tests
            begun = len(sent)
            ed.save(uri, with_body(starter, first["stub"], f"return {number}"))
            mark = f"gave {number}"
            await ed.until(lambda mark=mark: mark in str(sent), "no mark")
            await asyncio.sleep(0.5)  # for edits that rest, and for what others write
        found = sent[begun - 1 :]
        assert all(one != other for one, other in itertools.pairwise(found)), found
