"""A client that announces no optional capability at all, as docs/editors.md promises for it."""

import re
from pathlib import Path

import pytest
from editor import editor, line_of
from lsprotocol import types as lsp
from placeholders import with_body
from solutions import solve_unit

from tutor_lsp.core.text import positions
from tutor_lsp.core.text.plain_text import in_one_line
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.tutor.commands.names import COMMANDS

pytestmark = pytest.mark.first(3)

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "editors.md"


def said(ed):
    return [message.message for message in ed.client.messages]


async def tells(ed, text):
    await ed.until(lambda: any(text in message for message in said(ed)), f"{text} was not said")


async def titles(ed, uri, line):
    """Code actions at a line by title: bare commands, since this client knows no literals."""
    place = lsp.Position(line, 0)
    answer = await ed.client.text_document_code_action_async(
        lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), lsp.Range(place, place), lsp.CodeActionContext([])
        )
    )
    assert all(isinstance(item, lsp.Command) for item in answer), answer
    return {item.title: item for item in answer}


async def test_every_feature_has_a_path(tmp_path):
    async with editor(tmp_path / "home", profile=lsp.ClientCapabilities()) as ed:
        begun = await ed.command("tutor.start", {"language": "python"})
        await tells(ed, "tutor.cancel stops it")
        await tells(ed, "Ready: ")
        (ready,) = ed.notified["tutor/sessionReady"]
        assert ready["jobId"] == begun["jobId"]
        root, unit = Path(ready["workspace"]), ready["units"][0]
        stub, coach = root / unit["file"], root / ".tutor" / "coach.md"
        assert f"Read {root / 'LESSON.md'}, then open {stub}" in "\n".join(said(ed))

        uri = ed.open(stub)
        lesson = ed.open(root / "LESSON.md", "markdown")
        await ed.until(lambda: ed.diagnostics(uri, "todo"), "no todo on the stubs")
        line = line_of(ed.texts[uri], f"def {unit['stub']}(")
        assert ed.diagnostics(uri)[0].code_description is None

        wrong = with_body(ed.texts[uri], unit["stub"], "return -1")
        ed.save(uri, wrong)
        await ed.until(lambda: ed.diagnostics(uri, "test-failed"), "no failure after the save")
        (failure,) = ed.diagnostics(uri, "test-failed")
        assert failure.related_information is None
        sentence, where, *_ = failure.message.split("\n")
        assert re.fullmatch(rf"tests/\S+:\d+ {unit['tests'][0]}", where), "the test, with its place"
        assert failure.message.count(sentence.partition(" (")[0]) == 1, "the sentence is said once"

        hover = await ed.client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, 5))
        )
        assert hover.contents.kind is lsp.MarkupKind.PlainText
        assert "**" not in hover.contents.value

        hint = (await titles(ed, uri, line))[f"Hint for {unit['stub']}"]
        first = await ed.command(hint.command, *hint.arguments)
        await tells(
            ed,
            f"Hint 1 · {unit['id']} {unit['stub']} (in full in .tutor/coach.md): "
            f"{in_one_line(first['text'])}",
        )
        assert first["text"] in coach.read_text()

        heading = line_of(ed.texts[lesson], unit["lesson"]["heading"])
        (place,) = await ed.client.text_document_definition_async(
            lsp.DefinitionParams(lsp.TextDocumentIdentifier(lesson), lsp.Position(heading, 4))
        )
        assert (place.uri, place.range.start.line) == (uri, line)
        await ed.command("tutor.open", {"target": "lesson"})
        await tells(ed, f"{root / 'LESSON.md'}:{heading + 1}")

        await ed.command("tutor.check")
        await tells(ed, f"of {ready['proof']['tests']} tests pass.")
        await ed.command("tutor.reveal", {"unit": unit["id"], "confirm": True})
        await tells(
            ed,
            f"Solution of {unit['id']} {unit['stub']}: one way to write it is in .tutor/coach.md.",
        )
        assert f"def {unit['stub']}(" in coach.read_text()
        for name, text in (
            ("tutor.status", "units pass. Exercises come from: library."),
            ("tutor.sessions", ready["sessionId"][:8]),
            ("tutor.curriculum", "Recommended"),
            ("tutor.review", "There is no review yet"),
            ("tutor.cancel", "Nothing is running here."),
            ("tutor.report", ".html"),
            ("tutor.restore", "Everything is as it was given"),
            ("tutor.doctor", ""),  # whatever it is on this machine, it is said
            ("tutor.resume", f"Ready: {ready['title']}"),
        ):
            ed.client.messages.clear()
            await ed.command(name)
            await tells(ed, text)

        library = Library([BUNDLED])
        exercise = library.load(next(e for e in library.entries() if e.id == ready["exerciseId"]))
        for solved in ready["units"]:
            ed.change(uri, solve_unit(exercise, ed.texts[uri], solved))
        ed.save(uri)
        await ed.until(lambda: not ed.diagnostics(uri), "diagnostics stay on a solved exercise")
        result = await ed.command("tutor.attempt")
        await tells(ed, "Details: .tutor/coach.md")
        assert result["review"]["summary"] in coach.read_text()
        await ed.command("tutor.next")
        await ed.until(lambda: len(ed.notified["tutor/sessionReady"]) == 2, "no next exercise")
        assert not ed.client.progress_reports
        assert not ed.questions


