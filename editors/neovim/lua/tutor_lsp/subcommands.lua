--- The sub-commands of :TutorLsp: what each asks the server, and how its result is shown.
local client = require("tutor_lsp.client")
local compat = require("tutor_lsp.compat")
local options = require("tutor_lsp.options")
local state = require("tutor_lsp.state")
local text = require("tutor_lsp.text")
local view = require("tutor_lsp.view")
local workspace = require("tutor_lsp.workspace")

---@class tutor_lsp.Verb
---@field command string? command of the server; "tutor." .. verb if absent
---@field saves boolean? modified files of the exercise are saved before
---@field argument (fun(words: string[], confirmed: boolean): table)? its argument besides uri
---@field run (fun(words: string[], confirmed: boolean))? instead of asking the server at once
---@field from_server (fun(argument: table))? for a lens or code action, instead of asking at once
---@field show fun(result: any, asked: table)? show the result
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

---@return string?
local function language()
  return (state.session and state.session.language) or options.get().language
end

---@param words string[]
---@return table
local function unit_argument(words)
  return { unit = words[1] }
end

---@param words string[]
---@return table
local function start_argument(words)
  local argument = {}
  for index, word in ipairs(words) do
    local key, value = word:match("^(%a+)=(.*)$")
    if key == "topic" then
      local rest = vim.list_slice(words, index + 1)
      argument.topic = table.concat(vim.list_extend({ value }, rest), " ")
      break
    elseif key then
      argument[key] = value
    elseif word == "fresh" or word == "challenge" then
      argument[word] = true
    elseif not argument.language and vim.list_contains(state.languages, word) then
      argument.language = word
    else
      argument.node = word
    end
  end
  if argument.topic and not argument.language then
    argument.language = options.get().language
  end
  return argument
end

---@param hint table
local function show_hint(hint)
  local title, lines = text.hint(hint, language())
  view.text(title, lines, workspace.current())
end

---@param path string
---@param other string
---@return boolean
local function same_text(path, other)
  return vim.deep_equal(vim.fn.readfile(path), vim.fn.readfile(other))
end

---@param done string
---@return fun(result: any)
local function files_put_back(done)
  return function(result)
    vim.cmd("silent! checktime")
    local files = type(result) == "table" and result.files
    view.info(
      files and #files > 0 and ("%s: %s."):format(done, table.concat(files, ", ")) or done .. "."
    )
  end
end

--- Doing an exercise.
---@param verbs table<string, tutor_lsp.Verb>
---@param ask fun(name: string, argument: table)
---@param run fun(name: string, words: string[], confirmed: boolean)
local function add_exercise(verbs, ask, run)
  verbs.start = {
    run = function(words)
      if #words == 0 then
        require("tutor_lsp.start").pick()
      else
        ask("start", start_argument(words))
      end
    end,
  }

  verbs.next = {
    saves = true,
    show = function(result)
      view.info(result.ended)
    end,
  }

  verbs.check = {
    saves = true,
    show = function(report)
      view.info(text.report(report))
    end,
  }

  verbs.attempt = {
    saves = true,
    show = function(result)
      local title, lines = text.attempt(result)
      view.text(title, lines, workspace.current())
    end,
  }

  verbs.open = {
    run = function(words)
      if words[1] then
        ask(
          "open",
          vim.tbl_extend("keep", { target = words[1], unit = words[2] }, workspace.argument())
        )
      elseif state.session then
        workspace.open(vim.tbl_extend("force", state.session, { units = state.current_units() }))
      else
        run("resume", {}, false)
      end
    end,
    show = function(place)
      local root = workspace.current()
      if root and place then
        workspace.show(root, place.file, place.line)
      end
    end,
  }

  verbs.failures = {
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
        view.info("No failures are known. :TutorLsp check looks for them.")
      end
    end,
  }

  verbs.practise = {
    run = function()
      local found = vim.diagnostic.get(0, { lnum = vim.api.nvim_win_get_cursor(0)[1] - 1 })
      local diagnostic = vim.iter(found):find(function(item)
        return item.source ~= "tutor" and item.code ~= nil
      end)
      if not diagnostic then
        view.info("There is no error with a code on this line.")
        return
      end
      ask("start", { language = vim.bo.filetype, errorCode = tostring(diagnostic.code) })
    end,
  }
end

