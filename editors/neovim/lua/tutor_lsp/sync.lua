--- Keeps the server's copy of a text up to date where Neovim has stopped doing so.
---
--- Neovim's own listener of a buffer ends at an edit that no server sees, as after a crash, and is
--- never set up again for that buffer: a new server would be sent saves, but no edits.
local compat = require("tutor_lsp.compat")

local M = {}

local NAME = "tutor_lsp"

---@class tutor_lsp.Listener
---@field alone boolean Neovim's own listener of this buffer has ended
---@field due boolean the server does not know the text yet

---@type table<integer, tutor_lsp.Listener>
local listeners = {}

---@param buffer integer
---@return string
local function full_text(buffer)
  local ends = { dos = "\r\n", mac = "\r" }
  local line_end = ends[vim.bo[buffer].fileformat] or "\n"
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), line_end)
  return vim.bo[buffer].endofline and text .. line_end or text
end

---@param buffer integer
local function send(buffer)
  local listener = listeners[buffer]
  if not (listener and listener.due) or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME, bufnr = buffer })) do
    listener.due = false
    compat.call(client, "notify", "textDocument/didChange", {
      textDocument = {
        uri = vim.uri_from_bufnr(buffer),
        version = vim.lsp.util.buf_versions[buffer],
      },
      contentChanges = { { text = full_text(buffer) } },
    })
  end
end

---@param buffer integer
---@param tick integer
local function changed(buffer, tick)
  local listener = listeners[buffer]
  listener.alone = true
  listener.due = true
  vim.lsp.util.buf_versions[buffer] = tick
  vim.schedule(function()
    send(buffer)
  end)
end

---@param buffer integer
---@param tick integer? none while a substitution is only previewed
local function on_lines(_, buffer, tick)
  if not tick then
    return
  elseif #vim.lsp.get_clients({ bufnr = buffer }) == 0 then
    if #vim.lsp.get_clients({ bufnr = buffer, _uninitialized = true }) == 0 then
      listeners[buffer].alone = true
    end
  elseif vim.lsp.util.buf_versions[buffer] ~= tick then
    -- Neovim's own listener, which was there first, notes the version of each edit.
    changed(buffer, tick)
  end
end

---@param buffer integer
local function on_reload(_, buffer)
  if listeners[buffer].alone then
    changed(buffer, vim.api.nvim_buf_get_changedtick(buffer))
  end
end

---@param buffer integer
local function on_detach(_, buffer)
  local alone = listeners[buffer].alone
  listeners[buffer] = nil
  for _, client in ipairs(alone and vim.lsp.get_clients({ name = NAME, bufnr = buffer }) or {}) do
    vim.lsp.buf_detach_client(buffer, client.id)
  end
end

--- Watch over a buffer to which the server was attached, until it is unloaded.
---@param buffer integer
function M.watch(buffer)
  if listeners[buffer] then
    listeners[buffer].due = false -- the server was just given the text
    return
  end
  listeners[buffer] = { alone = false, due = false }
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = on_lines,
    on_reload = on_reload,
    on_detach = on_detach,
  })
  -- Neovim tells of the save after this.
  vim.api.nvim_create_autocmd("BufWritePre", {
    group = vim.api.nvim_create_augroup("tutor_lsp.sync." .. buffer, {}),
    buffer = buffer,
    callback = function()
      send(buffer)
    end,
  })
end

--- Send the server every edit that it does not know yet.
function M.flush()
  for buffer in pairs(listeners) do
    send(buffer)
  end
end

return M
