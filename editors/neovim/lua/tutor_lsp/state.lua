--- What this Neovim knows of the tutor between two commands.
---@class tutor_lsp.State
---@field session table? the exercise last opened: payload of tutor/sessionReady
---@field units table<string, table[]> units by session id, newest known state
---@field folders table<string, string> folder of the exercise by session id, links resolved
---@field roots table<integer, string> folder of the exercise by attached buffer, links resolved
---@field standings table<string, string> how far an exercise is, in words, by session id
---@field reports table<string, table> last report by session id, for the list of failures
---@field said_of_reports table<string, tutor_lsp.Said> those in words
---@field started_at integer? hrtime of the last start
---@field attempts integer attempts that this Neovim waits for
---@field progress string? text of the running work
---@field languages string[] languages the server knows, none until it is asked
---@field nodes table[]? nodes of the curriculum, for completion
local M = {
  session = nil,
  units = {},
  folders = {},
  roots = {},
  standings = {},
  reports = {},
  said_of_reports = {},
  started_at = nil,
  attempts = 0,
  progress = nil,
  languages = {},
  nodes = nil,
}

--- Forget work whose end will no longer be reported.
function M.forget_work()
  M.progress, M.started_at, M.attempts = nil, nil, 0
end

--- Buffers of exercises that are loaded.
---@return integer[]
function M.buffers()
  return vim.tbl_filter(vim.api.nvim_buf_is_loaded, vim.tbl_keys(M.roots))
end

--- Those of them whose text is on the disk.
---@return integer[]
function M.unmodified()
  return vim.tbl_filter(function(buffer)
    return not vim.bo[buffer].modified
  end, M.buffers())
end

--- Units of a session have these states now.
---@param session string
---@param folder string?
---@param units table[]
function M.learned(session, folder, units)
  M.units[session] = units
  if folder then
    M.folders[session] = vim.uv.fs_realpath(folder) or folder
  end
end

--- What is kept by session of the exercise in that folder.
---@param kept table<string, table>
---@param folder string? links resolved
---@return table?
local function in_folder(kept, folder)
  for session, known in pairs(M.folders) do
    if folder and known == folder and kept[session] then
      return kept[session]
    end
  end
end

--- What is kept of the exercise in use: that of the current buffer, else the one last opened.
---@param kept table<string, table>
---@return table?
local function in_use(kept)
  return in_folder(kept, M.roots[vim.api.nvim_get_current_buf()])
    or (M.session and kept[M.session.sessionId])
end

--- Units of the exercise in that folder.
---@param folder string? links resolved
---@return table[]
function M.units_in(folder)
  return in_folder(M.units, folder) or {}
end

--- The last report of the exercise in use.
---@return table?
function M.current_report()
  return in_use(M.reports)
end

--- That report in words.
---@return tutor_lsp.Said?
function M.said_of_report()
  return in_use(M.said_of_reports)
end

--- The unit that the learner is on.
---@param units table[]
---@return table?
function M.focus(units)
  return vim.iter(units):find(function(unit)
    return unit.focus
  end)
end

--- How far the exercise in use is, and the stub that the learner is on.
---@return string? text for a statusline
function M.standing()
  local said = in_use(M.standings)
  local focus = M.focus(M.current_units())
  local at = focus and focus.state ~= "passing" and " ▶ " .. focus.stub or ""
  return said and ("tutor: %s%s"):format(said, at)
end

--- Units of the exercise in use.
---@return table[]
function M.current_units()
  return in_use(M.units) or (M.session and M.session.units) or {}
end

return M
