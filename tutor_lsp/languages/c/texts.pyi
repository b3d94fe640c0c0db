from tutor_lsp.languages.c.explain import explain as explain
from tutor_lsp.languages.c.source import functions as functions
from tutor_lsp.languages.c.source import import_lines as import_lines
from tutor_lsp.languages.c.source import imports as imports
from tutor_lsp.languages.c.source import syntax_error as syntax_error
from tutor_lsp.languages.c.source import tests as tests
