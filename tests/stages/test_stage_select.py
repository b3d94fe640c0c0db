"""Which backend serves, and why; and how backends are found by name."""

import subprocess
import sys

import pytest

from tutor_lsp.authoring.payload_records import read_lines
from tutor_lsp.core.backend import BackendContext
from tutor_lsp.core.errors import TutorError
from tutor_lsp.core.ports import BackendStatus
from tutor_lsp.library.loader import BUNDLED, Library
from tutor_lsp.stages.backends.registry import Backends, models
from tutor_lsp.stages.backends.scripted import ScriptedBackend
from tutor_lsp.stages.backends.select import (
    Need,
    candidates,
    choose,
    choose_tutor,
    consent_question,
)


def states(**available: bool) -> dict[str, BackendStatus]:
    return {
        name: BackendStatus(name, yes, f"{name} is {'here' if yes else 'not found'}")
        for name, yes in available.items()
    }


NONE = states(codex=False, claude=False)
CODEX = states(codex=True, claude=True)
CLAUDE = states(codex=False, claude=True)


@pytest.mark.parametrize(
    ("need", "statuses", "name", "refusal"),
    [
        (Need(bundled=True), CODEX, "library", None),
        (Need(bundled=True), {}, "library", None),
        (Need(bundled=True, passed=True), CODEX, "codex", None),
        (Need(bundled=True, fresh=True), CODEX, "codex", None),
        (Need(bundled=True, fresh=True), NONE, "library", None),
        (Need(bundled=True, passed=True), NONE, "library", None),
        (Need(), CODEX, "codex", None),
        (Need(), CLAUDE, "claude", None),
        (Need(), states(openai=True, editor=True), "openai", None),
        (Need(), NONE, None, "NO_EXERCISE"),
        (Need(), {}, None, "NO_EXERCISE"),
        (Need(named="library", bundled=True, passed=True), CODEX, "library", None),
        (Need(named="library"), CODEX, None, "NO_EXERCISE"),
        (Need(named="claude", bundled=True), CODEX, "claude", None),
        (Need(named="codex", bundled=True), NONE, None, "BACKEND_UNAVAILABLE"),
        (Need(named="codex"), {}, None, "BACKEND_UNAVAILABLE"),
        (Need(setting="codex", bundled=True), CODEX, "codex", None),
        (Need(setting="library"), CODEX, None, "NO_EXERCISE"),
        (Need(named="auto", setting="codex", bundled=True), CODEX, "library", None),
        (Need(named="library", setting="codex", bundled=True), CODEX, "library", None),
    ],
)
def test_who_makes_the_exercise(need, statuses, name, refusal):
    choice = choose(need, statuses)
    assert (choice.name, choice.refusal) == (name, refusal)
    assert choice.offline is (need.bundled or name == "library")
    assert choice.why.endswith(".")
    assert not choice.why.endswith("..")


def test_a_model_is_asked_for_once_unless_it_was_named():
    assert choose(Need(), CODEX).ask
    assert not choose(Need(consented={"codex"}), CODEX).ask
    assert choose(Need(consented={"claude"}), CODEX).ask
    assert not choose(Need(named="codex"), CODEX).ask
    assert not choose(Need(setting="codex"), CODEX).ask
    assert not choose(Need(bundled=True), CODEX).ask


def test_reasons_name_what_was_found():
    assert "codex is here" in choose(Need(), CODEX).why
    assert "The library has none" in choose(Need(), CODEX).why
    assert "codex is not found" in choose(Need(), NONE).why
    assert "codex is not found" in choose(Need(named="codex"), NONE).why
    assert "you have passed" in choose(Need(bundled=True, passed=True), NONE).why


@pytest.mark.parametrize(
    ("need", "asked"),
    [
        (Need(bundled=True), ()),
        (Need(named="library"), ()),
        (Need(named="codex", bundled=True), ("codex",)),
        (Need(setting="claude"), ("claude",)),
        (Need(), models()),
        (Need(bundled=True, passed=True), models()),
    ],
)
def test_only_backends_that_matter_are_asked(need, asked):
    assert candidates(need, models()) == asked


@pytest.mark.parametrize(
    ("named", "statuses", "name"),
    [
        ("library", CODEX, "library"),
        ("codex", CODEX, "codex"),
        ("codex", NONE, "library"),
        ("codex", {}, "library"),
    ],
)
def test_hints_never_ask_and_never_fail(named, statuses, name):
    choice = choose_tutor(named, statuses.get(named))
    assert (choice.name, choice.ask, choice.refusal) == (name, False, None)


def test_the_question_says_how_often_and_what_leaves():
    text = consent_question("codex", 14, 28)
    for said in ("codex", "14", "28", "your code of this exercise", "Nothing else"):
        assert said in text


async def test_backends_are_built_once_when_asked_for(tmp_path):
    script = tmp_path / "s.jsonl"
    script.write_text('{"stage": "coach", "text": "x"}\n', "utf-8")
    context = BackendContext({"scripted.file": str(script)}, {"scripted.lines": read_lines})
    backends = Backends(context)
    first = backends.get("scripted")
    assert isinstance(first, ScriptedBackend)
    assert backends.get("scripted") is first


async def test_unknown_backends_have_no_state():
    backends = Backends(BackendContext(services={"library": Library([BUNDLED])}))
    found = await backends.statuses(["library", "gpt", "library"])
    assert {name: status.available for name, status in found.items()} == {"library": True}


async def test_a_backend_that_cannot_be_built_is_not_available():
    found = await Backends(BackendContext()).statuses(["scripted"])
    assert not found["scripted"].available
    assert "scripted.file" in found["scripted"].why


def test_an_unknown_backend_is_refused_with_the_known_ones():
    backends = Backends(BackendContext())
    with pytest.raises(TutorError) as caught:
        backends.get("gpt")
    assert caught.value.kind == "UNKNOWN_BACKEND"
    assert "codex" in caught.value.message


def test_importing_stages_loads_nothing_heavy():
    names = ["runner", "tutoring", "conversation", "policy", "packet"]
    names += ["backends.registry", "backends.select", "backends.codex", "backends.scripted"]
    lines = [f"import tutor_lsp.stages.{name}" for name in names]
    lines += ["import tutor_lsp.contracts.validate, sys"]
    lines += ["heavy = {'pydantic', 'tree_sitter', 'pygls', 'lsprotocol'}"]
    lines += ["print(sorted(heavy & set(sys.modules)))"]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
