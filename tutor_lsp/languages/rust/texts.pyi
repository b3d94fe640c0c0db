from tutor_lsp.languages.rust.explain import explain as explain
from tutor_lsp.languages.rust.look.marking import lacks as lacks
from tutor_lsp.languages.rust.look.marking import marked as marked
from tutor_lsp.languages.rust.source import functions as functions
from tutor_lsp.languages.rust.source import import_lines as import_lines
from tutor_lsp.languages.rust.source import imports as imports
from tutor_lsp.languages.rust.source import syntax_error as syntax_error
from tutor_lsp.languages.rust.source import tests as tests
