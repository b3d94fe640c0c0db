"""What an editor shows, as plain data: pure functions of a `View`.

Deliberately absent: LSP types, I/O, the store. `lsp/` converts, `cli/` prints.
"""
