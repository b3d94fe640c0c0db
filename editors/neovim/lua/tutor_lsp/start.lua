--- Choosing what to do: continue, a recommendation, the curriculum, a topic of one's own.
local client = require("tutor_lsp.client")
local options = require("tutor_lsp.options")
local state = require("tutor_lsp.state")
local view = require("tutor_lsp.view")

local M = {}

---@class tutor_lsp.Choice
---@field label string
---@field run fun()

---@param argument table
local function start(argument)
  require("tutor_lsp.verbs").start(argument)
end

---@param choices tutor_lsp.Choice[]
---@param prompt string
local function choose(choices, prompt)
  vim.ui.select(choices, {
    prompt = prompt,
    kind = "tutor_lsp",
    format_item = function(choice)
      return choice.label
    end,
  }, function(choice)
    if choice then
      choice.run()
    end
  end)
end

--- Ask the server several things, and go on when all are answered.
---@param questions table<string, { [1]: string, [2]: table }>
---@param callback fun(answers: table<string, any>)
local function gather(questions, callback)
  local left, answers, failed = vim.tbl_count(questions), {}, false
  for name, question in pairs(questions) do
    client.execute(question[1], question[2], function(err, result)
      if failed then
        return
      end
      if err then
        failed = true
        view.refusal(err)
        return
      end
      answers[name] = result
      left = left - 1
      if left == 0 then
        callback(answers)
      end
    end)
  end
end

--- Keep what completion needs.
---@param curriculum table
local function remember(curriculum)
  if curriculum.languages and #curriculum.languages > 0 then
    state.languages = curriculum.languages
  end
  state.nodes = curriculum.nodes
end

--- Ask for the curriculum.
---@param callback fun(curriculum: table)
function M.curriculum(callback)
  gather({ curriculum = { "tutor.curriculum", {} } }, function(answers)
    remember(answers.curriculum)
    callback(answers.curriculum)
  end)
end

---@param parts string[]
---@return string
local function joined(parts)
  return table.concat(
    vim.tbl_filter(function(part)
      return part ~= ""
    end, parts),
    " · "
  )
end

---@param node table
---@return string
local function minutes(node)
  return node.minutes and ("%d min"):format(node.minutes) or ""
end

---@param curriculum table
---@param wanted string?
---@return table[]
local function nodes_of(curriculum, wanted)
  return vim.tbl_filter(function(node)
    return not wanted or node.language == wanted
  end, curriculum.nodes or {})
end

---@param node table
local function start_node(node)
  start({ language = node.language, node = node.id })
end

---@param node table
---@return string
local function node_label(node)
  local lacking = node.missingPrerequisites or {}
  local titles = vim.tbl_map(function(id)
    local found = vim.iter(state.nodes or {}):find(function(other)
      return other.id == id
    end)
    return found and found.title or id
  end, lacking)
  return joined({
    ("%s %s"):format((node.passed or node.claimed) and "✓" or "○", node.title),
    node.claimed and "known" or ("%d of 3"):format(node.mastery or 0),
    (node.standing or "not begun") ~= "not begun" and node.standing or "",
    minutes(node),
    node.due and "due for review" or "",
    #lacking > 0 and ("builds on " .. table.concat(titles, ", ")) or "",
  })
end

