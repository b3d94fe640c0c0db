--- The maps of |tutor-lsp-keys|, in the buffers of exercises only.
local options = require("tutor_lsp.options")

local M = {}

local PREFIX = "<LocalLeader>t"

--- A key after the prefix, the sub-command that it runs with its words, what it does.
---@type { [1]: string, [2]: string, [3]: string, words: string[]? }[]
local KEYS = {
  { "c", "check", "check: run the tests" },
  { "h", "hint", "hint" },
  { "n", "next", "next exercise" },
  { "l", "open", "lesson", words = { "lesson" } },
  { "a", "attempt", "attempt" },
  { "t", "open", "test", words = { "test" } },
  { "o", "output", "output of the last run" },
  { "?", "ask", "ask a question" },
  { "s", "reveal", "show the solution" },
  { "e", "easier", "an easier exercise" },
  { "d", "compare", "compare with the reference" },
  { "r", "review", "review" },
  { "f", "failures", "list of failures" },
  { "u", "reset", "undo the last reset", words = { "undo" } },
  { "m", "start", "menu: continue or start an exercise" },
}
local FOCUS = "w"
local OURS = "Tutor: "

--- The prefix in force, if keys are wanted.
---@return string?
function M.prefix()
  local wanted = options.get().keys
  return wanted == true and PREFIX or wanted or nil
end

--- The prefix as it is typed, such as `\t`, where the current buffer has the keys.
---@return string?
local function typed()
  local leaders = { localleader = vim.g.maplocalleader, leader = vim.g.mapleader }
  local prefix = M.prefix()
  return prefix
    and vim.startswith(vim.fn.maparg(prefix .. "h", "n", false, true).desc or "", OURS)
    and (
      prefix:gsub("<(%a+)>", function(name)
        local known = name:lower() == "localleader" or name:lower() == "leader"
        return known and vim.fn.keytrans(leaders[name:lower()] or "\\") or nil
      end)
    )
end

--- What is mapped in a buffer, there or everywhere, spelt as |keytrans()| does: <C-H> has two forms
--- of bytes.
---@param buffer integer
---@return string[]
local function mapped(buffer)
  local maps = vim.api.nvim_buf_get_keymap(buffer, "n")
  return vim.tbl_map(function(map)
    return vim.fn.keytrans(map.lhsraw)
  end, vim.list_extend(maps, vim.api.nvim_get_keymap("n")))
end

--- Map the keys in a buffer of an exercise. What is mapped already stays as it is: the prefix,
--- a key, or what begins with one. What is shorter, such as the leader alone, takes no key: which-key
--- maps that in every buffer.
---@param buffer integer
function M.map(buffer)
  local prefix = M.prefix()
  if not prefix then
    return
  end
  local start = vim.fn.keytrans(vim.api.nvim_replace_termcodes(prefix, true, true, true))
  local there = mapped(buffer)
  local function set(key, run, desc)
    local taken = vim.iter(there):any(function(keys)
      return keys == start or vim.startswith(keys, start .. key)
    end)
    if not taken then
      vim.keymap.set("n", prefix .. key, run, { buffer = buffer, desc = OURS .. desc })
    end
  end
  for _, each in ipairs(KEYS) do
    set(each[1], function()
      require("tutor_lsp").run(each[2], each.words)
    end, each[3])
  end
  set(FOCUS, function()
    require("tutor_lsp").focus()
  end, "enter or leave the window with the hint")
end

--- What a float says of the keys that lead on, and of those that enter and close it: the most
--- important first.
---@param ways string? keys after the prefix, such as "h"
---@return string[]
function M.footer(ways)
  local prefix = typed()
  if not prefix then
    return { "^Ww enter", "q close" }
  end
  local names = { h = "next hint", s = "solution", ["?"] = "ask", e = "easier" }
  names.n, names.d = "next exercise", "compare"
  local parts = {}
  for key in (ways or ""):gmatch(".") do
    parts[#parts + 1] = ("%s %s"):format(key, names[key])
  end
  parts[#parts + 1] = FOCUS .. " enter"
  parts[1] = ("%s: %s"):format(prefix, parts[1])
  parts[#parts + 1] = "q close"
  return parts
end

return M
