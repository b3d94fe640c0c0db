"""Metadata of the package that pyproject.toml cannot hold: links, and a README with links that work
on a package index.
"""

import runpy
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ReleaseMetadata(MetadataHookInterface):
    """Takes them from release.toml, whatever is known of them."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets `urls` and `readme`."""
        root = Path(self.root)
        ours = runpy.run_path(str(root / "scripts" / "release_facts.py"))
        facts = ours["read"](root)
        metadata["urls"] = facts.links
        text = (root / "README.md").read_text(encoding="utf-8")
        text = ours["absolute"](text, facts, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
