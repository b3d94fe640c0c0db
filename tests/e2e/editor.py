"""An editor for tests: the real server as a child, driven under a real editor's capabilities."""

import ast
import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

from lsprotocol import types as lsp
from preforked import connect
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient
from pytest_lsp import client as pytest_lsp_client
from pytest_lsp.client import make_test_lsp_client

from tutor_lsp.core.text import positions

DEADLINE_S = 60.0
PROFILES = ("visual-studio-code@v1.65", "neovim@v0.11", "emacs@v29.1")
NOTIFICATIONS = (
    "tutor/sessionReady", "tutor/sessionFailed", "tutor/unitsChanged", "tutor/reviewReady",
    "tutor/texts",
)  # fmt: skip

# To learn how the protocol's types are read takes longer than to start a server.
pytest_lsp_client.default_converter = cache(pytest_lsp_client.default_converter)
client_capabilities = cache(pytest_lsp_client.client_capabilities)


class Editor:
    """What an editor does and what it has been shown so far."""

    def __init__(self, client: LanguageClient, home: Path) -> None:
        self.client = client
        self.home = home
        self.notified: dict[str, list[Any]] = {name: [] for name in NOTIFICATIONS}
        self.opened: list[tuple[str, int]] = []
        self.questions: list[lsp.ShowMessageRequestParams] = []
        self.answer: Callable[[lsp.ShowMessageRequestParams], str | None] = lambda _: None
        self.edits: list[lsp.WorkspaceEdit] = []
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.capabilities = lsp.ServerCapabilities()
        self._listen()

    @property
    def encoding(self) -> positions.Encoding:
        """The unit in which server and editor count characters."""
        chosen = self.capabilities.position_encoding or "utf-16"
        return cast("positions.Encoding", getattr(chosen, "value", chosen))

    def _listen(self) -> None:
        client = self.client
        for name in NOTIFICATIONS:

            def notified(params: Any, name: str = name) -> None:
                self.notified[name].append(plain(params))

            client.feature(name)(notified)

        @client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)
        def ask(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
            self.questions.append(params)
            title = self.answer(params)
            return lsp.MessageActionItem(title) if title is not None else None

        @client.feature(lsp.WORKSPACE_APPLY_EDIT)
        def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
            self.edits.append(params.edit)
            for uri, edits in (params.edit.changes or {}).items():
                self.change(uri, edited(self.texts[uri], edits, self.encoding))
            return lsp.ApplyWorkspaceEditResult(True)

        @client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(_params: Any) -> None:
            return None

    def override(self, method: str, handler: Callable[[Any], Any]) -> None:
        """Answer a method otherwise than usual."""
        self.client.protocol.fm.features.pop(method, None)
        self.client.feature(method)(handler)

    async def until(self, what: Callable[[], Any], why: str, seconds: float = DEADLINE_S) -> Any:
        """Poll the accumulated state until `what` is true; fail with `why` at the deadline."""
        end = asyncio.get_running_loop().time() + seconds
        while not (found := what()):
            if asyncio.get_running_loop().time() > end:
                messages = [message.message for message in self.client.messages]
                raise AssertionError(f"{why}; messages: {messages}; failed: {self.notified}")
            await asyncio.sleep(0.005)
        return found

    async def command(self, name: str, *arguments: Any) -> Any:
        """Run a command; raises JsonRpcException."""
        result = await self.client.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command=name, arguments=list(arguments))
        )
        return plain(result)

    async def refused(self, name: str, *arguments: Any) -> dict[str, Any]:
        """Run a command that must be refused; its error's data with `message`."""
        try:
            result = await self.command(name, *arguments)
        except JsonRpcException as error:
            return {**(plain(error.data) or {}), "message": error.message, "code": error.code}
        raise AssertionError(f"{name} was not refused: {result}")

    async def start(self, **arguments: Any) -> dict[str, Any]:
        """Start an exercise and wait until it is ready."""
        begun = await self.command("tutor.start", arguments)
        ready = self.notified["tutor/sessionReady"]
        failed = self.notified["tutor/sessionFailed"]
        await self.until(
            lambda: any(item["jobId"] == begun["jobId"] for item in ready + failed),
            "the job did not end",
        )
        found = [item for item in ready if item["jobId"] == begun["jobId"]]
        assert found, failed
        return found[-1]

    def open(self, path: Path, language: str = "python", uri: str | None = None) -> str:
        """Open a file as the editor would; its URI."""
        uri = uri or path.as_uri()
        self.texts[uri] = path.read_bytes().decode()
        self.versions[uri] = 1
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, language, 1, self.texts[uri]))
        )
        return uri

    def close(self, uri: str) -> None:
        """Close a document."""
        self.client.text_document_did_close(
            lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri))
        )

    def change(self, uri: str, text: str) -> None:
        """Type: replace the whole text, unsaved."""
        self.texts[uri] = text
        self.versions[uri] += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def save(self, uri: str, text: str | None = None) -> None:
        """Save, after typing `text` if given."""
        if text is not None:
            self.change(uri, text)
        path_of(uri).write_bytes(self.texts[uri].encode())
        self.client.text_document_did_save(
            lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri))
        )

    def diagnostics(self, uri: str, *codes: str) -> list[lsp.Diagnostic]:
        """What is shown in a file, with these codes only if any are given."""
        shown = self.client.diagnostics.get(uri, [])
        return [item for item in shown if not codes or item.code in codes]

    def said(self, words: str) -> list[str]:
        """Messages that were shown and contain these words."""
        texts = [message.message for message in self.client.messages]
        return [text for text in texts if words in text]

    async def hover(self, uri: str, line: int, character: int) -> str | None:
        """Text of the hover at a zero-based position."""
        found = await self.client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, character))
        )
        return found.contents.value if found is not None else None

    async def actions(self, uri: str, line: int) -> list[lsp.CodeAction]:
        """Code actions at a zero-based line."""
        place = lsp.Position(line, 0)
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), lsp.Range(place, place), lsp.CodeActionContext([])
        )
        found = await self.client.text_document_code_action_async(params) or []
        return [_code_action(item) for item in found]

    async def lenses(self, uri: str) -> list[lsp.CodeLens]:
        """Code lenses of a file."""
        params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
        return list(await self.client.text_document_code_lens_async(params) or [])


