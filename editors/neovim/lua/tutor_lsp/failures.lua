--- Failures, and why nothing was run, shown beneath the body of their stub: there the learner types, and nothing is covered.
local sight = require("tutor_lsp.sight")

local M = {}

local HANDLER = "tutor_lsp/failures"
local MARKS = vim.api.nvim_create_namespace("tutor_lsp.failures")
local LEAD = "↳ "
local MOST_LINES = 4
local HIGHLIGHTS = {
  [vim.diagnostic.severity.ERROR] = "DiagnosticVirtualTextError",
  [vim.diagnostic.severity.WARN] = "DiagnosticVirtualTextWarn",
}

---@class tutor_lsp.Failure
---@field mark integer
---@field message string
---@field highlight string
---@field above boolean the mark is on the line below, so that what is typed comes above the text

--- What is shown, by diagnostic namespace and by buffer. Neovim calls a handler for every namespace:
--- those that are not here do not belong to the tutor.
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

--- The words of a text. Several blanks are part of a value, so they stay, and no line ends there.
---@param text string
---@return string[]
local function words_of(text)
  local words = {}
  for gap, word in text:gmatch("(%s*)(%S+)") do
    if #gap > 1 and #words > 0 then
      words[#words] = words[#words] .. gap .. word
    else
      words[#words + 1] = word
    end
  end
  return words
end

---@param text string
---@param width integer
---@return string[]
local function wrapped(text, width)
  local lines, line = {}, ""
  for _, word in ipairs(words_of(text)) do
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

---@param text string
---@param width integer
---@return string[] lines, the last with "…" where there are more of them
local function fitted(text, width)
  local lines = wrapped(text, width)
  if #lines > MOST_LINES then
    local last = vim.fn.strcharpart(lines[MOST_LINES], 0, width - 2)
    return vim.list_extend(vim.list_slice(lines, 1, MOST_LINES - 1), { last .. " …" })
  end
  return lines
end

---@param buffer integer
---@param row integer
---@param failure tutor_lsp.Failure|table one with a mark is replaced
---@return integer mark
local function draw(buffer, row, failure)
  local code = vim.fn.getbufoneline(buffer, failure.above and row or row + 1)
  local indent = code:match("^%s*"):gsub("\t", (" "):rep(vim.bo[buffer].tabstop))
  local width = math.max(20, room(buffer) - #indent - vim.fn.strdisplaywidth(LEAD))
  local lines = {}
  for number, line in ipairs(fitted(failure.message, width)) do
    local before = indent .. (number == 1 and LEAD or "  ")
    lines[#lines + 1] = { { before .. line, failure.highlight } }
  end
  return vim.api.nvim_buf_set_extmark(buffer, MARKS, row, 0, {
    id = failure.mark,
    virt_lines = lines,
    virt_lines_above = failure.above,
  })
end

--- The line below the body of the stub, or where the file ends there, its last line. What concerns
--- no stub is shown below its own line.
---@param diagnostic vim.Diagnostic
---@param last integer row
---@return integer row
---@return boolean above
local function place(diagnostic, last)
  local data = vim.tbl_get(diagnostic, "user_data", "lsp", "data")
  local below = type(data) == "table" and vim.tbl_get(data, "body", "endLine")
  if below and below <= last then
    return below, true
  end
  return math.min(below and below - 1 or diagnostic.lnum, last), false
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

--- What `virtual_lines` is to be for the tutor's diagnostics: as the learner has it where every
--- diagnostic is shown that way, else off, since these are shown here.
---@param namespace integer
---@param buffer integer
---@return boolean|table
local function virtual_lines(namespace, buffer)
  local wanted = vim.diagnostic.config().virtual_lines
  if type(wanted) == "function" then
    wanted = wanted(namespace, buffer)
  end
  local all = wanted == true or type(wanted) == "table" and not wanted.current_line
  return all and wanted or false
end

--- Lines of the stub that a diagnostic is about.
---@param diagnostic vim.Diagnostic
---@return tutor_lsp.Stretch
local function stretch_of(diagnostic)
  local body = vim.tbl_get(diagnostic, "user_data", "lsp", "data", "body")
  local first = diagnostic.lnum + 1
  return { first = first, last = math.max(first, type(body) == "table" and body.endLine or first) }
end

--- Bring what fails into view where the cursor is in its stub.
---@param buffer integer
---@param stretches tutor_lsp.Stretch[]
local function bring_into_view(buffer, stretches)
  for _, window in ipairs(vim.fn.win_findbuf(buffer)) do
    local line = vim.api.nvim_win_get_cursor(window)[1]
    local here = vim.iter(stretches):find(function(stretch)
      return stretch.first <= line and line <= stretch.last
    end)
    if here then
      sight.keep(window, here)
    end
  end
end

---@param namespace integer
---@param buffer integer
---@param diagnostics vim.Diagnostic[]
local function show(namespace, buffer, diagnostics)
  if not shown[namespace] then
    return
  end
  hide(namespace, buffer)
  -- A diagnostic may be of a file that is not open, which has no lines to show it at.
  if virtual_lines(namespace, buffer) or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  local last = vim.api.nvim_buf_line_count(buffer) - 1
  local failures, stretches = {}, {}
  for _, diagnostic in ipairs(diagnostics) do
    local highlight = HIGHLIGHTS[diagnostic.severity]
    if highlight then
      local row, above = place(diagnostic, last)
      local message = vim.split(diagnostic.message, "\n")[1]
      local failure = { message = message, highlight = highlight, above = above }
      failure.mark = draw(buffer, row, failure)
      failures[#failures + 1] = failure
      stretches[#stretches + 1] = stretch_of(diagnostic)
    end
  end
  shown[namespace][buffer] = failures
  bring_into_view(buffer, stretches)
end

--- Wrap again, since windows may have another width now.
local function redraw()
  for _, buffers in pairs(shown) do
    for buffer, failures in pairs(buffers) do
      for _, failure in ipairs(vim.api.nvim_buf_is_loaded(buffer) and failures or {}) do
        local at = vim.api.nvim_buf_get_extmark_by_id(buffer, MARKS, failure.mark, {})
        if at[1] then
          draw(buffer, at[1], failure)
        end
      end
    end
  end
end

--- Show the errors and warnings of that namespace at the code, once: not also as virtual text or lines, however
--- and whenever these are configured. Other namespaces stay as they are.
---@param namespace integer
function M.show_in(namespace)
  shown[namespace] = shown[namespace] or {}
  vim.diagnostic.handlers[HANDLER] = { show = show, hide = hide }
  vim.diagnostic.config({
    virtual_text = false,
    virtual_lines = virtual_lines,
    [HANDLER] = { severity = { min = vim.diagnostic.severity.WARN } },
  }, namespace)
  vim.api.nvim_create_autocmd({ "WinResized", "BufWinEnter" }, {
    group = vim.api.nvim_create_augroup("tutor_lsp.failures", {}),
    callback = redraw,
  })
end

return M
