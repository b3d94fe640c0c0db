--- Files of an exercise: which one a buffer belongs to, saving them, showing them.
local options = require("tutor_lsp.options")
local state = require("tutor_lsp.state")

local M = {}

local WIDE_ENOUGH = 110

--- Folder of the exercise that a buffer belongs to.
---@param buffer integer
---@return string?
function M.root(buffer)
  if vim.bo[buffer].buftype ~= "" or vim.api.nvim_buf_get_name(buffer) == "" then
    return nil
  end
  return vim.fs.root(buffer, ".tutor")
end

--- Folder of the exercise in use: the buffer's, else the one last opened.
---@return string?
function M.current()
  return M.root(0) or (state.session and state.session.workspace)
end

--- Argument that tells the server which exercise is meant: that of the current buffer, if any.
---@return table
function M.argument()
  return M.root(0) and { uri = vim.uri_from_bufnr(0) } or {}
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
    local why = tostring(problem):match("E%d+:[^\n]*") or "it was not written"
    return ("%s could not be saved: %s"):format(name, why)
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

---@param unit_list table[]
---@return table? unit where to begin
local function first_unit(unit_list)
  for _, unit in ipairs(unit_list) do
    if unit.focus then
      return unit
    end
  end
  return unit_list[1]
end

---@param path string
---@return integer? window of this tab that shows it
local function window_of(path)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)) == path then
      return window
    end
  end
end

---@param line integer?
local function go_to(line)
  if line then
    local last = vim.api.nvim_buf_line_count(0)
    vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(line, last)), 0 })
    vim.cmd("normal! zvzz^")
  end
end

---@param path string
---@return boolean shown in some tab, which is now the current one
local function go_to_tab_of(path)
  for _, tab in ipairs(vim.api.nvim_list_tabpages()) do
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(tab)) do
      if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)) == path then
        vim.api.nvim_set_current_win(window)
        return true
      end
    end
  end
  return false
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

---@param lesson string
local function show_lesson(lesson)
  if window_of(lesson) then
    return
  end
  local stub = vim.api.nvim_get_current_win()
  local how = vim.o.columns >= WIDE_ENOUGH and "rightbelow vsplit " or "leftabove split "
  vim.cmd(how .. vim.fn.fnameescape(lesson))
  vim.wo.wrap = true
  vim.wo.linebreak = true
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_set_current_win(stub)
end

--- Show an exercise in a tab of its own: the stub to begin with, LESSON.md beside it.
---@param session table payload of tutor/sessionReady
function M.open(session)
  local unit = first_unit(session.units or {})
  local stub = unit and vim.fs.joinpath(session.workspace, unit.file) or session.lesson
  if not go_to_tab_of(stub) then
    if not tab_is_empty() then
      vim.cmd.tabnew()
    end
    edit(stub)
  end
  go_to(unit and unit.line)
  if options.get().lesson and stub ~= session.lesson then
    show_lesson(session.lesson)
  end
end

--- Show a file of the exercise at a 1-based line, in a window that has it or the current one.
---@param root string
---@param file string relative
---@param line integer?
function M.show(root, file, line)
  local path = vim.fs.joinpath(root, file)
  local window = window_of(path)
  if window then
    vim.api.nvim_set_current_win(window)
  else
    vim.cmd("normal! m'")
    edit(path)
  end
  go_to(line)
end

return M
