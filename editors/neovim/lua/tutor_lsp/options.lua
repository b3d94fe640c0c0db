--- Options: defaults, and a check that keeps what is right and says what is not.
local M = {}

---@class tutor_lsp.Options
---@field cmd string[] how to start the server; its first word is looked up on PATH
---@field attach boolean start the server when a file of an exercise is opened
---@field language string? language to prefer when none is named
---@field show "float"|"split" where hints and reviews appear
---@field lesson boolean open LESSON.md beside the stub
---@field progress "auto"|"echo"|"none" auto: echo unless another plugin shows LSP progress
---@field keys boolean|string keys in buffers of exercises, after that prefix or <LocalLeader>t
---@field codelens boolean show the state of each stub as code lens
---@field signs boolean show the state of each stub in the sign column
---@field virtual_text boolean show what fails beneath the stub's line
---@field settings table settings of the server, section `tutor`

---@type tutor_lsp.Options
local DEFAULTS = {
  cmd = { "tutor-lsp" },
  attach = true,
  show = "float",
  lesson = true,
  progress = "auto",
  keys = true,
  codelens = true,
  signs = true,
  virtual_text = true,
  settings = {},
}

local FLAG = { "boolean", "true or false" }

---@type table<string, { [1]: string|string[], [2]: string }> type or all values, and these in words
local KNOWN = {
  attach = FLAG,
  cmd = { "table", "a list of strings, such as { 'tutor-lsp' }" },
  codelens = FLAG,
  keys = { "boolean or string", "true, false or a prefix, such as '<LocalLeader>t'" },
  language = { "string", "a language, such as 'python'" },
  lesson = FLAG,
  progress = { { "auto", "echo", "none" }, "'auto', 'echo' or 'none'" },
  settings = { "table", "a table" },
  show = { { "float", "split" }, "'float' or 'split'" },
  signs = FLAG,
  virtual_text = FLAG,
}

---@param key string
---@param value any
---@return boolean
local function fits(key, value)
  local wanted = KNOWN[key][1]
  if key == "cmd" then
    return type(value) == "table"
      and #value > 0
      and vim.iter(value):all(function(word)
        return type(word) == "string" and word ~= ""
      end)
  end
  if key == "keys" then
    return type(value) == "boolean" or type(value) == "string" and value ~= ""
  end
  return type(wanted) == "table" and vim.list_contains(wanted, value) or type(value) == wanted
end

local current = vim.deepcopy(DEFAULTS)

--- The options in force.
---@return tutor_lsp.Options
function M.get()
  return current
end

--- Replace the options. Wrong ones are left out.
---@param given table?
---@return string[] problems one sentence per option that was left out
function M.set(given)
  local problems = {}
  current = vim.deepcopy(DEFAULTS)
  if given ~= nil and type(given) ~= "table" then
    return { "setup() takes a table" }
  end
  for key, value in vim.spairs(given or {}) do
    if not KNOWN[key] then
      local known = vim.tbl_keys(KNOWN)
      table.sort(known)
      problems[#problems + 1] = ("unknown option `%s`; there are: %s"):format(
        key,
        table.concat(known, ", ")
      )
    elseif not fits(key, value) then
      problems[#problems + 1] = ("option `%s` must be %s"):format(key, KNOWN[key][2])
    else
      current[key] = value
    end
  end
  return problems
end

return M
