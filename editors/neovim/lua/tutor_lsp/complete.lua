--- Completion of :TutorLsp.
local state = require("tutor_lsp.state")

local M = {}

local LIMIT_MS = 2000
local BACKENDS = { "library", "codex", "claude", "openai" }

---@param candidates string[]
---@param lead string
---@return string[]
local function matching(candidates, lead)
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

--- Ids of nodes; the first call asks the server and waits for a moment.
---@param language string?
---@return string[]
local function nodes(language)
  if not state.nodes then
    require("tutor_lsp.start").curriculum(function() end)
    vim.wait(LIMIT_MS, function()
      return state.nodes ~= nil
    end, 10)
  end
  local found = {}
  for _, node in ipairs(state.nodes or {}) do
    if not language or node.language == language then
      found[#found + 1] = node.id
    end
  end
  return found
end

--- Ids of sessions that can be gone on with; asks the server and waits for a moment.
---@return string[]
local function sessions()
  local found
  require("tutor_lsp.client").execute("tutor.sessions", {}, function(_, result)
    found = result or {}
  end)
  vim.wait(LIMIT_MS, function()
    return found ~= nil
  end, 10)
  return vim
    .iter(found or {})
    :filter(function(session)
      return not session.missing
    end)
    :map(function(session)
      return session.id
    end)
    :totable()
end

---@return string[]
local function units()
  return vim.tbl_map(function(unit)
    return unit.id
  end, state.current_units())
end

---@type table<string, fun(words: string[], lead: string): string[]>
local arguments = {
  start = function(words, lead)
    if lead:match("^depth=") then
      return { "depth=D1", "depth=D2", "depth=D3" }
    end
    if lead:match("^backend=") then
      return vim.tbl_map(function(name)
        return "backend=" .. name
      end, BACKENDS)
    end
    local more = { "fresh", "challenge", "depth=", "backend=", "topic=" }
    local language = vim.iter(words):find(function(word)
      return vim.list_contains(state.languages, word)
    end)
    if not language and #words == 0 then
      return vim.list_extend(vim.deepcopy(state.languages), lead == "" and {} or nodes())
    end
    return vim.list_extend(nodes(language), more)
  end,
  curriculum = function(words)
    return #words == 0 and state.languages or {}
  end,
  claim = function(words)
    return #words == 0 and nodes() or { "no" }
  end,
  open = function(words)
    return #words == 0 and { "lesson", "stub", "test", "coach" } or units()
  end,
  resume = function(words)
    return #words == 0 and sessions() or {}
  end,
  hint = units,
  compare = units,
  reveal = units,
  reset = function(words)
    return #words == 0 and vim.list_extend({ "undo" }, units()) or { "undo" }
  end,
}

--- Candidates for the word before the cursor.
---@param lead string
---@param line string up to the cursor
---@return string[]
function M.complete(lead, line)
  local words =
    vim.split(vim.trim((line:gsub("^.-TutorLsp!?", "", 1))), "%s+", { trimempty = true })
  if lead ~= "" then
    table.remove(words)
  end
  if #words == 0 then
    return matching(require("tutor_lsp.verbs").names(), lead)
  end
  local verb = table.remove(words, 1)
  return arguments[verb] and matching(arguments[verb](words, lead), lead) or {}
end

return M
