"""Sentences for editors in the words of the terminal: every verb prints through this."""

import json
import re
import shlex
from collections.abc import Mapping
from functools import cache
from typing import Any

import click

from tutor_lsp.tutor.commands import BY_NAME

_START = r"(?<![\w/.-])"
_ARGUED = re.compile(_START + r"(tutor\.[a-z]+) with (\{[^{}]*\})")
_ARGUMENT = re.compile(r"\bthe argument ([a-z]+) = ([\w.-]*\w)")
_HOME = re.compile(r"(the setting )?`?" + _START + r"tutor\.home\b`?(?!\.\w)")
_SETTING = re.compile(r"`?" + _START + r"tutor\.([a-z][a-zA-Z]*(?:\.[a-zA-Z]+)*)`?(?!\w|\.\w)")
_COMMAND = re.compile(_START + r"tutor\.[a-z]+(?!\w|\.\w)")


def in_terminal(text: str) -> str:
    """`tutor.check` as `tutor-lsp check`, `tutor.reset with {"unit": "ex-2"}` as the command line
    that does it, the setting `tutor.home` as `--home` and others by their names alone."""
    if "tutor." not in text and "the argument" not in text:
        return text
    text = _ARGUED.sub(_typed, text)
    text = _COMMAND.sub(_verb, text)
    text = _HOME.sub("`--home`", text)
    text = _SETTING.sub(_setting, text)
    return _ARGUMENT.sub(lambda match: f"`--{match[1]} {match[2]}`", text)


def command_line(command: str, arguments: Mapping[str, Any]) -> str:
    """What is typed for a command with these arguments. Raises KeyError for one that the terminal
    does not have."""
    verb, options = _verbs()[command]
    words = ["tutor-lsp", verb]
    for key, value in arguments.items():
        words += _words(options[key], value)
    return shlex.join(words)


def _words(option: click.Parameter, value: Any) -> list[str]:
    if isinstance(option, click.Argument):
        return [str(value)]
    no = option.secondary_opts
    if isinstance(value, bool):
        return [option.opts[-1]] if value else no[-1:]
    return [option.opts[0], str(value)]


@cache
def _verbs() -> Mapping[str, tuple[str, Mapping[str, click.Parameter]]]:
    """Per command its verb, and the options by the keys of its argument."""
    # The table knows how verbs are shown, and what is shown comes through here.
    from tutor_lsp.cli.params import common_params
    from tutor_lsp.cli.verbs import VERBS

    found = {}
    for verb in VERBS:
        options = [*common_params(), *verb.params()]
        options.sort(key=lambda option: isinstance(option, click.Argument))  # the shorter form
        named = {_KEYS.get(str(option.name), str(option.name)): option for option in options}
        found[verb.command] = (verb.name, named)
    return found


_KEYS = {"session_id": "session", "words": "question"}
"""Options whose name is not the key of the command's argument."""


def _typed(match: re.Match[str]) -> str:
    try:
        return command_line(match[1], json.loads(match[2]))
    except (ValueError, KeyError, AttributeError):
        return match[0]


def _verb(match: re.Match[str]) -> str:
    name = match[0]
    return name.replace("tutor.", "tutor-lsp ", 1) if name in BY_NAME else name


def _setting(match: re.Match[str]) -> str:
    from tutor_lsp.core.settings import describe

    return f"`{match[1]}`" if match[1] in {info.key for info in describe()} else match[0]
