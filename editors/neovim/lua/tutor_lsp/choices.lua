--- Lists to choose from. Their rows, and what picking one does, come from the server.
local client = require("tutor_lsp.client")
local view = require("tutor_lsp.view")
local t = require("tutor_lsp.words").t

local M = {}

---@class tutor_lsp.Row
---@field kind string
---@field label string
---@field detail string
---@field group string
---@field command string?
---@field argument table

---@param rows tutor_lsp.Row[]
---@return string? the heading that all of them stand under
local function only_group(rows)
  local other = vim.iter(rows):find(function(row)
    return row.group ~= rows[1].group
  end)
  return other == nil and rows[1].group or nil
end

---@param row tutor_lsp.Row
---@param grouped boolean whether its heading is to be read beside it
---@return string
local function line(row, grouped)
  local said = row.detail ~= "" and ("%s · %s"):format(row.label, row.detail) or row.label
  local known = not grouped or vim.startswith(said, row.group)
  return known and said or ("%s: %s"):format(row.group, said)
end

--- Ask for the words that belong where the argument of a row is empty.
---@param row tutor_lsp.Row
---@param callback fun(argument: table)
local function fill(row, callback)
  vim.ui.input({ prompt = row.detail .. " " }, function(answer)
    if answer and vim.trim(answer) ~= "" then
      callback(vim.tbl_map(function(value)
        return value == "" and vim.trim(answer) or value
      end, row.argument))
    end
  end)
end

---@param row tutor_lsp.Row
---@param take_topic fun(node: string)?
local function picked(row, take_topic)
  local function run(argument)
    require("tutor_lsp.verbs").from_server(row.command:match("%.(.*)$"), argument)
  end
  if row.command == "tutor.choices" then
    M.pick(row.argument, row.label, take_topic)
  elseif row.kind == "topic" and take_topic then
    take_topic(row.argument.node)
  elseif row.kind == "ask" then
    fill(row, run)
  elseif row.command then
    run(row.argument)
  end
end

--- Choose from a list of the server, and run the choice.
---@param argument table of `tutor.choices`
---@param prompt string where the rows stand under several headings, in English
---@param take_topic fun(node: string)? does something else with a topic than starting it
function M.pick(argument, prompt, take_topic)
  client.execute("tutor.choices", argument, function(err, rows)
    if err then
      view.refusal(err)
    elseif #rows == 0 then
      view.info(t("There is nothing here yet. `:TutorLsp start` begins an exercise."))
    else
      local group = only_group(rows)
      vim.ui.select(rows, {
        prompt = (group or t(prompt)) .. ": ",
        kind = "tutor_lsp",
        format_item = function(row)
          return line(row, group == nil)
        end,
      }, function(row)
        if row then
          picked(row, take_topic)
        end
      end)
    end
  end)
end

return M