@pytest.mark.first(1)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_columns_on_lines_that_are_not_ascii(tmp_path, encoding):
    caps = lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(position_encodings=[encoding])
    )
    async with editor(tmp_path / "home", profile=caps) as ed:
        ready = await ed.start(language="python")
        root, unit = Path(ready["workspace"]), ready["units"][0]
        uri = ed.open(root / unit["file"])
        assert ed.encoding == encoding
        todo = f'raise NotImplementedError("{unit["stub"]}")'
        ed.save(uri, ed.texts[uri].replace(todo, 'return "nä𝄞" )'))
        await ed.until(lambda: ed.diagnostics(uri, "build-error"), "no error for what cannot parse")
        (error,) = ed.diagnostics(uri, "build-error")
        line = ed.texts[uri].split("\n")[error.range.start.line]
        assert error.range.start.character == positions.width(line[: line.index(")")], encoding)

        lesson = root / "LESSON.md"
        note = f"Ünï 𝄞: [{unit['stub']}]({unit['file']}#L1)"
        lesson.write_text(f"{lesson.read_text()}\n{note}\n")
        opened = ed.open(lesson, "markdown")
        line = line_of(ed.texts[opened], note)
        before = positions.width(note[: note.index(unit["stub"])], encoding)
        (place,) = await ed.client.text_document_definition_async(
            lsp.DefinitionParams(lsp.TextDocumentIdentifier(opened), lsp.Position(line, before + 1))
        )
        stub_line = line_of(ed.texts[uri], f"def {unit['stub']}(")
        assert (place.uri, place.range.start.line) == (uri, stub_line)

        ed.close(opened)
        ed.save(uri)
        true = f"]({unit['file']}#L{stub_line + 1})"
        await ed.until(lambda: true in lesson.read_text(), "the link in the lesson does not follow")


@pytest.mark.long("test_navigation.py shows the same without a server")
async def test_the_lesson_is_edited_where_it_is_open(ed):
    ready = await ed.start(language="python")
    root, unit = Path(ready["workspace"]), ready["units"][0]
    lesson = root / "LESSON.md"
    link = f"𝄞 [{unit['stub']}]({unit['file']}#L1)"
    lesson.write_text(f"{link}\n\n{lesson.read_text()}")
    uri, shown = ed.open(root / unit["file"]), ed.open(lesson, "markdown")
    before = lesson.read_text()
    ed.save(uri, "# one more line\n" + ed.texts[uri])
    true = link.replace("#L1", f"#L{unit['line'] + 1}")
    await ed.until(lambda: ed.texts[shown].startswith(f"{true}\n"), "the open lesson is not edited")
    assert lesson.read_text() == before
    assert (await ed.command("tutor.check"))["outcome"] == "failed", "notes need no saving"


def test_the_guide_names_what_there_is():
    text = GUIDE.read_text(encoding="utf-8")
    named = set(re.findall(r"`(tutor\.[a-z]+)`", text))
    assert named <= {command.name for command in COMMANDS}
