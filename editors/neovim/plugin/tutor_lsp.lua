-- Loaded at every start of Neovim: defines names only, loads no module.
if vim.g.loaded_tutor_lsp then
  return
end
vim.g.loaded_tutor_lsp = 1

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_err_writeln("tutor-lsp needs Neovim 0.10 or later")
  return
end

vim.api.nvim_create_user_command("TutorLsp", function(command)
  require("tutor_lsp").command(command)
end, {
  nargs = "*",
  bang = true,
  desc = "tutor-lsp: start, check, attempt, hint, …",
  complete = function(lead, line, cursor)
    return require("tutor_lsp").complete(lead, line, cursor)
  end,
})

local VERBS = "start next check attempt hint ask review reveal reset status curriculum sessions "
  .. "resume end report cancel doctor open failures output practise restore compare claim easier"

for verb in VERBS:gmatch("%S+") do
  vim.keymap.set("n", ("<Plug>(tutor-lsp-%s)"):format(verb), function()
    require("tutor_lsp").run(verb)
  end, { desc = "tutor-lsp: " .. verb })
end
for _, target in ipairs({ "lesson", "test", "coach" }) do
  vim.keymap.set("n", ("<Plug>(tutor-lsp-%s)"):format(target), function()
    require("tutor_lsp").run("open", { target })
  end, { desc = "tutor-lsp: go to the " .. target })
end
vim.keymap.set("n", "<Plug>(tutor-lsp-undo)", function()
  require("tutor_lsp").run("reset", { "undo" })
end, { desc = "tutor-lsp: undo the last reset" })
vim.keymap.set("n", "<Plug>(tutor-lsp-focus)", function()
  require("tutor_lsp").focus()
end, { desc = "tutor-lsp: enter the window with the hint or review" })

-- An exercise has a folder `.tutor`. The server is only looked for once such a file is opened.
-- Neovim may have no filetype for a language that was added.
vim.api.nvim_create_autocmd({ "FileType", "BufReadPost" }, {
  group = vim.api.nvim_create_augroup("tutor_lsp.attach", {}),
  callback = function(event)
    if vim.bo[event.buf].buftype == "" and vim.fs.root(event.buf, ".tutor") then
      require("tutor_lsp").attach(event.buf)
    end
  end,
})
