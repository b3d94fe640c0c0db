"""Folders of other languages, what tools load by themselves, places that are no exercise."""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from foreign_kit import learner_here, refusal_of, watched, within

import tutor_lsp
from tutor_lsp.library.loader import BUNDLED
from tutor_lsp.tutor.starting.own_exercises import check_exercise

pytestmark = pytest.mark.first(3)

NODES = {"rust": "rust-functions", "c": "c-functions"}
ROOT = Path(tutor_lsp.__file__).parent


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """Exercise folders of somebody else, by language."""
    home = tmp_path_factory.mktemp("theirs")

    async def make():
        async with learner_here(home) as them:
            return {
                name: (await them.start(node=node))["workspace"] for name, node in NODES.items()
            }

    return asyncio.run(make())


def script(canary):
    return f"#!/bin/sh\ntouch {canary}\n"


LOADED = {
    "a build script": ("rust", "build.rs", "fn main() {{ std::fs::write({0!r}, []).unwrap(); }}\n"),
    "a compiler of its own": ("rust", ".cargo/config.toml", "[build]\nrustc = '{1}'\n"),
    "a wrapper": ("rust", ".cargo/config.toml", "[build]\nrustc-wrapper = '{1}'\n"),
    "a linker": ("rust", ".cargo/config", "[target.x86_64-unknown-linux-gnu]\nlinker = '{1}'\n"),
    "a toolchain": ("rust", "rust-toolchain.toml", "[toolchain]\npath = '{2}'\n"),
    "a manifest": ("rust", "Cargo.toml", "[package]\nname='exercise'\nversion='0.1.0'\n"
                   "build='src/evil.rs'\n"),
    "clippy's settings": ("rust", "clippy.toml", "msrv = '1.0'\n"),
    "a makefile": ("c", "GNUmakefile", "all test:\n\ttouch {0}\n$(shell touch {0})\n"),
    "a header of the system": ("c", "tests/stdio.h", "#error\n"),
    "a plug-in": ("c", "compile_flags.txt", "-fplugin={1}\n"),
    "an interpreter": ("c", ".venv/bin/python", "#!/bin/sh\ntouch {0}\n"),
}  # fmt: skip


@pytest.mark.first(1)
@pytest.mark.parametrize("case", LOADED)
@pytest.mark.cargo
async def test_what_tools_load_by_themselves_is_not_run_unasked(theirs, tmp_path, case):
    language, name, text = LOADED[case]
    folder, canary = tmp_path / "cloned", tmp_path / "canary"
    shutil.copytree(theirs[language], folder)
    evil = folder / "evil.sh"
    evil.write_text(script(canary))
    evil.chmod(0o755)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.format(str(canary), evil, folder))
    path.chmod(0o755)
    async with learner_here(tmp_path / "home") as me:
        with watched(folder, tmp_path / "home") as ran:
            for command in ("status", "check", "attempt", "hint", "next", "doctor"):
                with within(5):
                    await refusal_of(me.do(command, uri=folder.as_uri()))
        assert not [each for each in ran if "--version" not in each]
    assert not canary.exists()


def kept_open(path):
    """A pipe that somebody writes to without end."""
    os.mkfifo(path)
    subprocess.Popen(["timeout", "20", "sh", "-c", f"yes > {path}"])


PLACES = {
    "nothing": lambda path: None,
    "an empty folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "randomness": lambda path: path.symlink_to("/dev/urandom"),
    "a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "the root": lambda path: path.symlink_to("/"),
    "all devices": lambda path: path.symlink_to("/dev"),
    "all processes": lambda path: path.symlink_to("/proc"),
    "all memory": lambda path: path.symlink_to("/proc/self/mem"),
    "the kernel's log": lambda path: path.symlink_to("/proc/kmsg"),
    "an endless pipe": kept_open,
}


@pytest.mark.first(1)
@pytest.mark.parametrize(
    "verb",
    [
        "check-exercise",
        "import",
        pytest.param("start", marks=pytest.mark.long("proves an exercise")),
    ],
)
@pytest.mark.parametrize("case", PLACES)
def test_no_verb_hangs_on_what_is_no_exercise(tmp_path, case, verb):
    path = tmp_path / "place"
    PLACES[case](path)
    words = ["start", "--replay", str(path)] if verb == "start" else [verb, str(path)]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "tutor_lsp", *words, "--home", str(tmp_path / "home")],
        capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert time.monotonic() - began < 30
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "home" / "exercises").exists()


@pytest.mark.long("proves an exercise")
async def test_what_is_no_part_of_an_exercise_is_left_out_of_its_check(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(BUNDLED / "python" / "python-functions-movie-night", folder)
    for name in (".git/hooks/pre-commit", ".venv/bin/python", "target/x", "notes.txt", ".envrc"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(script(tmp_path / "canary"))
    os.mkfifo(folder / ".git" / "pipe")
    (folder / ".loop").symlink_to(folder)
    (folder / "conftest.py").write_text(
        f"import pathlib\npathlib.Path({str(tmp_path / 'canary')!r}).touch()\n"
    )
    async with learner_here(tmp_path / "home") as me:
        result = await check_exercise(me.app.services, folder)
    assert result["ok"], result["findings"]
    assert result["leftOut"] == [
        ".envrc", ".git/", ".loop", ".venv/", "conftest.py", "notes.txt", "target/"
    ]  # fmt: skip
    assert not (tmp_path / "canary").exists()


async def test_a_library_that_is_everything_still_serves(tmp_path):
    for place in ("/proc", "/dev", "/usr", "/"):
        async with learner_here(tmp_path / "home", libraries=[place]) as me:
            with within(5):
                await refusal_of(me.start(node="python-functions"))


def test_only_what_passes_the_gate_runs_code_of_an_exercise():
    calls = ("toolchain.run(", "toolchain.lint(", ".holding(", "make_review(", "set_up(")
    found = {
        path.name
        for path in (ROOT / "tutor").rglob("*.py")
        if any(call in path.read_text("utf-8") for call in calls)
    }
    # Each of them asks require_trust, or is reached by decide() alone, which asks allow_library.
    # The trace and the signatures ask for the same trust.
    assert found == {
        "copies.py", "execute.py", "located.py", "shadow_copies.py", "refresher.py", "signature.py",
        "start.py", "trace.py",
    }  # fmt: skip
