--- Options: defaults, and a check that keeps what is right and says what is not.
local M = {}

---@class tutor_lsp.Options
---@field cmd string[] how to start the server; its first word is looked up on PATH
---@field attach boolean start the server when a file of an exercise is opened
---@field language string? language to prefer when none is named
---@field show "float"|"split" where hints and reviews appear
---@field lesson boolean open LESSON.md beside the stub
---@field progress "auto"|"echo"|"none" auto: echo unless another plugin shows LSP progress
---@field codelens boolean show the state of each stub as code lens
---@field signs boolean show the state of each stub in the sign column
---@field virtual_text boolean show what fails beneath the stub's line
---@field settings table settings of the server, section `tutor`

---@return tutor_lsp.Options
local function defaults()
  return {
    cmd = { "tutor-lsp" },
    attach = true,
    language = nil,
    show = "float",
    lesson = true,
    progress = "auto",
    codelens = true,
    signs = true,
    virtual_text = true,
    settings = {},
  }
end

---@type table<string, { [1]: fun(value: any): boolean, [2]: string }>
local checks = {
  cmd = {
    function(value)
      return type(value) == "table"
        and #value > 0
        and vim.iter(value):all(function(word)
          return type(word) == "string" and word ~= ""
        end)
    end,
    "a list of strings, such as { 'tutor-lsp' }",
  },
  attach = {
    function(value)
      return type(value) == "boolean"
    end,
    "true or false",
  },
  language = {
    function(value)
      return type(value) == "string"
    end,
    "a language, such as 'python'",
  },
  show = {
    function(value)
      return value == "float" or value == "split"
    end,
    "'float' or 'split'",
  },
  progress = {
    function(value)
      return value == "auto" or value == "echo" or value == "none"
    end,
    "'auto', 'echo' or 'none'",
  },
  settings = {
    function(value)
      return type(value) == "table"
    end,
    "a table",
  },
}
checks.lesson = checks.attach
checks.codelens = checks.attach
checks.signs = checks.attach
checks.virtual_text = checks.attach

---@type tutor_lsp.Options
local current = defaults()

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
  current = defaults()
  if given ~= nil and type(given) ~= "table" then
    return { "setup() takes a table" }
  end
  for key, value in vim.spairs(given or {}) do
    local check = checks[key]
    if not check then
      local known = vim.tbl_keys(checks)
      table.sort(known)
      problems[#problems + 1] = ("unknown option `%s`; there are: %s"):format(
        key,
        table.concat(known, ", ")
      )
    elseif not check[1](value) then
      problems[#problems + 1] = ("option `%s` must be %s"):format(key, check[2])
    else
      current[key] = value
    end
  end
  return problems
end

return M
