--- Code lenses above their lines; Neovim before 0.12 puts them at the end. They are stored where Neovim
--- stores them, so that |vim.lsp.codelens.run()| finds them.
local compat = require("tutor_lsp.compat")

local M = {}

local NAME, METHOD = "tutor_lsp", "textDocument/codeLens"

--- Requests on their way, by client and buffer; "again" if a newer answer is wanted after that.
---@type table<string, "sent"|"again">
local asked = {}

---@param client_id integer
---@return integer
local function namespace(client_id)
  local known = rawget(vim.lsp.codelens, "__namespaces")
  return known and known[client_id]
    or vim.api.nvim_create_namespace("vim_lsp_codelens:" .. client_id)
end

---@param lenses lsp.CodeLens[]
---@return table<integer, { [1]: string, [2]: string }[]> chunks by row
local function rows(lenses)
  local found = {}
  for _, lens in ipairs(lenses) do
    if lens.command then
      local row = lens.range.start.line
      local chunks = found[row]
      if chunks then
        chunks[#chunks + 1] = { " | ", "LspCodeLensSeparator" }
      else
        chunks = { { (" "):rep(lens.range.start.character), "LspCodeLensSeparator" } }
        found[row] = chunks
      end
      chunks[#chunks + 1] = { (lens.command.title:gsub("%s+", " ")), "LspCodeLens" }
    end
  end
  return found
end

---@param buffer integer
---@param client_id integer
---@param lenses lsp.CodeLens[]
local function draw(buffer, client_id, lenses)
  local place = namespace(client_id)
  vim.api.nvim_buf_clear_namespace(buffer, place, 0, -1)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  for row, chunks in pairs(rows(lenses)) do
    if row <= last then
      vim.api.nvim_buf_set_extmark(buffer, place, row, 0, {
        virt_lines = { chunks },
        virt_lines_above = true,
        hl_mode = "combine",
      })
    end
    if row == 0 then
      -- Above the first line nothing is shown unless the window is told to.
      for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
        vim.api.nvim_win_call(window, function()
          if vim.fn.line("w0") == 1 then
            vim.fn.winrestview({ topfill = 1 })
          end
        end)
      end
    end
  end
end

---@param buffer integer
---@param client vim.lsp.Client
local function ask(buffer, client)
  local key = client.id .. ":" .. buffer
  if asked[key] then
    asked[key] = "again"
    return
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(buffer) } }
  local sent = compat.call(client, "request", METHOD, params, function(err, lenses)
    local again = asked[key] == "again"
    asked[key] = nil
    if not vim.api.nvim_buf_is_loaded(buffer) or not vim.lsp.buf_is_attached(buffer, client.id) then
      return
    elseif again then
      ask(buffer, client)
    elseif not err then
      vim.lsp.codelens.save(lenses or {}, buffer, client.id)
      draw(buffer, client.id, lenses or {})
    end
  end, buffer)
  asked[key] = sent and "sent" or nil
end

--- Request the lenses of a buffer and show them; the latest answer is the one shown.
---@param buffer integer
function M.refresh(buffer)
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME, bufnr = buffer })) do
    ask(buffer, client)
  end
end

return M
