"""What the client can do, resolved once from `initialize`."""

from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp


@dataclass(frozen=True, slots=True)
class ClientFlags:
    """Flat record; every feature reads only this."""

    shows_results: bool = False
    answers_model: bool = False
    asks_text: bool = False
    takes_reports: bool = False
    work_done_progress: bool = False
    show_document: bool = False
    show_message_request: bool = False
    apply_edit: bool = False
    lens_refresh: bool = False
    related_information: bool = False
    code_description: bool = False
    hover_markdown: bool = False
    action_literals: bool = False
    configuration: bool = False
    hides_refusals: bool = False


def client_flags(params: lsp.InitializeParams) -> ClientFlags:
    """The flags of a client; whatever it does not announce is off."""
    caps = params.capabilities
    window, workspace, document = caps.window, caps.workspace, caps.text_document
    options = as_mapping(params.initialization_options)
    publish = document.publish_diagnostics if document else None
    formats = document.hover.content_format if document and document.hover else None
    action = document.code_action if document else None
    lens = workspace.code_lens if workspace else None
    return ClientFlags(
        shows_results=options.get("ui") == "client",
        answers_model=options.get("model") is True,
        asks_text=options.get("ask") is True,
        takes_reports=options.get("reports") is True,
        work_done_progress=bool(window and window.work_done_progress),
        show_document=bool(window and window.show_document and window.show_document.support),
        show_message_request=bool(window and window.show_message),
        apply_edit=bool(workspace and workspace.apply_edit),
        lens_refresh=bool(lens and lens.refresh_support),
        related_information=bool(publish and publish.related_information),
        code_description=bool(publish and publish.code_description_support),
        hover_markdown=lsp.MarkupKind.Markdown in (formats or ()),
        action_literals=bool(action and action.code_action_literal_support),
        configuration=bool(workspace and workspace.configuration),
        # Every version of Helix so far writes errors of commands to its log only.
        hides_refusals=params.client_info is not None and params.client_info.name == "helix",
    )


def as_mapping(value: Any) -> dict[str, Any]:
    """JSON objects that pygls gives as named tuples or dicts, as a dict; else an empty one."""
    if isinstance(value, dict):
        return value
    if hasattr(value, "_asdict"):
        return {key: _plain(item) for key, item in value._asdict().items()}
    return {}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return as_mapping(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
