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

--- What a command of the server answers within a moment, else nothing.
---@param command string
---@return table
local function answer(command)
  local answered
  require("tutor_lsp.client").execute(command, {}, function(_, result)
    answered = result or {}
  end)
  vim.wait(LIMIT_MS, function()
    return answered ~= nil
  end, 10)
  return answered or {}
end

--- Ids of topics, which are asked for once.
---@param language string?
---@return string[]
local function nodes(language)
  if not state.nodes then
    local curriculum = answer("tutor.curriculum")
    state.nodes, state.languages = curriculum.nodes, curriculum.languages or state.languages
  end
  return vim
    .iter(state.nodes or {})
    :map(function(node)
      return (not language or node.language == language) and node.id or nil
    end)
    :totable()
end

--- Languages, which are asked for together with the topics.
---@return string[]
local function languages()
  nodes()
  return vim.deepcopy(state.languages)
end

--- Ids of sessions that can be resumed.
---@return string[]
local function sessions()
  return vim
    .iter(answer("tutor.sessions"))
    :map(function(session)
      return not session.missing and session.id or nil
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
    if #words == 0 then
      return vim.list_extend(languages(), lead == "" and {} or nodes())
    end
    local known = languages()
    local language = vim.iter(words):find(function(word)
      return vim.list_contains(known, word)
    end)
    return vim.list_extend(nodes(language), more)
  end,
  curriculum = function(words)
    return #words == 0 and languages() or {}
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
