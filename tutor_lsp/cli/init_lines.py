"""Lines for an editor's own start file. They name the plugin's folder as it is now, so that no
program has to be asked at each start, and do nothing where it has gone."""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

NAME = "tutor-lsp"

_NEOVIM = """\
-- tutor-lsp, as `tutor-lsp editor-path neovim --init` wrote it
local tutor = {path}
if vim.uv.fs_stat(tutor) then
  vim.opt.rtp:prepend(tutor)
  require("tutor_lsp").setup({{{options}}})
end
"""

_EMACS = """\
;; tutor-lsp, as `tutor-lsp editor-path emacs --init` wrote it
(let ((tutor {path}))
  (when (file-directory-p tutor)
    (add-to-list 'load-path tutor)
    (require 'tutor-lsp)
{options}    (tutor-lsp-global-mode 1)))
"""


def init_lines(editor: str, path: Path) -> str:
    """What to add to `init.lua` of Neovim or `init.el` of Emacs for the plugin in that folder, or
    to `languages.toml` of Helix.

    The command is named only where the editor would not find it on PATH. Raises KeyError for
    another editor.
    """
    return {"neovim": _neovim, "emacs": _emacs, "helix": _helix}[editor](path, _command())


def _command() -> Sequence[str]:
    """How the server is started, where `tutor-lsp` alone does not do it."""
    return () if shutil.which(NAME) else (sys.executable, "-m", "tutor_lsp")


def _neovim(path: Path, command: Sequence[str]) -> str:
    options = f" cmd = {{ {', '.join(map(_quoted, command))} }} " if command else ""
    return _NEOVIM.format(path=_quoted(path), options=options)


def _emacs(path: Path, command: Sequence[str]) -> str:
    words = " ".join(map(_quoted, command))
    options = f"    (setq tutor-lsp-command '({words}))\n" if command else ""
    return _EMACS.format(path=_quoted(path), options=options)


def _helix(path: Path, command: Sequence[str]) -> str:
    lines = (path / "languages.toml").read_text(encoding="utf-8")
    if not command:
        return lines
    program, *rest = map(_quoted, command)
    alone = f"command = {_quoted(NAME)}\n"
    return lines.replace(alone, f"command = {program}\nargs = [{', '.join(rest)}]\n", 1)


def _quoted(text: str | Path) -> str:
    # Lua, Lisp and TOML all read such a string; Lua and Lisp do not know all of JSON's escapes for
    # other letters.
    return json.dumps(str(text), ensure_ascii=False)
