"""Makes docs/terminal.svg, the README's picture of a terminal:  python scripts/terminal_picture.py

Every line in it is what the program really says, in a terminal of its own with an empty home.
"""

import os
import pty
import re
import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

from rich.console import Console
from rich.style import Style
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).parents[1]
OUT = ROOT / "docs" / "terminal.svg"
PROGRAM = (sys.executable, "-m", "tutor_lsp")
COLUMNS = 84
STUB = Path("src", "exercise", "movie.py")
TODO = 'raise NotImplementedError("to_minutes")'
WRONG = "return hours * 60 - minutes"
FONT, ROW, COLUMN, PAD = 14, 19, 8.43, 14
"""Sizes in pixels: letters, a row, a column, around the text."""


def run(home: Path, folder: Path, *words: str) -> str:
    """What the program shows in a terminal with colours."""
    ours, theirs = pty.openpty()
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color",
        "COLUMNS": str(COLUMNS), "TUTOR_LSP_HOME": str(home / "tutor"),
        "TUTOR_LSP_BACKEND": "library",
    }  # fmt: skip
    child = subprocess.Popen(
        [*PROGRAM, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=theirs, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        said += part
    os.close(ours)
    child.wait()
    return said.decode().replace("\r\n", "\n")


def shown(said: str, home: Path) -> str:
    """What is left on the screen, in a home as learners have it: what was drawn over is gone."""
    said = re.sub(r"\x1b\[\?25[hl]", "", said)
    said = re.sub(r"[^\n]*\n\r\x1b\[1A\x1b\[2K", "", said)
    said = re.sub(r"[^\n]*\r\x1b\[2K", "", said)
    return said.replace(str(home / "tutor"), "~/tutor-lsp").strip("\n")


def session() -> Text:
    """A wrong line, what a check says of it, and the first hint."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        run(home, home, "start", "--node", "python-functions")
        folder = next((home / "tutor" / "exercises").glob("python-functions-*"))
        stub = folder / STUB
        stub.write_text(stub.read_text().replace(TODO, WRONG))
        text = Text()
        for words in (("check",), ("hint",)):
            text.append(f"$ tutor-lsp {' '.join(words)}\n", Style(bold=True))
            text.append_text(Text.from_ansi(shown(run(home, folder, *words), home)))
            text.append("\n\n")
    text.rstrip()
    return text


def svg(text: Text) -> str:
    """A text as a picture that loads nothing, with a description for who does not see it."""
    console = Console(
        width=COLUMNS, color_system="truecolor", force_terminal=True, legacy_windows=False
    )
    lines = text.wrap(console, COLUMNS)
    rows = [
        "".join(_span(part.text, part.style) for part in line.render(console) if part.text)
        for line in lines
    ]
    height = ROW * len(rows) + 2 * PAD
    width = round(COLUMN * COLUMNS) + 2 * PAD
    drawn = "\n".join(
        f'<text x="{PAD}" y="{PAD + ROW * at + FONT}" xml:space="preserve">{row}</text>'
        for at, row in enumerate(rows)
        if row
    )
    told = escape(textwrap.shorten(text.plain, 2000))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="name told">\n'
        '<title id="name">A check and a hint in a terminal</title>\n'
        f'<desc id="told">{told}</desc>\n'
        f'<rect width="{width}" height="{height}" rx="8" fill="{MONOKAI.background_color.hex}"/>\n'
        '<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        f'font-size="{FONT}" fill="{MONOKAI.foreground_color.hex}">\n{drawn}\n</g>\n</svg>\n'
    )


def _span(text: str, style: Style | None) -> str:
    said = escape(text)
    looks = []
    if style is not None and style.color is not None:
        looks.append(f'fill="{style.color.get_truecolor(MONOKAI).hex}"')
    if style is not None and style.bold:
        looks.append('font-weight="bold"')
    if style is not None and style.dim:
        looks.append('opacity="0.7"')
    return f"<tspan {' '.join(looks)}>{said}</tspan>" if looks else said


if __name__ == "__main__":
    OUT.write_text(svg(session()), encoding="utf-8")
    sys.stdout.write(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size} bytes\n")
