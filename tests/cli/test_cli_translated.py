"""The terminal's help, and what it says of wrong usage, in another language: only what is typed
stays English."""

import gettext
import io
import json
import os
import re
import subprocess
import sys

import pytest
from made_up import LOCALE, PLACES, translation

from tutor_lsp.cli.extra import EXTRA
from tutor_lsp.cli.screen import watch_view
from tutor_lsp.cli.screen.out import Out
from tutor_lsp.cli.verbs import VERBS
from tutor_lsp.cli.work import cost, generation, own, tidy, transfer
from tutor_lsp.core.text.translation import speak

pytestmark = pytest.mark.xdist_group("translated")
VERB_NAMES = [verb.name for verb in (*VERBS, *EXTRA)]
ALL = """
import contextlib, io, json, sys
from tutor_lsp.cli.app import run
said = {}
for words in json.load(sys.stdin):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        run(words)
    said[" ".join(words)] = out.getvalue()
print(json.dumps(said))
"""
TYPED = re.compile(
    r"--?[a-z][\w-]*|\[[a-z|]+\]|'[^']*'|“[^”]*”|\b[A-Z][A-Z\d]*(?::[A-Z-]+)?\b|\[(?:[A-Z]+|D1\|D2\|D3)\]"
)
"""Options, choices, metavars and values."""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What each of these command lines says."""
    folder = tmp_path_factory.mktemp("translated")
    lines = [["--help"], *([name, "--help"] for name in VERB_NAMES), *map(str.split, WRONG)]
    ran = subprocess.run(
        [sys.executable, "-c", ALL],
        input=json.dumps(lines),
        env={
            **os.environ,
            "LANGUAGE": LOCALE,
            "TEXTDOMAINDIR": str(translation(folder, kept=PLACES)),
            "TUTOR_LSP_HOME": str(folder),
            "COLUMNS": "400",
        },
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return json.loads(ran.stdout)


WRONG = {
    "chek": "no verb",
    "start --nope": "no option",
    "start --depth D9": "no choice",
    "start --from x": "no lines",
    "start --from /none.rs:1-2": "no file",
    "status --home=": "no folder",
    "claim": "no argument",
    "serve --tcp 99999999": "no port",
    "demo --remove --home x": "no new folder",
}


def english(text):
    """The words of a text that are ASCII and are not typed."""
    text = re.sub(r"^ *tutor-lsp.*", "", text, flags=re.MULTILINE)
    text = TYPED.sub("", text).replace("tutor-lsp", "").replace("/none.rs", "")
    return re.findall(r"[A-Za-z]{2,}", text)


@pytest.mark.parametrize("name", VERB_NAMES)
def test_the_help_of_a_verb_speaks_the_learner_s_language(said, name):
    text = said[f"{name} --help"]
    assert len(text) > 100
    usage, rest = text.split("\n", 1)
    assert not usage.startswith("Usage")
    assert english(rest) == []


def test_the_list_of_verbs_speaks_the_learner_s_language(said):
    text = said["--help"]
    for name in VERB_NAMES:
        text, found = re.subn(rf"^  {name} ", "  ", text, flags=re.MULTILINE)
        assert found == 1, name
    assert english(text.split("\n", 1)[1]) == []


@pytest.mark.parametrize("line", WRONG)
def test_wrong_usage_is_told_in_the_learner_s_language(said, line):
    text = said[line]
    assert text.strip()
    told = [each for each in text.splitlines() if f"tutor-lsp {line.split()[0]} [" not in each]
    assert english("\n".join(told[-1:])) == []
    assert "Error" not in text
    assert "for help" not in text


def test_without_a_translation_nothing_else_is_read():
    shown = "import sys; from tutor_lsp.cli.app import run; run(['--help']); import gettext;"
    shown += "print(gettext.textdomain())"
    ran = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.splitlines()[-1] == "messages"
    assert "Usage: tutor-lsp" in ran.stdout


@pytest.fixture
def translated(tmp_path):
    """This process in the other language."""
    folder = translation(tmp_path, kept=PLACES)
    speak(gettext.translation("tutor_lsp", folder, [LOCALE]))
    yield
    speak(gettext.NullTranslations())


CALLS = {"calls": 2, "bytes": 900, "share": 0.5}
COST = {
    "title": None, **CALLS, "perStage": {"scaffold": {**CALLS, "calls": 1, "bytes": 50_000}},
    "repairs": CALLS, "askedAgain": CALLS, "inFlight": CALLS,
    "providerTokens": {"input": 3, "cachedInput": 1, "output": 2},
    "limits": {"calls": 40, "bytes": 9_000_000},
}  # fmt: skip
FINDING = {
    "step": "shape",
    "file": None,
    "line": 0,
    "unit": None,
    "message": "1",
    "output": "1\n" * 9,
}
PROOF = {"unitMap": {"1": []}, "tests": 3, "failOnStub": 3, "lessonBlocks": {"ok": 2}}
SOME_PASS = {**PROOF, "failOnStub": 2}
COUNTS = {"sessions": 1, "topics": 2, "folders": 1, "events": 0}
IMPORTED = {
    **COUNTS, "leftOut": list("123456789"), "writtenAnew": ["1"], "placed": ["1"], "textsKept": 2,
}  # fmt: skip
SHOWN = {
    "cost": (cost._cost, COST),
    "generation": (
        generation._report,
        {
            "setUps": 2, "repairs": 3, "askedAgain": 1, "mended": [{"said": "1", "times": 2}],
            "rules": [
                {"step": "1", "rule": "1", "fired": 2, "repaired": 1, "left": 1, "overruled": 0}
            ],
        },
    ),
    "generation, all well": (
        generation._report,
        {"setUps": 1, "repairs": 0, "askedAgain": 0, "rules": [], "mended": []},
    ),
    "no generation": (generation._report, {"setUps": 0}),
    "no cost": (cost._cost, {**COST, "calls": 0}),
    "own": (
        own._shown,
        {"ok": True, "proof": PROOF, "findings": [], "leftOut": ["1"], "advice": [FINDING]},
    ),
    "own, to be mended": (
        own._shown, {"ok": True, "proof": SOME_PASS, "findings": [], "leftOut": [], "advice": []},
    ),
    "own, wrong": (
        own._shown,
        {"ok": False, "proof": PROOF, "leftOut": list("123456789"), "advice": [],
         "findings": [{**FINDING, "step": step} for step in own._STEPS]},
    ),
    "begun": (own._begun, {"path": "/1", "files": ["1"]}),
    "tidy": (
        tidy._tidied,
        {"backup": "/1", "bytesBefore": 9e6, "bytesAfter": 1e6, "removed": 0, "shortened": 4},
    ),
    "nothing to tidy": (tidy._tidied, {"backup": None}),
    "export": (transfer._exported, {**COUNTS, "path": "/1", "leftOut": ["/1"]}),
    "import": (transfer._imported, IMPORTED),
    "nothing to import": (transfer._imported, dict.fromkeys(IMPORTED, 0)),
}  # fmt: skip
UNITS = re.compile(r"\bM?B\b|\bkB\b|scaffold|--\w+")


@pytest.mark.parametrize("name", SHOWN)
def test_tables_and_counts_speak_the_learner_s_language(translated, name):
    show, result = SHOWN[name]
    stream = io.StringIO()
    show(Out(stream), result)
    assert stream.getvalue().strip()
    assert re.findall(r"[A-Za-z]{2,}.*", UNITS.sub("", stream.getvalue())) == []


def test_the_keys_of_watch_speak_it(translated):
    lines = [*watch_view.key_lines(), watch_view.key_line(watch_view.KEYS)]
    said = ["".join(part if isinstance(part, str) else part[1] for part in line) for line in lines]
    assert len(said) > 10
    assert [line for line in said if re.search("[A-Za-z]{2}", line)] == []
