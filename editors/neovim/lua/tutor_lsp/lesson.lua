--- The lesson beside the stub: the section of the unit that the learner is on is marked in it.
local state = require("tutor_lsp.state")

local M = {}

local NAMESPACE = vim.api.nvim_create_namespace("tutor_lsp.lesson")
local HIGHLIGHT = "TutorLspSection"
--- Rows of a section that are to be seen with its heading.
local ROWS = 3

---@param buffer integer
---@param unit table? whose section it is
local function mark(buffer, unit)
  vim.api.nvim_buf_clear_namespace(buffer, NAMESPACE, 0, -1)
  vim.b[buffer].tutor_lsp_section = unit and { id = unit.id, state = unit.state }
  local row = unit and unit.lesson.line - 1
  if not row or row >= vim.api.nvim_buf_line_count(buffer) then
    return
  end
  vim.api.nvim_set_hl(0, HIGHLIGHT, { link = "Visual", default = true })
  vim.api.nvim_buf_set_extmark(buffer, NAMESPACE, row, 0, {
    line_hl_group = HIGHLIGHT,
    virt_text = { { " ◀ " .. unit.stub, HIGHLIGHT } },
    virt_text_pos = "eol",
  })
  local hidden = vim.iter(vim.fn.win_findbuf(buffer)):any(function(window)
    return vim.fn.line("w0", window) == 1 and vim.fn.line("w$", window) <= row
  end)
  if hidden then
    vim.api.nvim_buf_set_extmark(buffer, NAMESPACE, 0, 0, {
      virt_text = { { " ▼ " .. unit.stub, HIGHLIGHT } },
      virt_text_pos = "eol",
    })
  end
end

--- Bring the section of a unit into view in a window, unless it is.
---@param window integer
---@param unit table
local function reveal(window, unit)
  local line = unit.lesson.line
  vim.api.nvim_win_call(window, function()
    if line < vim.fn.line("w0") or line + ROWS > vim.fn.line("w$") then
      vim.fn.winrestview({ topline = line, lnum = line, col = 0 })
    end
  end)
end

--- Mark the section of a unit in the current window, which shows the lesson from its beginning. That
--- of a later unit, or of one that was begun, is brought into view.
---@param unit table?
---@param first boolean whether it is the first unit: the lesson is read from its introduction
function M.show(unit, first)
  local buffer = vim.api.nvim_get_current_buf()
  mark(buffer, unit)
  if unit and not (first and unit.state == "todo") then
    reveal(0, unit)
  end
end

--- Whether a section is to be read now: that of another unit than before, or something was written
--- for it. Until then the introduction may be read.
---@param before { id: string, state: string }?
---@param unit table
---@return boolean
local function is_due(before, unit)
  return not before
    or before.id ~= unit.id
    or before.state == "todo" and unit.state ~= "todo"
end

--- Mark the sections of the units that the learner is on now, in every lesson that is open, and bring
--- those into view beside the code that are due.
function M.refresh()
  for _, buffer in ipairs(state.buffers()) do
    if vim.fs.basename(vim.api.nvim_buf_get_name(buffer)) == "LESSON.md" then
      local unit = state.focus(state.units_in(state.roots[buffer]))
      local due = unit and is_due(vim.b[buffer].tutor_lsp_section, unit)
      mark(buffer, unit)
      for _, window in ipairs(due and vim.fn.win_findbuf(buffer) or {}) do
        if window ~= vim.api.nvim_get_current_win() then
          reveal(window, unit)
        end
      end
    end
  end
end

return M
