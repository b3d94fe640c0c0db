--- What this Neovim knows of the tutor between two commands.
---@class tutor_lsp.State
---@field session table? the exercise last opened: payload of tutor/sessionReady
---@field units table<string, table[]> units by session id, newest known state
---@field folders table<string, string> folder of the exercise by session id, links resolved
---@field roots table<integer, string> folder of the exercise by attached buffer, links resolved
---@field reports table<string, table> last report by session id, for the list of failures
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
  reports = {},
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

--- Units of the exercise in use.
---@return table[]
function M.current_units()
  return in_use(M.units) or (M.session and M.session.units) or {}
end

return M
