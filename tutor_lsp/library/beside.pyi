from tutor_lsp.library.mistakes import read_mistakes as read_mistakes
from tutor_lsp.library.programs import read_programs as read_programs
