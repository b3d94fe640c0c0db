"""The walks that docs/architecture.md shows are those that a trace of the code finds."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"


def shown():
    """The files of each walk in the table, in which a row may be about several walks."""
    section = PAGE.read_text("utf-8").split("### Three walks\n")[1].split("\n## ")[0]
    walks = {}
    for names, files in re.findall(r"^\| ([a-z, ]+) \| (`.*) \|$", section, re.MULTILINE):
        for name in names.split(", "):
            walks.setdefault(name, []).extend(re.findall(r"`([\w/<>]+\.py)`", files))
    return walks


def traced():
    command = [sys.executable, "-m", "benchmarks", "walk"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    walks, files = {}, set()
    for line in ran.stdout.replace("languages/python/", "languages/<id>/").splitlines():
        if ", into the store: " in line:
            walks.setdefault("each", set()).update(re.findall(r"[\w/]+\.py", line))
            continue
        files.update(re.findall(r"[\w/<>]+\.py", line))
        if ended := re.match(r"(\w+): (\d+) files", line):
            assert len(files) == int(ended[2])
            walks[ended[1]], files = files, set()
    return walks


@pytest.mark.long("plays a start, an attempt and a save under a profiler")
def test_the_walks_of_the_page_are_those_of_the_code():
    page, code = shown(), traced()
    assert set(page["start"]) == code["start"]
    assert set(page["attempt"]) == code["attempt"]
    assert set(page["each"]) == code["each"]
    # The rest of a save's row is words: from the queue on, it goes as an attempt does.
    queue = page["attempt"].index("tutor/running/run_queue.py")
    assert code["save"] <= {*page["save"], *page["attempt"][queue:]}
    counts = ", ".join(str(len(code[name])) for name in ("start", "attempt"))
    assert f"{counts} and {len(code['save'])} files" in PAGE.read_text("utf-8")
