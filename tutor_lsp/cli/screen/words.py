"""The terminal's voice: commands and settings as they are typed there."""

from collections.abc import Mapping
from functools import cache

from tutor_lsp.core.settings import describe
from tutor_lsp.tutor.commands.names import COMMANDS
from tutor_lsp.tutor.services.installed import installed
from tutor_lsp.tutor.voice.command_form import CommandForm
from tutor_lsp.tutor.voice.voice import Voice


@cache
def terminal_voice() -> Voice:
    """Commands as a shell takes them."""
    return voice_with({}, {})


def voice_with(keys: Mapping[str, str], ways: Mapping[str, str]) -> Voice:
    """Commands as a shell takes them, and those that have a key by that, as `ways` have after a
    last hint."""
    titles = {command.name: command.title for command in COMMANDS}
    settings = frozenset(info.key for info in describe(installed()))
    return Voice(CommandForm("tutor-lsp %s", titles, settings, keys, ways))


def in_terminal(text: str) -> str:
    """`tutor.check` as `tutor-lsp check`, `tutor.reset with {"unit": "ex-2"}` as the command line
    that does it, the setting `tutor.home` as `--home` and others by their names alone."""
    return terminal_voice().ours(text)
