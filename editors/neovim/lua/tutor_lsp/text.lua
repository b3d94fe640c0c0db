--- What the server says, and what fails, as Neovim takes it. Pure: no editor state.
local M = {}

--- Lines of a result in words, without the heading, which is shown as a title.
---@param said { title: string, oneLine: string, markdown: string }
---@return string[]
function M.lines(said)
  local body = said.markdown:gsub("^#[^\n]*", "", 1)
  return vim.split(vim.trim(body), "\n", { plain = true })
end

---@param workspace string
---@param place { file: string, line: integer?, column: integer? }
---@param text string
---@return table item of a quickfix list
local function item(workspace, place, text)
  return {
    filename = vim.fs.joinpath(workspace, place.file),
    module = vim.fs.basename(place.file),
    lnum = place.line or 1,
    col = place.column,
    text = text,
    type = "E",
  }
end

--- What to put into the quickfix list.
---@param report table
---@param workspace string
---@return table[]
function M.quickfix(report, workspace)
  local items = {}
  for _, broken in ipairs(report.buildErrors or {}) do
    items[#items + 1] = item(workspace, broken, broken.message)
  end
  for _, test in ipairs(report.tests or {}) do
    if test.file and not vim.list_contains({ "passed", "todo", "not_run" }, test.outcome) then
      local said = ("%s: %s"):format(test.name, test.message or test.outcome)
      items[#items + 1] = item(workspace, { file = test.file, line = test.line }, said)
    end
  end
  return items
end

--- What a run said, with everything that the learner's code printed in each test. The server's words
--- come first; of a passing test only what it printed is worth a look.
---@param report table
---@param said tutor_lsp.Said
---@return tutor_lsp.Said
function M.output(report, said)
  local parts = { vim.trim(said.markdown) }
  for _, test in ipairs(report.tests or {}) do
    local printed = vim.trim(test.output or "")
    local fails = not vim.list_contains({ "passed", "todo", "not_run" }, test.outcome)
    if fails or printed ~= "" then
      local place = test.file and (" (%s:%d)"):format(test.file, test.line or 1) or ""
      parts[#parts + 1] = ("## %s%s"):format(test.name, place)
      parts[#parts + 1] = test.message
      parts[#parts + 1] = printed ~= "" and M.fenced(printed) or nil
    end
  end
  parts[#parts + 1] = report.command and report.command ~= "" and M.fenced(report.command) or nil
  return {
    title = said.title,
    oneLine = said.oneLine,
    markdown = table.concat(parts, "\n\n"),
  }
end

--- Text as a block of Markdown, whatever it holds.
---@param text string
---@return string
function M.fenced(text)
  local fence = "```"
  while text:find(fence, 1, true) do
    fence = fence .. "`"
  end
  return ("%s\n%s\n%s"):format(fence, text, fence)
end

return M
