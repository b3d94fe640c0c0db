--- Files of an exercise: which one a buffer belongs to, saving them, showing them.
local options = require("tutor_lsp.options")
local sight = require("tutor_lsp.sight")
local state = require("tutor_lsp.state")
local t = require("tutor_lsp.words").t

local M = {}

local WIDE_ENOUGH = 110
--- Of the columns beside a lesson: room for a line of code, or this share.
local CODE_COLUMNS, CODE_SHARE = 80, 0.62
local LEAST_LESSON_ROWS = 8
--- Rows above a stub: its lens, and the line before it.
local ROWS_ABOVE = 2

--- Folder of the exercise that a buffer belongs to.
---@param buffer integer
---@return string?
function M.root(buffer)
  if vim.bo[buffer].buftype ~= "" or vim.api.nvim_buf_get_name(buffer) == "" then
    return nil
  end
  return vim.fs.root(buffer, ".tutor")
end

--- Folder of the exercise that Neovim was opened in, such as by `nvim src`.
---@return string?
local function around()
  local name = vim.api.nvim_buf_get_name(0)
  return vim.fs.root(vim.fn.isdirectory(name) == 1 and name or vim.fn.getcwd(), ".tutor")
end

--- Folder of the exercise in use: the buffer's, else the one last opened, else the folder's.
---@return string?
function M.current()
  return M.root(0) or (state.session and state.session.workspace) or around()
end

--- Argument that tells the server which exercise is meant: that of the current buffer, or before
--- one was opened here, that of the folder.
---@return table
function M.argument()
  if M.root(0) then
    return { uri = vim.uri_from_bufnr(0) }
  end
  local root = not state.session and around()
  return root and { uri = vim.uri_from_fname(vim.fs.joinpath(root, "LESSON.md")) } or {}
end

---@param buffer integer
---@return string? problem
local function save_buffer(buffer)
  -- What another editor wrote in the meantime is read first.
  vim.cmd("silent! checktime " .. buffer)
  if not vim.bo[buffer].modified then
    return nil
  end
  local saved, problem = pcall(vim.api.nvim_buf_call, buffer, function()
    vim.cmd("silent update")
  end)
  if not saved or vim.bo[buffer].modified then
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":t")
    local why = tostring(problem):match("E%d+:[^\n]*") or t("it was not written")
    return t("{file} could not be saved: {why}", { file = name, why = why })
  end
end

--- Save what is modified in the exercise in use, so that what is seen is what is run.
---@return string? problem
function M.save()
  local root = M.current()
  for _, buffer in ipairs(root and vim.api.nvim_list_bufs() or {}) do
    if vim.api.nvim_buf_is_loaded(buffer) and M.root(buffer) == root then
      local problem = save_buffer(buffer)
      if problem then
        return problem
      end
    end
  end
end

---@param path string
---@param tab integer? only windows of this tab
---@return integer? window that shows it
local function window_of(path, tab)
  return vim.iter(vim.fn.win_findbuf(vim.fn.bufadd(path))):find(function(window)
    return not tab or vim.api.nvim_win_get_tabpage(window) == tab
  end)
end

---@param line integer?
local function go_to(line)
  if line then
    local last = vim.api.nvim_buf_line_count(0)
    vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(line, last)), 0 })
    vim.cmd("normal! zv^")
  end
end

---@param unit table
---@return { line: integer, endLine: integer } where its code is written; a server may not say
local function body_of(unit)
  return unit.body or { line = unit.line, endLine = unit.line }
end

--- Put the cursor where the code of a unit is written, in view with the signature where both fit.
---@param unit table
local function go_to_unit(unit)
  local body = body_of(unit)
  go_to(body.line)
  sight.show(0, { first = unit.line, last = body.endLine }, sight.ROWS_BELOW)
end

