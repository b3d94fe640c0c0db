"""The README's picture of a terminal shows what the program says now."""

import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parents[2]
sys.path.insert(0, str(REPO / "scripts"))
import terminal_picture  # noqa: E402

sys.path.remove(str(REPO / "scripts"))


@pytest.mark.long("starts an exercise to draw a picture of it")
def test_the_picture_is_what_the_program_says():
    # A hint says less where what it looks for takes too long, as on a machine with much to do.
    drawn = (terminal_picture.svg(terminal_picture.session()) for _ in range(3))
    assert terminal_picture.OUT.read_text() in drawn, "run: python scripts/terminal_picture.py"
