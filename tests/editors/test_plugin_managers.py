"""The Neovim plugin, installed from a clone of this repository as plugin managers do it."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
LIMIT_S = 60
GIT = ("git", "-c", "user.name=Test", "-c", "user.email=test@localhost")
FOUND = """
vim.api.nvim_create_autocmd("VimEnter", { callback = function() vim.schedule(function()
  local helped = pcall(vim.cmd, "noautocmd help tutor-lsp")
  local said = {
    command = vim.fn.exists(":TutorLsp"),
    map = vim.fn.maparg("<Plug>(tutor-lsp-hint)", "n") ~= "",
    help = helped and vim.api.nvim_buf_get_name(0) or "",
    config = #vim.api.nvim_get_runtime_file("lsp/tutor_lsp.lua", true),
    language = require("tutor_lsp.options").get().language,
    remedy = require("tutor_lsp.client").how_to_install(),
    messages = vim.api.nvim_exec2("messages", { output = true }).output,
  }
  vim.fn.writefile({ vim.json.encode(said) }, vim.env.TUTOR_TEST_SAID)
  vim.cmd("qa!")
end) end })
"""
SETUP = 'require("tutor_lsp").setup({ language = "python" })\n'


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """What a clone of this repository holds as it is now, as a repository of its own."""
    folder = tmp_path_factory.mktemp("repository") / "tutor-lsp"
    folder.mkdir()
    files = subprocess.run(
        [*GIT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPO, capture_output=True, check=True,
    ).stdout.split(b"\0")  # fmt: skip
    listed = b"\0".join(name for name in files if os.path.lexists(REPO / os.fsdecode(name)))
    packed = subprocess.run(
        ["tar", "-c", "--null", "-T", "-"], cwd=REPO, input=listed, capture_output=True, check=True
    ).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=packed, check=True)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "All"]):
        subprocess.run([*GIT, *words], cwd=folder, check=True)
    return folder


def started(nvim, home, init):
    """What a Neovim with that init.lua says of the plugin once it has started."""
    (home / "nvim").mkdir(parents=True)
    (home / "nvim" / "init.lua").write_text(init + FOUND)
    said = home / "said.json"
    done = subprocess.run(
        [str(nvim), "--headless"],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            **{f"XDG_{kind}_HOME": str(home) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "TUTOR_TEST_SAID": str(said),
        },
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    assert said.is_file(), done.stderr
    return json.loads(said.read_text())


def check(said, clone):
    # That it installs something is what vim.pack itself says.
    said["messages"] = re.sub(r"^vim\.pack: .*\n?", "", said["messages"], flags=re.MULTILINE)
    assert said == {
        "command": 2,
        "map": True,
        "help": str(clone / "editors" / "neovim" / "doc" / "tutor-lsp.txt"),
        "config": 1,
        "language": "python",
        "remedy": f"pipx install {clone}",
        "messages": "",
    }
    left = subprocess.run(
        [*GIT, "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True
    )
    assert left.stdout == "", "an update would stop at changed files"


def test_vim_pack(get, repository, tmp_path):
    """The whole line of the README, with the options right after it."""
    add = f'vim.pack.add({{ "file://{repository}" }}, {{ confirm = false }})\n'
    said = started(get("nvim-0.12"), tmp_path, add + SETUP)
    check(said, tmp_path / "nvim" / "site" / "pack" / "core" / "opt" / "tutor-lsp")


def test_as_lazy_does(nvim, repository, tmp_path):
    """A clone, its help tags, its folder in the runtime path, `plugin/` sourced, `main` set up."""
    clone = tmp_path / "lazy" / "tutor-lsp"
    subprocess.run([*GIT, "clone", "-q", f"file://{repository}", str(clone)], check=True)
    lazy = f"""
    vim.go.loadplugins = false
    local clone = "{clone}"
    vim.cmd.helptags(clone .. "/doc")
    vim.opt.rtp:append(clone)
    local main = {{}}
    for name in vim.fs.dir(clone .. "/lua") do
      main[#main + 1] = name
    end
    assert(#main == 1, "`opts` need one module")
    for name in vim.fs.dir(clone .. "/plugin") do
      vim.cmd.source(clone .. "/plugin/" .. name)
    end
    require(main[1]).setup({{ language = "python" }})
    """
    check(started(nvim, tmp_path / "home", lazy), clone)