def _code_action(item: Any) -> lsp.CodeAction:
    """lsprotocol takes every code action with a command for a bare command, its text as name."""
    if isinstance(item, lsp.CodeAction):
        return item
    inner = ast.literal_eval(str(item.command))
    return lsp.CodeAction(item.title, command=lsp.Command(**inner))


def plain(value: Any) -> Any:
    """JSON of what pygls gives as named tuples and objects."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def path_of(uri: str) -> Path:
    """The path of a file URI."""
    from urllib.parse import unquote, urlparse

    return Path(unquote(urlparse(uri).path))


def edited(text: str, edits: Sequence[lsp.TextEdit], encoding: positions.Encoding) -> str:
    """The text after edits that do not overlap."""
    index = positions.LineIndex(text)

    def offset(place: lsp.Position) -> int:
        return index.offset(*index.from_client(place.line, place.character, encoding))

    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def line_of(text: str, needle: str) -> int:
    """Zero-based line of the first occurrence."""
    return text[: text.index(needle)].count("\n")


@asynccontextmanager
async def editor(
    home: Path,
    *,
    profile: str | lsp.ClientCapabilities = "neovim@v0.11",
    options: dict[str, Any] | None = None,
    environment: dict[str, str] | None = None,
    settings: dict[str, Any] | None = None,
    process_id: int | None = None,
    locale: str | None = None,
    folder: Path | None = None,
) -> AsyncIterator[Editor]:
    """A connected editor with a server of its own; afterwards the server is gone."""
    client = make_test_lsp_client()
    if settings is not None:
        client.set_configuration(settings, section="tutor")
    env = {k: v for k, v in os.environ.items() if not k.startswith("TUTOR_LSP_")}
    env |= {"TUTOR_LSP_HOME": str(home), **(environment or {})}
    await connect(client, "--stdio", env=env)
    found = Editor(client, home)
    caps = client_capabilities(profile) if isinstance(profile, str) else profile
    try:
        async with asyncio.timeout(DEADLINE_S):
            answer = await client.initialize_session(
                lsp.InitializeParams(
                    capabilities=caps,
                    initialization_options=options,
                    process_id=process_id,
                    locale=locale,
                    workspace_folders=None
                    if folder is None
                    else [lsp.WorkspaceFolder(folder.as_uri(), folder.name)],
                )
            )
            found.capabilities = answer.capabilities
        yield found
        async with asyncio.timeout(DEADLINE_S):
            await client.shutdown_session()
    finally:
        server = client._server
        if server is not None and server.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                server.kill()
            await server.wait()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(5):
                await client.stop()
