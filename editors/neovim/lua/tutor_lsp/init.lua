--- tutor-lsp: a coding tutor in Neovim. See |tutor-lsp|.
local M = {}

local watching = false

local function watch()
  if watching then
    return
  end
  watching = true
  local group = vim.api.nvim_create_augroup("tutor_lsp.client", {})
  vim.api.nvim_create_autocmd("LspAttach", {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == "tutor_lsp" then
        require("tutor_lsp.handlers").attached(event.buf)
      end
    end,
  })
  vim.api.nvim_create_autocmd("LspProgress", {
    group = group,
    callback = function(event)
      require("tutor_lsp.progress").on_event(event)
    end,
  })
end

--- Set options; all are optional, and so is the call. See |tutor-lsp-setup|.
---@param opts tutor_lsp.Options|table|nil
function M.setup(opts)
  local problems = require("tutor_lsp.options").set(opts)
  for _, problem in ipairs(problems) do
    vim.notify("tutor-lsp: " .. problem, vim.log.levels.ERROR)
  end
  if package.loaded["tutor_lsp.client"] then
    require("tutor_lsp.compat").forget_config("tutor_lsp")
  end
end

--- Attach the server to a buffer of an exercise.
---@param buffer integer
function M.attach(buffer)
  watch()
  require("tutor_lsp.client").attach(buffer)
end

--- Run a sub-command.
---@param verb string
---@param words string[]?
---@param confirmed boolean? as with `!`
function M.run(verb, words, confirmed)
  watch()
  require("tutor_lsp.verbs").run(verb, words or {}, confirmed == true)
end

--- Implementation of |:TutorLsp|.
---@param command table
function M.command(command)
  local words = vim.list_slice(command.fargs, 2)
  M.run(command.fargs[1] or "start", words, command.bang)
end

--- Completion of |:TutorLsp|.
---@param lead string
---@param line string
---@param cursor integer
---@return string[]
function M.complete(lead, line, cursor)
  watch()
  return require("tutor_lsp.complete").complete(lead, line:sub(1, cursor))
end

--- Enter or leave the window with the last hint or review.
function M.focus()
  require("tutor_lsp.view").focus()
end

--- For a statusline: how far the exercise is, or the running work; "" if there is neither.
--- Loads nothing before the tutor was used.
---@return string
function M.statusline()
  local state = package.loaded["tutor_lsp.state"]
  return state and (state.progress or state.standing()) or ""
end

return M