--- Help with it, and back to where it began.
---@param verbs table<string, tutor_lsp.Verb>
---@param ask fun(name: string, argument: table)
local function add_coach(verbs, ask)
  verbs.hint = {
    saves = true,
    argument = function(words)
      return words[1] and { unit = words[1] } or with_position()
    end,
    show = show_hint,
  }

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
    vim.ui.input({ prompt = "Your question: " }, function(question)
      send_question(argument, question)
    end)
  end

  verbs.ask = {
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
    show = show_hint,
  }

  verbs.compare = {
    saves = true,
    argument = unit_argument,
    show = function(result)
      if same_text(result.yours, result.reference) then
        view.info(("`%s` is the same as the reference."):format(result.unit))
        return
      end
      vim.cmd.tabedit(vim.fn.fnameescape(result.yours))
      vim.cmd("rightbelow vertical diffsplit " .. vim.fn.fnameescape(result.reference))
      vim.bo.modifiable = false
      vim.cmd.wincmd("p")
    end,
  }

  verbs.review = {
    show = function(review)
      if not review then
        view.info("There is no review yet. :TutorLsp attempt asks for one.")
        return
      end
      local title, lines = text.review(review)
      view.text(title, lines, workspace.current())
    end,
  }

  verbs.reveal = {
    argument = function(words, confirmed)
      return { unit = words[1], confirm = confirmed or nil }
    end,
    show = function(result)
      local shown = ("```%s\n%s\n```"):format(language() or "", vim.trim(result.solution))
      view.float(("Solution · %s"):format(result.unit), vim.split(shown, "\n", { plain = true }))
    end,
    refused = function(err, asked)
      local details = type(err.data) == "table" and err.data.details
      if asked.confirm or not (details and details.confirm) then
        return false
      end
      vim.ui.select(
        { "Keep trying", "Show the solution" },
        { prompt = view.words(err.message) },
        function(choice)
          if choice == "Show the solution" then
            ask("reveal", vim.tbl_extend("force", asked, { confirm = true }))
          end
        end
      )
      return true
    end,
  }

  local brought_back = files_put_back("Brought back what you wrote")
  local reset = files_put_back("Put back to the stubs")
  verbs.reset = {
    argument = function(words)
      local undo = vim.list_contains(words, "undo") or nil
      local unit = vim.iter(words):find(function(word)
        return word ~= "undo"
      end)
      return { unit = unit, undo = undo }
    end,
    show = function(result)
      local show = type(result) == "table" and result.undone and brought_back or reset
      show(result)
    end,
  }
  verbs.restore = { show = files_put_back("Put back as it was given") }
end

--- What was done, what there is, how things are.
---@param verbs table<string, tutor_lsp.Verb>
---@param ask fun(name: string, argument: table)
local function add_record(verbs, ask)
  verbs.status = {
    show = function(status)
      view.float(text.status(status))
    end,
  }

  verbs.curriculum = {
    run = function(words)
      require("tutor_lsp.start").browse(words[1])
    end,
  }

  verbs.sessions = {
    run = function()
      require("tutor_lsp.start").sessions()
    end,
  }

  verbs.resume = {
    argument = function(words)
      return { session = words[1] }
    end,
    show = function(session)
      state.started_at = nil
      require("tutor_lsp.handlers").session_ready(session)
    end,
  }

  verbs["end"] = {
    show = function(result)
      state.session = nil
      view.float("Well done for today", text.ended(result))
    end,
  }

  verbs.report = {
    show = function(result)
      local _, problem = vim.ui.open(result.path)
      view.info(
        problem and ("Your report: %s"):format(result.path) or ("Opened %s"):format(result.path)
      )
    end,
  }

  verbs.cancel = {
    show = function(result)
      view.info(result.cancelled and "Stopped." or "Nothing is going on.")
    end,
  }

  verbs.doctor = {
    show = function(result)
      view.float("What works here", text.doctor(result))
    end,
  }

  verbs.claim = {
    run = function(words)
      if words[1] then
        ask("claim", { node = words[1], known = words[2] ~= "no" })
      else
        require("tutor_lsp.start").browse(nil, function(node)
          ask("claim", { node = node.id, known = true })
        end)
      end
    end,
    show = function(node)
      view.info(("%s: %s"):format(node.title, node.claimed and "known" or "not marked as known"))
    end,
  }
end

---@param ask fun(name: string, argument: table) asks the server for a sub-command
---@param run fun(name: string, words: string[], confirmed: boolean) runs another sub-command
---@return table<string, tutor_lsp.Verb>
return function(ask, run)
  local verbs = {}
  add_exercise(verbs, ask, run)
  add_coach(verbs, ask)
  add_record(verbs, ask)
  return verbs
end
