"""Arguments, help texts and exit codes, without any exercise."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from tutor_lsp import __version__
from tutor_lsp.cli import begin
from tutor_lsp.cli.app import make_group
from tutor_lsp.cli.extra import EXTRA, editor_path
from tutor_lsp.cli.main import main
from tutor_lsp.cli.serve_options import server_options
from tutor_lsp.cli.verbs import VERBS
from tutor_lsp.tutor.commands.names import COMMANDS

ROOT = Path(__file__).parents[2]
ALL = [verb.name for verb in (*VERBS, *EXTRA)]


def test_every_command_has_a_verb_of_its_name():
    assert {f"tutor.{verb.name}" for verb in VERBS} == {command.name for command in COMMANDS}


@pytest.mark.parametrize("verb", ALL)
def test_every_verb_has_help_with_an_example(verb):
    result = CliRunner().invoke(make_group(), [verb, "--help"])
    assert result.exit_code == 0
    assert f"Example:\n    tutor-lsp {verb}" in result.output


def test_help_lists_every_verb():
    listed = CliRunner().invoke(make_group(), ["--help"]).output
    assert [line.split()[0] for line in listed.partition("Commands:\n")[2].splitlines()] == ALL


def run_here(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "tutor_lsp", *arguments],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


HELP = pytest.param(["--help"], {}, "\n  attempt ", id="help")
COMPLETION = pytest.param(
    [],
    {"_TUTOR_LSP_COMPLETE": "bash_complete", "COMP_WORDS": "tutor-lsp att", "COMP_CWORD": "1"},
    "plain,attempt\n",
    id="completion",
)


@pytest.mark.parametrize(("arguments", "environment", "says"), [HELP, COMPLETION])
def test_help_and_completion_load_only_the_table_of_verbs(arguments, environment, says):
    done = run_here(*arguments, **environment)
    assert says in done.stdout
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    heavy = {
        "asyncio",
        "rich",
        "cattrs",
        "tutor_lsp.cli.work.perform",
        "tutor_lsp.tutor.application",
    }
    assert "tutor_lsp.cli.verbs" in loaded
    assert not heavy & loaded


def test_every_verb_that_is_work_has_some():
    commands = {command.name.removeprefix("tutor.") for command in COMMANDS}
    assert commands | begin.OWN.keys() == {*ALL} - {"editor-path", "serve"}


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
    "arguments", [["check", "--what", "--json"], ["claim", "--json"], ["xyz", "--json"]]
)
def test_wrong_usage_is_json_where_that_is_asked_for(arguments, capsys):
    assert main(arguments) == 2
    error = json.loads(capsys.readouterr().err.rstrip("\n").split("\n")[-1])
    assert error["kind"] == "USAGE"
    assert error["message"]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], (None, None)),
        (["--stdio"], (None, None)),
        (["serve"], (None, None)),
        (["--stdio", "serve"], (None, None)),
        (["serve", "--stdio", "--clientProcessId=7"], (None, None)),
        (["--clientProcessId", "7"], (None, None)),
        (["--tcp", "0"], (0, None)),
        (["serve", "--tcp=9000", "--home", "/h"], (9000, "/h")),
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
    read = server_options(arguments)
    assert (read and (read.tcp, read.home)) == options


def test_editor_path_is_the_shipped_plugin(capsys):
    assert main(["editor-path", "neovim"]) == 0
    path = editor_path("neovim")
    assert capsys.readouterr().out == f"{path}\n"
    assert (path / "plugin" / "tutor_lsp.lua").is_file()
    assert main(["editor-path", "neovim", "--init"]) == 0
    lines = capsys.readouterr().out
    assert f'local tutor = "{path}"\nif vim.uv.fs_stat(tutor) then' in lines
    assert main(["editor-path", "neovim", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": str(path), "init": lines}
    assert main(["editor-path", "emacs"]) == 0
    assert (Path(capsys.readouterr().out.strip()) / "tutor-lsp.el").is_file()
    assert editor_path("ed") is None


@pytest.mark.parametrize("on_path", [True, False])
def test_helix_gets_the_lines_of_the_readme(capsys, monkeypatch, on_path):
    found = "/usr/bin/tutor-lsp" if on_path else None
    monkeypatch.setattr("shutil.which", lambda _name: found)
    assert main(["editor-path", "helix"]) == 0
    lines = capsys.readouterr().out
    assert main(["editor-path", "helix", "--init"]) == 0
    assert capsys.readouterr().out == lines
    server = tomllib.loads(lines)["language-server"]["tutor-lsp"]
    if on_path:
        assert f"```toml\n{lines}```" in (ROOT / "README.md").read_text("utf-8")
        assert server == {"command": "tutor-lsp"}
    else:
        assert server == {"command": sys.executable, "args": ["-m", "tutor_lsp"]}


@pytest.mark.parametrize(
    ("arguments", "says", "never"),
    [
        (("start", "--language", "cobol"), "There are no exercises in cobol", "tutor."),
        (("curriculum", "--language", "cobol"), "There are no exercises in cobol", "tutor."),
        (("start", "--node", "nope"), "of your own as --topic", "tutor."),
        (("claim", "nope"), "tutor-lsp curriculum lists them all", "tutor."),
        (("claim", "python-string"), "Did you mean python-strings?", "tutor."),
        (("start", "--backend", "nope"), "Choose one of: auto, claude", "scripted"),
    ],
)
def test_a_value_that_there_is_not_is_wrong_usage_everywhere(cli, arguments, says, never):
    result = cli(*arguments)
    told = result.err.split("{")[0]
    assert (result.code, says in told, never in told) == (2, True, False)


@pytest.mark.parametrize("verb", [("ask", "why?"), ("hint", "--question", "why?")])
def test_a_question_that_nobody_can_answer_is_refused(cli, verb):
    assert cli("start", "--language", "python").code == 0
    result = cli(*verb)
    assert (result.code, "needs a model" in result.out, "tutor.doctor" in result.out) == (
        1, True, False,
    )  # fmt: skip


def test_an_import_says_where_exercises_are_and_that_nothing_is_run(cli, tmp_path):
    assert cli("start", "--language", "python").code == 0
    assert "1 session, " in cli("export", str(tmp_path / "record.json")).out
    result = cli("import", str(tmp_path / "record.json"), "--home", str(tmp_path / "other"))
    assert "New: 1 session, 1 exercise folder, " in result.out
    assert str(tmp_path / "other" / "imported") in result.out
    assert "until you trust it" in result.out
    (tmp_path / "bad.json").write_text('{"a": ')
    bad = cli("import", str(tmp_path / "bad.json"))
    assert "it isn't valid JSON (line 1, column 7)" in bad.err
    assert "Expecting" not in bad.err


@pytest.mark.parametrize("verb", ["sessions", "serve"])
def test_an_empty_home_is_not_the_current_folder(cli, verb):
    result = cli(verb, "--home", "")
    assert result.code == 2
    assert "name a folder, or leave --home out" in result.err


@pytest.mark.parametrize("verb", ["status", "sessions", "curriculum", "doctor", "cost"])
def test_who_only_looks_makes_no_home(cli, home, verb):
    assert cli(verb).code == 0
    assert not home.exists()


def test_what_is_meant_by_the_home_is_its_option(cli, tmp_path):
    (tmp_path / "file").write_text("")
    result = cli("sessions", "--home", str(tmp_path / "file"))
    assert result.code == 1
    assert "with --home." in result.err.split("{")[0]
    outside = cli("open", "stub", "--path", str(tmp_path / "file"))
    assert "file://" not in outside.err.split("{")[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--path", "~nobody-at-all/x"],
        ["export", "~nobody-at-all/x"],
        ["import", "~nobody-at-all/x"],
        ["check-exercise", "~nobody-at-all/x"],
        ["new-exercise", "~nobody-at-all/python-strings-x"],
        ["status", "--home", "~nobody-at-all/x"],
    ],
)
def test_a_user_that_there_is_not_is_a_name_as_in_a_shell(tmp_path, monkeypatch, capsys, arguments):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TUTOR_LSP_HOME", str(tmp_path / "home"))
    assert main(arguments) in (0, 1, 2)
    said = capsys.readouterr()
    assert (tmp_path / "~nobody-at-all").exists() or "~nobody-at-all" in said.out + said.err
