"""What must agree before a release is built, and what built files must hold. Each function returns
sentences: what is wrong, with what to do; nothing for what is right."""

import json
import re
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import release_facts

TAG = re.compile(r"v(\d+\.\d+\.\d+((a|b|rc)\d+)?)")
Wrong = Iterator[str]


def version_of(tag: str) -> str | None:
    """The version that a tag such as v1.2.3 names; None for another form."""
    found = TAG.fullmatch(tag)
    return found[1] if found else None


def facts_missing(facts: release_facts.Facts) -> Wrong:
    """Values that release.toml lacks."""
    if facts.missing:
        yield (
            f"release.toml does not say yet: {', '.join(facts.missing)}. A release needs them: "
            "fill them in, run `make links` and commit."
        )


def versions(root: Path, wanted: str) -> Wrong:
    """Files of the tree at `root` that name another version."""
    for name, read in VERSIONS.items():
        found = read((root / name).read_text(encoding="utf-8"))
        if found != wanted:
            yield f"{name} has version {found or 'none'}, but the tag says {wanted}."
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[?([^\]\s]+)", changes, re.MULTILINE)
    if next((each for each in headings if each != "Unreleased"), None) != wanted:
        yield f"CHANGELOG.md has no heading [{wanted}] before those of other versions."


def _first(pattern: str) -> Callable[[str], str | None]:
    def read(text: str) -> str | None:
        found = re.search(pattern, text, re.MULTILINE)
        return found[1] if found else None

    return read


def _json(text: str) -> str | None:
    found = json.loads(text).get("version")
    return found if isinstance(found, str) else None


VERSIONS: dict[str, Callable[[str], str | None]] = {
    "pyproject.toml": _first(r'^version = "([^"]*)"'),
    "editors/vscode/package.json": _json,
    "editors/vscode/package-lock.json": _json,
    "editors/emacs/tutor-lsp.el": _first(r"^;; Version: (\S+)"),
}
"""Where a version stands, and how it is read there."""


def links(facts: release_facts.Facts, root: Path) -> Wrong:
    """Sources whose links are not those of release.toml."""
    for path, text in release_facts.sources(facts, root).items():
        if path.read_text(encoding="utf-8") != text:
            yield f"{path.name} lacks the links of release.toml: run `make links` and commit."


def git(root: Path, *words: str) -> str:
    """What git prints, empty where it fails."""
    done = subprocess.run(
        [shutil.which("git") or "git", *words],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def state(root: Path, tag: str, *, rehearsal: bool) -> Wrong:
    """A tree that is not what the tag names; a rehearsal may come before the tag."""
    changed = git(root, "status", "--porcelain")
    if changed:
        names = ", ".join(line[3:] for line in changed.splitlines()[:3])
        yield f"The tree has changes that are not committed ({names}): commit or discard them."
    head, tagged = git(root, "rev-parse", "HEAD"), git(root, "rev-parse", f"{tag}^{{commit}}")
    if tagged and tagged != head:
        yield f"The tag {tag} is not the commit that is checked out: git checkout {tag}."
    if not tagged and not rehearsal:
        yield f"There is no tag {tag}: git tag -a {tag} -m {tag}."


def same_wheels(one: Path, other: Path) -> Wrong:
    """Files that two wheels do not have alike."""
    with zipfile.ZipFile(one) as left, zipfile.ZipFile(other) as right:
        names = {*left.namelist(), *right.namelist()}
        for name in sorted(names):
            held = [name in each.namelist() and each.read(name) for each in (left, right)]
            if held[0] != held[1]:
                yield f"{name} in the wheel made from the sdist differs from the tree's."
