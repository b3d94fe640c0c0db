"""What the terminal prints can be typed there: no command in the words of editors."""

import ast
import re
import shlex
import time
from pathlib import Path

import click
import pytest

import tutor_lsp
from tutor_lsp.cli.app import make_group
from tutor_lsp.cli.screen.words import in_terminal
from tutor_lsp.core.settings import describe
from tutor_lsp.tutor.commands.names import BY_NAME

ROOT = Path(tutor_lsp.__file__).parent
EDITORS = ("cli", "lsp")
"""Packages whose texts are not shown by the terminal, or only in its own words."""


def _text(node):
    """The text of a string, with a word in place of each value; None for what is none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or "a-b" for part in node.values)
    return None


def _docstrings(tree):
    bodies = (node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", 0), list))
    return {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}


IMPORTS = re.compile(r"^\s*(from|import) .*", re.MULTILINE)


def _messages():
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT)
        if place.parts[0] in EDITORS or place.parts[:2] == ("library", "python"):
            continue
        source = path.read_text("utf-8")
        if "tutor." not in IMPORTS.sub("", source):
            continue
        tree = ast.parse(source)
        left = _docstrings(tree)
        inner = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
                 for part in ast.walk(node) if part is not node}  # fmt: skip
        for node in ast.walk(tree):
            text = None if id(node) in left | inner else _text(node)
            # One word alone is a name, not a message.
            if text is not None and " " in text and re.search(r"\btutor\.[a-z]", text):
                yield f"{place}:{node.lineno}", text


def _wrong(text):
    """What a message names, as the terminal says it, that cannot be typed there."""
    said = in_terminal(text)
    names = set(re.findall(r"(?<![\w/.-])tutor\.[\w.]*\w", said))
    wrong = names & {*BY_NAME, *(f"tutor.{info.key}" for info in describe())}
    wrong |= {found[0] for found in re.finditer(r"tutor-lsp [a-z]+( with |, (node|unit) )", said)}
    verbs = make_group().list_commands(click.Context(make_group()))
    return wrong | set(re.findall(r"tutor-lsp ([a-z][a-z-]*)", said)) - set(verbs)


def test_messages_name_only_what_can_be_typed():
    messages = list(_messages())
    assert len(messages) > 30
    assert [(place, text) for place, text in messages if _wrong(text)] == []


COMMANDS = {
    'tutor.start with {"node": "python-functions"}': "tutor-lsp start --node python-functions",
    'tutor.reset with {"unit": "ex-2"}': "tutor-lsp reset --unit ex-2",
    'tutor.reset with {"undo": true}': "tutor-lsp reset --undo",
    'tutor.restore with {"record": true, "dismiss": true}':
        "tutor-lsp restore --record --dismiss",
    'tutor.resume with {"session": "01ab"}': "tutor-lsp resume 01ab",
    'tutor.open with {"target": "lesson"}': "tutor-lsp open lesson",
    'tutor.claim with {"node": "a-b", "known": false}': "tutor-lsp claim a-b --unknown",
    'tutor.claim with {"node": "a-b", "known": true}': "tutor-lsp claim a-b --known",
    'tutor.ask with {"question": "why is it?"}': "tutor-lsp ask 'why is it?'",
    'tutor.choices with {"list": "topics", "all": true}': "tutor-lsp choices topics --all",
    'tutor.check with {"trust": true}': "tutor-lsp check --trust",
    'tutor.start with {"errorCode": "E0382"}': "tutor-lsp start --error-code E0382",
}  # fmt: skip


@pytest.mark.parametrize("said", COMMANDS)
def test_a_command_with_arguments_is_one_that_can_be_pasted(said):
    assert in_terminal(f"Do it ({said}).") == f"Do it ({COMMANDS[said]})."
    words = shlex.split(COMMANDS[said])
    command = make_group().get_command(click.Context(make_group()), words[1])
    assert command.make_context(words[1], words[2:])


def test_what_is_no_command_stays_as_it_is():
    for said in ('tutor.nothing with {"list": "start"}', "tutor.nothing"):
        assert in_terminal(said) == said


SETTINGS = {
    "the setting tutor.backend names one.": "the setting `backend` names one.",
    "another home (tutor.home).": "another home (`--home`).",
    "with the setting tutor.home.": "with `--home`.",
    "choose another with `tutor.home`.": "choose another with `--home`.",
    "Set tutor.python.interpreter to it": "Set `python.interpreter` to it",
    "or the argument backend = codex.": "or `--backend codex`.",
}


@pytest.mark.parametrize("said", SETTINGS)
def test_a_setting_is_named_as_in_a_terminal(said):
    assert in_terminal(said) == SETTINGS[said]


LONG = {
    "a name that is none": "tutor." + "a" * 5000 + "1",
    "a name of many parts": "tutor." + "a." * 5000 + "1",
    "many commands with arguments": 'tutor.a with {"a": ' * 5000,
    "many arguments": "the argument a = " + "." * 20_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_whatever_a_model_writes_is_put_into_words_at_once(text):
    began = time.process_time()
    assert in_terminal(text) == text
    assert time.process_time() - began < 1
