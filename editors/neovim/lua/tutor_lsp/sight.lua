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

--- The last line of a stretch, which the server may know of a text with more lines.
---@param window integer
---@param stretch tutor_lsp.Stretch
---@return integer
local function last_of(window, stretch)
  return math.min(stretch.last, vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window)))
end

--- Bring a stretch and what stands beneath it into view, as much of it as fits with the cursor: its
--- end before its beginning, because what fails and what is typed are there.
---@param window integer
---@param stretch tutor_lsp.Stretch
---@param spare integer? rows to keep free beneath it if nothing stands there
function M.show(window, stretch, spare)
  local last = last_of(window, stretch)
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

--- The same, unless all of it is in view, or neither its beginning nor its end would come into view:
--- a stub taller than its window stays as the learner has scrolled it.
---@param window integer
---@param stretch tutor_lsp.Stretch
function M.keep(window, stretch)
  local last = last_of(window, stretch)
  local below = fill_beneath(window, last)
  local height = vim.api.nvim_win_get_height(window)
  local function end_is_seen(top)
    return rows(window, top, last, below) <= height
  end
  vim.api.nvim_win_call(window, function()
    local before = vim.fn.line("w0")
    if before <= stretch.first and end_is_seen(before) then
      return
    end
    local view = vim.fn.winsaveview()
    M.show(window, stretch)
    -- 'scrolloff' has its say in where the window really begins.
    local now = vim.fn.line("w0")
    local gained = now <= stretch.first or not end_is_seen(before)
    if not (gained and end_is_seen(now)) then
      vim.fn.winrestview(view)
    end
  end)
end

return M
