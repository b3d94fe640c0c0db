--- Runs the sub-commands of :TutorLsp: saves, asks the server, has the answer shown.
local client = require("tutor_lsp.client")
local state = require("tutor_lsp.state")
local view = require("tutor_lsp.view")
local workspace = require("tutor_lsp.workspace")

local M = {}

---@type table<string, tutor_lsp.Verb>
local verbs

--- What to do about a refusal that names no exercise, where one may only have been left.
---@param err table
---@param command string
---@param argument table
local function mention_resume(err, command, argument)
  local kind = type(err.data) == "table" and err.data.kind
  local named = argument.uri or argument.session or command == "tutor.resume"
  if kind == "NO_SESSION" and not named then
    err.message = err.message .. " `:TutorLsp resume` goes on with the last one."
  end
end

--- Ask the server and show what it answers.
---@param name string
---@param argument table
local function ask(name, argument)
  local verb = verbs[name]
  if verb.saves then
    local problem = workspace.save()
    if problem then
      view.error(problem)
      return
    end
  end
  local command = verb.command or ("tutor." .. name)
  if command == "tutor.start" or command == "tutor.next" then
    state.started_at = vim.uv.hrtime()
  end
  local attempt = command == "tutor.attempt" and 1 or 0
  state.attempts = state.attempts + attempt
  client.execute(command, argument, function(err, result)
    state.attempts = math.max(0, state.attempts - attempt)
    if err then
      if command == "tutor.start" or command == "tutor.next" then
        state.started_at = nil
      end
      mention_resume(err, command, argument)
      if not (verb.refused and verb.refused(err, argument)) then
        view.refusal(err)
      end
    elseif verb.show then
      verb.show(result, argument)
    end
  end)
end

--- Run a sub-command.
---@param name string
---@param words string[]
---@param confirmed boolean
function M.run(name, words, confirmed)
  local verb = verbs[name]
  if not verb then
    view.error(
      ("There is no `:TutorLsp %s`. There are: %s"):format(name, table.concat(M.names(), ", "))
    )
  elseif verb.run then
    verb.run(words, confirmed)
  else
    local argument = verb.argument and verb.argument(words, confirmed) or {}
    ask(
      name,
      argument.session and argument or vim.tbl_extend("keep", argument, workspace.argument())
    )
  end
end

--- Run a command that a code action or lens of the server asks for.
---@param name string without "tutor."
---@param argument table?
function M.from_server(name, argument)
  local verb = verbs[name]
  if verb.from_server then
    verb.from_server(argument or {})
  else
    ask(name, argument or {})
  end
end

--- All sub-commands, in order.
---@return string[]
function M.names()
  local names = vim.tbl_keys(verbs)
  table.sort(names)
  return names
end

--- Begin what a start argument says.
---@param argument table
function M.start(argument)
  ask("start", argument)
end

verbs = require("tutor_lsp.subcommands")(ask, M.run)

return M
