"""Pure rules of the tutor: no I/O, no asyncio, no LSP.

Deliberately absent: imports of any other package of tutor_lsp, of pydantic and of tree-sitter.
"""
