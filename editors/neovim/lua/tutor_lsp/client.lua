--- The server's client: its configuration, starting it on demand, asking it.
local compat = require("tutor_lsp.compat")
local options = require("tutor_lsp.options")
local state = require("tutor_lsp.state")
local sync = require("tutor_lsp.sync")
local view = require("tutor_lsp.view")
local t = require("tutor_lsp.words").t

local M = {}

local NAME = "tutor_lsp"
local COMMAND = "workspace/executeCommand"
local START_LIMIT_MS = 15000

--- Callbacks that wait for the server's answer to initialize.
---@type (fun(client: vim.lsp.Client))[]
local waiting = {}
local enabled = false
--- Buffers whose last save the server does not know.
---@type table<integer, true>
local saved = {}
local crashed, said_stopped = false, false

local function attach_open_exercises(client_id)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if
      vim.api.nvim_buf_is_loaded(buffer)
      and vim.bo[buffer].buftype == ""
      and vim.fs.root(buffer, ".tutor")
    then
      vim.lsp.buf_attach_client(buffer, client_id)
    end
  end
end

---@param client vim.lsp.Client
local function on_init(client)
  vim.schedule(function()
    attach_open_exercises(client.id)
    local ready = waiting
    waiting = {}
    for _, callback in ipairs(ready) do
      callback(client)
    end
  end)
end

--- Neovim reports a save only to servers that are ready, so earlier ones are reported later. After a
--- crash a save starts the server again.
---@param buffer integer
local function keep_saves(buffer)
  local group = vim.api.nvim_create_augroup("tutor_lsp.keep_saves." .. buffer, {})
  vim.api.nvim_create_autocmd("BufWritePost", {
    group = group,
    buffer = buffer,
    callback = function()
      saved[buffer] = true
      if compat.find_client(NAME) then
        return
      elseif crashed then
        M.ensure(function() end)
      elseif not said_stopped then
        said_stopped = true
        view.info(t("Saved. The tutor's server was stopped: `:TutorLsp check` starts it again."))
      end
    end,
  })
  vim.api.nvim_create_autocmd("LspAttach", {
    group = group,
    buffer = buffer,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= NAME then
        return
      end
      vim.api.nvim_del_augroup_by_id(group)
      if saved[buffer] then
        saved[buffer] = nil
        local document = { uri = vim.uri_from_bufnr(buffer) }
        compat.call(client, "notify", "textDocument/didSave", { textDocument = document })
      end
    end,
  })
end

---@param code integer
---@param signal integer
local function on_exit(code, signal)
  vim.schedule(function()
    waiting = {}
    state.forget_work()
    if vim.v.exiting ~= vim.NIL then
      return
    end
    crashed = not ((code == 0 and signal == 0) or code == 143 or signal == 15)
    said_stopped = false
    for _, buffer in ipairs(state.buffers()) do
      keep_saves(buffer)
    end
    if not crashed then
      return
    end
    local how = signal ~= 0 and t("signal {number}", { number = signal })
      or t("exit code {number}", { number = code })
    view.warn(
      t(
        "The tutor's server stopped ({how}). Your files are as you left them; "
          .. "the next save or :TutorLsp command starts it again.",
        { how = how }
      )
    )
  end)
end

--- The plugin itself shows lesson, tests and report, each in its place.
---@return table
local function capabilities()
  local announced = vim.lsp.protocol.make_client_capabilities()
  announced.window.showDocument = { support = false }
  return announced
end

--- Configuration of the client: the same on every version of Neovim.
---@return vim.lsp.ClientConfig
function M.config()
  local chosen = options.get()
  local handlers = require("tutor_lsp.handlers")
  return {
    name = NAME,
    cmd = vim.deepcopy(chosen.cmd),
    root_markers = { ".tutor" },
    workspace_required = true,
    -- One server knows all exercises.
    reuse_client = function(client)
      return client.name == NAME and not client:is_stopped()
    end,
    capabilities = capabilities(),
    init_options = {
      ui = "client",
      ask = true,
      reports = true,
      texts = true,
      commandForm = ":TutorLsp %s",
    },
    settings = { tutor = vim.tbl_isempty(chosen.settings) and vim.empty_dict() or chosen.settings },
    handlers = handlers.handlers(),
    commands = handlers.commands(),
    on_init = on_init,
    on_exit = on_exit,
  }
end

--- The command that installs the server: from the clone where this plugin lies, if it does.
---@return string
function M.how_to_install()
  local here = vim.uv.fs_realpath(debug.getinfo(1, "S").source:sub(2))
  local clone = here and vim.fs.root(here, "pyproject.toml")
  return ("pipx install %s"):format(clone or t("<a clone of tutor-lsp, or its wheel>"))
end

---@param config table
---@return string? why the server cannot be started
local function missing(config)
  if type(config.cmd) ~= "table" or vim.fn.executable(config.cmd[1]) == 1 then
    return nil
  end
  return t(
    "`{program}` is not an executable on this machine. Install it with `{install}`, "
      .. "or name it: require('tutor_lsp').setup({ cmd = { '/path/to/tutor-lsp' } }). "
      .. ":checkhealth tutor_lsp shows details.",
    { program = config.cmd[1], install = M.how_to_install() }
  )
end

--- The running client, if it is ready.
---@return vim.lsp.Client?
function M.running()
  local client = compat.find_client(NAME)
  return client and client.initialized and client or nil
end

--- Call back with the server's client; starts the server if it does not run.
---@param callback fun(client: vim.lsp.Client)
function M.ensure(callback)
  local client = compat.find_client(NAME)
  if client and client.initialized then
    return callback(client)
  end
  if not client then
    local config = vim.deepcopy(compat.lsp_config(NAME, M.config()))
    local problem = missing(config)
    if problem then
      return view.error(problem)
    end
    config.workspace_required = nil
    if not compat.start(config) then
      return -- Neovim has said why
    end
  end
  waiting[#waiting + 1] = callback
  vim.defer_fn(function()
    if vim.list_contains(waiting, callback) then
      waiting = {}
      view.error(t("The tutor's server does not answer. See :checkhealth tutor_lsp and :LspLog."))
    end
  end, START_LIMIT_MS)
end

--- Attach the server to a buffer of an exercise.
---@param buffer integer
function M.attach(buffer)
  local client = compat.find_client(NAME)
  if not (client and client.initialized) and (client or options.get().attach) then
    keep_saves(buffer)
  end
  if client then
    vim.lsp.buf_attach_client(buffer, client.id)
  end
  if enabled or not options.get().attach then
    return
  end
  local config = compat.lsp_config(NAME, M.config())
  local problem = missing(config)
  if problem then
    enabled = true -- once is enough; commands say it again
    -- Scheduled: in an autocmd an error reads as one of the autocmd, with a trace.
    vim.schedule(function()
      view.warn(problem)
    end)
    return
  end
  enabled = compat.enable(NAME)
  if not compat.find_client(NAME) then
    M.ensure(function() end) -- 0.10, and files named on the command line
  end
end

--- Run a command of the server.
---@param command string such as "tutor.check"
---@param argument table? its one object
---@param callback fun(err: table?, result: any)
function M.execute(command, argument, callback)
  M.ensure(function(client)
    local params = { command = command }
    if argument and not vim.tbl_isempty(argument) then
      params.arguments = { argument }
    end
    sync.flush()
    local sent = compat.call(client, "request", COMMAND, params, function(err, result)
      callback(compat.without_null(err), compat.without_null(result))
    end)
    if not sent then
      view.warn(t("The tutor's server has just stopped. Run the command again to start it."))
    end
  end)
end

return M
