--- Runs the sub-commands of :TutorLsp: saves, asks the server, has the answer shown.
local client = require("tutor_lsp.client")
local state = require("tutor_lsp.state")
local verbs = require("tutor_lsp.subcommands")
local view = require("tutor_lsp.view")
local workspace = require("tutor_lsp.workspace")
local t = require("tutor_lsp.words").t

local M = {}

--- Ask the server and show what it answers.
---@param name string
---@param argument table
function M.ask(name, argument)
  local verb = verbs[name]
  if verb.saves then
    local problem = workspace.save()
    if problem then
      view.error(problem)
      return
    end
  end
  local command = verb.command or ("tutor." .. name)
  local starts = command == "tutor.start" or command == "tutor.next"
  state.started_at = starts and vim.uv.hrtime() or state.started_at
  local attempt = command == "tutor.attempt" and 1 or 0
  state.attempts = state.attempts + attempt
  client.execute(command, argument, function(err, result)
    state.attempts = math.max(0, state.attempts - attempt)
    if not err then
      local show = verb.show or function()
        view.tell(result.say)
      end
      show(result)
      return
    elseif starts then
      state.started_at = nil
    end
    if not (verb.refused and verb.refused(err, argument)) then
      view.refusal(err)
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
      t("There is no `:TutorLsp {name}`. Choose one of: {names}", {
        name = name,
        names = table.concat(M.names(), ", "),
      })
    )
  elseif verb.run then
    verb.run(words, confirmed)
  else
    local argument = verb.argument and verb.argument(words, confirmed) or {}
    local which = argument.session and {} or workspace.argument()
    M.ask(name, vim.tbl_extend("keep", argument, which))
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
    M.ask(name, argument or {})
  end
end

--- All sub-commands, in order.
---@return string[]
function M.names()
  local names = vim.tbl_keys(verbs)
  table.sort(names)
  return names
end

return M
