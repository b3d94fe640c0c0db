--- :checkhealth tutor_lsp
local t = require("tutor_lsp.words").t

local M = {}

local LIMIT_MS = 20000

---@param cmd string[] how the server is started
---@param arguments string[]
---@return vim.SystemCompleted? done
local function run(cmd, arguments)
  local started, process = pcall(vim.system, vim.list_extend(vim.deepcopy(cmd), arguments), {
    text = true,
  })
  return started and process:wait(LIMIT_MS) or nil
end

---@param cmd string[]
local function tools(cmd)
  local done = run(cmd, { "doctor", "--json" })
  local read, answer = pcall(vim.json.decode, done and done.stdout or "", {
    luanil = { object = true },
  })
  if not read then
    vim.health.warn(t("`tutor-lsp doctor` gave no answer"), { done and done.stderr or "" })
    return
  end
  for _, tool in ipairs(answer.tools or answer) do
    local name = tool.version and ("%s %s"):format(tool.name, tool.version) or tool.name
    local advice = tool.remedy and { tool.remedy } or nil
    local named = { name = name }
    local said = tool.version and name
      or tool.found and t("{name}: does not work", named)
      or t("{name}: not found", named)
    if tool.works then
      vim.health.ok(name)
    elseif tool.needed == false or tool.optional then
      -- Exercises of the library need no model, and those of one language no other's tools.
      local optional = t("{tool} (optional)", { tool = said })
      vim.health.info(advice and ("%s: %s"):format(optional, advice[1]) or optional)
    else
      vim.health.warn(said, advice)
    end
  end
end

function M.check()
  local compat = require("tutor_lsp.compat")
  local client = require("tutor_lsp.client")

  vim.health.start("tutor-lsp: Neovim")
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.10") == 1 then
    vim.health.ok("Neovim " .. version)
  else
    vim.health.error(
      t("Neovim {version} is too old", { version = version }),
      { t("0.10 or later is needed") }
    )
  end

  vim.health.start("tutor-lsp: " .. t("server"))
  local cmd = compat.lsp_config("tutor_lsp", client.config()).cmd
  if type(cmd) ~= "table" then
    vim.health.ok(t("started by a function"))
    return
  end
  if vim.fn.executable(cmd[1]) == 0 then
    vim.health.error(t("`{program}` is not an executable", { program = cmd[1] }), {
      client.how_to_install(),
      t("or: require('tutor_lsp').setup({ cmd = { '/path/to/tutor-lsp' } })"),
    })
    return
  end
  vim.health.ok(("%s (%s)"):format(table.concat(cmd, " "), vim.fn.exepath(cmd[1])))
  if client.running() then
    vim.health.ok(t("running"))
  else
    vim.health.info(t("not running: the first :TutorLsp command starts it"))
  end

  vim.health.start("tutor-lsp: " .. t("tools"))
  tools(cmd)
end

return M
