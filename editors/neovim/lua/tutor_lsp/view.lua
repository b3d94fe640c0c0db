--- What the learner sees: messages, the window with hints and reviews.
local floats = require("tutor_lsp.floats")
local options = require("tutor_lsp.options")
local text = require("tutor_lsp.text")
local t = require("tutor_lsp.words").t

local M = {}

---@type integer? window of the last text shown
local shown
---@type integer? window of a hint that a closer one may replace
local early
---@type { said: tutor_lsp.Said, ways: string? }? the last text shown, also after it was closed
local last

--- Whether messages go to Neovim's own last line, not to a window of a plugin.
---@return boolean
local function last_line_takes_messages()
  -- Where Neovim is built without it there is no name of the source.
  local source = debug.getinfo(vim.notify, "S").short_src
  return source == "?" or vim.startswith(source, "vim/")
end

---@param message string
---@return boolean
local function fits_last_line(message)
  local room = vim.o.cmdheight > 0 and vim.v.echospace or 0
  return not message:find("\n") and vim.fn.strdisplaywidth(message) <= room
end

---@param message string
---@param level integer
local function say(message, level)
  if not last_line_takes_messages() then
    vim.notify(message, level, { title = "tutor-lsp" })
  elseif fits_last_line(message) then
    vim.cmd.redraw() -- else a second line makes Neovim ask for ENTER
    vim.notify(message, level)
  else
    floats.notice(message, level)
  end
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

--- Close the window with the last text.
function M.close()
  floats.close(shown)
  shown = nil
end

---@class tutor_lsp.Said
---@field title string
---@field oneLine string one or two sentences, cut with "…" where they are too long
---@field markdown string the whole, its first line being the title

--- Show a result in a float, which leaves the window with the cursor free where another one has room.
--- The cursor stays where it is; |M.focus| enters the float, `q` closes it from inside, and it closes
--- when the learner begins to insert.
---@param said tutor_lsp.Said
---@param ways string? keys that lead on from here
function M.float(said, ways)
  M.close()
  last = { said = said, ways = ways }
  shown = floats.open(text.lines(said), {
    title = said.title,
    footer = require("tutor_lsp.keys").footer(ways),
    filetype = "markdown",
    close = M.close,
  })
  local window = shown
  vim.api.nvim_create_autocmd("InsertEnter", {
    group = vim.api.nvim_create_augroup("tutor_lsp.float", {}),
    callback = function()
      if shown == window then
        M.close()
      end
      return true
    end,
  })
end

--- Show a result in one line, or whole if it does not fit into one.
---@param said tutor_lsp.Said
---@param tell (fun(message: string))? how
function M.tell(said, tell)
  if vim.endswith(said.oneLine, "…") then
    M.float(said)
  else
    (tell or M.info)(said.oneLine)
  end
end

--- Show `.tutor/coach.md` in a split below; the cursor stays where it is.
---@param path string
local function split(path)
  M.close()
  local before = vim.api.nvim_get_current_win()
  vim.cmd(("silent keepalt botright 12split %s"):format(vim.fn.fnameescape(path)))
  vim.cmd("silent! checktime %")
  shown = vim.api.nvim_get_current_win()
  vim.wo[shown].wrap = true
  vim.wo[shown].linebreak = true
  vim.bo.autoread = true
  vim.keymap.set("n", "q", M.close, { buffer = 0, nowait = true, desc = t("Close") })
  vim.api.nvim_set_current_win(before)
end

--- Show a hint or review: where the option says.
---@param said tutor_lsp.Said
---@param workspace string? whose `.tutor/coach.md` holds the same text
---@param ways string? keys that lead on from here
---@return boolean split whether that file is what is shown
function M.whole(said, workspace, ways)
  local coach = workspace and vim.fs.joinpath(workspace, ".tutor", "coach.md")
  for _, buffer in ipairs(coach and vim.api.nvim_list_bufs() or {}) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.api.nvim_buf_get_name(buffer) == coach then
      vim.cmd("silent! checktime " .. buffer)
    end
  end
  if options.get().show == "split" and coach and vim.uv.fs_stat(coach) then
    split(coach)
    return true
  end
  M.float(said, ways)
  return false
end

--- Show more of a text. Who reads it in its window stays there.
---@param window integer? its window
---@param show fun(): boolean? whether it is shown in a file instead
local function more(window, show)
  local view = vim.api.nvim_get_current_win() == window and vim.fn.winsaveview()
  if not show() and view and shown then
    vim.api.nvim_set_current_win(shown)
    vim.fn.winrestview(view)
  end
end

--- Show a hint that a closer one may replace, or an answer that is still being written. More of one
--- that the learner has closed is not shown.
---@param said tutor_lsp.Said
function M.early(said)
  if early and not vim.api.nvim_win_is_valid(early) then
    return
  end
  more(early, function()
    M.float(said)
  end)
  early = shown
end

--- A hint is asked for: nobody has turned away from it.
function M.asked()
  early = nil
end

--- Show a hint. One that comes after the learner has closed the early one is only told of.
---@param said tutor_lsp.Said
---@param workspace string?
---@param ways string?
---@param news boolean whether it says more than the early one
function M.hint(said, workspace, ways, news)
  local before = early
  early = nil
  if not before or vim.api.nvim_win_is_valid(before) then
    more(before, function()
      return M.whole(said, workspace, ways)
    end)
  elseif news then
    last = { said = said, ways = ways }
    M.info(t("There is a closer hint now, in .tutor/coach.md."))
  end
end

--- Enter the window with the last text, or leave it again. One that was closed is shown again.
function M.focus()
  if not (shown and vim.api.nvim_win_is_valid(shown)) and last then
    M.float(last.said, last.ways)
  elseif not shown then
    M.info(t("No hint or review is shown. Get one with :TutorLsp hint or :TutorLsp review."))
  elseif vim.api.nvim_get_current_win() == shown then
    vim.cmd.wincmd("p")
  else
    vim.api.nvim_set_current_win(shown)
  end
end

return M
