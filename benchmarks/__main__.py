"""Every bar as a ratio beside its yardstick, measured in turns in the same run."""

import argparse
import datetime
import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import history
from benchmarks.economy import set_up_calls
from benchmarks.freeze import freeze
from benchmarks.growth import growth
from benchmarks.light import light
from benchmarks.peers import peers
from benchmarks.proof import proof
from benchmarks.responding import loop
from benchmarks.saving import save
from benchmarks.starting import attach, opening, start
from benchmarks.table import HEAD, Figure, show
from benchmarks.terminal import terminal
from benchmarks.walk import walk

FIGURES: dict[str, Callable[[Path], list[Figure]]] = {
    "start": start, "peers": peers, "save": save, "attach": attach, "open": opening,
    "terminal": terminal, "proof": proof, "growth": growth, "light": light,
}  # fmt: skip
"""What gives rows of the table."""
REPORTS: dict[str, Callable[[Path], None]] = {
    "loop": loop, "economy": set_up_calls, "freeze": freeze,
    "walk": lambda _: walk(),
}  # fmt: skip
"""What prints sentences of its own."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("part", nargs="*", choices=[*FIGURES, *REPORTS, []], help="default: all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the ratios there, too")
    parser.add_argument(
        "--history",
        type=Path,
        metavar="FILE",
        help="add the ratios to this file, and warn of those that are a quarter over the usual",
    )
    return parser.parse_args()


def commit() -> str:
    """The commit that is measured."""
    asked = ["git", "describe", "--always", "--dirty"]
    found = subprocess.run(
        asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return found.stdout.strip() or "unknown"


def main() -> None:
    given = arguments()
    parts = given.part or [*FIGURES, *REPORTS]
    figures: list[Figure] = []
    if any(part in FIGURES for part in parts):
        print(HEAD)
    for part in parts:
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder) / "home"
            if part in FIGURES:
                found = FIGURES[part](home)
                show(found)
                figures += found
            else:
                REPORTS[part](home)
    if given.json:
        rows = [figure.row() for figure in figures]
        given.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if given.history:
        for warning in history.warnings(history.read(given.history), figures):
            print(warning)
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        history.note(given.history, commit(), now, figures)


if __name__ == "__main__":
    main()
