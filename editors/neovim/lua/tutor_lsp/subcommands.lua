--- The sub-commands of :TutorLsp: what each asks the server, and where its result is shown.
local choices = require("tutor_lsp.choices")
local client = require("tutor_lsp.client")
local compat = require("tutor_lsp.compat")
local options = require("tutor_lsp.options")
local state = require("tutor_lsp.state")
local text = require("tutor_lsp.text")
local view = require("tutor_lsp.view")
local workspace = require("tutor_lsp.workspace")
local words = require("tutor_lsp.words")

local t, marked = words.t, words.marked

---@class tutor_lsp.Verb
---@field command string? command of the server; "tutor." .. verb if absent
---@field saves boolean? modified files of the exercise are saved before
---@field argument (fun(words: string[], confirmed: boolean): table)? its argument besides uri
---@field run (fun(words: string[], confirmed: boolean))? instead of asking the server at once
---@field from_server (fun(argument: table))? for a lens or code action, instead of asking at once
---@field show fun(result: any)? shows the result; by default it is told in a line
---@field refused (fun(err: table, asked: table): boolean)? true if the refusal was dealt with

---@return lsp.Position? of the cursor, if the buffer is one that the server sees
local function position()
  local running = client.running()
  if running and workspace.root(0) and vim.lsp.buf_is_attached(0, running.id) then
    return compat.position(running, 0)
  end
end

---@return table
local function with_position()
  local argument = workspace.argument()
  argument.position = position()
  return argument
end

--- Words that stand for a key that is true.
local FLAGS = { "fresh", "challenge", "undo", "record", "dismiss" }

---@param name string a sub-command
---@param argument table of the server's command
local function ask(name, argument)
  require("tutor_lsp.verbs").ask(name, argument)
end

--- The argument that words of the command line stand for: a flag, `key=value`, where `topic=` takes
--- the rest of the line, or a value alone.
---@param key_of string|fun(word: string, argument: table): string key of a value that stands alone
---@return fun(words: string[]): table
local function parsed(key_of)
  return function(words)
    local argument = {}
    for index, word in ipairs(words) do
      local key, value = word:match("^(%a+)=(.*)$")
      if key == "topic" then
        argument.topic = table.concat({ value, unpack(words, index + 1) }, " ")
        break
      elseif key then
        argument[key] = value
      elseif vim.list_contains(FLAGS, word) then
        argument[word] = true
      else
        argument[type(key_of) == "string" and key_of or key_of(word, argument)] = word
      end
    end
    return argument
  end
end

local unit_argument = parsed("unit")

--- The unit that is named, else that under the cursor.
---@param words string[]
---@return table
local function at_cursor(words)
  return words[1] and unit_argument(words) or with_position()
end

--- Of two words the first names a language. One alone is a topic's id or a language, which only the
--- server can tell: it takes either as `node`.
local start_words = parsed(function(_, argument)
  if argument.node then
    argument.language, argument.node = argument.node, nil
  end
  return "node"
end)

---@param words string[]
---@return table
local function start_argument(words)
  local argument = start_words(words)
  if argument.topic or argument.errorCode then
    argument.language = argument.language or argument.node
    argument.node = nil
  end
  if argument.topic and not argument.language then
    argument.language = options.get().language
  end
  return argument
end

---@param result table
local function show_whole(result)
  view.whole(result.say)
end

---@param units table[]
---@return table? the unit under the cursor, else the one that the learner is on
local function unit_here(units)
  local line = vim.api.nvim_win_get_cursor(0)[1]
  local path = vim.api.nvim_buf_get_name(0)
  return vim.iter(units):rfind(function(unit)
    return vim.endswith(path, "/" .. unit.file) and unit.line <= line
  end) or state.focus(units)
end

--- Keys of the ways on that a hint may end with.
local WAYS = { ["tutor.reveal"] = "s", ["tutor.ask"] = "?", ["tutor.start"] = "e" }

---@param result table of a hint
---@return string? keys that lead on from it
local function ways_of(result)
  if not result.level or result.level < 3 then
    return result.level and "h"
  end
  return vim.iter(result.actions or {}):fold("", function(keys, action)
    return keys .. (WAYS[action.command] or "")
  end)
end

---@param result table whose text is in `.tutor/coach.md`, too
local function show_coach(result)
  view.whole(result.say, workspace.current(), ways_of(result))
end

---@param result table of files that were put back
local function show_put_back(result)
  vim.cmd("silent! checktime")
  view.tell(result.say)
end

---@param argument table
---@param question string?
local function send_question(argument, question)
  if question and vim.trim(question) ~= "" then
    argument.question = vim.trim(question)
    ask("ask", argument)
  end
end

---@param argument table
local function ask_question(argument)
  vim.ui.input({ prompt = t("Your question: ") }, function(question)
    send_question(argument, question)
  end)
end

---@type table<string, tutor_lsp.Verb>
local M = {}

M.start = {
  run = function(words)
    if #words == 0 then
      local list = { list = "start", language = options.get().language }
      choices.pick(vim.tbl_extend("keep", list, workspace.argument()), "Tutor")
    else
      ask("start", start_argument(words))
    end
  end,
  show = function() end,
}

M.next = { saves = true }
M.check = { saves = true }

