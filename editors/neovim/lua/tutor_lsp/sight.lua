--- Scrolling so that a stub's code is seen from its signature to what is said of it beneath.
local M = {}

--- Rows that are kept free beneath a body for what fails there.
M.ROWS_BELOW = 2

---@class tutor_lsp.Stretch
---@field first integer line of the signature
---@field last integer last line of the body

--- Rows of virtual lines beneath a line.
---@param window integer
---@param line integer
---@return integer
local function fill_beneath(window, line)
  local count = vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window))
  if line < count then
    return vim.api.nvim_win_text_height(window, { start_row = line, end_row = line }).fill
  end
  return vim.api.nvim_win_text_height(window, { start_row = count - 1, start_vcol = 0 }).fill
end

--- Rows from a line, without what stands above it, to what stands beneath another.
---@param window integer
---@param top integer
---@param last integer
---@param below integer rows beneath it
---@return integer
local function rows(window, top, last, below)
  local lines = { start_row = top - 1, start_vcol = 0, end_row = last - 1 }
  return vim.api.nvim_win_text_height(window, lines).all + below
end

--- Bring a stretch and what stands beneath it into view, as much of it as fits with the cursor: its
--- end before its beginning, because what fails and what is typed are there.
---@param window integer
---@param stretch tutor_lsp.Stretch
---@param spare integer? rows to keep free beneath it if nothing stands there
function M.show(window, stretch, spare)
  local last = math.min(stretch.last, vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window)))
  local below = math.max(fill_beneath(window, last), spare or 0)
  local height = vim.api.nvim_win_get_height(window)
  -- The line above the stub shows the lens that stands between both.
  local top = math.max(1, stretch.first - 1)
  while top < last and rows(window, top, last, below) > height do
    top = top + 1
  end
  vim.api.nvim_win_call(window, function()
    vim.fn.winrestview({ topline = math.min(top, vim.fn.line(".")) })
  end)
end

--- The same, unless all of it is in view.
---@param window integer
---@param stretch tutor_lsp.Stretch
function M.keep(window, stretch)
  local top = vim.fn.line("w0", window)
  local below = fill_beneath(window, stretch.last)
  local height = vim.api.nvim_win_get_height(window)
  if top > stretch.first or rows(window, top, stretch.last, below) > height then
    M.show(window, stretch)
  end
end

return M
