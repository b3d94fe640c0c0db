"""Arguments, help texts and exit codes, without any exercise."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tutor_lsp import __version__
from tutor_lsp.cli.app import make_group
from tutor_lsp.cli.extra import editor_path
from tutor_lsp.cli.main import ServeOptions, main, server_options
from tutor_lsp.cli.verbs import VERBS
from tutor_lsp.tutor.commands import COMMANDS

EXTRA = [
    "watch",
    "demo",
    "cost",
    "export",
    "import",
    "new-exercise",
    "check-exercise",
    "editor-path",
    "serve",
]
ALL = [*(verb.name for verb in VERBS), *EXTRA]


def test_every_command_has_a_verb_of_its_name():
    assert {verb.command for verb in VERBS} == {command.name for command in COMMANDS}
    assert all(verb.command == f"tutor.{verb.name}" for verb in VERBS)


@pytest.mark.parametrize("verb", ALL)
def test_every_verb_has_help_with_an_example(verb):
    result = CliRunner().invoke(make_group(), [verb, "--help"])
    assert result.exit_code == 0
    assert f"Example:\n    tutor-lsp {verb}" in result.output


def test_help_lists_every_verb():
    listed = CliRunner().invoke(make_group(), ["--help"]).output
    assert [line.split()[0] for line in listed.partition("Commands:\n")[2].splitlines()] == ALL


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tutor-lsp {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["hnit"], "Did you mean “hint”?"),
        (["xyz"], "There is no verb “xyz”."),
        (["start", "--depth", "D9"], "'D9'"),
        (["start", "--what"], "--what"),
        (["claim"], "NODE"),
        (["open", "kitchen"], "'kitchen'"),
        (["serve", "--tcp", "x"], "'x'"),
        (["--tcp"], "--tcp"),
        (["editor-path", "ed"], "'ed'"),
    ],
)
def test_wrong_usage_says_what_is_wrong_and_exits_2(arguments, said, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], ServeOptions()),
        (["--stdio"], ServeOptions()),
        (["serve"], ServeOptions()),
        (["--stdio", "serve"], ServeOptions()),
        (["serve", "--stdio", "--clientProcessId=7"], ServeOptions()),
        (["--clientProcessId", "7"], ServeOptions()),
        (["--tcp", "0"], ServeOptions(tcp=0)),
        (["serve", "--tcp=9000", "--home", "/h"], ServeOptions(9000, "/h")),
        (["start"], None),
        (["--help"], None),
        (["serve", "--help"], None),
        (["serve", "serve"], None),
        (["--tcp", "70000"], None),
        (["--tcp", "-1"], None),
        (["--home"], None),
    ],
)
def test_what_starts_the_server(arguments, options):
    assert server_options(arguments) == options


def test_editor_path_is_the_shipped_plugin(capsys):
    assert main(["editor-path", "neovim"]) == 0
    path = editor_path("neovim")
    assert capsys.readouterr().out == f"{path}\n"
    assert (path / "plugin" / "tutor_lsp.lua").is_file()
    assert main(["editor-path", "emacs"]) == 0
    assert (Path(capsys.readouterr().out.strip()) / "tutor-lsp.el").is_file()
    assert editor_path("ed") is None
