--- Floats that leave the code free: over another window of the tab where one has room.
local state = require("tutor_lsp.state")
local t = require("tutor_lsp.words").t

local M = {}

local MAX_WIDTH = 72
local MAX_HEIGHT_SHARE = 0.6
--- Rows and columns that a window must have to hold a float, its border included.
local LEAST_ROWS, LEAST_COLUMNS = 6, 34
local BORDER = 2

---@class tutor_lsp.Area
---@field row integer
---@field column integer
---@field rows integer
---@field columns integer

---@param window integer
---@return tutor_lsp.Area
local function area_of(window)
  local place = vim.api.nvim_win_get_position(window)
  return {
    row = place[1],
    column = place[2],
    rows = vim.api.nvim_win_get_height(window),
    columns = vim.api.nvim_win_get_width(window),
  }
end

--- The largest window of the tab beside the current one, if it can hold a float.
---@return tutor_lsp.Area?
local function beside()
  local found
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local free = window ~= vim.api.nvim_get_current_win()
    if free and vim.api.nvim_win_get_config(window).relative == "" then
      local area = area_of(window)
      local fits = area.rows >= LEAST_ROWS and area.columns >= LEAST_COLUMNS
      if fits and (not found or area.rows * area.columns > found.rows * found.columns) then
        found = area
      end
    end
  end
  return found
end

--- The half of the editor that the cursor is not in.
---@return tutor_lsp.Area
local function away_from_cursor()
  local rows = vim.o.lines - vim.o.cmdheight - 1
  local half = math.floor(rows * MAX_HEIGHT_SHARE)
  local low = vim.api.nvim_win_get_position(0)[1] + vim.fn.winline() > rows / 2
  return { row = low and 0 or rows - half, column = 0, rows = half, columns = vim.o.columns }
end

--- Rows from the top of an area to the stub with the cursor in the window below it, its lens
--- included: so many may be covered where that is more than the area has.
---@param area tutor_lsp.Area
---@return integer?
local function rows_above_stub(area)
  local buffer, cursor = vim.api.nvim_get_current_buf(), vim.fn.line(".")
  local name = vim.uv.fs_realpath(vim.api.nvim_buf_get_name(buffer))
  local line
  for _, unit in ipairs(name and state.units_in(state.roots[buffer]) or {}) do
    local here = vim.fs.joinpath(state.roots[buffer], unit.file) == name
    if here and unit.line <= cursor and unit.line > (line or 0) then
      line = unit.line
    end
  end
  local row = line and vim.fn.screenpos(0, line, 1).row or 0
  if row == 0 or area.row >= vim.api.nvim_win_get_position(0)[1] then
    return nil
  end
  local lens = vim.api.nvim_win_text_height(0, { start_row = line - 1, end_row = line - 1 }).fill
  return row - 1 - lens - area.row
end

---@param lines string[]
---@param title string
---@return integer
local function widest(lines, title)
  local width = vim.fn.strdisplaywidth(title) + 2
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return width
end

---@param lines string[]
---@param opts { filetype: string?, close: fun() }
---@return integer buffer
local function text_buffer(lines, opts)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].filetype = opts.filetype or ""
  vim.bo[buffer].modifiable = false
  for _, key in ipairs({ "q", "<Esc>" }) do
    vim.keymap.set("n", key, opts.close, { buffer = buffer, nowait = true, desc = t("Close") })
  end
  return buffer
end

--- Give a window the height of its text, and place it in an area: at its lower right, or its upper.
--- Where the text needs more, it may cover what lies above the stub, or where that is not known, what
--- the share of the editor allows.
---@param window integer
---@param area tutor_lsp.Area
---@param upper boolean
---@return boolean whole whether all of the text is seen
local function place(window, area, upper)
  local wanted = vim.api.nvim_win_text_height(window, {}).all
  local above = rows_above_stub(area)
  local share = math.floor(vim.o.lines * MAX_HEIGHT_SHARE)
  local most = math.max(area.rows - BORDER, above and above - BORDER or share)
  if above and wanted > most then
    vim.api.nvim_win_set_width(window, area.columns - BORDER)
    wanted = vim.api.nvim_win_text_height(window, {}).all
  end
  local height = math.max(1, math.min(wanted, most))
  local below = area.row + area.rows - height - BORDER
  local config = vim.api.nvim_win_get_config(window)
  config.col = area.column + area.columns - config.width - BORDER
  local lowest = vim.o.lines - vim.o.cmdheight - height - BORDER
  config.row = math.max(0, math.min(upper and area.row or math.max(below, area.row), lowest))
  config.height = height
  vim.api.nvim_win_set_config(window, config)
  return wanted <= most
end

---@param parts string[]
---@param width integer
---@return string as many of the parts as fit
local function joined(parts, width)
  local text = ""
  for count = 1, #parts do
    local longer = (" %s "):format(table.concat(parts, " · ", 1, count))
    text = vim.fn.strdisplaywidth(longer) <= width and longer or text
  end
  return text
end

---@class tutor_lsp.FloatOptions
---@field title string
---@field footer string[]? its parts, of which those are shown that fit
---@field filetype string?
---@field highlight string? of the border
---@field upper boolean? at the top of its area
---@field close fun()

--- Show lines in a window that does not take the cursor.
---@param lines string[]
---@param opts tutor_lsp.FloatOptions
---@return integer window
function M.open(lines, opts)
  local area = beside() or away_from_cursor()
  local most = math.min(MAX_WIDTH, area.columns - BORDER)
  local footer = joined(opts.footer or {}, most)
  local width = math.max(widest(lines, opts.title), vim.fn.strdisplaywidth(footer))
  width = math.max(1, math.min(width, most))
  local window = vim.api.nvim_open_win(text_buffer(lines, opts), false, {
    relative = "editor",
    row = area.row,
    col = area.column + area.columns - width - BORDER,
    width = width,
    height = math.max(1, area.rows - BORDER),
    style = "minimal",
    border = "rounded",
    title = (" %s "):format(opts.title),
    footer = footer ~= "" and footer or nil,
    footer_pos = footer ~= "" and "right" or nil,
  })
  vim.wo[window].wrap = true
  vim.wo[window].linebreak = true
  vim.wo[window].conceallevel = 2
  if opts.highlight then
    vim.wo[window].winhighlight = "FloatBorder:" .. opts.highlight
  end
  if not place(window, area, opts.upper == true) and footer ~= "" then
    local longer = (footer:gsub(vim.pesc(t("enter")), function()
      return t("read on")
    end, 1))
    vim.api.nvim_win_set_config(window, { footer = longer, footer_pos = "right" })
  end
  return window
end

---@param window integer?
function M.close(window)
  if window and vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_win_close(window, true)
  end
end

local HIGHLIGHTS = {
  [vim.log.levels.WARN] = "DiagnosticWarn",
  [vim.log.levels.ERROR] = "DiagnosticError",
}

---@type integer? window of the last notice
local noticed

--- A message that is too long for the last line. It is gone with the next thing that the learner does.
---@param message string
---@param level integer
function M.notice(message, level)
  M.close(noticed)
  local function close()
    M.close(noticed)
    noticed = nil
  end
  noticed = M.open(vim.split(message, "\n"), {
    title = "Tutor",
    highlight = HIGHLIGHTS[level],
    upper = true,
    close = close,
  })
  vim.api.nvim_create_autocmd({ "CursorMoved", "InsertEnter", "CmdlineEnter", "TabLeave" }, {
    group = vim.api.nvim_create_augroup("tutor_lsp.notice", {}),
    callback = function()
      vim.schedule(close)
      return true
    end,
  })
end

return M
