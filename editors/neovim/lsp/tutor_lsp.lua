-- Found by vim.lsp.config() on Neovim 0.11 and later; 0.10 uses the same table.
return require("tutor_lsp.client").config()
