--- What the learner sees: messages, the window with hints and reviews.
local options = require("tutor_lsp.options")
local text = require("tutor_lsp.text")

local M = {}

local MAX_WIDTH = 72
local MAX_HEIGHT_SHARE = 0.6

---@type integer? window of the last text shown
local shown

--- A sentence of the server's with its commands as they are typed here.
---@param message string
---@return string
function M.words(message)
  return text.typed(message, require("tutor_lsp.verbs").names())
end

---@param message string
---@param level integer
local function say(message, level)
  vim.notify(M.words(message), level, { title = "tutor-lsp" })
end

---@param message string
function M.info(message)
  say(message, vim.log.levels.INFO)
end

---@param message string
function M.warn(message)
  say(message, vim.log.levels.WARN)
end

---@param message string
function M.error(message)
  say(message, vim.log.levels.ERROR)
end

--- Refusals that belong to a normal day.
local ORDINARY = { CANCELLED = true, REFUSED = true, NO_EXERCISE = true, NO_SESSION = true }

--- Tell about a refusal or failure of a command.
---@param err table JSON-RPC error
function M.refusal(err)
  local kind = type(err.data) == "table" and err.data.kind
  say(err.message, ORDINARY[kind] and vim.log.levels.INFO or vim.log.levels.WARN)
end

---@param lines string[]
---@param width integer
---@return integer
local function wrapped_height(lines, width)
  local height = 0
  for _, line in ipairs(lines) do
    height = height + math.max(1, math.ceil(vim.fn.strdisplaywidth(line) / width))
  end
  return height
end

--- Close the window with the last text.
function M.close()
  if shown and vim.api.nvim_win_is_valid(shown) then
    vim.api.nvim_win_close(shown, true)
  end
  shown = nil
end

---@param lines string[]
---@return integer buffer
local function text_buffer(lines)
  local buffer = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].filetype = "markdown"
  vim.bo[buffer].modifiable = false
  for _, key in ipairs({ "q", "<Esc>" }) do
    vim.keymap.set("n", key, M.close, { buffer = buffer, nowait = true, desc = "Close" })
  end
  return buffer
end

--- Show a text in a float at the lower right, so that the code above stays readable. The cursor
--- stays where it is; |M.focus| enters the float, `q` closes it from inside.
---@param title string
---@param lines string[]
---@return integer window
function M.float(title, lines)
  M.close()
  lines = vim.tbl_map(M.words, lines)
  local widest = vim.fn.strdisplaywidth(title) + 2
  for _, line in ipairs(lines) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line))
  end
  local width = math.max(1, math.min(widest, MAX_WIDTH, vim.o.columns - 4))
  local room = math.max(3, math.floor(vim.o.lines * MAX_HEIGHT_SHARE))
  shown = vim.api.nvim_open_win(text_buffer(lines), false, {
    relative = "editor",
    anchor = "SE",
    row = vim.o.lines - vim.o.cmdheight - 1,
    col = vim.o.columns,
    width = width,
    height = math.min(wrapped_height(lines, width), room),
    style = "minimal",
    border = "rounded",
    title = (" %s "):format(title),
  })
  vim.wo[shown].wrap = true
  vim.wo[shown].linebreak = true
  vim.wo[shown].conceallevel = 2
  return shown
end

--- Show `.tutor/coach.md` in a split below; the cursor stays where it is.
---@param path string
---@return integer window
function M.split(path)
  M.close()
  local before = vim.api.nvim_get_current_win()
  vim.cmd(("silent keepalt botright 12split %s"):format(vim.fn.fnameescape(path)))
  vim.cmd("silent! checktime %")
  shown = vim.api.nvim_get_current_win()
  vim.wo[shown].wrap = true
  vim.wo[shown].linebreak = true
  vim.bo.autoread = true
  vim.keymap.set("n", "q", M.close, { buffer = 0, nowait = true, desc = "Close" })
  vim.api.nvim_set_current_win(before)
  return shown
end

--- Show a hint or review: where the option says.
---@param title string
---@param lines string[]
---@param workspace string? whose `.tutor/coach.md` holds the same text
function M.text(title, lines, workspace)
  local coach = workspace and vim.fs.joinpath(workspace, ".tutor", "coach.md")
  if coach then
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_name(buffer) == coach then
        vim.cmd("silent! checktime " .. buffer)
      end
    end
  end
  if options.get().show == "split" and coach and vim.uv.fs_stat(coach) then
    M.split(coach)
  else
    M.float(title, lines)
  end
end

--- Enter the window with the last text, or leave it again.
function M.focus()
  if not (shown and vim.api.nvim_win_is_valid(shown)) then
    M.info("No hint or review is shown. :TutorLsp hint, :TutorLsp review")
  elseif vim.api.nvim_get_current_win() == shown then
    vim.cmd.wincmd("p")
  else
    vim.api.nvim_set_current_win(shown)
  end
end

return M
