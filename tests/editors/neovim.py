"""A headless Neovim in a home of its own, driven by pynvim."""

import contextlib
import json
import os
import shlex
import signal
import threading
import time
import uuid
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
PLUGIN = REPO / "editors" / "neovim"
LIFE_S = 150
END_S = 20
WAIT_S = 20

RECORD = """
_G.notes, _G.asked, _G.answers, _G.inputs, _G.opened = {}, {}, {}, {}, {}
vim.notify = function(message, level)
  table.insert(_G.notes, { text = message, level = level })
end
vim.notify_once = vim.notify
vim.ui.select = function(items, opts, callback)
  local labels = {}
  for _, item in ipairs(items) do
    labels[#labels + 1] = (opts.format_item or tostring)(item)
  end
  table.insert(_G.asked, { prompt = opts.prompt, labels = labels })
  local wanted = table.remove(_G.answers, 1)
  for index, label in ipairs(labels) do
    if wanted and label:find(wanted, 1, true) then
      return callback(items[index], index)
    end
  end
  callback(nil)
end
vim.ui.input = function(opts, callback)
  table.insert(_G.asked, { prompt = opts.prompt, labels = {} })
  callback(table.remove(_G.inputs, 1))
end
vim.ui.open = function(path)
  table.insert(_G.opened, path)
  return {}, nil
end
"""


