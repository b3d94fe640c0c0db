"""Where the project is published, from release.toml, in the form that each package needs.

    python scripts/release_facts.py            write the links into the sources that carry them
    python scripts/release_facts.py --check    fail where those differ
    python scripts/release_facts.py --vscode   what the VS Code package takes of it, as JSON

A value that is empty is not known: whatever needs it is left out. Standard library only, because
the wheel's metadata is made with this.
"""

import json
import re
import sys
import tomllib
from dataclasses import dataclass, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EMACS = Path("editors/emacs/tutor-lsp.el")
README = Path("README.md")
FORGES = {
    "github.com": ("blob/{ref}", "raw/{ref}"),
    "gitlab.com": ("-/blob/{ref}", "-/raw/{ref}"),
    "codeberg.org": ("src/tag/{ref}", "raw/tag/{ref}"),
}
"""Where these show a file of a tag, and where its bytes are."""


class FactsError(Exception):
    """What is wrong with release.toml, in a sentence."""


@dataclass(frozen=True)
class Facts:
    """The values of release.toml; "" where one is not known yet."""

    repository: str
    bugs: str
    homepage: str
    publisher: str

    @property
    def missing(self) -> list[str]:
        """Names of the values that are not known yet."""
        return [each.name for each in fields(self) if not getattr(self, each.name)]

    @property
    def links(self) -> dict[str, str]:
        """Known addresses by the labels that the Python package index knows."""
        known = {"Homepage": self.homepage, "Source": self.repository, "Issues": self.bugs}
        return {label: address for label, address in known.items() if address}

    def pages(self, version: str) -> str | None:
        """The address below which files of that release are shown; None if it is not known."""
        return self._files(version, 0)

    def raw(self, version: str) -> str | None:
        """The address below which the bytes of files of that release are; None if not known."""
        return self._files(version, 1)

    def _files(self, version: str, which: int) -> str | None:
        host = self.repository.removeprefix("https://").partition("/")[0]
        if host not in FORGES:
            return None
        return f"{self.repository}/{FORGES[host][which].format(ref=f'v{version}')}"


def read(root: Path = ROOT) -> Facts:
    """The facts of the source tree at `root`. Raises FactsError."""
    known = [each.name for each in fields(Facts)]
    try:
        told = tomllib.loads((root / "release.toml").read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise FactsError(f"release.toml cannot be read: {error}") from error
    if sorted(told) != sorted(known):
        raise FactsError(f"release.toml must have these keys and no others: {', '.join(known)}")
    for name, value in told.items():
        form = r"[\w-]*" if name == "publisher" else r"(https://[^\s/]+(/[^\s]*[^\s/])?)?"
        if not isinstance(value, str) or not re.fullmatch(form, value):
            wanted = "a name" if name == "publisher" else "an https address without a final slash"
            raise FactsError(f"{name} in release.toml must be {wanted}, or empty")
    return Facts(**told)


def absolute(text: str, facts: Facts, version: str, folder: str = "") -> str:
    """Markdown whose links into the repository lead to that release, or are words alone if its
    address is not known, and pictures are left out with their paragraph; `folder` is where the text
    lies in the repository, with a final slash.
    """
    pages, raw = facts.pages(version), facts.raw(version)

    def picture(found: re.Match[str]) -> str:
        label, target, end = found.groups()
        return f"![{label}]({raw}/{folder}{target}){end or ''}" if raw else ""

    def link(found: re.Match[str]) -> str:
        label, target = found.groups()
        return f"[{label}]({pages}/{folder}{target})" if pages else label

    text = re.sub(r"!\[([^\]]*)\]\((?!https?:)([^)\s]+)\)(\n\n)?", picture, text)
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|mailto:)([^)\s]+)\)", link, text)


def vscode(facts: Facts, version: str) -> dict[str, object]:
    """What goes into the package of the VS Code extension: `manifest` into its package.json,
    `pages` and `raw` before relative targets of its README.
    """
    manifest: dict[str, object] = {}
    if facts.publisher:
        manifest["publisher"] = facts.publisher
    if facts.repository:
        place = {"type": "git", "url": facts.repository, "directory": "editors/vscode"}
        manifest["repository"] = place
    if facts.bugs:
        manifest["bugs"] = {"url": facts.bugs}
    if facts.homepage:
        manifest["homepage"] = facts.homepage
    return {"manifest": manifest, "pages": facts.pages(version), "raw": facts.raw(version)}


def mason(facts: Facts, version: str, root: Path = ROOT) -> str:
    """The entry of mason's registry, `packages/tutor-lsp/package.yaml` there.

    Raises FactsError without a homepage, which the registry demands.
    """
    if not facts.homepage:
        raise FactsError("mason's registry demands a homepage: set it in release.toml")
    told = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return f"""---
name: tutor-lsp
description: {told["project"]["description"]}
homepage: {facts.homepage}
licenses:
  - MIT
languages:
  - C
  - Python
  - Rust
categories:
  - LSP

source:
  id: pkg:pypi/tutor-lsp@{version}
  supported_platforms:
    - unix

bin:
  tutor-lsp: pypi:tutor-lsp
"""


def version(root: Path = ROOT) -> str:
    """The version that pyproject.toml names."""
    told = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return str(told["project"]["version"])


def sources(facts: Facts, root: Path = ROOT) -> dict[Path, str]:
    """Files that carry links, as they are to be: Emacs' header, and the README's last line."""
    header = (root / EMACS).read_text(encoding="utf-8")
    url = facts.homepage or facts.repository
    header = re.sub(r"^;; URL: .*\n", "", header, flags=re.MULTILINE)
    if url:
        header = re.sub(r"^(;; Version: .*\n)", rf"\1;; URL: {url}\n", header, flags=re.MULTILINE)
    readme = (root / README).read_text(encoding="utf-8")
    line = " · ".join(f"[{label}]({address})" for label, address in facts.links.items())
    readme = re.sub(r"\n<!-- links of release\.toml -->\n.*\n", "", readme)
    if line:
        readme += f"\n<!-- links of release.toml -->\n{line}\n"
    return {root / EMACS: header, root / README: readme}


def main(argv: list[str]) -> int:
    """Exit code 0, or 1 with a sentence on stderr."""
    try:
        facts = read()
    except FactsError as error:
        print(error, file=sys.stderr)
        return 1
    if argv == ["--vscode"]:
        print(json.dumps(vscode(facts, version())))
        return 0
    changed = {
        path: text
        for path, text in sources(facts).items()
        if path.read_text(encoding="utf-8") != text
    }
    if argv == ["--check"]:
        for path in changed:
            print(f"{path.name} lacks the links of release.toml: run `make links`", file=sys.stderr)
        return 1 if changed else 0
    for path, text in changed.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
