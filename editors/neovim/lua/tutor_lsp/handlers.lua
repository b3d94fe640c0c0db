--- What the server sends: notifications, and commands behind its lenses and code actions.
local compat = require("tutor_lsp.compat")
local options = require("tutor_lsp.options")
local signs = require("tutor_lsp.signs")
local state = require("tutor_lsp.state")
local text = require("tutor_lsp.text")
local view = require("tutor_lsp.view")

local M = {}

--- After a longer wait an exercise does not jump into the way.
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
    view.info(("Ready: %s. :TutorLsp open shows it."):format(session.title))
  end
end

---@param failure table
function M.session_failed(failure)
  state.started_at = nil
  if failure.reason == "CANCELLED" then
    view.info(failure.message)
  else
    view.warn(failure.message)
  end
end

--- Results may belong to a text that another editor saved. What is modified here stays, and who
--- does not read files again by itself is not asked in the middle of typing.
local function read_again()
  for buffer in pairs(state.roots) do
    if vim.go.autoread and vim.api.nvim_buf_is_loaded(buffer) and not vim.bo[buffer].modified then
      vim.cmd("silent! checktime " .. buffer)
    end
  end
end

---@param changed table
function M.units_changed(changed)
  read_again()
  state.learned(changed.sessionId, changed.workspace, changed.units)
  signs.refresh()
  refresh_lenses()
  vim.cmd.redrawstatus({ bang = true })
end

--- Every run, those after a save included. It may change how many tests of a unit pass, and so its
--- lens, but not the state of the unit.
---@param payload table
function M.tests_ran(payload)
  state.reports[payload.sessionId] = payload.report
  refresh_lenses()
end

---@param payload table
function M.review_ready(payload)
  local review = payload.review
  if review and state.attempts == 0 then
    local title, lines = text.review(review)
    view.text(title, lines, state.session and state.session.workspace)
  end
end

--- What is known at once, while a model still thinks about it; the answer replaces it.
---@param payload table
function M.hint_ready(payload)
  if not payload.final then
    local title, lines = text.hint(payload.hint, state.session and state.session.language)
    view.float(title, vim.list_extend(lines, { "", "_A closer look is on its way …_" }))
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

--- Apply an edit of the server's, and save what was saved before: a reset or a mended link leaves
--- no file modified behind the learner's back.
---@param err table?
---@param params table
---@param context table
---@return table?
local function apply_edit(err, params, context)
  local saved = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and state.roots[buffer] and not vim.bo[buffer].modified then
      saved[#saved + 1] = buffer
    end
  end
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

---@return table<string, fun(err: table?, result: any, context: table): any>
function M.handlers()
  local function on(handle)
    return function(_, payload)
      if type(payload) == "table" then
        handle(compat.without_null(payload))
      end
    end
  end
  return {
    ["tutor/sessionReady"] = on(M.session_ready),
    ["tutor/sessionFailed"] = on(M.session_failed),
    ["tutor/unitsChanged"] = on(M.units_changed),
    ["tutor/testsRan"] = on(M.tests_ran),
    ["tutor/reviewReady"] = on(M.review_ready),
    ["tutor/hintReady"] = on(M.hint_ready),
    ["tutor/ask"] = function(_, params)
      return ask_for_text(params.prompt)
    end,
    ["workspace/applyEdit"] = apply_edit,
    ["window/showMessage"] = function(_, params)
      local say = { view.error, view.warn }
      (say[params.type] or view.info)(params.message)
    end,
  }
end

--- Commands of the server that the plugin runs itself, so that their results are shown.
---@return table<string, fun(command: lsp.Command)>
function M.commands()
  local found = {}
  for _, name in ipairs({
    "start",
    "next",
    "open",
    "check",
    "attempt",
    "hint",
    "ask",
    "compare",
    "reveal",
    "review",
    "reset",
    "restore",
    "report",
    "claim",
  }) do -- stylua: ignore
    found["tutor." .. name] = function(command)
      require("tutor_lsp.verbs").from_server(
        name,
        compat.without_null((command.arguments or {})[1])
      )
    end
  end
  return found
end

--- Failures of the tutor's are meant to be read where they are. Only its own namespace is set, so
--- other servers stay as they were.
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