M.attempt = {
  saves = true,
  show = function(result)
    -- The file has the review, but not what else is said.
    local passed = result.report.outcome == "passed"
    if view.whole(result.say, result.review and workspace.current(), passed and "nd" or "h") then
      local cut = vim.endswith(result.say.oneLine, "…")
      view.info(cut and table.concat(text.lines(result.say), "\n") or result.say.oneLine)
    end
  end,
}

M.open = {
  run = function(words)
    if words[1] then
      local argument = { target = words[1], unit = words[2] }
      ask("open", vim.tbl_extend("keep", argument, workspace.argument()))
    elseif state.session then
      workspace.open(state.session)
    else
      ask("resume", workspace.argument())
    end
  end,
  show = function(place)
    local root = workspace.current()
    if root and place then
      workspace.show(root, place.file, place.line)
    end
  end,
}

M.output = {
  run = function()
    local report, said = state.current_report(), state.said_of_report()
    if report and said then
      view.float(text.output(report, said))
    else
      view.info(t("Nothing was run yet. :TutorLsp check runs the tests."))
    end
  end,
}

M.failures = {
  run = function()
    local root = workspace.current()
    local report = state.current_report()
    local items = report and root and text.quickfix(report, root) or {}
    vim.fn.setqflist({}, " ", { title = "tutor-lsp", items = items })
    if #items > 0 then
      view.close()
      vim.cmd("botright copen")
      vim.wo.wrap = false
    else
      view.info(t("There are no known failures. :TutorLsp check runs the tests."))
    end
  end,
}

M.practise = {
  run = function()
    local found = vim.diagnostic.get(0, { lnum = vim.api.nvim_win_get_cursor(0)[1] - 1 })
    local diagnostic = vim.iter(found):find(function(item)
      return item.source ~= "tutor" and item.code ~= nil
    end)
    if diagnostic then
      ask("start", { language = vim.bo.filetype, errorCode = tostring(diagnostic.code) })
    else
      view.info(t("There is no error with a code on this line."))
    end
  end,
}

M.hint = {
  saves = true,
  argument = function(words)
    view.asked()
    return at_cursor(words)
  end,
  show = function(result)
    local news = result.source ~= "author"
    view.hint(result.say, workspace.current(), ways_of(result), news)
  end,
}

M.easier = {
  run = function()
    local unit = unit_here(state.current_units())
    local way = vim.iter(unit and unit.actions or {}):find(function(action)
      return action.command == "tutor.start"
    end)
    if way then
      ask("start", way.argument)
    else
      view.info(t("An easier exercise is offered after the last :TutorLsp hint, if there is one."))
    end
  end,
}

M.ask = {
  command = "tutor.hint",
  saves = true,
  run = function(words)
    if #words > 0 then
      send_question(with_position(), table.concat(words, " "))
    else
      ask_question(with_position())
    end
  end,
  from_server = ask_question,
  show = show_coach,
}

M.compare = {
  saves = true,
  argument = at_cursor,
  show = function(result)
    if (result.diff or "") ~= "" then
      vim.cmd.tabedit(vim.fn.fnameescape(result.yours))
      vim.cmd("rightbelow vertical diffsplit " .. vim.fn.fnameescape(result.reference))
      vim.bo.modifiable = false
      vim.cmd.wincmd("p")
    end
    view.tell(result.say)
  end,
}

M.review = {
  show = function(review)
    if review then
      show_coach(review)
    else
      view.info(t("There is no review yet. Run :TutorLsp attempt to get one."))
    end
  end,
}

M.reveal = {
  argument = function(words, confirmed)
    return vim.tbl_extend("force", at_cursor(words), { confirm = confirmed or nil })
  end,
  show = show_whole,
  refused = function(err, asked)
    local details = type(err.data) == "table" and err.data.details
    if asked.confirm or not (details and details.confirm) then
      return false
    end
    local ways = { t("Keep trying"), t("Show the solution") }
    vim.ui.select(ways, { prompt = err.message }, function(_, chosen)
      if chosen == 2 then
        ask("reveal", vim.tbl_extend("force", asked, { confirm = true }))
      end
    end)
    return true
  end,
}

M.reset = { argument = unit_argument, show = show_put_back }
M.restore = { argument = parsed("record"), show = show_put_back }

M.status = { show = show_whole }
M.doctor = {
  show = function(found)
    require("tutor_lsp.mends").show(found)
  end,
}
M.cancel = {}

M.curriculum = {
  run = function(words)
    choices.pick({ list = "topics", language = words[1] or options.get().language }, marked("Topics"))
  end,
}

M.sessions = {
  run = function()
    choices.pick({ list = "sessions" }, marked("Sessions"))
  end,
}

M.resume = {
  argument = parsed("session"),
  show = function(session)
    state.started_at = nil
    require("tutor_lsp.handlers").session_ready(session)
  end,
}

M["end"] = {
  show = function(result)
    state.session = nil
    show_whole(result)
  end,
}

M.report = {
  show = function(result)
    vim.ui.open(result.path)
    view.tell(result.say)
  end,
}

M.claim = {
  run = function(words)
    if words[1] then
      ask("claim", { node = words[1], known = words[2] ~= "no" })
    else
      choices.pick({ list = "topics" }, marked("I know this"), function(node)
        ask("claim", { node = node, known = true })
      end)
    end
  end,
}

return M
