--- Progress of long work: kept for the statusline, echoed where no other plugin shows it.
local options = require("tutor_lsp.options")
local state = require("tutor_lsp.state")

local M = {}

---@return boolean
local function someone_else_shows_it()
  for _, autocmd in ipairs(vim.api.nvim_get_autocmds({ event = "LspProgress" })) do
    local group = autocmd.group_name or ""
    if not vim.startswith(group, "tutor_lsp") and not vim.startswith(group, "nvim.") then
      return true
    end
  end
  return false
end

---@param message string
local function echo(message)
  local wanted = options.get().progress
  if wanted == "none" or (wanted == "auto" and someone_else_shows_it()) then
    return
  end
  local room = math.max(20, vim.v.echospace)
  if vim.fn.strdisplaywidth(message) > room then
    message = vim.fn.strcharpart(message, 0, room - 1) .. "…"
  end
  vim.api.nvim_echo({ { message } }, false, {})
end

---@param value table begin, report or end of work-done progress
---@return string
local function line(value)
  local parts = { value.title or "tutor" }
  if value.message and value.message ~= "" then
    parts[#parts + 1] = value.message
  end
  local said = table.concat(parts, ": ")
  return value.kind ~= "end" and value.percentage and ("%s (%d%%)"):format(said, value.percentage)
    or said
end

--- Handle an LspProgress event.
---@param event table
function M.on_event(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  local value = event.data.params and event.data.params.value
  if not client or client.name ~= "tutor_lsp" or type(value) ~= "table" then
    return
  end
  local said = line(value)
  state.progress = value.kind ~= "end" and said or nil
  echo(said)
  vim.cmd.redrawstatus({ bang = true })
end

return M
