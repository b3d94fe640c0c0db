--- What the server sends: notifications, and commands behind its lenses and code actions.
local compat = require("tutor_lsp.compat")
local lesson = require("tutor_lsp.lesson")
local options = require("tutor_lsp.options")
local signs = require("tutor_lsp.signs")
local state = require("tutor_lsp.state")
local view = require("tutor_lsp.view")
local words = require("tutor_lsp.words")

local t = words.t

local M = {}

--- After waiting longer than this, an exercise does not open by itself.
M.opens_by_itself_ns = 5e9

local function refresh_lenses()
  if options.get().codelens then
    for _, client in ipairs(vim.lsp.get_clients({ name = "tutor_lsp" })) do
      for buffer in pairs(client.attached_buffers) do
        if vim.api.nvim_buf_is_loaded(buffer) then
          compat.refresh_lenses(buffer)
        end
      end
      compat.renew_lenses(client)
    end
  end
end

---@param session table
function M.session_ready(session)
  state.session = session
  state.learned(session.sessionId, session.workspace, session.units)
  local waited = state.started_at and vim.uv.hrtime() - state.started_at or 0
  state.started_at = nil
  if waited < M.opens_by_itself_ns then
    view.close()
    require("tutor_lsp.workspace").open(session)
  else
    view.info(("%s %s"):format(session.say.oneLine, t("`:TutorLsp open` shows it.")))
  end
end

---@param failure table
local function session_failed(failure)
  state.started_at = nil
  view.tell(failure.say, failure.reason ~= "CANCELLED" and view.warn or nil)
end

--- Reread files, because results may be for a text that another editor saved. Modified buffers stay,
--- and without 'autoread' nobody is asked in the middle of typing.
local function read_again()
  for _, buffer in ipairs(vim.go.autoread and state.unmodified() or {}) do
    vim.cmd("silent! checktime " .. buffer)
  end
end

---@param changed table
local function units_changed(changed)
  read_again()
  state.learned(changed.sessionId, changed.workspace, changed.units)
  state.standings[changed.sessionId] = changed.say.title
  signs.refresh()
  lesson.refresh()
  refresh_lenses()
  vim.cmd.redrawstatus({ bang = true })
end

--- Every run, also after a save. It may change how many tests of a unit pass, and so its lens, but
--- not the unit's state.
---@param payload table
local function tests_ran(payload)
  state.reports[payload.sessionId] = payload.report
  state.said_of_reports[payload.sessionId] = payload.say
  refresh_lenses()
end

---@param payload table
local function review_ready(payload)
  if state.attempts == 0 then
    view.whole(payload.say, state.session and state.session.workspace)
  end
end

--- The hint that is there at once; a model's answer replaces it.
---@param payload table
local function hint_ready(payload)
  if not payload.final then
    view.early(payload.say)
  end
end

--- Ask the learner for a line of text; the server waits for it.
---@param prompt string
---@return table answer with `text`, null when dismissed
local function ask_for_text(prompt)
  local waiting = coroutine.running()
  vim.ui.input({ prompt = prompt .. " " }, function(answer)
    -- Scheduled: an input that answers at once would resume what has not yielded yet.
    vim.schedule(function()
      coroutine.resume(waiting, answer)
    end)
  end)
  local answer = coroutine.yield()
  return { text = answer and vim.trim(answer) ~= "" and answer or vim.NIL }
end

--- Apply an edit of the server, and save the files that were saved before: a reset or an updated link
--- leaves no file modified behind the learner's back.
---@param err table?
---@param params table
---@param context table
---@return table?
local function apply_edit(err, params, context)
  local saved = state.unmodified()
  local answer = vim.lsp.handlers["workspace/applyEdit"](err, params, context)
  vim.schedule(function()
    for _, buffer in ipairs(saved) do
      if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].modified then
        vim.api.nvim_buf_call(buffer, function()
          vim.cmd("silent! update")
        end)
      end
    end
  end)
  return answer
end

--- Translations of the plugin's own texts; the first message of a server that has any.
---@param translated { texts: table<string, string> }
local function texts_translated(translated)
  words.learn(translated.texts)
  require("tutor_lsp.keys").describe()
end

local NOTIFICATIONS = {
  sessionReady = M.session_ready,
  sessionFailed = session_failed,
  unitsChanged = units_changed,
  testsRan = tests_ran,
  reviewReady = review_ready,
  hintReady = hint_ready,
  texts = texts_translated,
}

---@return table<string, fun(err: table?, result: any, context: table): any>
function M.handlers()
  local found = {
    ["tutor/ask"] = function(_, params)
      return ask_for_text(params.prompt)
    end,
    ["workspace/applyEdit"] = apply_edit,
    ["window/showMessage"] = function(_, params)
      local say = { view.error, view.warn }
      (say[params.type] or view.info)(params.message)
    end,
  }
  for name, handle in pairs(NOTIFICATIONS) do
    found["tutor/" .. name] = function(_, payload)
      handle(compat.without_null(payload))
    end
  end
  return found
end

--- Commands of the server that the plugin runs itself, so that their results are shown.
---@return table<string, fun(command: lsp.Command)>
function M.commands()
  local found = {}
  for _, name in ipairs(require("tutor_lsp.verbs").names()) do
    found["tutor." .. name] = function(command)
      require("tutor_lsp.verbs").from_server(
        name,
        compat.without_null((command.arguments or {})[1])
      )
    end
  end
  return found
end

--- Show the tutor's failures in place. Only its own namespace is set, so other servers stay as they
--- are.
local function show_failures()
  if not options.get().virtual_text then
    return
  end
  for _, client in ipairs(vim.lsp.get_clients({ name = "tutor_lsp" })) do
    require("tutor_lsp.failures").show_in(vim.lsp.diagnostic.get_namespace(client.id))
  end
end

--- Keep lenses fresh in a buffer where Neovim does not do so.
---@param buffer integer
function M.attached(buffer)
  show_failures()
  require("tutor_lsp.sync").watch(buffer)
  local root = require("tutor_lsp.workspace").root(buffer)
  state.roots[buffer] = root and (vim.uv.fs_realpath(root) or root)
  signs.refresh()
  lesson.refresh()
  require("tutor_lsp.keys").map(buffer)
  if not options.get().codelens then
    return
  end
  compat.refresh_lenses(buffer)
  if compat.lenses_need_events() then
    vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
      group = vim.api.nvim_create_augroup("tutor_lsp.lenses." .. buffer, {}),
      buffer = buffer,
      callback = function()
        compat.refresh_lenses(buffer)
      end,
    })
  end
end

return M
