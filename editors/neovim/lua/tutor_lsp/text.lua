--- Results of the server as lines of Markdown. Pure: no editor state.
local M = {}

local MARKS = { passing = "✓", failing = "✗", todo = "○", stale = "…" }
local STATES = {
  passing = "passes",
  failing = "not yet",
  todo = "to do",
  stale = "before this edit",
}

---@param lines string[]
---@param text string?
local function add(lines, text)
  if text and text ~= "" then
    vim.list_extend(lines, vim.split((text:gsub("%s+$", "")), "\n", { plain = true }))
  end
end

---@param lines string[]
---@param text string?
local function paragraph(lines, text)
  if text and text ~= "" then
    if #lines > 0 then
      lines[#lines + 1] = ""
    end
    add(lines, text)
  end
end

---@param count integer
---@param word string
---@return string
local function plural(count, word)
  return count == 1 and ("1 " .. word) or ("%d %ss"):format(count, word)
end

--- A sentence with commands as they are typed here: `tutor.start` as `:TutorLsp start`. Names of
--- settings and files stay.
---@param sentence string
---@param verbs string[]
---@return string
function M.typed(sentence, verbs)
  local typed = sentence:gsub("%f[%w_/.%-]tutor%.([%w_]+%.?[%w_]?)", function(rest)
    local verb, stop = rest:match("^(%l+)(%.?)$")
    return vim.list_contains(verbs, verb) and (":TutorLsp %s%s"):format(verb, stop) or nil
  end)
  return typed
end

--- One sentence about a report.
---@param report table
---@return string
function M.report(report)
  local tests = report.tests or {}
  local passed, first = 0, nil
  for _, test in ipairs(tests) do
    if test.outcome == "passed" then
      passed = passed + 1
    elseif test.outcome ~= "todo" and test.outcome ~= "not_run" then
      first = first or test.message or test.name
    end
  end
  if report.outcome == "build_error" then
    local broken = (report.buildErrors or {})[1]
    return broken
        and ("Does not build yet: %s:%d: %s"):format(broken.file, broken.line, broken.message)
      or "Does not build yet."
  elseif report.outcome == "passed" then
    return passed == 1 and "The test passes." or ("All %s pass."):format(plural(passed, "test"))
  elseif report.outcome == "cancelled" then
    return "Stopped: nothing was counted."
  elseif #tests == 0 then
    return report.reason or "The tests did not run."
  end
  local count = ("Not yet: %d of %s pass."):format(passed, plural(#tests, "test"))
  return first and ("%s %s"):format(count, first) or count
end

--- What to put into the quickfix list.
---@param report table
---@param workspace string
---@return table[]
function M.quickfix(report, workspace)
  local items = {}
  for _, broken in ipairs(report.buildErrors or {}) do
    items[#items + 1] = {
      filename = vim.fs.joinpath(workspace, broken.file),
      module = vim.fs.basename(broken.file),
      lnum = broken.line,
      col = broken.column,
      text = broken.message,
      type = "E",
    }
  end
  for _, test in ipairs(report.tests or {}) do
    if test.file and not vim.list_contains({ "passed", "todo", "not_run" }, test.outcome) then
      items[#items + 1] = {
        filename = vim.fs.joinpath(workspace, test.file),
        module = vim.fs.basename(test.file),
        lnum = test.line or 1,
        text = ("%s: %s"):format(test.name, test.message or test.outcome),
        type = "E",
      }
    end
  end
  return items
end

--- Title and lines of a hint.
---@param hint table
---@param language string? for the code block
---@return string title, string[] lines
function M.hint(hint, language)
  local lines = {}
  paragraph(lines, hint.text)
  if hint.code and hint.code ~= "" then
    paragraph(lines, ("```%s\n%s\n```"):format(language or "", vim.trim(hint.code)))
  end
  if hint.level == 3 then
    paragraph(lines, "_Still stuck? `:TutorLsp ask …` asks about your code as it is now._")
  end
  return hint.title or ("Hint %d · %s"):format(hint.level, hint.unit), lines
end

---@param lines string[]
---@param recommended table[]?
local function recommendations(lines, recommended)
  if recommended and #recommended > 0 then
    paragraph(lines, "Next:")
    for _, item in ipairs(recommended) do
      add(lines, ("- %s (%s)"):format(item.title or item.node, item.reason or item.node))
    end
    paragraph(lines, "`:TutorLsp next` starts the first.")
  end
end

--- Title and lines of a review.
---@param review table
---@return string title, string[] lines
function M.review(review)
  local lines = {}
  paragraph(lines, review.summary)
  if review.findings and #review.findings > 0 then
    lines[#lines + 1] = ""
    for _, finding in ipairs(review.findings) do
      add(lines, ("- `%s:%d` %s"):format(finding.file, finding.line, finding.claim))
      if finding.evidence and finding.evidence ~= "" then
        add(lines, "  " .. finding.evidence)
      end
    end
  end
  paragraph(lines, review.improvement and ("Try next: " .. review.improvement))
  paragraph(lines, review.question and ("To think about: " .. review.question))
  local title = review.verdict == "PASS" and "Passed" or "Not yet"
  return review.score and ("%s · %d of 100"):format(title, review.score) or title, lines
end

--- Title and lines of an attempt.
---@param result table
---@return string title, string[] lines
function M.attempt(result)
  local title, lines = "Attempt", {}
  if result.review then
    title, lines = M.review(result.review)
  elseif result.report.outcome ~= "build_error" or not result.note then
    paragraph(lines, M.report(result.report))
    local why = result.reviewError
    if why then
      paragraph(lines, ("The attempt is kept, its review did not come: %s"):format(why))
      add(lines, "`:TutorLsp attempt` asks for the review again.")
    end
  end
  local mastery = result.mastery
  if mastery and mastery.after ~= mastery.before then
    paragraph(
      lines,
      ("Mastery of %s: %d → %d of 3"):format(mastery.node, mastery.before, mastery.after)
    )
  end
  paragraph(lines, result.note)
  if result.review and result.review.verdict == "PASS" then
    recommendations(lines, result.next)
  end
  return title, lines
end

--- One line about a unit.
---@param unit table
---@return string
function M.unit(unit)
  return ("%s %s %s · %s · %s%s"):format(
    unit.focus and "▶" or " ",
    MARKS[unit.state] or "?",
    unit.id,
    unit.stub,
    unit.words or STATES[unit.state] or unit.state,
    (unit.hintLevel or 0) > 0 and (" · hint %d"):format(unit.hintLevel) or ""
  )
end

--- How far the learner is, as for a statusline.
---@param units table[]
---@return string
function M.tally(units)
  local passing, focus, old = 0, nil, false
  for _, unit in ipairs(units) do
    local passes = unit.state == "passing" or (unit.old and unit.passed)
    passing = passing + (passes and 1 or 0)
    focus = unit.focus and unit.stub or focus
    old = old or unit.old
  end
  local count = ("tutor %d/%d%s"):format(passing, #units, old and " before this edit" or "")
  return focus and passing < #units and ("%s ▶ %s"):format(count, focus) or count
end

--- Lines of `tutor.status`.
---@param status table
---@return string title, string[] lines
function M.status(status)
  local lines = {}
  local session = status.session
  if session and session.error then
    paragraph(lines, session.error.message)
  elseif session then
    paragraph(lines, ("%s (%s)"):format(session.title, session.language))
    add(lines, session.workspace)
    lines[#lines + 1] = ""
    for _, unit in ipairs(status.units or {}) do
      lines[#lines + 1] = M.unit(unit)
    end
  else
    paragraph(lines, "No exercise is open. `:TutorLsp start` begins one.")
  end
  for _, job in ipairs(status.jobs or {}) do
    if job.state == "running" then
      paragraph(lines, ("%s: %s (%d%%)"):format(job.title, job.message, job.percent))
    elseif job.error then
      paragraph(lines, ("%s: %s"):format(job.title, job.error.message))
    end
  end
  local backend = status.backend
  if backend then
    paragraph(
      lines,
      ("Exercises come from: %s%s"):format(
        backend.name,
        backend.why and (" (" .. backend.why .. ")") or ""
      )
    )
  end
  add(lines, ("Folder: %s"):format(status.home))
  return ("tutor-lsp %s"):format(status.version or ""), lines
end

--- Lines of `tutor.end`.
---@param result table
---@return string[]
function M.ended(result)
  local lines = {}
  paragraph(lines, result.summary)
  recommendations(lines, result.recommendations)
  return lines
end

--- Lines of `tutor.doctor`.
---@param result table
---@return string[]
function M.doctor(result)
  local lines = {}
  for _, tool in ipairs(result.tools) do
    local mark = tool.works and "✓" or "✗"
    add(
      lines,
      ("%s %s %s"):format(mark, tool.name, tool.version or (tool.found and "" or "not found"))
    )
    if not tool.works and tool.remedy then
      add(lines, "  " .. tool.remedy)
    end
  end
  for _, problem in ipairs(result.problems or {}) do
    paragraph(lines, problem)
  end
  return lines
end

return M
