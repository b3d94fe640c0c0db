--- The state of each unit in the sign column, beside its stub.
local options = require("tutor_lsp.options")
local state = require("tutor_lsp.state")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("tutor_lsp.signs")
-- Above the signs of diagnostics: those of the tutor say less on the same line.
local PRIORITY = 20

---@type table<string, { [1]: string, [2]: string, [3]: string }> text, highlight, its default
local SIGNS = {
  todo = { "○", "TutorLspTodo", "DiagnosticHint" },
  failing = { "✗", "TutorLspFailing", "DiagnosticError" },
  passing = { "✓", "TutorLspPassing", "DiagnosticOk" },
  stale = { "…", "TutorLspStale", "Comment" },
}

---@param buffer integer
---@param root string
---@return string? file relative to the exercise
local function relative(buffer, root)
  local path = vim.uv.fs_realpath(vim.api.nvim_buf_get_name(buffer))
  if path and vim.startswith(path, root .. "/") then
    return path:sub(#root + 2)
  end
end

---@param buffer integer
local function place(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, NAMESPACE, 0, -1)
  local root = state.roots[buffer]
  local file = root and relative(buffer, root)
  local last = vim.api.nvim_buf_line_count(buffer)
  for _, unit in ipairs(state.units_in(root)) do
    local sign = SIGNS[unit.state]
    if sign and unit.file == file and unit.line <= last then
      vim.api.nvim_buf_set_extmark(buffer, NAMESPACE, unit.line - 1, 0, {
        sign_text = sign[1],
        sign_hl_group = sign[2],
        priority = PRIORITY,
      })
    end
  end
end

--- Show the states as they are known now in every buffer of an exercise.
function M.refresh()
  if not options.get().signs then
    return
  end
  for _, sign in pairs(SIGNS) do
    vim.api.nvim_set_hl(0, sign[2], { link = sign[3], default = true })
  end
  for _, buffer in ipairs(state.buffers()) do
    place(buffer)
  end
end

return M