class Editor:
    """One Neovim. Waits poll state; nothing sleeps for a fixed time."""

    def __init__(self, nvim, folder, server, *, init="", argv=()):
        self._closed = False
        self.mark = uuid.uuid4().hex
        self.folder = folder / "a höme"
        self.home = self.folder / "tutor"
        self.log = self.folder / "commands.jsonl"
        (self.folder / "bin").mkdir(parents=True, exist_ok=True)
        shim = self.folder / "bin" / "tutor-lsp"
        if server is not None:
            shim.write_text(f'#!/bin/sh\nexec {shlex.join(server)} "$@"\n')
            shim.chmod(0o755)
        setup = self.folder / f"init-{self.mark}.lua"
        setup.write_text(RECORD + init)
        # No user interface is attached: the size stands in for that of a terminal.
        command = [
            *("env", "-i", *(f"{key}={value}" for key, value in self._environment().items())),
            *(str(nvim), "--embed", "--headless", "--clean", "-n"),
            *("--cmd", f"set rtp^={str(PLUGIN).replace(' ', chr(92) + ' ')} columns=140 lines=40"),
            *("--cmd", f"luafile {setup}"),
            *argv,
        ]
        import pynvim

        self.vim = pynvim.attach("child", argv=command)
        self.pid = self.vim.funcs.getpid()
        self._deadline = threading.Timer(LIFE_S, self._kill)
        self._deadline.daemon = True
        self._deadline.start()

    def _environment(self):
        paths = [str(self.folder / "bin"), "/usr/local/bin", "/usr/bin", "/bin"]
        return {
            "HOME": self.folder,
            "PATH": os.pathsep.join(paths),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "TMPDIR": os.environ.get("TMPDIR", "/tmp"),
            "XDG_CONFIG_HOME": self.folder / "config",
            "XDG_DATA_HOME": self.folder / "data",
            "XDG_STATE_HOME": self.folder / "state",
            "XDG_CACHE_HOME": self.folder / "cache",
            "TUTOR_LSP_HOME": self.home,
            "TUTOR_TEST_MARK": self.mark,
            "TUTOR_TEST_LOG": self.log,
        }

    def lua(self, code, *args):
        """The value of a chunk of Lua."""
        return self.vim.exec_lua(code, *args)

    def run(self, command):
        """An Ex command; one that waits for the server returns before its answer comes."""
        self.vim.command(command)

    def wait(self, condition, *args, seconds=WAIT_S):
        """Until the Lua expression, which may use `...`, is true; gives its last value."""
        value = self.lua(
            "local args, value = {...}, nil\n"
            "local function state(...) return " + condition + " end\n"
            "vim.wait(args[1], function() value = state(unpack(args, 2)) return value end, 10)\n"
            "return value",
            int(seconds * 1000),
            *args,
        )
        assert value, f"not within {seconds} s: {condition} {args}\n{self.describe()}"
        return value

    def wait_for_note(self, text, seconds=WAIT_S):
        """Until a message with that text was shown."""
        return self.wait(
            "(function(text) return vim.iter(_G.notes):find(function(note)"
            " return note.text:find(text, 1, true) ~= nil end) end)(...)",
            text,
            seconds=seconds,
        )

    def wait_for_server(self):
        """Until the client is ready and attached to the current buffer."""
        self.wait('#vim.lsp.get_clients({ name = "tutor_lsp", bufnr = 0 }) == 1')

    def wait_for_lens(self, title):
        """Until the first lens of the current buffer has that title."""
        self.wait(
            """(function(title)
              local which = vim.fn.has("nvim-0.12") == 1 and { bufnr = 0 } or 0
              local first = vim.lsp.codelens.get(which)[1]
              return first and (first.lens or first).command.title == title
            end)(...)""",
            title,
        )

    @property
    def notes(self):
        """Messages so far."""
        return [note["text"] for note in self.lua("return _G.notes")]

    @property
    def asked(self):
        """Pickers and inputs so far: prompt and labels."""
        return self.lua("return _G.asked")

    def answer(self, *labels):
        """Choose these, one per picker to come, by a part of their label."""
        self.lua("vim.list_extend(_G.answers, ...)", list(labels))

    def type_in(self, *texts):
        """Enter these, one per input to come."""
        self.lua("vim.list_extend(_G.inputs, ...)", list(texts))

    def lines(self):
        """Lines of the current buffer."""
        return list(self.vim.current.buffer[:])

    def file(self):
        """Name of the current buffer."""
        return self.vim.current.buffer.name

    def files_of_tab(self):
        """Names of the files in the windows of this tab, floats left out."""
        return self.lua("""
            local found = {}
            for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
              if vim.api.nvim_win_get_config(window).relative == "" then
                local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
                found[#found + 1] = vim.fs.basename(name)
              end
            end
            return found""")

    def float(self):
        """Title and text of the float, or None."""
        return self.lua("""
            for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
              local config = vim.api.nvim_win_get_config(window)
              if config.relative ~= "" then
                local lines = vim.api.nvim_buf_get_lines(
                  vim.api.nvim_win_get_buf(window), 0, -1, false)
                return { title = config.title and config.title[1][1] or "",
                         text = table.concat(lines, "\\n") }
              end
            end""")

    def footer(self):
        """What the float says at its lower edge."""
        return self.lua("""
            for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
              local config = vim.api.nvim_win_get_config(window)
              if config.relative ~= "" then
                return config.footer and config.footer[1][1] or ""
              end
            end""")

    def wait_for_float(self, title, seconds=WAIT_S):
        """The float once its title holds that text."""
        self.wait(
            "(function(title) return vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(function(w)"
            " local shown = vim.api.nvim_win_get_config(w).title"
            " return shown and shown[1][1]:find(title, 1, true) ~= nil end) end)(...)",
            title,
            seconds=seconds,
        )
        return self.float()

    def diagnostics(self):
        """The tutor's diagnostics of the current buffer as (line, severity, code, message)."""
        return [
            (item["lnum"] + 1, item["severity"], item["code"], item["message"])
            for item in self.lua("return vim.diagnostic.get(0)")
            if item.get("source") == "tutor"
        ]

    def wait_for_file(self, ending, seconds=WAIT_S):
        """Until a file whose path ends so is in front."""
        self.wait("vim.endswith(vim.api.nvim_buf_get_name(0), ...)", ending, seconds=seconds)

    def wait_for_stub(self):
        """Until the stub file of the fake server's exercise is in front."""
        self.wait_for_file("/words.py")

    def solve(self):
        """Write the bodies of the fake server's exercise; nothing is saved."""
        self.run("%s/raise NotImplementedError.*/return text.upper()/")

    def arguments(self, command):
        """Arguments that the fake server got with that command, in order."""
        if not self.log.is_file():
            return []
        seen = [json.loads(line) for line in self.log.read_text().splitlines()]
        return [argument for name, argument in seen if name == command]

    def wait_for_arguments(self, command, count=1):
        """The arguments once the fake server got that command so many times."""
        deadline = time.monotonic() + WAIT_S
        while len(self.arguments(command)) < count and time.monotonic() < deadline:
            self.lua("vim.wait(10)")
        return self.arguments(command)

    def wait_for_completion(self, line, wanted):
        """Candidates at the end of that command line, once `wanted` is among them."""
        deadline = time.monotonic() + WAIT_S
        found = self.vim.funcs.getcompletion(line, "cmdline")
        while wanted not in found and time.monotonic() < deadline:
            found = self.vim.funcs.getcompletion(line, "cmdline")
        return found

    def server_pid(self):
        """Process id of the tutor's server."""
        for pid, line in self._marked().items():
            if pid != self.pid and ("fake_server" in line or "tutor_lsp" in line):
                return pid
        raise AssertionError("no server runs")

    def describe(self):
        """For a failing test: what the editor shows."""
        return json.dumps(
            {
                "notes": self.notes,
                "asked": self.asked,
                "file": self.file(),
                "float": self.float(),
                "diagnostics": self.diagnostics(),
                "messages": self.vim.command_output("messages"),
            },
            ensure_ascii=False,
            indent=1,
        )

    def close(self):
        """End the editor. What it leaves behind is killed and returned."""
        if self._closed:
            return []
        self.quit()
        self._closed = True
        deadline = time.monotonic() + END_S
        while (left := self._marked()) and time.monotonic() < deadline:
            time.sleep(0.02)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.vim.close()
        return list(left.values())

    def quit(self):
        """Have it end, whatever is unsaved; nothing if it was closed."""
        if self._closed:
            return
        self._deadline.cancel()
        with contextlib.suppress(OSError, EOFError):
            self.vim.command("qa!", async_=True)

    def _kill(self):
        os.kill(self.pid, signal.SIGKILL)

    def _marked(self):
        """Processes that this editor started: they carry its mark or work in its folder."""
        found = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                environment = (entry / "environ").read_bytes()
                working_in = (entry / "cwd").readlink()
                command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if self.mark.encode() in environment or working_in.is_relative_to(self.folder):
                found[int(entry.name)] = command or entry.name
        return found