---@param curriculum table
---@param language string
---@param pick fun(node: table)
local function browse_nodes(curriculum, language, pick)
  local choices, later = {}, {}
  for _, node in ipairs(nodes_of(curriculum, language)) do
    local choice = {
      label = node_label(node),
      run = function()
        pick(node)
      end,
    }
    table.insert(node.openable and choices or later, choice)
  end
  if #later > 0 then
    choices[#choices + 1] = {
      label = ("%d more with a model …"):format(#later),
      run = function()
        choose(later, ("%s, with a model: "):format(language))
      end,
    }
  end
  choose(choices, ("%s: "):format(language))
end

---@param languages string[]
---@param prompt string
---@param callback fun(language: string)
local function choose_language(languages, prompt, callback)
  local preferred = options.get().language
  if preferred and vim.list_contains(languages, preferred) then
    callback(preferred)
  elseif #languages == 1 then
    callback(languages[1])
  else
    vim.ui.select(languages, { prompt = prompt, kind = "tutor_lsp" }, function(language)
      if language then
        callback(language)
      end
    end)
  end
end

--- Pick a topic of the curriculum, to start it unless `pick` does something else with it.
---@param language string?
---@param pick fun(node: table)?
function M.browse(language, pick)
  M.curriculum(function(curriculum)
    if language then
      browse_nodes(curriculum, language, pick or start_node)
    else
      choose_language(state.languages, "Which language? ", function(chosen)
        browse_nodes(curriculum, chosen, pick or start_node)
      end)
    end
  end)
end

--- Ask for a topic in the learner's own words.
function M.own_topic()
  vim.ui.input({ prompt = "What do you want to practise? " }, function(topic)
    if topic and vim.trim(topic) ~= "" then
      choose_language(state.languages, "In which language? ", function(language)
        start({ topic = vim.trim(topic), language = language })
      end)
    end
  end)
end

--- How many units pass, "" where a server does not say.
---@param session table
---@return string
local function how_far(session)
  if session.passed then
    return "passed"
  end
  local standing = session.standing
  if standing and standing ~= vim.NIL and standing.old then
    return standing.words
  end
  local all = session.units or 0
  return all > 0 and ("%d of %d"):format(session.unitsPassing or 0, all) or ""
end

--- The folder tells copies of one exercise apart.
---@param session table
---@return string
local function session_label(session)
  return joined({
    session.title,
    session.language or "",
    how_far(session),
    session.active and "in use" or "",
    session.endedAt and "ended" or "",
    (session.proven or "") ~= "" and "proven" or "",
    session.missing and "its folder is gone" or "",
    session.folder or "",
  })
end

---@param session table
local function resume(session)
  require("tutor_lsp.verbs").run("resume", { session.id }, false)
end

--- Pick a session to go on with.
function M.sessions()
  gather({ sessions = { "tutor.sessions", {} } }, function(answers)
    local choices = {}
    for _, session in ipairs(answers.sessions or {}) do
      choices[#choices + 1] = {
        label = session_label(session),
        run = function()
          resume(session)
        end,
      }
    end
    if #choices == 0 then
      view.info("There is no session yet. :TutorLsp start begins one.")
    else
      choose(choices, "Go on with: ")
    end
  end)
end

---@param sessions table[] newest first
---@return table? session the one in use, else the newest that can be continued
local function to_continue(sessions)
  local open = vim.tbl_filter(function(session)
    return not (session.endedAt or session.missing or session.passed)
  end, sessions)
  return vim.iter(open):find(function(session)
    return session.active
  end) or open[1]
end

---@param session table
---@return tutor_lsp.Choice
local function continue_choice(session)
  return {
    label = joined({ "Continue: " .. session.title, session.language or "", how_far(session) }),
    run = function()
      resume(session)
    end,
  }
end

---@param curriculum table
---@param language string
---@param most integer
---@param begun string? node of the session that can be continued
---@return tutor_lsp.Choice[]
local function recommended_choices(curriculum, language, most, begun)
  local choices = {}
  local recommended = vim.tbl_filter(function(item)
    return item.node ~= begun
  end, (curriculum.recommended or {})[language] or {})
  for _, item in ipairs(vim.list_slice(recommended, 1, most)) do
    local node = vim.iter(curriculum.nodes):find(function(other)
      return other.id == item.node
    end) or {}
    choices[#choices + 1] = {
      label = joined({ "Recommended: " .. item.title, language, minutes(node), item.reason or "" }),
      run = function()
        start({ language = language, node = item.node })
      end,
    }
  end
  return choices
end

--- The first list: Continue, recommendations, Browse, a topic of one's own.
function M.pick()
  gather({
    curriculum = { "tutor.curriculum", {} },
    sessions = { "tutor.sessions", {} },
  }, function(answers)
    remember(answers.curriculum)
    local session = to_continue(answers.sessions or {})
    local choices = session and { continue_choice(session) } or {}
    local language = options.get().language
      or (session and session.language)
      or (vim.list_contains(state.languages, vim.bo.filetype) and vim.bo.filetype)
    if language then
      vim.list_extend(
        choices,
        recommended_choices(answers.curriculum, language, 3, session and session.node)
      )
    else
      for _, name in ipairs(state.languages) do
        vim.list_extend(
          choices,
          recommended_choices(answers.curriculum, name, 1, session and session.node)
        )
      end
    end
    choices[#choices + 1] = {
      label = "Browse all topics …",
      run = function()
        M.browse()
      end,
    }
    choices[#choices + 1] = { label = "Your own topic …", run = M.own_topic }
    choose(choices, "What shall we do? ")
  end)
end

return M
