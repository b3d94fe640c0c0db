"""A copy of this repository that is ready to be released, but for what a test takes from it."""

import os
import subprocess
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
FACTS = """\
repository = "https://github.com/someone/tutor"
bugs = "https://github.com/someone/tutor/issues"
homepage = "https://tutor.example"
publisher = "someone"
"""
GIT = ("git", "-c", "user.name=Test", "-c", "user.email=test@localhost")


def git(folder, *words):
    done = subprocess.run([*GIT, *words], cwd=folder, capture_output=True, check=True)
    return done.stdout


def copy(folder, paths=()):
    """The files under git here as they are now, committed in a repository at `folder`."""
    listed = git(REPO, "ls-files", "-z", "--cached", "--others", "--exclude-standard", *paths)
    there = [name for name in listed.split(b"\0") if os.path.lexists(REPO / os.fsdecode(name))]
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"],
        cwd=REPO, input=b"\0".join(there), capture_output=True, check=True,
    ).stdout  # fmt: skip
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-x"], cwd=folder, input=packed, check=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder)


def commit(folder):
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "All")
