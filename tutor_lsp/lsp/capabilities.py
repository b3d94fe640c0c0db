"""What the client can do, resolved once from `initialize`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tutor_lsp.lsp.initialize_answer import value_at
from tutor_lsp.tutor.commands.names import COMMANDS
from tutor_lsp.tutor.services.frontend import Abilities
from tutor_lsp.tutor.voice.command_form import CommandForm
from tutor_lsp.tutor.voice.voice import Voice


@dataclass(frozen=True, slots=True)
class ClientFlags(Abilities):
    """Flat record; every feature reads only this."""

    answers_model: bool = False
    takes_reports: bool = False
    takes_texts: bool = False
    work_done_progress: bool = False
    apply_edit: bool = False
    lens_refresh: bool = False
    related_information: bool = False
    code_description: bool = False
    diagnostic_data: bool = False
    hover_markdown: bool = False
    diagnostics_in_hover: bool = False
    action_literals: bool = False
    configuration: bool = False
    hides_refusals: bool = False
    cuts_choices: bool = False
    diagnostics_inline: bool = False


def client_flags(params: Mapping[str, Any]) -> ClientFlags:
    """The flags of a client, from the JSON of its `initialize`, which has been checked to be of its
    types; whatever it does not announce is off.
    """
    options = as_mapping(params.get("initializationOptions"))

    def said(*keys: str) -> Any:
        return value_at(params, "capabilities", *keys)

    publish, code_action = ("textDocument", "publishDiagnostics"), ("textDocument", "codeAction")
    return ClientFlags(
        shows_results=options.get("ui") == "client",
        answers_model=options.get("model") is True,
        asks_text=options.get("ask") is True,
        takes_reports=options.get("reports") is True,
        takes_texts=options.get("texts") is True,
        diagnostics_in_hover=options.get("diagnosticsInHover") is True,
        work_done_progress=bool(said("window", "workDoneProgress")),
        opens=bool(said("window", "showDocument", "support")),
        chooses=said("window", "showMessage") is not None,
        apply_edit=bool(said("workspace", "applyEdit")),
        lens_refresh=bool(said("workspace", "codeLens", "refreshSupport")),
        related_information=bool(said(*publish, "relatedInformation")),
        code_description=bool(said(*publish, "codeDescriptionSupport")),
        diagnostic_data=bool(said(*publish, "dataSupport")),
        hover_markdown="markdown" in (said("textDocument", "hover", "contentFormat") or ()),
        action_literals=said(*code_action, "codeActionLiteralSupport") is not None,
        configuration=bool(said("workspace", "configuration")),
        # Every version of Helix so far writes errors of commands to its log only, gives the answers
        # to a question no more columns than the question has, and cannot fold the messages that it
        # shows in the text, where they push the edited line out of a small screen.
        hides_refusals=value_at(params, "clientInfo", "name") == "helix",
        cuts_choices=value_at(params, "clientInfo", "name") == "helix",
        diagnostics_inline=value_at(params, "clientInfo", "name") == "helix",
        voice=_voice(options.get("commandForm")),
    )


def _voice(form: Any) -> Voice:
    """The form is a template, or an object with `template` and, by verb, the `titles` of a palette.
    One without a place for the command is none."""
    given = {"template": form} if isinstance(form, str) else as_mapping(form)
    template = given.get("template")
    template = template if isinstance(template, str) and "%s" in template else None
    own = as_mapping(given.get("titles"))
    titles = {
        command.name: str(own.get(command.name.removeprefix("tutor.")) or command.title)
        for command in COMMANDS
    }
    return Voice(CommandForm(template, titles))


def as_mapping(value: Any) -> dict[str, Any]:
    """JSON objects that pygls gives as named tuples or dicts, as a dict; else an empty one."""
    if isinstance(value, dict):
        return value
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    return {}


def plain(value: Any) -> Any:
    """Data that pygls gives, as JSON."""
    if hasattr(value, "_asdict"):
        return as_mapping(value)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
