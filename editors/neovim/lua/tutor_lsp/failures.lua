--- What fails, in whole beneath the line of its stub: at the end of that line there is seldom room.
local M = {}

local HANDLER = "tutor_lsp/failures"
local MARKS = vim.api.nvim_create_namespace("tutor_lsp.failures")
local LEAD = "↳ "

---@class tutor_lsp.Failure
---@field mark integer
---@field message string

--- What is shown, by namespace of the diagnostics and by buffer. Neovim has a handler show all
--- namespaces: those that are not here are none of the tutor's.
---@type table<integer, table<integer, tutor_lsp.Failure[]>>
local shown = {}

--- Columns for text in the narrowest window of a buffer.
---@param buffer integer
---@return integer
local function room(buffer)
  local width = vim.o.columns
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    local info = vim.fn.getwininfo(window)[1]
    width = math.min(width, info.width - info.textoff)
  end
  return width
end

---@param text string
---@param width integer
---@return string[]
local function wrapped(text, width)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    local longer = line == "" and word or line .. " " .. word
    if line ~= "" and vim.fn.strdisplaywidth(longer) > width then
      lines[#lines + 1] = line
      longer = word
    end
    line = longer
    while vim.fn.strdisplaywidth(line) > width do
      lines[#lines + 1] = vim.fn.strcharpart(line, 0, width)
      line = vim.fn.strcharpart(line, width)
    end
  end
  lines[#lines + 1] = line
  return lines
end

---@param buffer integer
---@param row integer
---@param message string
---@param mark integer? to be replaced
---@return integer mark
local function draw(buffer, row, message, mark)
  local code = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ""
  local indent = code:match("^%s*"):gsub("\t", (" "):rep(vim.bo[buffer].tabstop))
  local width = math.max(20, room(buffer) - #indent - vim.fn.strdisplaywidth(LEAD))
  local lines = {}
  for number, line in ipairs(wrapped(message, width)) do
    local before = indent .. (number == 1 and LEAD or "  ")
    lines[#lines + 1] = { { before .. line, "DiagnosticVirtualTextError" } }
  end
  return vim.api.nvim_buf_set_extmark(buffer, MARKS, row, 0, { id = mark, virt_lines = lines })
end

---@param namespace integer
---@param buffer integer
local function hide(namespace, buffer)
  local buffers = shown[namespace]
  if not buffers then
    return
  end
  for _, failure in ipairs(vim.api.nvim_buf_is_valid(buffer) and buffers[buffer] or {}) do
    vim.api.nvim_buf_del_extmark(buffer, MARKS, failure.mark)
  end
  buffers[buffer] = nil
end

---@param namespace integer
---@param buffer integer
---@param diagnostics vim.Diagnostic[]
local function show(namespace, buffer, diagnostics)
  if not shown[namespace] then
    return
  end
  hide(namespace, buffer)
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  local failures = {}
  for _, diagnostic in ipairs(diagnostics) do
    if diagnostic.severity == vim.diagnostic.severity.ERROR then
      local row = math.min(diagnostic.lnum, last)
      local message = diagnostic.message
      failures[#failures + 1] = { mark = draw(buffer, row, message), message = message }
    end
  end
  shown[namespace][buffer] = failures
end

--- Wrap anew where the windows have another width now.
local function redraw()
  for _, buffers in pairs(shown) do
    for buffer, failures in pairs(buffers) do
      for _, failure in ipairs(vim.api.nvim_buf_is_loaded(buffer) and failures or {}) do
        local place = vim.api.nvim_buf_get_extmark_by_id(buffer, MARKS, failure.mark, {})
        if place[1] then
          draw(buffer, place[1], failure.message, failure.mark)
        end
      end
    end
  end
end

--- Show the errors of that namespace beneath their lines, unless the user has all diagnostics
--- shown so. Other namespaces stay as they are.
---@param namespace integer
function M.show_in(namespace)
  if vim.diagnostic.config().virtual_lines then
    return
  end
  shown[namespace] = shown[namespace] or {}
  vim.diagnostic.handlers[HANDLER] = { show = show, hide = hide }
  vim.diagnostic.config({
    virtual_text = false,
    [HANDLER] = { severity = { min = vim.diagnostic.severity.ERROR } },
  }, namespace)
  vim.api.nvim_create_autocmd({ "WinResized", "BufWinEnter" }, {
    group = vim.api.nvim_create_augroup("tutor_lsp.failures", {}),
    callback = redraw,
  })
end

return M
