from tutor_lsp.languages.common.aside_run import Run as Run
from tutor_lsp.languages.common.aside_run import run_of as run_of
from tutor_lsp.languages.common.programs.asked import Asked as Asked
from tutor_lsp.languages.common.programs.asked import ProgramRuns as ProgramRuns
from tutor_lsp.languages.common.programs.asked import asked as asked
