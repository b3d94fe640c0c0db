from tutor_lsp.stages.backends.claude_answer import ClaudeEvents as ClaudeEvents
from tutor_lsp.stages.backends.claude_answer import read_envelope as read_envelope
from tutor_lsp.stages.backends.codex_events import CodexEvents as CodexEvents
from tutor_lsp.stages.backends.openai_answer import read_answer as read_answer
from tutor_lsp.stages.backends.openai_stream import Completion as Completion
