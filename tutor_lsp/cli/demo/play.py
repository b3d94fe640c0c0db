"""`tutor-lsp demo`: which languages are played, and how it ends."""

import asyncio
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tutor_lsp.cli.demo import show
from tutor_lsp.cli.demo.client import Editor, StepFailedError
from tutor_lsp.cli.demo.session import DemoSession, expect
from tutor_lsp.cli.exit_codes import DONE, REFUSED
from tutor_lsp.cli.paths import expanded
from tutor_lsp.cli.runtime import Invocation, Options, run
from tutor_lsp.core.text.translation import t
from tutor_lsp.tutor.application.app import App

LANGUAGES = ("python", "rust")
TOOL = {"rust": "cargo"}
"""What must be there to play a language."""
TOOL_S = 10.0
PREFIX = "tutor-lsp-demo-"


def demo(home: str | None, languages: Sequence[str], *, plain: bool, keep: bool = True) -> int:
    """Play in `home` (a new temporary folder by default), and remove that unless it is to be kept,
    however the play ends. Gives the exit code."""
    place = expanded(home).absolute() if home else Path(tempfile.mkdtemp(prefix=PREFIX))
    place.mkdir(parents=True, exist_ok=True)
    invocation = Invocation(Options(home=str(place), plain=plain))
    invocation.asks = False
    played = tuple(languages) or LANGUAGES
    try:
        return run(invocation, lambda app: _play(invocation, app, place, played, keep=keep))
    finally:
        if not keep:
            shutil.rmtree(place, ignore_errors=True)


def _processes_in(home: Path) -> set[int]:
    """Processes that work in a folder, where the system tells of them (Linux)."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if link.readlink().is_relative_to(home):
                found.add(int(link.parent.name))
        except OSError:
            continue
    return found


async def _play(
    invocation: Invocation, app: App, home: Path, languages: Sequence[str], *, keep: bool
) -> int:
    out = invocation.out
    began = time.monotonic()
    out.line(("strong", "A learning session against the real server"), ("dim", f"  home {home}"))
    missing = [language for language in languages if not await asyncio.to_thread(_works, language)]
    for language in missing:
        show.heading(out, f"{language.capitalize()}: skipped, {TOOL[language]} does not work here")
    folders: list[Path] = []
    playable = [language for language in languages if language not in missing]
    if playable and not await _sessions(invocation, app, home, playable, folders):
        return REFUSED
    if keep:
        _where(invocation, home, folders)
    _farewell(invocation, folders, missing, time.monotonic() - began)
    return REFUSED if missing and os.environ.get("CI") == "true" else DONE


async def _sessions(
    invocation: Invocation, app: App, home: Path, languages: Sequence[str], folders: list[Path]
) -> bool:
    """Play one session per language against one server; whether every step went right."""
    out = invocation.out
    said: list[str] = []

    def on_progress(title: str, percent: int | None, text: str) -> None:
        line = f"  {title}: {'' if percent is None else f'{percent:>3} %  '}{text}"
        if text and line not in said:
            said.append(line)
            out.line(("dim", line))

    editor = Editor(on_progress)
    others = _processes_in(home)
    try:
        await editor.begin(home)
        for language in languages:
            said.clear()
            folders.append(await DemoSession(out, editor, app, language).play())
        show.heading(out, "The editor closes")
        code = await editor.end()
        expect(code == 0, "the server to end with exit code 0", str(code))
        left = _processes_in(home) - others
        expect(not left, "no process left behind", f"processes {sorted(left)}")
        out.line("  The server has ended, and every process with it.")
    except StepFailedError as error:
        out.line()
        out.line(("bad", "This step went wrong."))
        out.line("  expected: ", error.expected)
        out.line("  seen:     ", error.seen)
        for line in editor.log:
            out.line(("dim", f"  server: {line}"))
        return False
    finally:
        await editor.kill()
    return True


def _works(language: str) -> bool:
    """Whether a language's tool is there and runs; it is not looked at for longer than `TOOL_S`."""
    if language not in TOOL:
        return True
    command = [TOOL[language], "--version"]
    try:
        asked = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TOOL_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def _where(invocation: Invocation, home: Path, folders: Sequence[Path]) -> None:
    out = invocation.out
    show.heading(out, "See it in your editor")
    out.line("  VS Code (with the tutor-lsp extension) and Neovim (with the plugin):")
    for folder in folders:
        for program, place in (("code", folder), ("nvim", folder / "LESSON.md")):
            out.line(f"    {program} ", ("place", str(place)))
    out.line("  Neovim finds the plugin by: tutor-lsp editor-path neovim")
    if folders:
        out.line("  In this terminal: ", ("place", f"tutor-lsp watch {folders[0]} --home {home}"))


def _farewell(
    invocation: Invocation, folders: Sequence[Path], missing: Sequence[str], seconds: float
) -> None:
    out = invocation.out
    skipped = t(f", skipped: {len(missing)} ({', '.join(missing)})") if missing else ""
    out.line()
    out.line(
        ("good", "Everything went as it should"),
        f" in {seconds:.0f} s: {len(folders)} of {len(folders) + len(missing)} languages{skipped}.",
    )
