--- What this Neovim knows of the tutor between two commands.
---@class tutor_lsp.State
---@field session table? the exercise last opened: payload of tutor/sessionReady
---@field units table<string, table[]> units by session id, newest known state
---@field folders table<string, string> folder of the exercise by session id, links resolved
---@field roots table<integer, string> folder of the exercise by attached buffer, links resolved
---@field report table? the last report, for the list of failures
---@field started_at integer? hrtime of the last start
---@field attempts integer attempts that this Neovim waits for
---@field progress string? text of the work that goes on
---@field languages string[] languages the server knows; until asked, those it is known for
---@field nodes table[]? nodes of the curriculum, for completion
local M = {
  session = nil,
  units = {},
  folders = {},
  roots = {},
  report = nil,
  started_at = nil,
  attempts = 0,
  progress = nil,
  languages = { "python", "rust", "c" },
  nodes = nil,
}

--- Forget work whose end will not be reported any more.
function M.forget_work()
  M.progress, M.started_at, M.attempts = nil, nil, 0
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

--- Units of the exercise in that folder.
---@param folder string? links resolved
---@return table[]
function M.units_in(folder)
  for session, known in pairs(M.folders) do
    if folder and known == folder and M.units[session] then
      return M.units[session]
    end
  end
  return {}
end

--- Units of the exercise in use: that of the current buffer, else the one last opened.
---@return table[]
function M.current_units()
  local here = M.units_in(M.roots[vim.api.nvim_get_current_buf()])
  if #here > 0 then
    return here
  end
  local session = M.session
  return session and (M.units[session.sessionId] or session.units) or {}
end

return M
