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
  vim.b[buffer].tutor_lsp_section = unit and unit.id
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
--- of a later unit is brought into view.
---@param unit table?
---@param first boolean whether it is the first unit: the lesson is read from its introduction
function M.show(unit, first)
  local buffer = vim.api.nvim_get_current_buf()
  mark(buffer, unit)
  if unit and not first then
    reveal(0, unit)
  end
end

--- Mark the sections of the units that the learner is on now, in every lesson that is open; where
--- that is another unit than before, its section is brought into view beside the code.
function M.refresh()
  for _, buffer in ipairs(state.buffers()) do
    if vim.fs.basename(vim.api.nvim_buf_get_name(buffer)) == "LESSON.md" then
      local unit = state.focus(state.units_in(state.roots[buffer]))
      local other = unit and vim.b[buffer].tutor_lsp_section ~= unit.id
      mark(buffer, unit)
      for _, window in ipairs(other and vim.fn.win_findbuf(buffer) or {}) do
        if window ~= vim.api.nvim_get_current_win() then
          reveal(window, unit)
        end
      end
    end
  end
end

return M
