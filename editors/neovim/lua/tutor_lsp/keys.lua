--- The maps of |tutor-lsp-keys|, in the buffers of exercises only.
local options = require("tutor_lsp.options")
local words = require("tutor_lsp.words")

local t, marked = words.t, words.marked

local M = {}

local PREFIX = "<LocalLeader>t"

--- A key after the prefix, the sub-command that it runs with its words, what it does.
---@type { [1]: string, [2]: string, [3]: string, words: string[]? }[]
local KEYS = {
  { "c", "check", marked("check: run the tests") },
  { "h", "hint", marked("hint") },
  { "n", "next", marked("next exercise") },
  { "l", "open", marked("lesson"), words = { "lesson" } },
  { "a", "attempt", marked("attempt") },
  { "t", "open", marked("test"), words = { "test" } },
  { "o", "output", marked("output of the last run") },
  { "?", "ask", marked("ask a question") },
  { "s", "reveal", marked("show the solution") },
  { "e", "easier", marked("an easier exercise") },
  { "d", "compare", marked("compare with the reference") },
  { "r", "review", marked("review") },
  { "f", "failures", marked("list of failures") },
  { "u", "reset", marked("undo the last reset"), words = { "undo" } },
  { "m", "start", marked("menu: continue or start an exercise") },
}
--- Those that lead on from a text, as its window names them.
local WAYS = {
  h = marked("next hint"),
  s = marked("solution"),
  ["?"] = marked("ask"),
  e = marked("easier"),
  n = marked("next exercise"),
  d = marked("compare"),
}
local FOCUS = "w"
local ENTER, CLOSE = marked("enter"), marked("close")
local OURS = "Tutor: "

---@class tutor_lsp.Map
---@field key string
---@field run fun()
---@field does string in English

--- Our maps by buffer: the first ones are there before the server can send a translation.
---@type table<integer, tutor_lsp.Map[]>
local ours = {}

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

---@param buffer integer
---@param map tutor_lsp.Map
local function put(buffer, map)
  vim.keymap.set("n", map.key, map.run, { buffer = buffer, desc = OURS .. t(map.does) })
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
  ours[buffer] = ours[buffer] or {}
  local function set(key, run, does)
    local taken = vim.iter(there):any(function(keys)
      return keys == start or vim.startswith(keys, start .. key)
    end)
    if not taken then
      local map = { key = prefix .. key, run = run, does = does }
      table.insert(ours[buffer], map)
      put(buffer, map)
    end
  end
  for _, each in ipairs(KEYS) do
    set(each[1], function()
      require("tutor_lsp").run(each[2], each.words)
    end, each[3])
  end
  set(FOCUS, function()
    require("tutor_lsp").focus()
  end, marked("enter or leave the window with the hint"))
end

--- Describe the keys anew, in the language that is known now.
function M.describe()
  for buffer, maps in pairs(ours) do
    for _, map in ipairs(vim.api.nvim_buf_is_loaded(buffer) and maps or {}) do
      local there = vim.api.nvim_buf_call(buffer, function()
        return vim.fn.maparg(map.key, "n", false, true)
      end)
      if there.buffer == 1 and there.callback == map.run then
        put(buffer, map)
      end
    end
  end
end

--- What a float says of the keys that lead on, and of those that enter and close it: the most
--- important first.
---@param ways string? keys after the prefix, such as "h"
---@return string[]
function M.footer(ways)
  local prefix = typed()
  if not prefix then
    return { "^Ww " .. t(ENTER), "q " .. t(CLOSE) }
  end
  local parts = {}
  for key in (ways or ""):gmatch(".") do
    parts[#parts + 1] = ("%s %s"):format(key, t(WAYS[key]))
  end
  parts[#parts + 1] = ("%s %s"):format(FOCUS, t(ENTER))
  parts[1] = ("%s: %s"):format(prefix, parts[1])
  parts[#parts + 1] = "q " .. t(CLOSE)
  return parts
end

return M
