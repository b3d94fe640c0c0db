"""A Helix in a terminal that the test holds."""

import os
import shlex
from pathlib import Path

from terminal import COLUMNS, ROWS, Terminal

README = Path(__file__).resolve().parents[2] / "README.md"
LANGUAGES = README.read_text(encoding="utf-8").split("```toml\n[language-server.tutor-lsp]")[1]
LANGUAGES = "[language-server.tutor-lsp]" + LANGUAGES.split("```")[0]
"""What the README tells people to put into languages.toml."""
CONFIG = (
    "[editor]\nend-of-line-diagnostics"
    + README.read_text(encoding="utf-8")
    .split("```toml\n[editor]\nend-of-line-diagnostics")[1]
    .split("```")[0]
)
"""What it tells them to put into config.toml."""


class Helix(Terminal):
    """One Helix on some files."""

    def __init__(self, program, folder, server, files, languages=LANGUAGES, size=(COLUMNS, ROWS)):
        self.folder = folder / "a höme"
        self.home = self.folder / "tutor"
        config = self.folder / ".config" / "helix"
        config.mkdir(parents=True, exist_ok=True)
        (config / "languages.toml").write_text(languages)
        (config / "config.toml").write_text(
            CONFIG.replace("[editor]", "[editor]\ntrue-color = true", 1)
        )
        shim = self.folder / "bin" / "tutor-lsp"
        shim.parent.mkdir(exist_ok=True)
        shim.write_text(f'#!/bin/sh\nexec {shlex.join(server)} "$@"\n')
        shim.chmod(0o755)
        environment = {
            "HOME": str(self.folder),
            "PATH": f"{shim.parent}:{os.environ['PATH']}",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "TUTOR_LSP_HOME": str(self.home),
        }
        super().__init__(program, files, self.folder, environment, size)

    def status(self):
        """The line with mode, file and place."""
        return self.text().split("\n")[-2].rstrip()

    def command(self, line):
        """Run a typed command, once its completions have settled."""
        self.keys(":" + line)
        self.wait(lambda text: f":{line}" in text.split("\n")[-1])
        self.keys("\r")

    def close(self):
        """End Helix and wait until it is gone."""
        super().close(":quit-all!\r")
