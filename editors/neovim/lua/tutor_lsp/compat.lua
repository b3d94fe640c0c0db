--- All that differs between Neovim 0.10, 0.11 and 0.12.
local M = {}

local has_11 = vim.fn.has("nvim-0.11") == 1
local has_12 = vim.fn.has("nvim-0.12") == 1

--- The configuration under that name with what the user changed by vim.lsp.config().
---@param name string
---@param default table
---@return table
function M.lsp_config(name, default)
  return has_11 and vim.lsp.config[name] or default
end

--- Let a changed option take effect.
---@param name string
function M.forget_config(name)
  if has_11 then
    vim.lsp.config(name, {})
  end
end

--- Let Neovim attach the server by itself from now on. False where it cannot.
---@param name string
---@return boolean
function M.enable(name)
  if has_11 then
    vim.lsp.enable(name)
  end
  return has_11
end

--- Start a server without attaching it to a buffer.
---@param config table
---@return integer? client_id
function M.start(config)
  if has_11 then
    return vim.lsp.start(config, { attach = false })
  end
  return (vim.lsp.start_client(config))
end

--- The running or starting client of that name.
---@param name string
---@return vim.lsp.Client?
function M.find_client(name)
  for _, client in ipairs(vim.lsp.get_clients({ name = name, _uninitialized = true })) do
    if not client:is_stopped() then
      return client
    end
  end
end

--- Call a method of a client, such as "request".
---@param client vim.lsp.Client
---@param name string
---@param ... any its arguments
---@return any its first result
function M.call(client, name, ...)
  if has_11 then
    return (client[name](client, ...))
  end
  return (client[name](...))
end

--- JSON data with null as nil: 0.12 gives vim.NIL, earlier versions leave it out.
---@generic T
---@param value T
---@return T
function M.without_null(value)
  if value == vim.NIL then
    return nil
  elseif type(value) == "table" then
    for key, item in pairs(value) do
      value[key] = M.without_null(item)
    end
  end
  return value
end

--- The cursor of a window as an LSP position in the unit of that client.
---@param client vim.lsp.Client
---@param window integer
---@return lsp.Position
function M.position(client, window)
  return vim.lsp.util.make_position_params(window, client.offset_encoding).position
end

--- Show code lenses in a buffer and request them again.
---@param buffer integer
function M.refresh_lenses(buffer)
  if not has_12 then
    require("tutor_lsp.lenses").refresh(buffer)
  elseif not vim.lsp.codelens.is_enabled({ bufnr = buffer }) then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
  end
end

--- Request the lenses of all buffers of a client again, where Neovim does not do so after a run.
---@param client vim.lsp.Client
function M.renew_lenses(client)
  if has_12 then
    local method = "workspace/codeLens/refresh"
    vim.lsp.handlers[method](nil, nil, { client_id = client.id, method = method })
  end
end

--- Whether lenses must be asked for on events of the editor (0.12 does so itself).
---@return boolean
function M.lenses_need_events()
  return not has_12
end

return M
