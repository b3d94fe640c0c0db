from tutor_lsp.stages.runner import Runner as Runner
from tutor_lsp.tutor.services.replay import replay_arguments as replay_arguments
from tutor_lsp.tutor.services.replay import replay_lines as replay_lines
