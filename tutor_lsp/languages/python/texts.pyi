from tutor_lsp.languages.python.explain import explain as explain
from tutor_lsp.languages.python.source import functions as functions
from tutor_lsp.languages.python.source import import_lines as import_lines
from tutor_lsp.languages.python.source import imports as imports
from tutor_lsp.languages.python.source import syntax_error as syntax_error
from tutor_lsp.languages.python.source import tests as tests
