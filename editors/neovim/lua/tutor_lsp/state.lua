--- What this Neovim knows of the tutor between two commands.
---@class tutor_lsp.State
---@field session table? the exercise last opened: payload of tutor/sessionReady
---@field units table<string, table[]> units by session id, newest known state
---@field report table? the last report, for the list of failures
---@field started_at integer? hrtime of the last start
---@field attempts integer attempts that this Neovim waits for
---@field progress string? text of the work that goes on
---@field languages string[] languages the server knows; until asked, those it is known for
---@field nodes table[]? nodes of the curriculum, for completion
local M = {
  session = nil,
  units = {},
  report = nil,
  started_at = nil,
  attempts = 0,
  progress = nil,
  languages = { "python", "rust" },
  nodes = nil,
}

--- Forget work whose end will not be reported any more.
function M.forget_work()
  M.progress, M.started_at, M.attempts = nil, nil, 0
end

--- Units of the session in use.
---@return table[]
function M.current_units()
  local session = M.session
  return session and (M.units[session.sessionId] or session.units) or {}
end

return M
