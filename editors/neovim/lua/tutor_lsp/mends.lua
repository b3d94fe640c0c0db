--- What the doctor offers to mend: each by one key, its number in the text.
local view = require("tutor_lsp.view")
local t = require("tutor_lsp.words").t

local M = {}

--- Keys there are for numbers.
local MOST = 9

---@param path string
local function edit(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
end

--- Type a line into a terminal, where the learner presses ENTER.
---@param line string
local function type_line(line)
  vim.cmd("botright new")
  vim.cmd.terminal()
  -- A line end in it, or another key, would be pressed, too.
  vim.api.nvim_chan_send(vim.bo.channel, (line:gsub("%c", " ")))
  vim.cmd.startinsert()
end

--- How each kind is mended.
---@type table<string, fun(mend: table, home: string)>
local DO = {
  page = function(mend)
    vim.ui.open(mend.url)
  end,
  line = function(mend)
    type_line(mend.line)
  end,
  file = function(mend)
    edit(mend.file)
  end,
  setting = function(mend, home)
    if mend.setting == "home" then
      vim.cmd.help("tutor-lsp-setup")
    else
      edit(vim.fs.joinpath(home, "config.toml"))
    end
  end,
  command = function(mend)
    require("tutor_lsp.verbs").from_server(mend.command:gsub("^tutor%.", ""), mend.argument)
  end,
}

--- Show what was found. Where something can be mended its window has the cursor, and the keys.
---@param found table what `tutor.doctor` answers
function M.show(found)
  view.whole(found.say)
  local remedies = vim.list_slice(found.remedies or {}, 1, MOST)
  if #remedies == 0 then
    return
  end
  view.focus()
  for number, remedy in ipairs(remedies) do
    vim.keymap.set("n", tostring(number), function()
      view.close()
      DO[remedy.mend.kind](remedy.mend, found.home)
    end, { buffer = 0, nowait = true, desc = remedy.message })
  end
  local keys = #remedies == 1 and "1" or ("1-%d"):format(#remedies)
  local footer = (" %s %s · q %s "):format(keys, t("mend it"), t("close"))
  vim.api.nvim_win_set_config(0, { footer = footer, footer_pos = "right" })
end

return M