--- The current tab holds nothing but an empty buffer without name.
---@return boolean
local function tab_is_empty()
  local windows = vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_config(window).relative == ""
  end, vim.api.nvim_tabpage_list_wins(0))
  return #windows == 1
    and vim.api.nvim_buf_get_name(0) == ""
    and vim.bo.buftype == ""
    and not vim.bo.modified
    and vim.api.nvim_buf_line_count(0) == 1
    and vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == ""
end

---@param path string
local function edit(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
end

---@param units table[] of the file in the current window: the tallest of them is to fit below
---@return integer rows for the lesson above it
local function lesson_rows(units)
  local rows = vim.api.nvim_win_get_height(0) - 1
  local wanted, last = 0, vim.api.nvim_buf_line_count(0)
  for _, unit in ipairs(units) do
    local first, final = math.min(unit.line, last), math.min(body_of(unit).endLine, last)
    local lines = { start_row = first - 1, end_row = final - 1 }
    wanted = math.max(wanted, vim.api.nvim_win_text_height(0, lines).all)
  end
  local code = wanted > 0 and wanted + ROWS_ABOVE + sight.ROWS_BELOW or 0
  return math.min(math.floor(rows / 2), math.max(LEAST_LESSON_ROWS, rows - code))
end

---@param lesson string
---@param units table[]
---@param unit table?
local function show_lesson(lesson, units, unit)
  if window_of(lesson, vim.api.nvim_get_current_tabpage()) then
    return
  end
  local stub = vim.api.nvim_get_current_win()
  local path = vim.fn.fnameescape(lesson)
  if vim.o.columns >= WIDE_ENOUGH then
    local room = vim.fn.getwininfo(stub)[1].textoff + CODE_COLUMNS
    local code = math.min(room, math.floor(vim.o.columns * CODE_SHARE))
    vim.cmd(("rightbelow %dvsplit %s"):format(vim.o.columns - code - 1, path))
  else
    local here = vim.tbl_filter(function(each)
      return unit ~= nil and each.file == unit.file
    end, units)
    vim.cmd(("leftabove %dsplit %s"):format(lesson_rows(here), path))
  end
  vim.wo.wrap = true
  vim.wo.linebreak = true
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  require("tutor_lsp.lesson").show(unit, unit == units[1])
  vim.api.nvim_set_current_win(stub)
end

--- Show an exercise in a tab of its own: the stub to begin with, LESSON.md beside it.
---@param session table payload of tutor/sessionReady
function M.open(session)
  local units = state.units[session.sessionId] or session.units
  local unit = state.focus(units) or units[1]
  local stub = unit and vim.fs.joinpath(session.workspace, unit.file) or session.lesson
  local window = window_of(stub)
  if window then
    vim.api.nvim_set_current_win(window)
  else
    if not tab_is_empty() then
      vim.cmd.tabnew()
    end
    edit(stub)
  end
  if options.get().lesson and stub ~= session.lesson then
    show_lesson(session.lesson, units, unit)
  end
  if unit then
    go_to_unit(unit)
  end
end

---@param root string
---@param file string relative
---@param line integer
---@return table? unit whose stub stands there
local function unit_of(root, file, line)
  return vim.iter(state.units_in(vim.uv.fs_realpath(root))):find(function(unit)
    return unit.file == file and unit.line == line
  end)
end

--- Show a file of the exercise at a 1-based line, in a window that has it or the current one.
---@param root string
---@param file string relative
---@param line integer? that of a stub leads to its code
function M.show(root, file, line)
  local path = vim.fs.joinpath(root, file)
  local window = window_of(path, vim.api.nvim_get_current_tabpage())
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd("normal! m'")
    edit(path)
  end
  local unit = line and unit_of(root, file, line)
  if unit then
    go_to_unit(unit)
  else
    go_to(line)
    -- A heading is read with what follows it.
    vim.cmd("normal! " .. (vim.endswith(file, ".md") and "zt" or "zz"))
  end
end

return M
