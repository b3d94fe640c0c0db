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

for _, verb in ipairs({
  "start",
  "next",
  "check",
  "attempt",
  "hint",
  "ask",
  "review",
  "reveal",
  "reset",
  "status",
  "curriculum",
  "sessions",
  "resume",
  "end",
  "report",
  "cancel",
  "doctor",
  "open",
  "failures",
  "practise",
  "restore",
  "compare",
  "claim",
}) do -- stylua: ignore
  vim.keymap.set("n", ("<Plug>(tutor-lsp-%s)"):format(verb), function()
    require("tutor_lsp").run(verb)
  end, { desc = "tutor-lsp: " .. verb })
end
vim.keymap.set("n", "<Plug>(tutor-lsp-focus)", function()
  require("tutor_lsp").focus()
end, { desc = "tutor-lsp: enter the window with the hint or review" })

-- An exercise has a folder `.tutor`. The server is only looked for once such a file is opened.
vim.api.nvim_create_autocmd("FileType", {
  group = vim.api.nvim_create_augroup("tutor_lsp.attach", {}),
  pattern = { "python", "rust", "c", "cpp", "markdown" },
  callback = function(event)
    if vim.bo[event.buf].buftype == "" and vim.fs.root(event.buf, ".tutor") then
      require("tutor_lsp").attach(event.buf)
    end
  end,
})
